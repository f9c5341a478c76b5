"use strict";
/* The overlay for streams: players, ruling, commentary; nothing to press. `?layout=`: `lower`, a lower third instead; `corner`, a box in
   the upper left corner; `line`, one line at the bottom. `?delay=8`: all of it this number of seconds later. Made of parts.js, follows
   line.js. */

const wanted = new URLSearchParams(location.search);
const layout = ["lower", "corner", "line"].find((one) => one === wanted.get("layout")); // one box alone, which leaves the table free
const DELAY_MS = 1000 * Math.min(Math.max(Number(wanted.get("delay")) || 0, 0), 300); // as late as the stream's picture
let last = null; // the view that is shown
let pausing = page.shows; // what says whether the table has a break
let laid = null; // the card that was shown last in this hand, and by whom

const later = (then) => { if (DELAY_MS) setTimeout(then, DELAY_MS); else then(); };

function draw(view) {
  later(() => show(view));
}

/** A break begins, or is over. */
function drawShows(shows) {
  later(() => {
    const was = pausing;
    pausing = shows;
    if (last && was.paused !== shows.paused) show(last);
  });
}

/** A card that lies open now, and did not in the view before; of another hand none is left. */
function newest(before, view) {
  const same = before && before.game === view.game && before.hand === view.hand;
  const open = (seat) => (seat.card && seat.card.face ? [seat.card] : []).concat(seat.cards || []);
  const lay = (name, face) => same && before.seats.some((seat) => seat.name === name && open(seat).some((card) => card.face === face));
  const all = view.seats.reduce((sum, seat) => sum + open(seat).length, 0);
  for (const seat of same || all === 1 ? view.seats : []) { // of those that lay there before the page was opened nobody knows the last
    for (const card of open(seat)) if (!lay(seat.name, card.face)) return { name: seat.name, card, doubtful: seat.doubtful };
  }
  const stands = same && laid && view.seats.some((seat) => seat.name === laid.name && open(seat).some((card) => card.face === laid.card.face));
  return stands ? laid : null;
}

/** Who pays; before it what part of a hand is ruled on, or that the hand goes on; behind it that it is not sure. */
function ruled({ headline, sure, final, about }) {
  const before = about || (final ? "" : words.so_far);
  return dotted("p", sure ? "says" : "says unsure", [...(before ? [before] : []), ...headline, ...(sure ? [] : [words.unsure])]);
}

/** The figures with the virgins by name, who pays or what the table waits for, and the last card. */
function boxOf(view) {
  const figures = [...view.figures.filter((one) => !view.standing.some((other) => other.label === one.label)), ...view.standing];
  const paused = pausedSince(pausing);
  const says = paused || !view.ruling ? make("p", "says", paused || view.message) : ruled(view.ruling);
  const shows = laid ? make("figure", laid.doubtful ? "card doubted" : "card", cardImage(laid.card.face, laid.card.name)) : null;
  const by = laid ? make("p", "by", make("span", "", laid.name), make("b", "", laid.card.name + (laid.doubtful ? "?" : ""))) : null;
  const stand = make("dl", "stand", ...figures.map((one) => {
    const text = make("dd", "", one.text + (one.tag ? ` (${one.tag})` : "")), counted = view.figures.find((other) => other.label === one.label);
    text.dataset.names = text.textContent;
    text.dataset.counted = counted ? counted.text : text.textContent;
    return make("div", one.text.length > 18 ? "long" : "", make("dt", "", one.label), text);
  }));
  return [make("div", "said", says, stand), by, shows].filter(Boolean);
}

/** Letters of the box as large as its sums have room for; where even small ones have none, what it says is cut sooner. Names that
    have no room in letters a little smaller are said as a number: half a name tells nobody who it is. */
function fitBox(box) {
  const names = [...box.querySelectorAll(".stand .long dd")];
  const cut = () => names.some((one) => one.scrollWidth > one.clientWidth + 1);
  for (const one of names) one.textContent = one.dataset.names;
  fitSums(box);
  for (let less = 0.95; less > 0.73 && cut(); less -= 0.05) box.style.setProperty("--less", less.toFixed(2));
  if (!cut()) return;
  for (const one of names) if (one.scrollWidth > one.clientWidth + 1) one.textContent = one.dataset.counted;
  fitSums(box);
}

function fitSums(box) {
  const whole = layout === "lower" ? ".stand, .says" : ".stand"; // in a corner what it says has lines; on a line it is cut
  const cut = () => [...box.querySelectorAll(whole)].some((one) => one.scrollWidth > one.clientWidth + 1);
  box.classList.remove("tight");
  for (let less = 1; less > 0.68; less -= 0.05) {
    box.style.setProperty("--less", less.toFixed(2));
    if (!cut()) return;
  }
  box.classList.add("tight");
}

function show(view) {
  if (view.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  const before = last;
  last = view;
  if (layout) {
    laid = newest(before, view);
    $("third").replaceChildren(...boxOf(view));
    $("third").hidden = view.status === "no_game";
    fitBox($("third"));
    return;
  }
  $("hand").textContent = view.hand ? [`${words.hand} ${view.hand}`, ...view.figures.map((one) => `${one.label} ${one.text}${one.tag ? ` (${one.tag})` : ""}`)].join(" · ") : "";
  const list = $("seats");
  const set = setNow(view);
  list.className = "small";
  list.style.setProperty("--across", view.seats.length > 7 ? Math.ceil(view.seats.length / Math.ceil(view.seats.length / 7)) : Math.max(view.seats.length, 4));
  list.replaceChildren(...view.seats.map((seat) => seatItem(seat, view.status, plate(seat, { set: set.has(seat.name) }))));
  const won = view.status === "won" ? make("p", "won big", view.message) : null;
  const missed = !view.ruling && view.missed ? make("p", "chips", make("span", "missed", view.missed)) : null;
  const middle = $("middle");
  const paused = pausedSince(pausing) ? make("article", "paused", make("p", "title paused", pausedSince(pausing))) : null;
  middle.replaceChildren(...[paused, view.ruling ? rulingBox(view.ruling, news(before, view).fresh, view.missed) : paused ? null : own.middle(view), won, missed].filter(Boolean));
  $("happened").textContent = view.happened.at(-1) || "";
  fitPlates(list);
  fitMiddle(middle, LEAST.headline); // the stream's picture is to be seen, too
}

window.addEventListener("resize", () => { if (!last) return; if (layout) fitBox($("third")); else show(last); });
if (layout) document.body.classList.add("boxed", layout);
stayAwake();
connect();
