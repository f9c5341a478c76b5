// An act with several things that can be changed: each is chosen, typed on a pad or written, and then all is sent at once.
import { pad, sum } from "./organiser-amount.js";
import { button, el, say } from "./organiser-dom.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The value of a field in an event. */
const valueIn = (event, field) => field.within.reduce((at, key) => at?.[key], event)?.[field.key];

/** The event with another value of a field; none where it is null or empty. */
function changed(event, field, value, [first, ...rest] = field.within) {
  if (first !== undefined) return { ...event, [first]: changed(event[first] ?? {}, field, value, rest) };
  const { [field.key]: _, ...others } = event;
  return value === null || value.length === 0 ? others : { ...event, [field.key]: value };
}

/** The event without the values that `stood` has, too; null where it has all. Objects in it stay, with the values that differ. */
function onlyChanged(event, stood) {
  const found = {};
  let other = false;
  for (const [key, value] of Object.entries(event)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      found[key] = Object.fromEntries(Object.entries(value).filter(([name, one]) => !same(one, stood[key]?.[name])));
      other ||= Object.keys(found[key]).length > 0;
    } else if (key === "e" || !same(value, stood[key])) {
      found[key] = value;
      other ||= key !== "e" && key !== "reason";
    }
  }
  return other ? found : null;
}

/** The fields, each with its choices, and the button that tells the act. `tap(events)`: it is to be so. `memory.event`: the act
    so far. */
export function form(of, tap, memory, redraw) {
  memory.event ??= of.event;
  const set = (field, value) => {
    memory.event = changed(memory.event, field, value);
    memory.pad = null;
    redraw();
  };
  const groups = [];
  for (const field of of.fields) {
    if (groups.at(-1)?.[0].label === field.label) groups.at(-1).push(field);
    else groups.push([field]);
  }
  const amounts = of.fields.filter((field) => field.amounts && field.within.length);
  const total = amounts.reduce((all, field) => all + valueIn(memory.event, field), 0);
  const wrong = of.total !== null && total !== of.total;
  const { points } = amounts[0]?.amounts ?? {};
  const why = wrong ? el("p.problem", { role: "status" }, say.in_all.replace("{sum}", sum(total, points)).replace("{total}", sum(of.total, points))) : null;
  const told = of.only_changed ? onlyChanged(memory.event, of.event) : memory.event;
  return [of.hint ? el("p.soft", {}, of.hint) : null, ...groups.map((fields) => part(fields, memory, set, redraw)), why,
    button(of.label, () => tap([of.only_changed ? onlyChanged(memory.event, of.event) : memory.event]), "button.big", { disabled: wrong || !told, "data-key": "tell" })];
}

const part = (fields, memory, set, redraw) => el("fieldset.field", {}, el("legend", {}, fields[0].label),
  ...fields.flatMap((field) => (field.letters ? [writing(field, memory)] : choosing(field, memory, set, redraw))));

function choosing(field, memory, set, redraw) {
  const now = valueIn(memory.event, field) ?? (field.several ? [] : null);
  const choose = (value) => set(field, !field.several ? value : now.includes(value) ? now.filter((one) => one !== value) : [...now, value]);
  const chosen = (value) => (field.several ? now.includes(value) : now === value);
  const chips = field.choices.map(({ value, text }) =>
    button(text, () => choose(value), "button.chip", { "aria-pressed": String(chosen(value)), "data-key": `${keyOf(field)} ${value}` }));
  return [el("div.chips.wrap", {}, ...chips, ...other(field, memory, now, redraw)),
    memory.pad?.key === keyOf(field) ? typing(field, memory, set, redraw) : null];
}

const keyOf = (field) => [...field.within, field.key].join(" ");

/** Free text: it is read when all is sent, so that nothing is drawn again under the keyboard. */
function writing(field, memory) {
  const input = el("input", { maxLength: field.letters, value: valueIn(memory.event, field) ?? "", "aria-label": field.label });
  input.addEventListener("input", () => { memory.event = changed(memory.event, field, input.value.trim()); });
  return input;
}

/** A chip for the amount that was typed, or that opens the pad. */
function other(field, memory, now, redraw) {
  if (!field.amounts) return [];
  const typed = now !== null && !field.choices.some(({ value }) => value === now);
  const more = field.choices.length > 3 ? "…" : `${say.other_amount}…`; // after a row of numbers it is plain what there is more of
  const text = typed ? sum(now, field.amounts.points) : more;
  return [button(text, () => { memory.pad = { key: keyOf(field), typed: "" }; redraw(); }, "button.chip",
    { "aria-label": typed ? text : say.other_amount, "aria-pressed": String(typed), "data-key": `${keyOf(field)} other` })];
}

const typing = (field, memory, set, redraw) =>
  pad(field.amounts, memory.pad.typed, (typed) => { memory.pad = { key: keyOf(field), typed }; redraw(); }, (amount) => set(field, amount));
