// An act with an amount: a tap for each of the likely amounts, and a pad for any other, so that no keyboard covers the page.
import { button, el, say } from "./organiser-dom.js";
import { redraw as settle } from "./organiser-slip.js";

const LONGEST = 10;
const FAR = 10; // times the largest of the likely amounts: more than that is asked once more, as all-in is
const comma = say.sum.includes(",") ? "," : ".";

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, say.group);

/** An amount as people read it: minor units of money, or points. `bare`: without the currency, to be changed. */
export function sum(minor, points, bare = false) {
  if (minor < 0) return `−${sum(-minor, points, bare)}`;
  if (points) return grouped(minor);
  return (bare ? say.bare_sum : say.sum).replace("{euros}", grouped(Math.floor(minor / 100))).replace("{cents}", String(minor % 100).padStart(2, "0"));
}

/** What stands on a pad in minor units; NaN where it is no amount. */
const padded = (typed, points) => (typed.startsWith("−") ? -padded(typed.slice(1), points) : /^\d+$/.test(typed) && points ? Number(typed) : /^(?=.*\d)\d*([.,]\d{0,2})?$/.test(typed) && !points
  ? Math.round(Number(typed.replace(",", ".")) * 100) : NaN);

/** What was typed into a field in minor units of money; NaN where it is no sum: as `companion.table.money.minor_units` has it. */
export function minor(typed) {
  const plain = typed.trim().replace(/^€\s*|\s*€$/, "");
  const found = /^([1-9]\d{0,2}([.,’' \u00a0\u202f])\d{3}(?:\2\d{3})*|\d+|(?=[.,]\d))(?:([.,])(\d{0,2}))?$/.exec(plain);
  const whole = found ? found[1].replace(/\D/g, "") : "";
  const neither = found && ((found[2] && found[2] === found[3]) || (/^\d+,\d+$/.test(found[1]) && !found[3])); // "1,234"
  return found && whole.length <= 12 && !neither ? Number(whole) * 100 + Number((found[4] ?? "").padEnd(2, "0")) : NaN;
}

/** A share of 0 to 1 in percent as it is typed, exact to its digits: "0.29" → "29", 0.333333 → "33,3333"; "" for none. */
export function percentText(share = "") {
  if (share === "") return "";
  const [whole, part = ""] = (/^\d+(\.\d+)?$/.test(share) ? String(share) : Number(share).toFixed(12)).split(".");
  const left = part.slice(2).replace(/0+$/, "");
  return String(Number(whole + part.slice(0, 2).padEnd(2, "0"))) + (left ? comma + left : "");
}

const DIGITS = 1e12; // of a share that was typed as a fraction

/** What was typed in percent as a share, exact to its digits: "12,5" → 0.125; or as a fraction of the whole: "1/3" → 0.333333333334,
    rounded up as the cents of a share are rounded down; null where it is no share. */
export function shareOf(typed) {
  const fraction = /^(\d{1,3})\s*\/\s*([1-9]\d{0,2})$/.exec(typed.trim());
  if (fraction) {
    const [part, of] = fraction.slice(1).map(Number);
    return part <= of ? Math.ceil((part * DIGITS) / of) / DIGITS : null;
  }
  const found = /^(\d{1,3})(?:[.,](\d{0,12}))?\s*%?$/.exec(typed.trim());
  if (!found) return null;
  const whole = found[1].padStart(3, "0");
  const share = Number(`${whole[0]}.${whole.slice(1)}${found[2] ?? ""}`);
  return share <= 1 ? share : null;
}

/** What is left of the whole, as it is typed: of "60" 40, of "1/3" 2/3; null where nothing is left of it. */
export function rest(typed) {
  const share = shareOf(typed), [part, of] = typed.split("/").map(Number);
  if (share === null) return null;
  return of ? `${of - part}/${of}` : percentText(Number((1 - share).toFixed(12)));
}

/** Shares of one agreement, together no more than the whole: what fractions have too much by rounding up is taken off the one whom it
    costs nothing, `own`, the player whose rest of the pot it is; where they have none, off the last. */
export function together(shares, own = -1) {
  const over = shares.reduce((sum, share) => sum + Math.round(share * DIGITS), 0) - DIGITS;
  const last = own >= 0 ? own : shares.findLastIndex((share) => share * DIGITS > over);
  return over > 0 && over < shares.length && last >= 0 ? shares.map((share, at) => (at === last ? (Math.round(share * DIGITS) - over) / DIGITS : share)) : shares;
}

/** The field under the finger is wrong: it says so, and what was wrong before says nothing any more. */
export function complain(field) {
  for (const old of document.querySelectorAll("dialog .refused")) old.remove();
  field.setAttribute("aria-invalid", "true");
  field.addEventListener("input", () => field.removeAttribute("aria-invalid"), { once: true });
  field.focus();
}

/** A button that asks first: a tap turns it into the question, the next one does it. */
function asking(label, what, go, kind, more) {
  const ask = () => settle(() => { one.dataset.asked = "yes"; one.textContent = say.really.replace("{what}", what); });
  const one = button(label, () => (one.dataset.asked ? go() : ask()), kind, more);
  return one;
}

// Back shuts the pad, and not the page: while it is open it is a step of the browser's history. An act may open the sheet, a step of
// its own, so the pad's step is not taken back then: it stays, and serves the next pad.
let shutOpen = null;
if (history.state?.pad !== undefined) history.replaceState({ pad: false }, "");

function enter(shut) {
  if (document.querySelector("dialog[open]")) return; // there Back closes the sheet
  shutOpen = shut;
  history[history.state?.pad === undefined ? "pushState" : "replaceState"]({ pad: true }, "");
}

function leave(back) {
  shutOpen = null;
  if (!history.state?.pad) return;
  if (back) history.back();
  else history.replaceState({ pad: false }, "");
}

addEventListener("popstate", () => {
  if (shutOpen && history.state?.pad === undefined && !history.state?.sheet) shutOpen();
});

/** The likely amounts, ascending, all-in apart, and the pad. `tap(events)`: this was said. `memory.typed`: what is on the pad by
    label, which stays while it is shut; `memory.open`: the label of the pad that is open. */
export function amounts(of, tap, memory, redraw) {
  const done = (amount) => { leave(false); Object.assign(memory, { typed: {}, open: null }); tap([{ ...of.event, [of.key]: amount }]); };
  const all = (one) => Boolean(of.all_in) && one.minor >= of.most;
  const rising = [...of.likely].sort((one, other) => one.minor - other.minor);
  const chips = rising.filter((one) => !all(one)).map((one) => button(one.text, () => done(one.minor), "button.amount", { "data-key": `amount${one.minor}` }));
  const everything = rising.filter(all).map((one) => asking(one.text, one.text, () => done(one.minor), "button.amount.all-in", { "data-key": `amount${one.minor}` }));
  const typed = memory.typed?.[of.label] ?? "";
  const set = (text) => { memory.typed = { [of.label]: text }; redraw(); };
  const shut = () => { leave(true); memory.open = null; redraw(); };
  const show = () => { enter(shut); memory.open = of.label; redraw(); };
  const other = of.least < of.most ? button(`${say.other_amount}…`, show, "button.amount.other", { "data-key": "other" }) : null;
  return [el("div.betting", {}, el("h3", {}, of.label),
    memory.open !== of.label ? el("div.amounts", {}, ...chips, other, ...everything) : pad(of, typed, set, done, shut))];
}

/** Digits under the thumb. `set(text)`: that is typed now; `done(minor)`: that is it; `shut()`: it is not wanted; null where it cannot be shut. */
export function pad(of, typed, set, done, shut = null) {
  const amount = padded(typed, of.points), more = amount > of.most && amount <= of.perhaps;
  const over = Boolean(of.all_in) && amount >= of.most && !more;
  const valid = over || more || (amount >= of.least && amount <= of.most);
  const fits = (digit) => typed.length < LONGEST && !(digit === comma ? typed.includes(comma) : !of.points && typed.split(comma)[1]?.length === 2);
  const idle = (one, pale) => { if (pale) one.setAttribute("aria-disabled", "true"); return one; }; // it does nothing, and looks so
  const key = (digit) => idle(button(digit, () => { if (fits(digit)) set(typed + digit); }, "button", { "data-key": `pad${digit}` }), !fits(digit));
  const keys = [..."123456789"].map(key);
  const last = [key(of.points ? "00" : comma), key("0"), idle(button("⌫", () => { if (typed) set(typed.slice(0, -1)); }, "button", { "aria-label": say.erase, "data-key": "erase" }), !typed)];
  const sign = of.least < 0 ? button("±", () => set(typed.startsWith("−") ? typed.slice(1) : `−${typed}`), "button", { "data-key": "sign" }) : null; // a debt
  const nothing = of.now !== undefined ? sum(of.now, of.points) : of.least < 0 ? sum(0, of.points) : say.from_amount.replace("{sum}", sum(of.least, of.points));
  const shown = el("output.typed", { "aria-live": "polite" }, typed || nothing);
  const told = over ? of.all_in : valid ? `${of.label} ${sum(amount, of.points)}` : of.label;
  const usual = Math.max(0, ...(of.likely ?? []).map((one) => one.minor));
  const far = over || (usual > 0 && amount > FAR * usual);
  const put = () => done(more ? amount : Math.min(amount, of.most));
  const go = (far ? asking : (label, what, tapped, kind, with_) => button(label, tapped, kind, with_))(
    told, over ? of.all_in : sum(amount, of.points), put, "button.big", { disabled: !valid, "data-key": "pad-go" });
  const units = of.unit && valid && amount % of.unit === 0 && amount >= 2 * of.unit ? of.units.replace("{n}", amount / of.unit) : "";
  const why = of.below || of.unit ? el("p.soft.why", { role: "status" }, more ? of.over : amount < of.least ? of.below : units) : null;
  const away = shut ? button("✕", shut, "button.close", { "aria-label": say.close_sheet, "data-key": "pad-close" }) : null;
  return el("div.pad", {}, el("div.head", {}, away, shown), why, el("div.keys", {}, ...keys, ...last), sign, go);
}
