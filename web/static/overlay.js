"use strict";
/* The overlay for streams: players, ruling, commentary; nothing to press. Made of parts.js, follows line.js. */

let last = null; // the view that is shown

function draw(view) {
  if (view.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  const before = last;
  last = view;
  $("hand").textContent = view.hand ? [`${words.hand} ${view.hand}`, ...view.figures.slice(0, 1).map((one) => `${one.label} ${one.text}`)].join(" · ") : "";
  const list = $("seats");
  list.className = "small";
  list.style.setProperty("--columns", view.seats.length > 10 ? Math.ceil(view.seats.length / 2) : Math.max(view.seats.length, 4));
  list.replaceChildren(
    ...view.seats.map((seat) => {
      const item = make("li", "seat", plate(seat, true));
      if (seat.role) item.classList.add(seat.role);
      if (seat.dealer) item.classList.add("dealer");
      if (!seat.in_play && !seat.in_hand) item.classList.add("out");
      if (seat.change !== null && seat.change < 0) item.classList.add("pays");
      if (seat.winner) item.classList.add("wins");
      return item;
    }),
  );
  const won = view.status === "won" ? make("p", "won big", view.message) : null;
  $("middle").replaceChildren(...[view.ruling ? rulingBox(view.ruling, news(before, view).fresh) : null, won].filter(Boolean));
  $("happened").textContent = view.happened.at(-1) ?? "";
}

connect();
