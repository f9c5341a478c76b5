// An act with an amount: a tap for each of the likely amounts, and a pad for any other, so that no keyboard covers the page.
import { button, el, say } from "./organiser-dom.js";

const LONGEST = 10;
const comma = say.sum.includes(",") ? "," : ".";

/** An amount as people read it: minor units of money, or points. */
export function sum(minor, points) {
  if (minor < 0) return `−${sum(-minor, points)}`;
  if (points) return String(minor);
  return say.sum.replace("{euros}", Math.floor(minor / 100)).replace("{cents}", String(minor % 100).padStart(2, "0"));
}

/** What was typed in minor units; NaN where it is no amount. */
const minor = (typed, points) => (typed.startsWith("−") ? -minor(typed.slice(1), points) : /^\d+$/.test(typed) && points ? Number(typed) : /^\d+([.,]\d{0,2})?$/.test(typed) && !points
  ? Math.round(Number(typed.replace(",", ".")) * 100) : NaN);

/** The likely amounts and the pad. `tap(events)`: this was said. `memory.typed`: what is on the pad by label, null while it is shut. */
export function amounts(of, tap, memory, redraw) {
  const done = (amount) => { memory.typed = {}; tap([{ ...of.event, [of.key]: amount }]); };
  const chips = of.likely.map((one) => button(one.text, () => done(one.minor), "button.amount", { "data-key": `amount${one.minor}` }));
  const typed = memory.typed?.[of.label];
  const set = (text) => { memory.typed = { [of.label]: text }; redraw(); };
  const other = of.least < of.most ? button(`${say.other_amount}…`, () => set(""), "button.amount.other", { "data-key": "other" }) : null;
  const shut = () => { memory.typed = {}; redraw(); };
  return [el("div.betting", {}, el("h3", {}, of.label),
    typed === undefined ? el("div.amounts", {}, ...chips, other) : pad(of, typed, set, done, shut))];
}

/** Digits under the thumb. `set(text)`: that is typed now; `done(minor)`: that is it; `shut()`: there is nothing left to erase. */
export function pad(of, typed, set, done, shut = () => {}) {
  const amount = minor(typed, of.points), more = amount > of.most && amount <= of.perhaps;
  const over = Boolean(of.all_in) && amount >= of.most && !more;
  const valid = over || more || (amount >= of.least && amount <= of.most);
  const key = (digit) => button(digit, () => { if (typed.length < LONGEST) set(typed + digit); }, "button", { "data-key": `pad${digit}` });
  const keys = [..."123456789"].map(key);
  const last = [key(of.points ? "00" : comma), key("0"), button("⌫", () => (typed ? set(typed.slice(0, -1)) : shut()), "button", { "aria-label": say.erase, "data-key": "erase" })];
  const sign = of.least < 0 ? button("±", () => set(typed.startsWith("−") ? typed.slice(1) : `−${typed}`), "button", { "data-key": "sign" }) : null; // a debt
  const nothing = of.least < 0 ? sum(0, of.points) : say.from_amount.replace("{sum}", sum(of.least, of.points));
  const shown = el("output.typed", { "aria-live": "polite" }, typed || nothing);
  const told = over ? of.all_in : valid ? `${of.label} ${sum(amount, of.points)}` : of.label;
  const go = button(told, () => done(more ? amount : Math.min(amount, of.most)), "button.big", { disabled: !valid, "data-key": "pad-go" });
  const why = of.below ? el("p.soft.why", { role: "status" }, more ? of.over : amount < of.least ? of.below : "") : null;
  return el("div.pad", {}, shown, why, el("div.keys", {}, ...keys, ...last), sign, go);
}
