// The sheet over the page: a line that is changed, something put before or after it, and what a change would do.
import { button, cardButton, cardName, command, el, get, kinds, percent, say } from "./organiser-dom.js";

const sheet = document.getElementById("sheet");

/** Open the sheet with a heading and a way out. */
export function open(title, ...content) {
  sheet.replaceChildren(
    el("div.top", {}, el("h2", { id: "sheet-title" }, title), button("✕", () => sheet.close(), "button.close", { "aria-label": say.close_sheet })),
    ...content.filter((one) => one),
  );
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
}

export const close = () => sheet.close();

/** Show what a command would do to what this view shows, and do it to just that when it is confirmed. */
export async function propose(view, what, title, send) {
  open(title, el("p.soft", {}, "…"));
  let effect;
  try {
    effect = await command(view, what, true);
  } catch (error) {
    const instead = error.refusal.instead;
    open(title, el("p.problem", { role: "alert" }, error.message),
      ...(instead ? [el("p", {}, say.instead), el("ul.without", {}, ...instead.without.map((line) => el("li", {}, line))),
        button(say.propose, () => propose(view, instead.do, title, send), "button.big")] : []),
      button(say.cancel, close));
    return;
  }
  const confirm = button(say.confirm, async () => { close(); await send(what, view); }, "button.big");
  const quiet = !effect.hands.length && !effect.rest.length ? el("p", {}, say.no_effect) : null;
  open(title, confirm, el("h3", {}, say.effect), quiet, ...effect.hands.map(difference), effect.rest.length ? table(effect.rest) : null, button(say.cancel, close));
  confirm.focus();
}

const text = (lines) => lines.split("\n").map((line) => el("p", {}, line));

function difference(one) {
  return el("div.difference", {}, el("h4", {}, one.what),
    el("div.now", {}, el("b", {}, say.now), ...text(one.now)), el("div.then", {}, el("b", {}, say.then), ...text(one.then)));
}

function table(rows) {
  const head = el("tr", {}, el("td"), el("th", { scope: "col" }, say.now), el("th", { scope: "col" }, say.then));
  return el("table", {}, head, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.what), el("td", {}, row.now), el("td", {}, row.then))));
}

/** A line was tapped: change it, put something before or after it, delete it. */
export function openLine(view, hand, line, send) {
  let mode = "change";
  const last = line.index === hand.lines.length - 1 && hand.over;
  const places = { change: [line.index, line.index + 1], before: [line.index, line.index], after: [line.index + 1, line.index + 1] };
  const go = (events, told) => propose(view, { what: "change", hand: hand.id, start: places[mode][0], stop: places[mode][1], events }, told, send);
  // A passo goes with its exchange, and an exchange with its passo: one without the other is seldom what happened.
  const is = (index, ...what) => what.includes(hand.lines[index]?.event.e);
  const start = is(line.index, "swap", "draw", "taverna") && is(line.index - 1, "passo") ? line.index - 1 : line.index;
  const stop = is(line.index, "passo") && is(line.index + 1, "swap", "draw", "taverna") ? line.index + 2 : line.index + 1;
  const gone = hand.lines.slice(start, stop).map((one) => one.text).join("; ");
  const remove = () => propose(view, { what: "change", hand: hand.id, start, stop, events: [] }, `${say.delete}: ${gone}`, send);

  async function draw() {
    const modes = Object.keys(places).filter((one) => !(one === "after" && last) && !(one === "change" && line.frame));
    if (!modes.includes(mode)) mode = modes[0];
    const tabs = modes.map((one) => button(say[one], () => { mode = one; draw(); }, "button.chip", { "aria-pressed": String(one === mode), "data-mode": one }));
    const bar = el("div.chips", {}, ...tabs, line.frame ? null : button(say.delete, remove, "button.chip.danger", { "data-mode": "delete" }));
    const body = el("div.choices", {}, el("p.soft", {}, "…"));
    open(line.text, bar, line.event.e === "taverna" && mode === "change" ? terms(line, go) : null, body);
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
  const shown = mode === "change" && (line.event.e === "reveal" || line.event.e === "deal" || line.event.e === "draw");
  if (shown) parts.push(grid(line.event, found, go));
  const acts = found.filter((one) => !likely.includes(one) && one.events.every((event) => event.e !== "reveal" && !event.card));
  if (acts.length) parts.push(el("h3", {}, say.possible), ...acts.map((one) => button(one.text, () => go(one.events, one.text))));
  const other = el("details", {}, el("summary", {}, say.other), builder(hand, go));
  if (!shown && !acts.length) other.open = true;
  return [...parts, other];
}

/** The twenty cards: this one was another. What cannot be is dim, and says why when it is tapped. */
function grid(event, found, go) {
  const legal = new Set(found.filter((one) => one.events.length === 1 && one.events[0].e === event.e && (one.events[0].by ?? one.events[0].to) === (event.by ?? event.to)).map((one) => one.events[0].card));
  const known = event.e === "reveal";
  return el("div.grid", {}, ...kinds.filter((kind) => kind !== event.card).map((kind) =>
    cardButton(kind, () => go([{ ...event, card: kind }], `${event.by ?? event.to}: ${cardName(kind)}`), { dim: known && !legal.has(kind) })));
}

/** Any act of anybody: the server says whether it can be, and why not. */
function builder(hand, go) {
  const who = el("select", { id: "who" }, ...hand.order.map((name) => el("option", {}, name)));
  const acts = ["sto", "passo", "swap", "taverna", "draw", "reveal", "deal"];
  const what = el("select", { id: "what" }, ...acts.map((act) => el("option", { value: act }, say[`act_${act}`])));
  const card = el("select", { id: "card" }, el("option", { value: "" }, say.none), ...kinds.map((kind) => el("option", { value: kind }, cardName(kind))));
  const send = () => {
    const act = what.value;
    const event = { e: act, [act === "swap" ? "with" : act === "deal" ? "to" : "by"]: who.value };
    if (card.value && ["draw", "reveal", "deal"].includes(act)) event.card = card.value;
    if (act === "reveal" && !card.value) { card.focus(); return; }
    go([event], `${who.value} ${say[`act_${act}`]}${event.card ? `: ${cardName(event.card)}` : ""}`);
  };
  return el("div.form", {}, el("label", { htmlFor: "who" }, say.who), who, el("label", { htmlFor: "what" }, say.act), what,
    el("label", { htmlFor: "card" }, say.card), card, button(say.propose, send));
}

/** What was agreed for a ceded Taverna. */
function terms(line, go) {
  const words = el("input", { id: "terms", maxLength: 200, value: line.event.terms ?? "" });
  const share = el("input", { id: "share", type: "number", min: 0, max: 100, step: 1, inputMode: "numeric", value: line.event.share === undefined ? "" : String(line.event.share * 100) });
  const send = () => {
    const event = { e: "taverna", by: line.event.by };
    if (words.value.trim()) event.terms = words.value.trim();
    if (share.value !== "") event.share = hundredths(share.value);
    go([event], say.terms_title);
  };
  return el("div.form", {}, el("label", { htmlFor: "terms" }, say.terms), words, el("label", { htmlFor: "share" }, say.share), share, button(say.propose, send));
}

/** A percentage as a share, exact to the digits typed: 12.5 → 0.125. */
export const hundredths = (typed) => Number((Number(typed) / 100).toFixed(6));
