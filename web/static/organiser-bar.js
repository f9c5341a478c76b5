// The bar under the page: what is to be done now with the hand on the table, or one of the parts that are needed less often. It never
// scrolls away, and only one part is there at a time.
import { redraw } from "./organiser-slip.js";

const buttons = [...document.querySelectorAll("#bar [data-shows]")];

/** Show this part of the page, from its top. */
export function turn(to) {
  if (buttons.some((one) => one.dataset.shows === to && one.getAttribute("aria-pressed") === "true")) return;
  redraw(() => {
    for (const one of buttons) one.setAttribute("aria-pressed", String(one.dataset.shows === to));
    for (const part of document.querySelectorAll("[data-panel]")) part.classList.toggle("folded", part.dataset.panel !== to);
    scrollTo(0, 0);
  });
}

/** A question mark at a part in which something is not sure. */
export function mark(part, unsure) {
  buttons.find((one) => one.dataset.shows === part).classList.toggle("unsure", unsure);
}

for (const one of buttons) {
  one.hidden = false;
  one.addEventListener("click", () => {
    turn(one.dataset.shows);
    scrollTo(0, 0); // tapped again: back to its top
  });
}

if (document.querySelector("#people .problem")) turn("players"); // what was tapped there was refused
