// Only the outcome of a hand: a number for each player, who paid how much or had how many cards left, when nobody can tell the rest.
// Where the numbers are few a tap on a name is one more; else everybody has a row of them, with those that are known chosen.
import { button, el, say } from "./organiser-dom.js";
import { close, open, propose } from "./organiser-sheet.js";

const FEW = 3;

export function openOutcome(view, hand, send) {
  const few = hand.most <= FEW;
  const said = new Map(hand.order.map((name) => [name, few ? 0 : (hand.comes_to[name] ?? 0)]));
  const title = say.outcome_title.replace("{n}", hand.n);
  const rows = hand.order.map((name) => (few ? payer(said, name, hand.most) : left(said, name, hand.most)));
  const see = () => propose(view, { what: "outcome", hand: hand.id, paid: Object.fromEntries([...said].filter(([, many]) => many)) }, title, send);
  open(title, el("p.soft", {}, say.outcome_help), el(few ? "div.payers" : "div.numbers", {}, ...rows), button(say.propose, see, "button.big.last"), button(say.cancel, close));
}

function payer(said, name, most) {
  const count = el("b", { "aria-hidden": "true" });
  const row = button(name, () => { said.set(name, (said.get(name) + 1) % (most + 1)); draw(); }, "button.payer");
  const draw = () => {
    const many = said.get(name);
    count.textContent = many ? `−${many}` : "";
    row.setAttribute("aria-pressed", String(many > 0));
    row.setAttribute("aria-label", many ? `${name} −${many}` : name);
  };
  row.append(count);
  draw();
  return row;
}

function left(said, name, most) {
  const all = Array.from({ length: most + 1 }, (_, many) => button(String(many), () => { said.set(name, many); draw(); }, "button.number", { "aria-label": `${name}: ${many}` }));
  const draw = () => all.forEach((one, many) => one.setAttribute("aria-pressed", String(said.get(name) === many)));
  draw();
  return el("fieldset.left", {}, el("legend", {}, name), ...all);
}
