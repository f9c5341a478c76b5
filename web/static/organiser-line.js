// The sheet of a line: it is changed, something is put before or after it, it is deleted.
import { button, cardButton, cardName, el, get, kinds, page, percent, say } from "./organiser-dom.js";
import { ownLineForm } from "./organiser-own.js";
import { open, propose } from "./organiser-sheet.js";

/** A line was tapped: change it, put something before or after it, delete it. */
export function openLine(view, hand, line, send) {
  let mode = "change";
  const last = line.index === hand.lines.length - 1 && hand.over;
  const places = { change: [line.index, line.index + 1], before: [line.index, line.index], after: [line.index + 1, line.index + 1] };
  const go = (events, told) => propose(view, { what: "change", hand: hand.id, start: places[mode][0], stop: places[mode][1], events }, told, send);
  const [start, stop] = line.together; // one without the others is seldom what happened
  const gone = hand.lines.slice(start, stop).map((one) => one.text).join("; ");
  const remove = () => propose(view, { what: "change", hand: hand.id, start, stop, events: [] }, `${say.delete}: ${gone}`, send);

  async function draw() {
    const modes = Object.keys(places).filter((one) => !(one === "after" && last) && !(one === "change" && line.frame));
    if (!modes.includes(mode)) mode = modes[0];
    const tabs = modes.map((one) => button(say[one], () => { mode = one; draw(); }, "button.chip", { "aria-pressed": String(one === mode), "data-mode": one }));
    const bar = el("div.chips", {}, ...tabs, line.frame ? null : button(say.delete, remove, "button.chip.danger", { "data-mode": "delete" }));
    const body = el("div.choices", {}, el("p.soft", {}, "…"));
    open(line.text, bar, mode === "change" ? ownLineForm(line, go) : null, body);
    let found;
    try {
      const [start, stop] = places[mode];
      found = await get(`/suggestions?hand=${hand.id}&start=${start}&stop=${stop}`);
    } catch (error) {
      body.replaceChildren(el("p.problem", { role: "alert" }, error.message));
      return;
    }
    body.replaceChildren(...choices(found, hand, line, mode, go));
  }
  draw();
}

function choices(found, hand, line, mode, go) {
  const likely = found.filter((one) => one.probability > 0.001).slice(0, 4);
  const parts = [];
  if (likely.length) {
    parts.push(el("h3", {}, say.likely), ...likely.map((one, index) =>
      button(`${one.text} · ${percent(one.probability)}`, () => go(one.events, one.text), index ? "button" : "button.big")));
  }
  const act = page.acts.find((one) => one.e === line.event.e);
  const shown = mode === "change" && Boolean(act?.card);
  if (shown) parts.push(grid(act, line.event, found, go));
  const acts = found.filter((one) => !likely.includes(one) && one.events.every((event) => !event.card));
  if (acts.length) parts.push(el("h3", {}, say.possible), ...acts.map((one) => button(one.text, () => go(one.events, one.text))));
  if (!page.acts.length) return parts;
  const other = el("details", {}, el("summary", {}, say.other), builder(hand, go));
  if (!shown && !acts.length) other.open = true;
  return [...parts, other];
}

/** The cards: this one was another. What cannot be is dim, and says why when it is tapped. */
function grid(act, event, found, go) {
  const same = (one) => one.events.length === 1 && one.events[0].e === event.e && one.events[0][act.who] === event[act.who];
  const legal = new Set(found.filter(same).map((one) => one.events[0].card));
  return el("div.grid", {}, ...kinds.filter((kind) => kind !== event.card).map((kind) =>
    cardButton(kind, () => go([{ ...event, card: kind }], `${event[act.who]}: ${cardName(kind)}`), { dim: act.card === "must" && !legal.has(kind) })));
}

/** Any act of anybody: the server says whether it can be, and why not. */
function builder(hand, go) {
  const who = el("select", { id: "who" }, ...hand.order.map((name) => el("option", {}, name)));
  const what = el("select", { id: "what" }, ...page.acts.map((act) => el("option", { value: act.e }, act.text)));
  const card = el("select", { id: "card" }, el("option", { value: "" }, say.none), ...kinds.map((kind) => el("option", { value: kind }, cardName(kind))));
  const send = () => {
    const act = page.acts.find((one) => one.e === what.value);
    const event = { e: act.e, [act.who]: who.value };
    if (card.value && act.card) event.card = card.value;
    if (act.card === "must" && !card.value) { card.focus(); return; }
    go([event], `${who.value} ${act.text}${event.card ? `: ${cardName(event.card)}` : ""}`);
  };
  return el("div.form", {}, el("label", { htmlFor: "who" }, say.who), who, el("label", { htmlFor: "what" }, say.act), what,
    ...(kinds.length ? [el("label", { htmlFor: "card" }, say.card), card] : []), button(say.propose, send));
}
