// Only the outcome of a hand: a number for each player, who paid how much or had how many cards left, when nobody can tell the rest.
// Where the numbers are few a tap on a name is one more; else everybody has a row of them, with those that are known chosen. Where
// they are sums a tap on a name gives them what lies on the table, and a tap on a sum opens a pad.
import { pad, sum } from "./organiser-amount.js";
import { button, el, say } from "./organiser-dom.js";
import { close, open, propose } from "./organiser-sheet.js";

const FEW = 3;

export function openOutcome(view, hand, send) {
  if (hand.in_money) return openSums(view, hand, send);
  const few = hand.most <= FEW;
  const said = new Map(hand.order.map((name) => [name, few ? 0 : (hand.comes_to[name] ?? 0)]));
  const title = say.outcome_title.replace("{n}", hand.n);
  const rows = hand.order.map((name) => (few ? payer(said, name, hand.most) : left(said, name, hand.most)));
  const see = () => propose(view, { what: "outcome", hand: hand.id, paid: Object.fromEntries([...said].filter(([, many]) => many)) }, title, send);
  open(title, el("p.soft", {}, say.outcome_help), el(few ? "div.payers" : "div.numbers", {}, ...rows), button(say.propose, see, "button.big.last"), button(say.cancel, close));
}

/** What everybody has after the hand. `hand.most` is all that there is: what nobody has lies on the table. */
function openSums(view, hand, send) {
  const has = new Map(Object.entries(hand.comes_to));
  const title = say.outcome_title.replace("{n}", hand.n);
  const rows = el("div.sums"), lies = el("p.soft", { role: "status" });
  let typing = null;
  const see = () => propose(view, { what: "outcome", hand: hand.id, paid: Object.fromEntries([...has].filter(([, many]) => many)) }, title, send);
  const go = button(say.propose, see, "button.big.last");
  const all = () => [...has.values()].reduce((before, one) => before + one, 0);
  const set = (name, many) => { has.set(name, many); typing = null; draw(); };
  const row = (name) => {
    const many = has.get(name) ?? 0, rest = hand.most - all(), said = sum(many, false);
    const takes = button(name, () => set(name, many + rest), "button.takes", { disabled: rest <= 0, "data-key": `takes ${name}`, "aria-label": say.takes.replace("{name}", name).replace("{sum}", sum(Math.max(rest, 0), false)) });
    const other = button(said, () => { typing = typing?.name === name ? null : { name, text: "" }; draw(); }, "button.has", { "aria-expanded": String(typing?.name === name), "data-key": `has ${name}`, "aria-label": `${name}: ${said}` });
    return [takes, other, typing?.name === name ? pad({ label: name, least: 0, most: hand.most }, typing.text, (text) => { typing.text = text; draw(); }, (amount) => set(name, amount), () => { typing = null; draw(); }) : null];
  };
  const draw = () => {
    const rest = hand.most - all();
    const focused = document.activeElement?.dataset?.key;
    rows.replaceChildren(...hand.order.flatMap(row).filter(Boolean));
    rows.querySelector(`[data-key="${CSS.escape(focused ?? "")}"]`)?.focus();
    lies.className = rest < 0 ? "problem" : "soft";
    lies.textContent = rest < 0 ? say.in_all.replace("{sum}", sum(all(), false)).replace("{total}", sum(hand.most, false)) : rest ? say.lies.replace("{sum}", sum(rest, false)) : "";
    go.disabled = rest < 0;
  };
  draw();
  open(title, el("p.soft", {}, say.outcome_help), rows, lies, go, button(say.cancel, close));
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
