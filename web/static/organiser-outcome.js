// Only the outcome of a hand: who paid how much, when nobody can tell the rest. A tap on a name is one more, up to `page.most_paid`.
import { button, el, page, say } from "./organiser-dom.js";
import { close, open, propose } from "./organiser-sheet.js";

export function openOutcome(view, hand, send) {
  const paid = new Map(hand.order.map((name) => [name, 0]));
  const title = say.outcome_title.replace("{n}", hand.n);
  const rows = hand.order.map((name) => {
    const count = el("b", { "aria-hidden": "true" });
    const row = button(name, () => { paid.set(name, (paid.get(name) + 1) % (page.most_paid + 1)); draw(); }, "button.payer");
    const draw = () => {
      count.textContent = paid.get(name) ? `−${paid.get(name)}` : "";
      row.setAttribute("aria-pressed", String(paid.get(name) > 0));
      row.setAttribute("aria-label", paid.get(name) ? `${name} −${paid.get(name)}` : name);
    };
    row.append(count);
    draw();
    return row;
  });
  const see = () => propose(view, { what: "outcome", hand: hand.id, paid: Object.fromEntries([...paid].filter(([, many]) => many)) }, title, send);
  open(title, el("p.soft", {}, say.outcome_help), el("div.payers", {}, ...rows), button(say.propose, see, "button.big.last"), button(say.cancel, close));
}
