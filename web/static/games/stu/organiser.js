// Lu Stù on the organiser's phone: refusals and the showdown; ricompera and partners, Matto, penalty, split, another dealer; the terms
// of a ceded Taverna; pedine.
import { complain, minor, percentText, rest, shareOf, sum, together } from "../../organiser-amount.js";
import { button, cardButton, el, kinds, names, say } from "../../organiser-dom.js";
import { open } from "../../organiser-sheet.js";

/** How the asked may refuse, and whose card is shown (`memory.whose`). */
export function acts(next, tap, memory, redraw) {
  const parts = [];
  if (next.refusals) {
    parts.push(el("h2", {}, next.refusals.title));
    parts.push(el("div.trumps", { "data-context": next.refusals.title }, ...next.refusals.offers.map((offer) =>
      cardButton(offer.card, () => tap(offer.events), { label: offer.label }))));
  }
  if (!next.covered.some((covered) => covered.player === memory.whose)) memory.whose = null;
  const left = next.covered.map((covered) => covered.player);
  if (!left.length || !left.every((name) => memory.showing?.includes(name))) memory.showing = left;
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
  return [names(players), el("h2.whose", {}, say.whose.replace("{name}", one.player)),
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
  const [partners, add, noted] = partnersForm([]);
  const back = ransom.players.map((name) => {
    const label = say.rebuy_for.replace("{name}", name).replace("{price}", ransom.text);
    return button(label, () => { const told = noted(name); if (told) tell([{ e: "rebuy", by: name, ...told }], label); }, "button.big");
  });
  open(say.rebuy, ...back, partners, add);
}

/** Who shares a ricompera: rows that can be filled in and emptied, the button for another, and what they come to as keys of the event;
    null, with the field that is wrong under the finger, where that cannot be known. `known`: those who stand there; `by`: who comes back. */
function partnersForm(known) {
  const box = el("div.partners");
  const add = (one = { name: "", share: "" }) => box.append(el("div.row", {},
    el("input", { className: "name", placeholder: say.partner, "aria-label": say.partner, maxLength: 24, value: one.name }),
    percentField({ className: "share", placeholder: say.share, "aria-label": say.share }, one.share),
    el("input", { className: "paid", inputMode: "decimal", placeholder: say.paid, "aria-label": say.paid, maxLength: 14, value: one.paid === undefined ? "" : sum(one.paid, false, true) }),
    button("✕", (event) => event.currentTarget.parentElement.remove(), "button.close", { "aria-label": say.remove_partner })));
  for (const one of known) add(one);
  const noted = (by) => {
    const told = [];
    for (const row of box.children) {
      const [name, share, paid] = ["name", "share", "paid"].map((kind) => row.querySelector(`.${kind}`));
      if (!name.value.trim() && !share.value.trim() && !paid.value.trim()) continue;
      const part = shareOf(share.value), euros = paid.value.trim() ? minor(paid.value) : null;
      const wrong = !name.value.trim() ? name : part === null ? share : Number.isNaN(euros) ? paid : null;
      if (wrong) { complain(wrong); return null; }
      told.push({ name: name.value.trim(), share: part, ...(euros === null ? {} : { paid: euros }) });
    }
    const shares = together(told.map((one) => one.share), told.findIndex((one) => one.name === by));
    return told.length ? { partners: told.map((one, at) => ({ ...one, share: shares[at] })) } : {};
  };
  return [el("div.form", {}, el("p.soft", {}, say.partners_help), box), button(say.add_partner, () => { add(); box.lastElementChild.querySelector("input").focus(); }), noted];
}

/** A field for a share in percent, typed with a comma or a point, or as a fraction, for which a keyboard of digits has no stroke.
    `share`: what stands there, of 0 to 1. */
const percentField = (more, share = "") => el("input", { autocomplete: "off", maxLength: 14, value: percentText(share), ...more });

function penalty(players, tell) {
  const reason = el("input", { id: "reason", maxLength: 200 });
  const why = () => (reason.value.trim() ? { reason: reason.value.trim() } : {});
  open(say.penalty, el("label", { htmlFor: "reason" }, say.reason), reason,
    ...players.map((name) => button(name, () => tell([{ e: "penalty", player: name, ...why() }], `${say.penalty}: ${name}`))));
}

function split(players, tell) {
  const inputs = players.map((name, index) => percentField({ id: `share${index}` }, 0.5));
  const rows = inputs.flatMap((input, index) => [el("label", { htmlFor: input.id }, `${players[index]}: ${say.share}`), input]);
  const [first, second] = inputs;
  let own = false; // whether the second was typed: then it follows the first no more
  first.addEventListener("input", () => { const left = rest(first.value); if (!own && left !== null) second.value = left; });
  second.addEventListener("input", () => { own = true; });
  const send = () => {
    const parts = inputs.map((input) => shareOf(input.value)), wrong = inputs[parts.indexOf(null)];
    if (wrong) { complain(wrong); return; }
    const shares = together(parts);
    tell([{ e: "split", shares: Object.fromEntries(players.map((name, index) => [name, shares[index]])) }], say.split);
  };
  open(say.split, ...rows, button(say.propose, send, "button.big"));
}

function dealer(players, tell) {
  open(say.dealer, ...players.map((name) => button(name, () => tell([{ e: "hand", dealer: name }], `${say.dealer}: ${name}`))));
}

/** What was agreed: with partners of a ricompera, for a ceded Taverna. */
export function lineForm(line, go) {
  if (line.event.e === "rebuy") return rebuyForm(line, go);
  if (line.event.e !== "taverna") return null;
  const words = el("input", { id: "terms", maxLength: 200, value: line.event.terms ?? "" });
  const share = percentField({ id: "share" }, line.event.share);
  const send = () => {
    const event = { e: "taverna", by: line.event.by }, part = share.value.trim() ? shareOf(share.value) : undefined;
    if (part === null) { complain(share); return; }
    if (words.value.trim()) event.terms = words.value.trim();
    if (part !== undefined) event.share = part;
    go([event], say.terms_title);
  };
  return el("div.form", {}, el("label", { htmlFor: "terms" }, say.terms), words, el("label", { htmlFor: "share" }, say.share), share, button(say.propose, send));
}

function rebuyForm(line, go) {
  const [partners, add, noted] = partnersForm(line.event.partners ?? []);
  const send = () => { const told = noted(line.event.by); if (told) go([{ e: "rebuy", by: line.event.by, ...told }], say.partners_title.replace("{name}", line.event.by)); };
  return el("div.form", {}, el("h3", {}, say.partners_title.replace("{name}", line.event.by)), partners, add, button(say.propose, send));
}
