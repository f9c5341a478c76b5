// What is rarer than a tap: ricompera and partners, Matto, penalty, void hand, split, another dealer, no more ricompere.
import { button, el, say } from "./organiser-dom.js";
import { close, hundredths, open } from "./organiser-sheet.js";

/** The buttons for what is possible now. `act(command, title)` shows what it does before it is done. */
export function openForms(view, act) {
  const next = view.next;
  const tell = (events, title) => act({ what: "say", events }, title);
  const found = [];
  const add = (key, label, onclick) => found.push(button(label, onclick, "button", { "data-key": key }));
  if (next.rebuy) add("rebuy", say.rebuy, () => rebuy(next.rebuy, tell));
  if (next.matti) add("matto", next.matti === 2 ? say.matto_out : say.matto_in, () => act({ what: "say", events: [{ e: "matto", in_deck: 3 - next.matti }] }, "", true));
  if (next.penalty.length) add("penalty", say.penalty, () => penalty(next.penalty, tell));
  if (next.split.length) add("split", say.split, () => split(next.split, tell));
  if (next.dealers.length) add("dealer", say.dealer, () => dealer(next.dealers, tell));
  if (next.void) add("void", say.void, () => reasoned(say.void, (reason) => tell([{ e: "void", ...reason }], say.void)));
  if (next.close) add("close", say.close, () => tell([{ e: "close" }], say.close));
  return found.length ? [el("h2", {}, say.more), el("div.forms", {}, ...found)] : [];
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

function reasoned(title, done) {
  const reason = el("input", { id: "reason", maxLength: 200 });
  open(title, el("label", { htmlFor: "reason" }, say.reason), reason,
    button(say.propose, () => done(reason.value.trim() ? { reason: reason.value.trim() } : {}), "button.big"), button(say.cancel, close));
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
