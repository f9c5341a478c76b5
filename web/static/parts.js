"use strict";
/* What every page for spectators is made of. Every text goes in by textContent: names are strangers' input. */

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.strings;
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
  const pedine = make("div", "pedine");
  pedine.setAttribute("role", "img");
  pedine.setAttribute("aria-label", `${words.pedine}: ${seat.pedine}`);
  if (seat.pedine > 3) pedine.append(make("span", "pedina"), make("b", "", `× ${seat.pedine}`));
  else {
    for (let i = 0; i < 3; i++) pedine.append(make("span", i < seat.pedine ? "pedina" : "pedina paid"));
  }
  const who = make("div", "who", make("span", "called", seat.name));
  const has = make("div", "has", seat.in_play || seat.in_hand ? pedine : make("span", "gone", words.out));
  const virgin = seat.virgin ? make("span", "virgin", words.virgin) : null;
  if (seat.dealer) {
    const mark = make("span", "mark deals", words.dealer_mark);
    mark.title = words.dealer;
    (small ? has : who).append(mark);
  }
  if (virgin && !small) has.append(virgin);
  const box = make("div", "plate", who, has, small ? virgin : null);
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
