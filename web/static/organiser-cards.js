// Cards picked by suit and number: a column for each suit, a row for each number, always in the same place under the thumb.
import { button, cardName, el, get, page, say } from "./organiser-dom.js";

const image = (kind) => el("img", { src: page.cards.replace("CARD", kind), alt: "" });
const suits = page.grid?.suits ?? [];

/** A card's button in a table of cards: the drawing alone, with the card's name for screen readers. */
export function smallCard(kind, onclick, { label = cardName(kind), key = kind } = {}) {
  const column = suits.findIndex(([suit]) => kind.startsWith(`${suit}-`));
  const one = el("button.small", { type: "button", onclick, "aria-label": label, "data-key": key }, image(kind));
  if (column >= 0) one.style.gridColumn = String(column + 1);
  return one;
}

/** The grid. `kinds`: those that can be; `known`: the likely ones among them; `picked`: the chosen ones; `tap(kind)`. `deck`:
    what is played with: a number that is not among it has no row. `whose`: what a tap means, so that none slips from one player
    to the next. */
export function grid(kinds, known, picked, tap, deck = [], whose = "") {
  const possible = new Set(kinds), numbers = new Set(deck.map((kind) => kind.split("-")[1]));
  const rows = page.grid.numbers.filter(([number]) => !deck.length || numbers.has(number));
  const cells = rows.flatMap(([number, called]) => suits.map(([suit]) => {
    const kind = `${suit}-${number}`;
    const plain = Number(number) > 1 && Number(number) < 8; // the others are called by their names
    return el(known.includes(kind) ? "button.cell.known" : "button.cell", { type: "button", onclick: () => tap(kind), disabled: !possible.has(kind), "aria-label": cardName(kind),
      "aria-pressed": String(picked.includes(kind)), "data-key": kind }, image(kind), el(plain ? "span" : "span.long", {}, plain ? number : called));
  }));
  return el("div.suits", { "data-context": whose }, ...suits.map(([, called]) => el("b.suit", {}, called)), ...cells);
}

/** The cards that were picked last, as many as there can be. */
function fitting(of, cards) {
  const unknown = of.known ? cards.filter((kind) => !of.known.includes(kind)) : [];
  const gone = unknown.slice(0, Math.max(0, unknown.length - of.room));
  return cards.filter((kind) => !gone.includes(kind)).slice(-of.most);
}

const allowed = (of, cards) => cards.length >= of.least && cards.length <= of.most
  && (cards.length === 1 || !of.groups || of.groups.some((group) => group.length === cards.length && cards.every((kind) => group.includes(kind))));

/** What the picked cards come to: the server is asked, and it is said as soon as it is known. */
function named(of, cards, memory, redraw) {
  if (!of.named) return null;
  const key = allowed(of, cards) ? [...cards].sort().join() : "";
  if (key && memory.called?.key !== key) {
    memory.called = { key, text: "" };
    get(`/named?cards=${key}`).then(({ text }) => {
      if (memory.called.key !== key) return;
      memory.called = { key, text };
      redraw();
    }, () => {}); // it can be taken all the same
  }
  return el("output.named", { "aria-live": "polite" }, (key && memory.called.text) || cards.map(cardName).join(", "));
}

/** Whether a tap on a card is the act, and a button leads to several. */
export const opens = (of) => Boolean(of && (of.single || (of.groups?.length && of.least === 1)));

/** Cards for an act. Where it mostly has one card (`single`, or only some groups of cards are possible) a tap is the act; if
    not, cards are picked one by one and then taken together. `memory.picked`: which, by label; `memory.several`: the label of
    the act that is to have several; `wanted`: what is due, beside the button that leads there. */
export function picking(of, tap, memory, redraw, wanted = null) {
  const asked = opens(of);
  const many = of.most > 1 && (!asked || memory.several === of.label);
  const picked = (memory.picked?.[of.label] ?? []).filter((kind) => of.kinds.includes(kind));
  const done = (cards) => { memory.picked = {}; memory.several = null; tap([{ ...of.event, [of.key]: cards }]); };
  const change = (kind) => {
    const now = picked.includes(kind) ? picked.filter((one) => one !== kind) : fitting(of, [...picked, kind]);
    memory.picked = { [of.label]: now };
    redraw();
  };
  const parts = many ? [] : [el("h3", {}, of.label)];
  if (many) {
    const label = of.named ? of.label : `${of.label}: ${picked.map(cardName).join(", ") || "…"}`; // what is named keeps its height
    parts.push(named(of, picked, memory, redraw), button(label, () => done(picked), "button.big.take", { disabled: !allowed(of, picked), "data-key": "take" }));
  }
  if (asked) {
    const other = () => { memory.several = many ? null : of.label; memory.picked = {}; redraw(); };
    const several = button(say.several, other, "button.chip", { "aria-pressed": String(many), "data-key": "several" });
    parts.push(wanted ? el("div.shared", {}, several, wanted) : several);
  }
  return [...parts, grid(of.kinds, of.known ?? [], picked, (kind) => (many ? change(kind) : done([kind])), of.deck, of.label)];
}
