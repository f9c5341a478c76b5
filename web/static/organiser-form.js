// An act of which several things can be otherwise: each is chosen, or typed on a pad, and then all is told at once.
import { pad, sum } from "./organiser-amount.js";
import { button, el, say } from "./organiser-dom.js";

/** The fields, each with its choices, and the button that tells the act. `tap(events)`: it is to be so. `memory.event`: as it stands. */
export function form(of, tap, memory, redraw) {
  memory.event ??= of.event;
  const set = (key, value) => {
    memory.event = { ...memory.event, [key]: value };
    if (value === null || value.length === 0) delete memory.event[key];
    memory.pad = null;
    redraw();
  };
  return [...of.fields.map((field) => part(field, memory, set, redraw)),
    button(of.label, () => tap([memory.event]), "button.big", { "data-key": "tell" })];
}

function part(field, memory, set, redraw) {
  const now = memory.event[field.key] ?? (field.several ? [] : null);
  const choose = (value) => set(field.key, !field.several ? value : now.includes(value) ? now.filter((one) => one !== value) : [...now, value]);
  const chosen = (value) => (field.several ? now.includes(value) : now === value);
  const chips = field.choices.map(({ value, text }) =>
    button(text, () => choose(value), "button.chip", { "aria-pressed": String(chosen(value)), "data-key": `${field.key} ${value}` }));
  return el("fieldset.field", {}, el("legend", {}, field.label), el("div.chips.wrap", {}, ...chips, ...other(field, memory, now, redraw)),
    memory.pad?.key === field.key ? typing(field, memory, set, redraw) : null);
}

/** A chip for the amount that was typed, or that opens the pad. */
function other(field, memory, now, redraw) {
  if (!field.amounts) return [];
  const typed = now !== null && !field.choices.some(({ value }) => value === now);
  const text = typed ? sum(now, field.amounts.points) : `${say.other_amount}…`;
  return [button(text, () => { memory.pad = { key: field.key, typed: "" }; redraw(); }, "button.chip", { "aria-pressed": String(typed), "data-key": `${field.key} other` })];
}

const typing = (field, memory, set, redraw) =>
  pad(field.amounts, memory.pad.typed, (typed) => { memory.pad = { key: field.key, typed }; redraw(); }, (amount) => set(field.key, amount));
