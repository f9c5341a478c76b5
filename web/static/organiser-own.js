// What the game's own script (games/GAME/organiser.js) adds to the phone, where there is one.
import { el, page } from "./organiser-dom.js";

const script = page.own_script ? await import(page.own_script) : {};

/** More of what may come next, as elements. `memory`: what they remember between two drawings; `redraw` draws them again. */
export const ownActs = script.acts ?? ((next, tap, memory, redraw) => []);
/** What is rarer than a tap, as buttons, with the `rest` that every game has among them. `act(command, title)`: see
    organiser.js. */
export const ownForms = script.forms ?? ((view, act, rest) => rest);
/** A form that goes with a line, or null. `go(events, title)`: it was so instead. */
export const ownLineForm = script.lineForm ?? ((line, go) => null);
/** What a player has, as elements. */
export const has = script.has ?? ((player) => [el("span", {}, player.has)]);
