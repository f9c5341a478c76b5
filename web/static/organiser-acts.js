// What may come next, as buttons: in the hand that is played, and in one that is told afterwards.
import { amounts } from "./organiser-amount.js";
import { opens, picking, smallCard } from "./organiser-cards.js";
import { button, cardButton, el, names, say, unbroken } from "./organiser-dom.js";
import { ownActs } from "./organiser-own.js";
import { form } from "./organiser-form.js";
import { open } from "./organiser-sheet.js";

/** The acts of `next`, the likeliest largest. `tap(events)`: this has happened. `memory`: what the acts remember between two
    drawings; `redraw` draws them again. `wanted`: what is due: on top where the game hangs on it, where it is a choice, and over
    a table of cards; over the forty cards in a row with another button; else below. */
export function acts(next, tap, memory, redraw, wanted = null) {
  const done = (events) => { Object.assign(memory, { typed: {}, open: null, picked: {}, several: null }); tap(events); };
  const found = next.offers.map((offer, index) => (offer.card
    ? cardButton(offer.card, () => done(offer.events), { label: offer.label })
    : button(unbroken(offer.label), () => done(offer.events), index === 0 && next.likely ? "button.big" : index === 1 ? "button.second" : "button", { "data-key": `offer${index}` })));
  const chosen = next.doers.find((one) => one.name === memory.doer) ?? next.doers[0];
  const said = (events) => { memory.doer = null; done(events); };
  const beside = chosen?.pick ? found : []; // the cards below stay where they are, whatever else can be said
  const top = hangs(next) || next.rows.length > 0 || wanted?.children.length > 1, shared = !top && opens(chosen?.pick);
  return [top ? wanted : null, table(next.rows, done, memory), ...(chosen ? doer(next.doers, chosen, said, memory, redraw, beside) : []),
    (found.length && !beside.length) || !chosen ? el("div.offers", {}, ...found) : null,
    ...(chosen?.pick ? picking(chosen.pick, said, memory, redraw, shared ? wanted : null) : []), ...ownActs(next, done, memory, redraw),
    top || shared ? null : wanted].filter((one) => one);
}

/** Drops what was typed or picked for an act that is no longer possible: nobody means it when that act comes up again. */
export function forget(memory, next) {
  const labels = new Set(next.doers.flatMap((one) => [one.amounts?.label, one.pick?.label]));
  for (const kept of ["typed", "picked"]) {
    memory[kept] = Object.fromEntries(Object.entries(memory[kept] ?? {}).filter(([label]) => labels.has(label)));
  }
  if (!labels.has(memory.open)) memory.open = null;
}

/** A row for each player, with the cards that they can have laid, each kind under the others of its suit. A row stays as high
    as it was while there is a table: it does not move under the thumb. */
function table(rows, tap, memory) {
  if (!rows.length) { memory.lines = {}; return null; }
  memory.lines = Object.fromEntries(rows.map((row) => [row.name, Math.max(memory.lines?.[row.name] ?? 1, lines(row.offers))]));
  return el("ul.table", {}, ...rows.map((row) => el(`li${row.now ? ".now" : ""}`, {},
    el("span", {}, row.name, el("small", { "aria-hidden": String(!row.now) }, ` ${say.laid_last}`)),
    el("div.cells", { style: `--lines: ${memory.lines[row.name]}` }, ...row.offers.map((offer) => (offer.card
      ? smallCard(offer.card, () => tap(offer.events), { label: offer.label, key: `${row.name} ${offer.card}` })
      : button(offer.label, () => tap(offer.events), "button.all", { "aria-label": `${row.name}: ${offer.label}`, "data-key": `${row.name} all` })))))));
}

/** How many cards of a suit lie under one another. */
function lines(offers) {
  const suits = offers.flatMap((offer) => (offer.card ? [offer.card.split("-")[0]] : []));
  return Math.max(1, ...suits.map((suit) => suits.filter((one) => one === suit).length));
}

/** Who does it, and what they say; others can be chosen. */
function doer(doers, chosen, said, memory, redraw, beside) {
  const choose = (name) => { memory.doer = name; Object.assign(memory, { picked: {}, typed: {}, open: null }); redraw(); };
  const chips = doers.length > 1 || chosen.pick ? names(doers.map((one) =>
    button(one.name, () => choose(one.name), "button.chip", { "aria-pressed": String(one === chosen), "data-key": `doer${one.name}` }))) : null;
  const words = chosen.offers.map((offer, index) =>
    button(unbroken(offer.label), () => said(offer.events), chosen.pick ? "button" : index ? "button.second" : "button.big", { "data-key": `word${index}` }));
  return [chips, words.length || beside.length ? el(chosen.pick ? "div.words.beside" : "div.words", {}, ...words, ...beside) : null, ...(chosen.amounts ? amounts(chosen.amounts, said, memory, redraw) : [])];
}

/** Buttons for what is rarer. `act(command, title)` shows what it does before it is done. */
export const rarer = (more, act) => more.map((one) => leading(one, act, "button"));

/** What is due now, beside what comes next. Where that hangs on it, it is the larger. */
export function due(next, act) {
  const found = next.more.filter((one) => one.due);
  return found.length ? el("div.due", {}, ...found.map((one) => leading(one, act, hangs(next) ? "button.big" : "button.second"))) : null;
}

/** Whether what comes next is not the likeliest thing to happen, but what is due. */
export const hangs = (next) => !next.likely && !next.doers.length && next.more.some((one) => one.due);

/** What is bought and what it costs, which keep a line each where there is no room for both. */
function apart(label) {
  const [what, cost] = unbroken(label).split(" · ");
  return cost ? el("span.apart", {}, el("span", {}, what), el("span.dot", {}, " · "), el("span", {}, cost)) : unbroken(label);
}

function leading(one, act, kind) {
  const tell = (events, title) => act({ what: "say", events }, title);
  return button(apart(one.label), () => {
    if (one.offers.length === 1 && !one.picks.length && !one.amounts.length && !one.form) tell(one.offers[0].events, one.label);
    else sheet(one, tell);
  }, kind, { "data-key": one.key });
}

function sheet(one, tell) {
  const memory = {}, parts = [...one.picks, ...one.amounts];
  const whose = new Set(parts.map((part) => part.event.by)).size === parts.length;
  const name = (part) => (whose ? part.event.by : part.label); // several may be of one player
  const say_it = (events) => tell(events, one.label);
  const draw = () => {
    const part = parts.find((part) => name(part) === memory.whose) ?? parts[0];
    const chips = parts.length > 1 ? el("div.chips.wrap", {}, ...parts.map((other) =>
      button(name(other), () => { memory.whose = name(other); Object.assign(memory, { picked: {}, typed: {}, open: null }); draw(); }, "button.chip", { "aria-pressed": String(other === part) }))) : null;
    open(one.label, ...one.offers.map((offer) => button(unbroken(offer.label), () => tell(offer.events, `${one.label}: ${offer.label}`))), chips,
      ...(part ? (part.kinds ? picking : amounts)(part, say_it, memory, draw) : []), ...(one.form ? form(one.form, say_it, memory, draw) : []));
  };
  draw();
}
