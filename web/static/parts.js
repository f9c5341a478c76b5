"use strict";
/* What every page for spectators is made of. Every text goes in by textContent: names are strangers' input. */

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.strings;

/** What the game's own script (games/WING/tv.js) puts in place of the plain: `has(seat)` draws what a player has, `beside(seat)`
    something that goes with it, or null; `sound(before, after)` is what a view sounds like after another, a function or null. */
const own = {
  has: (seat) => make("span", "owns", seat.has),
  beside: () => null,
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
  image.src = page.cards.replace("CARD", face ?? "back");
  image.alt = alt;
  return image;
}

/** The length --u of tv.css in pixels: the page's letters are 3.4 of it. */
const unit = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 3.4;

const signed = (delta) => (delta > 0 ? `+${delta}` : delta < 0 ? `−${-delta}` : "0");

function plate(seat, small) {
  const who = make("div", "who", make("span", "called", seat.name));
  const has = make("div", "has", seat.in_play || seat.in_hand ? own.has(seat) : make("span", "gone", words.out));
  const beside = own.beside(seat);
  if (seat.dealer) {
    const mark = make("span", "mark deals", words.dealer_mark);
    mark.title = words.dealer;
    (small ? has : who).append(mark);
  }
  if (beside && !small) has.append(beside);
  const box = make("div", "plate", who, has, small ? beside : null);
  if (seat.change !== null) box.append(make("span", seat.change > 0 ? "mark change up" : "mark change", signed(seat.change)));
  if (seat.role) box.append(make("span", "role", words.roles[seat.role]));
  return box;
}

/** The box of a ruling; `fresh`: the payments that were not there before. */
function rulingBox(ruling, fresh = []) {
  const box = make("article", "ruling");
  if (!ruling.final) box.classList.add("partial");
  if (!ruling.sure) box.classList.add("unsure");
  if (!ruling.payments.length) box.classList.add("quiet");
  if (!ruling.sure) box.append(make("p", "doubt", words.unsure));
  if (ruling.void) box.append(make("p", "big", words.void_hand));
  else if (!ruling.payments.length) box.append(make("p", "big", words.nobody_pays));
  const rows = make("div", "payments");
  if (ruling.payments.length > 3) box.classList.add("many");
  for (const payment of ruling.payments) {
    const row = make("div", "payment");
    row.dataset.cause = payment.cause;
    if (fresh.includes(payment)) row.classList.add("fresh");
    row.append(
      payment.card ? cardImage(payment.card, "") : make("span"),
      make("span", "payer", payment.player),
      make("span", payment.delta > 0 ? "delta up" : payment.delta < 0 ? "delta" : "delta none", signed(payment.delta)),
      make("span", "why", payment.text),
    );
    rows.append(row);
  }
  if (ruling.payments.length) box.append(rows);
  for (const note of ruling.notes) box.append(make("p", "note", note));
  return box;
}

/** What is new in a view after another: payments that were not in the ruling of the same hand, and those that no longer are. */
function news(before, after) {
  const now = after.ruling ? after.ruling.payments : [];
  const same = before && before.ruling && after.ruling && before.ruling.hand === after.ruling.hand;
  const left = same ? [...before.ruling.payments] : [];
  const fresh = now.filter((payment) => {
    const at = left.findIndex((old) => old.player === payment.player && old.delta === payment.delta && old.text === payment.text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { fresh, withdrawn: left };
}
