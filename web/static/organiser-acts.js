// What may come next in a hand, as buttons: for the hand that is played, and for one that is told afterwards.
import { button, cardButton, el, kinds, say } from "./organiser-dom.js";

/** The acts of `next`, the likeliest largest. `tap(events)`: this has happened. `whose` card is being shown, `pick(player)`
    chooses another; `shown(player, after)`: their card was just tapped, and whose may come after it. */
export function acts(next, tap, { whose, pick, shown }) {
  const found = next.offers.map((offer, index) =>
    button(offer.label, () => tap(offer.events), index === 0 && !next.showdown ? "button.big" : index === 1 ? "button.second" : "button", { "data-key": `offer${index}` }));
  const parts = [el("div.offers", {}, ...found)];
  if (next.refusals) {
    parts.push(el("h2", {}, next.refusals.title));
    parts.push(el("div.trumps", {}, ...next.refusals.offers.map((offer) =>
      cardButton(offer.card, () => tap(offer.events), { label: offer.label }))));
  }
  if (next.covered.length) parts.push(...showdown(next, tap, { whose, pick, shown }));
  return parts;
}

function showdown(next, tap, { whose, pick, shown }) {
  const one = next.covered.find((covered) => covered.player === whose) ?? (next.showdown ? next.covered[0] : null);
  if (!one) return [button(say.show_card, () => pick(next.covered[0].player), "button", { "data-key": "show" })];
  const players = next.covered.map((covered) =>
    button(covered.player, () => pick(covered.player), "button.chip", { "aria-pressed": String(covered === one), "data-key": `whose${covered.player}` }));
  const possible = new Set(one.kinds);
  const after = next.covered[next.covered.indexOf(one) + 1] ?? next.covered.find((covered) => covered !== one);
  const reveal = (kind) => {
    shown(one.player, after?.player);
    tap([{ e: "reveal", by: one.player, card: kind }]);
  };
  return [el("div.chips", {}, ...players), el("h2", {}, say.whose.replace("{name}", one.player)),
    el("div.grid", {}, ...kinds.map((kind) => cardButton(kind, () => reveal(kind), { dim: !possible.has(kind) })))];
}
