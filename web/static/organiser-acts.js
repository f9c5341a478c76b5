// What may come next, as buttons: in the hand that is played, and in one that is told afterwards.
import { button, cardButton, el } from "./organiser-dom.js";
import { ownActs } from "./organiser-own.js";

/** The acts of `next`, the likeliest largest. `tap(events)`: this has happened. `memory`: what the game's own acts remember between
    two drawings, which `redraw` makes anew. */
export function acts(next, tap, memory, redraw) {
  const found = next.offers.map((offer, index) => (offer.card
    ? cardButton(offer.card, () => tap(offer.events), { label: offer.label })
    : button(offer.label, () => tap(offer.events), index === 0 && next.likely ? "button.big" : index === 1 ? "button.second" : "button", { "data-key": `offer${index}` })));
  return [el("div.offers", {}, ...found), ...ownActs(next, tap, memory, redraw)];
}
