"use strict";
/* The evening in figures follows by itself: when the game has changed, the page is fetched again and what it shows is put in place.
   Made of parts.js, follows line.js. */

let fetching = false, again = false;

async function draw(view) {
  if (view.wing !== page.wing) { location.reload(); return; } // another game of the house
  again = fetching;
  if (fetching) return; // once more after this one
  fetching = true;
  try {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["figures", "charts", "told"]) if (fresh.getElementById(id)) $(id).replaceChildren(...fresh.getElementById(id).childNodes);
  } catch { // the line says so, and comes back with a view
  } finally {
    fetching = false;
    if (again) draw(view);
  }
}

connect();
