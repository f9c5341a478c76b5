"use strict";
/* The evening in figures follows by itself: when the game has changed, the page is fetched again and what it shows is put in place.
   Made of parts.js, follows line.js. */

let fetching = false, again = false;

/** A name of wide letters is written as small as it must be to end before the first column, upright before the edge, and a little smaller: where the
    drawing is small, widths of letters are whole pixels. */
function fitNames() {
  const drawing = [...document.querySelectorAll("#charts svg")].find((one) => one.getBoundingClientRect().width > 0);
  if (!drawing) return;
  const upright = drawing.classList.contains("upright");
  const column = upright ? drawing.viewBox.baseVal.width : Math.min(...[...drawing.querySelectorAll(".head")].map((head) => Number(head.getAttribute("x"))));
  for (const name of drawing.querySelectorAll(".name")) {
    name.style.removeProperty("font-size");
    const room = column - 2 * Number(name.getAttribute("x")), length = name.getComputedTextLength();
    if (length > room) name.style.fontSize = `${parseFloat(getComputedStyle(name).fontSize) * 0.94 * room / length}px`;
  }
}

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
    fitNames();
  } catch (error) { // the line says so, and comes back with a view
  } finally {
    fetching = false;
    if (again) draw(view);
  }
}

fitNames();
addEventListener("resize", fitNames);
stayAwake();
connect();
