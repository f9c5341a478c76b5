// The sheet of a line: it is changed, something is put before or after it, it is deleted.
import { pad } from "./organiser-amount.js";
import { picking } from "./organiser-cards.js";
import { button, cardButton, cardName, el, get, kinds, page, percent, post, say } from "./organiser-dom.js";
import { openAnew } from "./organiser-missed.js";
import { openOutcome } from "./organiser-outcome.js";
import { ownLineForm } from "./organiser-own.js";
import { open, propose } from "./organiser-sheet.js";
import { redraw } from "./organiser-slip.js";

const MOST_SUM = 1e9; // of a line, in any game
const actOf = (event) => page.acts.find((act) => act.e === event.e && Object.entries(act.more).every(([key, value]) => event[key] === value));

/** Elements that change in place: `fill(redraw)` makes them. */
function live(fill) {
  const box = el("div.choices");
  const draw = () => redraw(() => box.replaceChildren(...fill(draw).filter((one) => one)));
  draw();
  return box;
}

/** The cards or the amount of an act as a form, and who did it: `go(events, title)`. `event`: as it stands, or begins. */
function ownForm(act, event, hand, points, go, names = hand.order) {
  let who = event[act.who];
  const memory = { picked: { [act.text]: event[act.cards] ?? [] } };
  let typed = "";
  const done = (more) => go([{ ...event, [act.who]: who, ...more }], `${who} ${act.text}`);
  return live((draw) => {
    const chips = names.length ? el("div.chips.wrap", {}, ...names.map((name) =>
      button(name, () => { who = name; draw(); }, "button.chip", { "aria-pressed": String(name === who) }))) : null;
    if (act.amount) {
      const of = { label: `${who} ${act.text}`, least: 1, most: MOST_SUM, points, now: event[act.amount] };
      return [chips, pad(of, typed, (text) => { typed = text; draw(); }, (amount) => done({ [act.amount]: amount }))];
    }
    const single = event[act.cards]?.length === 1;
    const moved = single && who !== event[act.who] ? button(`${who} ${act.text}: ${cardName(event[act.cards][0])}`, () => done({}), "button.big") : null;
    return [chips, moved, ...picking({ label: act.text, event, key: act.cards, kinds, least: 1, most: kinds.length, groups: null, single },
      ([told]) => done({ [act.cards]: told[act.cards] }), memory, draw)];
  });
}

/** A line was tapped: change it, put something before or after it, delete it. */
export function openLine(view, hand, line, send) {
  let mode = "change";
  const shown = hand.events;
  const last = line.index === shown.length - 1 && hand.over;
  const places = { change: [line.index, line.index + 1], before: [line.index, line.index], after: [line.index + 1, line.index + 1] };
  const change = (place, events, told, more = {}) =>
    propose(view, { what: "change", hand: hand.id, start: place[0], stop: place[1], events, shown, ...more }, told, send, elsewhere(hand.id, events, told, send));
  const go = (events, told) => change(places[mode], events, told, mode === "change" ? {} : { beside: line.index });
  const gone = hand.lines.filter((one) => one.index >= line.together[0] && one.index < line.together[1]).map((one) => one.text).join("; "); // one without the others is seldom what happened
  const begun = shown.findIndex((event) => event.e === "hand");
  const retell = hand.over && !line.frame && line.index > begun ? button(say.anew, () => openAnew(view, hand, line.together[0], send), "button", { "data-key": "anew" }) : null;
  if (line.stand_in) { // nobody has told what was played: other numbers, or the hand told after all
    open(line.text, button(say.outcome, () => openOutcome(view, hand, send), "button", { "data-key": "outcome" }),
      button(say.anew, () => openAnew(view, hand, line.index, send), "button", { "data-key": "anew" }));
    return;
  }
  const remove = () => change(line.together, [], `${say.delete}: ${gone}`);

  async function draw() {
    const modes = Object.keys(places).filter((one) => !(one === "after" && last) && !(one === "change" && line.frame));
    if (!modes.includes(mode)) mode = modes[0];
    const tabs = modes.map((one) => button(say[one], () => { mode = one; draw(); }, "button.chip", { "aria-pressed": String(one === mode), "data-mode": one }));
    const bar = el("div.chips", {}, ...tabs, line.frame ? null : button(say.delete, remove, "button.chip.danger", { "data-mode": "delete" }));
    const body = el("div.choices", {}, el("p.soft", {}, "…"));
    const act = actOf(line.event);
    const below = act?.amount; // what is likely comes before the pad
    const form = act && (act.cards || act.amount) ? ownForm(act, line.event, hand, view.points, go, act.amount ? [] : hand.order) : ownLineForm(line, go);
    open(line.text, bar, mode === "change" && !below ? form : null, body, mode === "change" && below ? form : null, mode === "change" ? retell : null);
    const [start, stop] = places[mode];
    let parts;
    try {
      const found = await post("/place", { game: view.game, version: view.version, said: view.said, hand: hand.id, start, stop, shown, ...(mode === "change" ? {} : { beside: line.index }) });
      const instead = (act) => propose(view, { what: "change", hand: hand.id, start: act.start, stop: act.stop, events: act.events, shown: found.shown, mend: true }, act.text, send,
        elsewhere(hand.id, act.events, act.text, send));
      parts = choices(found, hand, line, mode, go, instead, view.points);
    } catch (error) {
      parts = [el("p.problem", { role: "alert" }, error.message)];
    }
    redraw(() => body.replaceChildren(...parts));
  }
  draw();
}

/** Where else the events could stand whose own lines are gone: the hand's lines as they are now. What was tapped so far stays. */
const elsewhere = (id, events, told, send) => async (now) => {
  const hand = now?.hand?.id === id ? now.hand : await get(`/hand/${id}`).catch(() => null);
  if (!hand || !events.length) return [];
  const put = (line) => propose(now, { what: "change", hand: id, start: line.index, stop: line.index + 1, events, shown: hand.events, mend: true }, told, send, elsewhere(id, events, told, send));
  const lines = hand.lines.filter((line) => !line.frame);
  return lines.length ? [el("h3", {}, say.elsewhere), ...lines.map((line) => button(line.text, () => put(line), "button.line"))] : [];
};

function choices(found, hand, line, mode, go, instead, points) {
  const plain = found.acts.filter((one) => !one.card), refusals = found.acts.filter((one) => one.card);
  const parts = plain.map((one, index) =>
    button(one.probability > 0.001 ? `${one.text} · ${percent(one.probability)}` : one.text, () => instead(one), index ? "button" : "button.big"));
  if (refusals.length) parts.push(el("div.refusals", {}, ...refusals.map((one) => cardButton(one.card, () => instead(one), { label: one.text }))));
  const told = new Set(found.acts.map((one) => JSON.stringify(one.events)));
  const rest = found.suggestions.filter((one) => !told.has(JSON.stringify(one.events)));
  const likely = rest.filter((one) => one.probability > 0.001).slice(0, 4);
  const more = [];
  if (likely.length) {
    more.push(el("h3", {}, say.likely), ...likely.map((one, index) =>
      button(`${one.text} · ${percent(one.probability)}`, () => go(one.events, one.text), index || parts.length ? "button" : "button.big")));
  }
  const act = actOf(line.event);
  const shown = mode === "change" && Boolean(act?.card);
  if (shown) more.push(grid(act, line.event, rest, go));
  const asks = (event) => event.card || actOf(event)?.cards || actOf(event)?.amount; // is put in by a form
  const acts = rest.filter((one) => !likely.includes(one) && !one.events.some(asks));
  if (acts.length) more.push(el("h3", {}, say.possible), ...acts.map((one) => button(one.text, () => go(one.events, one.text))));
  const whole = parts.length > 0;
  if (!page.acts.length) return [...parts, ...more];
  const other = el("details", {}, el("summary", {}, say.other), ...(whole && !shown ? more : []), builder(hand, go, points));
  if (!whole && !shown && !acts.length) other.open = true;
  return [...parts, ...(whole && !shown ? [] : more), other];
}

/** The cards: this one was another. What cannot be is dim, and says why when it is tapped. */
function grid(act, event, found, go) {
  const same = (one) => one.events.length === 1 && one.events[0].e === event.e && one.events[0][act.who] === event[act.who];
  const legal = new Set(found.filter(same).map((one) => one.events[0].card));
  return el("div.grid", {}, ...kinds.filter((kind) => kind !== event.card).map((kind) =>
    cardButton(kind, () => go([{ ...event, card: kind }], `${event[act.who]}: ${cardName(kind)}`), { dim: act.card === "must" && !legal.has(kind) })));
}

/** Any act of anybody: the server says whether it can be, and why not. */
function builder(hand, go, points) {
  const who = el("select", { id: "who" }, ...hand.order.map((name) => el("option", {}, name)));
  const what = el("select", { id: "what" }, ...page.acts.map((act, index) => el("option", { value: index }, act.text)));
  const card = el("select", { id: "card" }, el("option", { value: "" }, say.none), ...kinds.map((kind) => el("option", { value: kind }, cardName(kind))));
  const chosen = () => page.acts[what.value];
  const event = () => ({ e: chosen().e, [chosen().who]: who.value, ...chosen().more });
  const send = () => {
    const act = chosen(), told = event();
    if (card.value && act.card) told.card = card.value;
    if (act.card === "must" && !card.value) { card.focus(); return; }
    go([told], `${who.value} ${act.text}${told.card ? `: ${cardName(told.card)}` : ""}`);
  };
  const rest = el("div.choices");
  const fill = () => rest.replaceChildren(chosen().cards || chosen().amount ? ownForm(chosen(), event(), hand, points, go, []) : button(say.propose, send));
  for (const select of [who, what]) select.addEventListener("change", fill);
  fill();
  return el("div.form", {}, el("label", { htmlFor: "who" }, say.who), who, el("label", { htmlFor: "what" }, say.act), what,
    ...(page.acts.some((act) => act.card) ? [el("label", { htmlFor: "card" }, say.card), card] : []), rest);
}
