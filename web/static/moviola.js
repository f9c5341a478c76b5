"use strict";
/* The moviola: the last hand step by step on the same table. Key m, or the address /?moviola; the arrows step, Escape ends it;
   by itself between two hands where an organiser wants it so. Whatever happens at the table ends it at once. */

let reel = null; // the hand that is shown, as /api/moviola tells it
let at = -1; // which of its steps
let timer = 0; // until the next step, or until it begins by itself

async function playMoviola() {
  if (!page.moviola) return; // the game has none
  const answer = await fetch(page.moviola);
  const told = answer.ok ? await answer.json() : null;
  if (!told || !shown) return;
  reel = told;
  step(0);
}

/** Back to the table as it stands; false when it stands there already. */
function stopMoviola() {
  clearTimeout(timer);
  if (!reel) return false;
  reel = null;
  delete document.body.dataset.moviola;
  drawTable(shown, null);
  return true;
}

/** A step of a game in which everybody has a card: whose it is, and between whom cards are exchanged. */
function everybodysCards(view, reel, now) {
  const seats = now.seats.map((seat) => ({
    ...seat, // with what the player had then
    dealer: seat.name === reel.dealer,
    winner: false,
    role: null,
    moves: seat.name === now.who ? "decides" : seat.name === now.whom ? "asked" : null,
    in_hand: seat.name in now.cards,
    card: now.cards[seat.name] ?? null,
    change: now.payments.filter((paid) => paid.player === seat.name).reduce((sum, paid) => (sum ?? 0) + paid.delta, null),
  }));
  return { seats, exchange: now.slides ? { who: now.who, whom: now.whom } : now.asks };
}

function step(index) {
  if (index >= reel.steps.length) return stopMoviola();
  at = Math.max(0, index);
  const now = reel.steps[at];
  document.body.dataset.moviola = String(at);
  const title = `${words.moviola} · ${words.hand} ${reel.n} · ${at + 1}/${reel.steps.length}`;
  const others = (own.frame ?? everybodysCards)(shown, reel, now);
  drawTable({ ...shown, ruling: null, exchange: null, exchange_before: null, figures: now.figures, happened: now.happened, winner: null, accounts: [], ...others, hand: reel.n, status: "moviola", title, message: now.says, settlement: [] }, null);
  if (now.slides) slide(now.who, now.whom);
  clearTimeout(timer);
  timer = setTimeout(() => step(at + 1), page.moviola_step_s * 1000);
  return true;
}

/** Lets the two cards arrive from each other's place. */
function slide(one, other) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const [a, b] = [one, other].map((name) =>
    [...document.querySelectorAll(".seat")].find((seat) => seat.dataset.player === name)?.querySelector(".card"));
  if (!a || !b) return;
  const place = (card) => ({ left: card.style.left, top: card.style.top });
  const [from, to] = [place(a), place(b)];
  a.animate([to, from], { duration: 900, easing: "ease-in-out" });
  b.animate([from, to], { duration: 900, easing: "ease-in-out" });
}

/** After every view: what was played is over, and between two hands it may begin by itself. */
function rewind(view) {
  stopMoviola();
  playLater(view);
}

function playLater(view) {
  clearTimeout(timer);
  const over = view.ruling && view.ruling.final && !view.ruling.void && view.status !== "won";
  if (page.shows.moviola_after_s > 0 && over) timer = setTimeout(playMoviola, page.shows.moviola_after_s * 1000);
}

document.addEventListener("keydown", (event) => {
  if (event.key === "m" && !event.ctrlKey && !event.metaKey && !event.altKey) playMoviola();
  else if (reel && event.key === "ArrowRight") step(at + 1);
  else if (reel && event.key === "ArrowLeft") step(at - 1);
  else if (event.key === "Escape") stopMoviola();
});
$("play")?.addEventListener("click", (event) => { event.preventDefault(); playMoviola(); });
