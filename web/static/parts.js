"use strict";
/* What every page for spectators is made of. Every text goes in by textContent: names are strangers' input. */

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.strings;

/** What the game's own script (games/GAME/tv.js) puts in place of the defaults. `has(seat)` draws what a player has,
    `beside(seat)` something that goes with it, or null. `sound(before, after, moments)`: a function that makes the sound of the
    change between two views, or of what is announced in it, or null. `middle(view)` draws what lies in the table's middle while no ruling stands there, or null.
    `frame(view, reel, step)`: what a step of the moviola changes in the view, in a game where not everybody has one card. `chance`: what the chances are chances
    of; `finest`: the steps in which they are shown, in percent. */
const own = {
  has: (seat) => make("span", "owns", seat.has),
  beside: () => null,
  middle: () => null,
  frame: null,
  chance: words.chance,
  finest: 5,
  sound: null,
};
const $ = (id) => document.getElementById(id);

/** An element with a class and a text or children. */
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter((part) => part !== null));
  return element;
}

function cardImage(face, alt) {
  const image = make("img");
  image.src = page.cards.replace("CARD", face || "back");
  image.alt = alt;
  return image;
}

/** The length --u of tv.css in pixels: the page's letters are 3.4 of it. */
const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 3.4;

const signed = (delta) => (delta > 0 ? `+${delta}` : delta < 0 ? `−${-delta}` : "0");

/** What somebody pays or gets, as people read it. */
const sumOf = (one) => one.amount || signed(one.delta === undefined || one.delta === null ? one.change : one.delta);

/** The cards that lie open before a player, each over the one before; null for none. */
function fan(cards) {
  if (!cards || !cards.length) return null;
  const spread = make("div", "fan", ...cards.map((card) => make("div", "card", cardImage(card.face, card.name))));
  spread.style.setProperty("--cards", cards.length);
  return spread;
}

/** What somebody has put in of the betting that goes on, or that they have passed; or what their open cards come to; null for
    none. */
function betMark(seat) {
  if (seat.score) return make("b", `mark score${seat.doubtful ? " doubted" : ""}`, `${seat.score}${seat.doubtful ? "?" : ""}`);
  if (seat.passed) return make("span", "mark bet passed", seat.bet ? `${seat.bet} · ${words.passed}` : words.passed);
  return seat.bet ? make("span", "mark bet", seat.bet) : null;
}

/** `own.frame` of a game whose moviola shows the whole table as it was at each step. */
const asItWas = (view, reel, now) => ({ seats: now.seats, centre: now.centre, ruling: now.ruling });

/** What the shown ruling does to what a player has; with a question mark where that is only believed. */
function changeMark(seat) {
  if (seat.change === null && !seat.believed) return null;
  const kind = `${seat.change > 0 ? " up" : ""}${seat.believed ? " believed" : ""}`;
  const mark = make("span", `mark change${kind}`, (seat.change === null ? "" : sumOf(seat)) + (seat.believed ? "?" : ""));
  if (seat.believed) mark.title = words.unsure;
  return mark;
}

/** The players whose standing the table has set by hand, and who have not finished a hand since. */
function setNow(view) {
  const last = view.status === "hand_in_progress" ? view.hand - 1 : view.hand;
  return new Set(view.status === "moviola" ? [] : view.sets.filter((one) => one.after === last).flatMap((one) => one.players));
}

/** Marks what a player has as set by the table. */
function setMark() {
  const mark = make("span", "mark set", "✎");
  mark.title = words.set;
  return mark;
}

/** A player: name, what they have, what they are about to do, and their card, all in one box; `also`: one thing more to be said;
    `set`: the table has set what they have. */
function plate(seat, { card = null, small = false, also = null, set = false } = {}) {
  const who = make("div", "who", make("span", "called", seat.name));
  const does = make("div", "does");
  if (seat.role) does.append(make("span", "role", words.roles[seat.role]));
  else if (card && seat.card && seat.card.face) does.append(make("span", "face", seat.card.name + (seat.doubtful ? "?" : "")));
  if (also) does.append(also);
  if (seat.dealer) {
    const mark = make("span", "mark deals", words.dealer_mark);
    mark.title = words.dealer;
    (small && seat.name.length > 6 ? does : who).append(mark); // a long name needs the room there
  }
  const has = make("div", "has", seat.in_play || seat.in_hand ? own.has(seat) : make("span", "gone", words.out));
  const beside = own.beside(seat);
  has.append(...[beside, changeMark(seat), set ? setMark() : null].filter(Boolean));
  return make("div", card && card.classList.contains("fan") ? "plate fanned" : "plate", card, make("div", seat.role ? "told acts" : "told", who, has, does.childElementCount ? does : null));
}

/** A player's place with the classes that say how they stand; `status` of the view. */
function seatItem(seat, status, box) {
  const item = make("li", "seat", box);
  item.dataset.player = seat.name;
  if (seat.role || seat.moves) item.classList.add(seat.role || seat.moves);
  if (seat.dealer) item.classList.add("dealer");
  if (!seat.in_play && !seat.in_hand) item.classList.add("out");
  else if (!seat.in_hand && ["hand_in_progress", "moviola"].includes(status)) item.classList.add("aside");
  if (seat.change !== null && seat.change < 0) item.classList.add("pays");
  if (seat.believed) item.classList.add("believed");
  if (seat.winner) item.classList.add("wins");
  return item;
}

/** A text in which no line parts a number from what it counts, or from what it is said of; after a colon a new one may begin. */
const unbroken = (text) => text.replace(/([^:]) (?=[\d€×])/g, "$1\u00a0").replace(/(\d) (?=[a-zà-ÿ×])/gi, "$1\u00a0");

/** Parts with a dot between, each of them unbroken as long as there is room for it; no line begins with a dot, or with a
    number. */
function dotted(tag, className, parts) {
  const line = make(tag, className);
  parts.forEach((part, i) => {
    const box = make("span", "part", unbroken(part));
    if (i < parts.length - 1) box.append(make("span", "between", "\u00a0·"));
    line.append(box, " ");
  });
  return line;
}

/** The box of a ruling; `fresh`: the payments that were not there before; `missed`: what nobody saw of the hand, "" for
    nothing. */
function rulingBox(ruling, fresh = [], missed = "") {
  const box = make("article", "ruling");
  if (!ruling.final) box.classList.add("partial");
  if (ruling.about) box.dataset.about = ruling.about;
  if (!ruling.sure) box.classList.add("unsure");
  if (!ruling.sums.some((row) => row.delta)) box.classList.add("quiet");
  if (ruling.sums.length || ruling.notes.length) box.classList.add("tells");
  const chips = make("p", "chips");
  if (!ruling.sure) chips.append(make("span", "doubt", words.unsure));
  if (missed) chips.append(make("span", "missed", missed));
  if (ruling.about) chips.append(make("span", "so-far", ruling.about));
  else if (!ruling.final) chips.append(make("span", "so-far", words.so_far));
  if (chips.childElementCount) box.append(chips);
  box.append(dotted("h2", "headline", ruling.headline));
  if (ruling.sums.length) {
    const rows = make("ul", "payments");
    for (const one of ruling.sums) {
      const { player, delta, why } = one;
      const sum = make("span", delta > 0 ? "delta up" : delta < 0 ? "delta" : "delta none", sumOf(one) + (ruling.sure ? "" : "?"));
      const row = make("li", "payment", sum, make("p", "", make("b", "payer", player), " ", dotted("span", "why", why)));
      if (fresh.some((payment) => payment.player === player)) row.classList.add("fresh");
      rows.append(row);
    }
    box.append(rows);
  }
  for (const note of ruling.notes) box.append(make("p", "note", note));
  return box;
}

/** Whether two rulings rule on the same: the same hand, and the same part of it. */
const sameRuling = (one, other) => Boolean(one && other) && one.hand === other.hand && one.about === other.about;

/** What is new in a view after another: payments that were not in the same ruling, and those that no longer are. */
function news(before, after) {
  const now = after.ruling ? after.ruling.payments : [];
  const same = before && before.game === after.game && sameRuling(before.ruling, after.ruling);
  const left = same ? [...before.ruling.payments] : [];
  const fresh = now.filter((payment) => {
    const at = left.findIndex((old) => old.player === payment.player && old.delta === payment.delta && old.text === payment.text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { fresh, withdrawn: left };
}

// The typeface is here: what was measured with another one is measured again.
if (document.fonts && document.fonts.addEventListener) document.fonts.addEventListener("loadingdone", () => dispatchEvent(new Event("resize")));

/** Since when the table has a break, in words; "" while it plays. */
const pausedSince = (shows) => (shows.paused ? words.paused.replace("{time}", shows.paused.slice(11, 16)) : "");
