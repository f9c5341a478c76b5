"use strict";
/* The moviola: the last hand step by step on the same table. Key m, or the address /?moviola; the arrows step, Escape ends it;
   by itself between two hands where an organiser wants it so. Whatever happens at the table ends it at once. */

let reel = null; // the hand that is shown, as /api/moviola tells it
let at = -1; // which of its steps
let timer = 0; // until the next step, or until it begins by itself
const flying = []; // for each card that flies: what puts it where it belongs

async function playMoviola() {
  if (!page.moviola) return; // the game has none
  const answer = await fetch(page.moviola).catch(() => null);
  const told = answer && answer.ok ? await answer.json() : null;
  if (!told || !shown) return;
  reel = discreet(told);
  step(0);
}

/** Back to the table as it stands; false when it stands there already. */
function stopMoviola() {
  clearTimeout(timer);
  land();
  if (!reel) return false;
  reel = null;
  delete document.body.dataset.moviola;
  drawTable(shown, null);
  return true;
}

/** A step of a game in which everybody has a card: whose turn it is, and which two players exchange cards. */
function everybodysCards(view, reel, now) {
  const seats = now.seats.map((seat) => ({
    ...seat, // with what the player had then
    dealer: seat.name === reel.dealer,
    winner: false,
    role: null,
    moves: seat.name === now.who ? "decides" : seat.name === now.whom ? "asked" : null,
    in_hand: seat.name in now.cards,
    card: now.cards[seat.name] || null,
    change: now.payments.filter((paid) => paid.player === seat.name).reduce((sum, paid) => (sum || 0) + paid.delta, null),
  }));
  return { seats, exchange: now.slides ? { who: now.who, whom: now.whom } : now.asks };
}

function step(index) {
  if (index >= reel.steps.length) return stopMoviola();
  at = Math.max(0, index);
  const now = reel.steps[at];
  document.body.dataset.moviola = String(at);
  const title = `${words.moviola} · ${words.hand} ${reel.n} · ${at + 1}/${reel.steps.length}`;
  const others = (own.frame || everybodysCards)(shown, reel, now);
  drawTable({ ...shown, ruling: null, exchange: null, exchange_before: null, figures: now.figures, happened: now.happened, winner: null, accounts: [], ...others, hand: reel.n, status: "moviola", title, message: now.says, settlement: [] }, null);
  if (now.slides) slide(now.who, now.whom);
  else land();
  clearTimeout(timer);
  timer = setTimeout(() => step(at + 1), page.moviola_step_s * 1000);
  return true;
}

/** Lets the two cards arrive from each other's place. A plate cuts what leaves it: what flies are copies over the page. */
function slide(one, other) {
  land();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || !document.body.animate) return;
  const [a, b] = [one, other].map((name) => {
    const seat = [...document.querySelectorAll(".seat")].find((found) => found.dataset.player === name);
    return seat ? seat.querySelector(".card") : null;
  });
  if (!a || !b) return;
  const [from, to] = [a, b].map((card) => card.getBoundingClientRect());
  if (!from.width || !to.width) return;
  fly(a, to, from);
  fly(b, from, to);
}

/** A copy of the card goes from one place on the screen to another, where the card itself is; that is seen once it has arrived.
    */
function fly(card, from, to) {
  const copy = make("div", "flying", card.firstElementChild.cloneNode());
  for (const side of ["left", "top", "width", "height"]) copy.style[side] = `${to[side]}px`;
  card.style.visibility = "hidden";
  document.body.append(copy);
  const there = `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${from.width / to.width}, ${from.height / to.height})`;
  const flight = copy.animate([{ transform: there }, { transform: "none" }], { duration: 900, easing: "ease-in-out" });
  const landed = () => { copy.remove(); card.style.visibility = ""; };
  flight.onfinish = flight.oncancel = landed;
  flying.push(landed);
}

/** What still flies is where it belongs. */
function land() {
  for (const landed of flying.splice(0)) landed();
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
if ($("play")) $("play").addEventListener("click", (event) => { event.preventDefault(); playMoviola(); });
