"use strict";
/* The overlay for streams: players, ruling, commentary; nothing to press. Made of parts.js, follows line.js. */

let last = null; // the view that is shown

function draw(view) {
  if (view.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  const before = last;
  last = view;
  $("hand").textContent = view.hand ? [`${words.hand} ${view.hand}`, ...view.figures.slice(0, 1).map((one) => `${one.label} ${one.text}`)].join(" · ") : "";
  const list = $("seats");
  const set = setNow(view);
  list.className = "small";
  list.style.setProperty("--across", view.seats.length > 7 ? Math.ceil(view.seats.length / Math.ceil(view.seats.length / 7)) : Math.max(view.seats.length, 4));
  list.replaceChildren(...view.seats.map((seat) => seatItem(seat, view.status, plate(seat, { set: set.has(seat.name) }))));
  const won = view.status === "won" ? make("p", "won big", view.message) : null;
  const missed = !view.ruling && view.missed ? make("p", "chips", make("span", "missed", view.missed)) : null;
  const middle = $("middle");
  middle.replaceChildren(...[view.ruling ? rulingBox(view.ruling, news(before, view).fresh, view.missed) : own.middle(view), won, missed].filter(Boolean));
  $("happened").textContent = view.happened.at(-1) || "";
  fitPlates(list);
  fitMiddle(middle, LEAST.headline); // the stream's picture is to be seen, too
}

window.addEventListener("resize", () => { if (last) draw(last); });
stayAwake();
connect();
