// A whole hand that the camera has missed, or the rest of one that went on differently, told by thumb on the sheet; its effect is
// shown before it is put in.
import { acts } from "./organiser-acts.js";
import { button, el, post, say } from "./organiser-dom.js";
import { close, open, propose } from "./organiser-sheet.js";

/** Tell a hand that was played before this one. */
export function openMissed(view, hand, send) {
  const title = say.missed_title.replace("{n}", hand.n);
  tell(view, hand, title, [], (events) => propose(view, { what: "insert", hand: hand.id, events }, title, send));
}

/** Tell a hand that is over again from the line `start` on: all that followed may have been different, too. */
export function openAnew(view, hand, start, send) {
  const title = say.anew_title.replace("{n}", hand.n);
  const shown = hand.events;
  tell(view, hand, title, shown.slice(0, start), (events) =>
    propose(view, { what: "change", hand: hand.id, start, stop: shown.length, events: events.slice(start), shown, mend: true }, title, send));
}

/** Tell a hand that begins with these events; without any, as hands of this game begin. `put(events)`: all of it, once it is
    over. */
function tell(view, hand, title, begun, put) {
  const taps = begun.length ? [begun] : []; // the events of every tap
  const memory = {};

  async function draw() {
    open(title, el("p.soft", {}, "…"));
    let told;
    try {
      told = await post("/missed", { game: view.game, version: view.version, before: hand.id, events: taps.flat() });
    } catch (error) {
      open(title, el("p.problem", { role: "alert" }, error.message), taps.length > 1 ? back() : null, button(say.cancel, close));
      return;
    }
    if (told.over) {
      put(told.events);
      return;
    }
    if (!taps.length) taps.push(told.events);
    const lines = el("ol.told", {}, ...told.lines.map((line) => el("li", {}, line)));
    const say_it = (events) => { taps.push(events); draw(); };
    const nothing = begun.length && told.next.void ? button(say.void, () => say_it([{ e: "void" }]), "button", { "data-key": "void" }) : null;
    open(title, lines, ...acts(told.next, say_it, memory, draw), nothing, taps.length > 1 ? back() : null, button(say.cancel, close));
    lines.lastElementChild.scrollIntoView({ block: "nearest" });
  }

  const back = () => button(`↶ ${say.undo}`, () => { taps.pop(); draw(); });
  draw();
}
