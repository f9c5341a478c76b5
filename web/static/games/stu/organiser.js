// Lu Stù on the organiser's phone: refusals and the showdown; ricompera and partners, Matto, penalty, split, another dealer; the terms
// of a ceded Taverna; pedine.
import { button, cardButton, el, kinds, say } from "../../organiser-dom.js";
import { hundredths, open } from "../../organiser-sheet.js";

/** How the asked may refuse, and whose card is shown (`memory.whose`). */
export function acts(next, tap, memory, redraw) {
  const parts = [];
  if (next.refusals) {
    parts.push(el("h2", {}, next.refusals.title));
    parts.push(el("div.trumps", { "data-context": next.refusals.title }, ...next.refusals.offers.map((offer) =>
      cardButton(offer.card, () => tap(offer.events), { label: offer.label }))));
  }
  if (!next.covered.some((covered) => covered.player === memory.whose)) memory.whose = null;
  const names = next.covered.map((covered) => covered.player);
  if (!names.length || !names.every((name) => memory.showing?.includes(name))) memory.showing = names;
  return next.covered.length ? [...parts, ...showdown(next, tap, memory, redraw)] : parts;
}

function showdown(next, tap, memory, redraw) {
  const pick = (player) => { memory.whose = player; redraw(); };
  const one = next.covered.find((covered) => covered.player === memory.whose) ?? (next.showdown ? next.covered[0] : null);
  if (!one) return [button(say.show_card, () => pick(next.covered[0].player), "button", { "data-key": "show" })];
  const left = new Set(next.covered.map((covered) => covered.player));
  const players = memory.showing.map((name) => // who has shown keeps their place: the grid below does not move under the thumb
    button(name, () => pick(name), "button.chip", { "aria-pressed": String(name === one.player), disabled: !left.has(name), "data-key": `whose${name}` }));
  const possible = new Set(one.kinds);
  const after = next.covered[next.covered.indexOf(one) + 1] ?? next.covered.find((covered) => covered !== one);
  const reveal = (kind) => {
    if (memory.whose) memory.whose = after?.player ?? null; // who was picked is followed by the next
    tap([{ e: "reveal", by: one.player, card: kind }]);
  };
  return [el("div.chips", {}, ...players), el("h2.whose", {}, say.whose.replace("{name}", one.player)),
    el("div.grid", { "data-context": one.player }, ...kinds.map((kind) => cardButton(kind, () => reveal(kind), { dim: !possible.has(kind) })))];
}

/** Pedine as dots, and whether the player is a virgin. */
export function has(player) {
  const dots = player.in_play ? "●".repeat(Math.min(player.pedine, 9)) : player.has;
  return [el("span", { "aria-label": player.has, role: "img" }, dots), player.virgin ? el("em", {}, ` ${say.virgin}`) : null];
}

/** The buttons for what is possible now, with the `rest` that every game has. `act(command, title)` shows what it does before it is
    done. */
export function forms(view, act, rest) {
  const next = view.next;
  const tell = (events, title) => act({ what: "say", events }, title);
  const found = [];
  const add = (key, label, onclick) => found.push(button(label, onclick, "button", { "data-key": key }));
  if (next.rebuy) add("rebuy", say.rebuy, () => rebuy(next.rebuy, tell));
  if (next.matti) add("matto", next.matti === 2 ? say.matto_out : say.matto_in, () => act({ what: "say", events: [{ e: "matto", in_deck: 3 - next.matti }] }, "", true));
  if (next.penalty.length) add("penalty", say.penalty, () => penalty(next.penalty, tell));
  if (next.split.length) add("split", say.split, () => split(next.split, tell));
  if (next.dealers.length) add("dealer", say.dealer, () => dealer(next.dealers, tell));
  found.push(...rest);
  if (next.close) add("close", say.close, () => tell([{ e: "close" }], say.close));
  return found;
}

function rebuy(ransom, tell) {
  const partners = el("div.partners");
  const add = () => partners.append(el("div.row", {},
    el("input", { className: "name", placeholder: say.partner, "aria-label": say.partner, maxLength: 40 }),
    el("input", { className: "share", type: "number", min: 0, max: 100, step: 1, inputMode: "numeric", placeholder: say.share, "aria-label": say.share })));
  const noted = () => [...partners.children]
    .map((row) => ({ name: row.querySelector(".name").value.trim(), share: hundredths(row.querySelector(".share").value || 0) }))
    .filter((partner) => partner.name);
  const back = ransom.players.map((name) => {
    const label = say.rebuy_for.replace("{name}", name).replace("{price}", ransom.text);
    return button(label, () => tell([{ e: "rebuy", by: name, ...(noted().length ? { partners: noted() } : {}) }], label), "button.big");
  });
  open(say.rebuy, ...back, partners, button(say.add_partner, add));
}

function penalty(players, tell) {
  const reason = el("input", { id: "reason", maxLength: 200 });
  const why = () => (reason.value.trim() ? { reason: reason.value.trim() } : {});
  open(say.penalty, el("label", { htmlFor: "reason" }, say.reason), reason,
    ...players.map((name) => button(name, () => tell([{ e: "penalty", player: name, ...why() }], `${say.penalty}: ${name}`))));
}

function split(players, tell) {
  const inputs = players.map((name, index) =>
    [name, el("input", { id: `share${index}`, type: "number", min: 0, max: 100, step: 1, inputMode: "numeric", value: "50" })]);
  const rows = inputs.flatMap(([name, input]) => [el("label", { htmlFor: input.id }, `${name}: ${say.share}`), input]);
  const shares = () => Object.fromEntries(inputs.map(([name, input]) => [name, hundredths(input.value || 0)]));
  open(say.split, ...rows, button(say.propose, () => tell([{ e: "split", shares: shares() }], say.split), "button.big"));
}

function dealer(players, tell) {
  open(say.dealer, ...players.map((name) => button(name, () => tell([{ e: "hand", dealer: name }], `${say.dealer}: ${name}`))));
}

/** What was agreed for a ceded Taverna. */
export function lineForm(line, go) {
  if (line.event.e !== "taverna") return null;
  const words = el("input", { id: "terms", maxLength: 200, value: line.event.terms ?? "" });
  const share = el("input", { id: "share", type: "number", min: 0, max: 100, step: 1, inputMode: "numeric", value: line.event.share === undefined ? "" : String(line.event.share * 100) });
  const send = () => {
    const event = { e: "taverna", by: line.event.by };
    if (words.value.trim()) event.terms = words.value.trim();
    if (share.value !== "") event.share = hundredths(share.value);
    go([event], say.terms_title);
  };
  return el("div.form", {}, el("label", { htmlFor: "terms" }, say.terms), words, el("label", { htmlFor: "share" }, say.share), share, button(say.propose, send));
}
