"use strict";
/* Places by themselves: one card is dealt to each, and the picture shows them numbered, to be taken with a tap. */

const DEALT_MS = 800;
const STILL = 0.02; // share of the picture's width within which a card lies where it lay at the look before

/** `dealt`: the element with the buttons and with the address to ask; `put(points)`: these are the places; `back()`: draws those
    that were marked before; `lookAgain()`: they are looked for once more; `begin`: look at once. */
function byCards({ svg, dealt, most, put, back, lookAgain, begin }) {
  const [take, byHand, again] = ["take", "by-hand", "again"].map((name) => dealt.querySelector(`[name=${name}]`));
  const marked = document.getElementById("by-cards"); // whether the cards may still lie there when the game begins
  const shown = svgElement("g", { class: "dealt" }, svg);
  let looking = false;
  let found = [];
  let outside = 0;

  function still(before, now) {
    const far = STILL * Number(svg.dataset.width);
    return before.length === now.length && now.every(([x, y], number) => Math.hypot(x - before[number][0], y - before[number][1]) < far);
  }

  function draw(sure) {
    const radius = 13 * perScreenPixel(svg);
    shown.replaceChildren();
    found.forEach(([x, y], number) => {
      svgElement("circle", { cx: x, cy: y, r: radius }, shown);
      svgElement("text", { class: "number", x, y, "font-size": radius * 1.2 }, shown).textContent = number + 1;
    });
    take.hidden = found.length < 2 || found.length > most;
    take.classList.toggle("primary", !take.hidden);
    take.disabled = !sure;
    take.textContent = dealt.dataset.take.replace("{many}", found.length);
    dealt.querySelector(".many").hidden = found.length <= most;
    const away = dealt.querySelector(".outside");
    away.hidden = !outside;
    away.querySelector("span").textContent = (outside === 1 ? away.dataset.one : away.dataset.more).replace("{many}", outside);
  }

  async function look() {
    if (!looking) return;
    const answer = document.hidden ? null : await fetch(dealt.dataset.places).catch(() => null);
    if (answer?.redirected) return; // there is nothing left to set up
    if (looking && answer?.ok) {
      const { places, outside: away } = await answer.json();
      const sure = still(found, places);
      outside = sure ? away : 0;
      found = places;
      draw(sure);
    }
    setTimeout(look, DEALT_MS);
  }

  function turn(on) {
    const was = looking;
    [looking, found, outside] = [on, [], 0];
    draw(false);
    [byHand.hidden, again.hidden] = [!on, on];
    if (on) document.getElementById("add").hidden = true;
    if (on) svg.querySelector(".over").replaceChildren();
    if (on && !was) look();
  }

  /** Takes the places that are shown now; false where none are, or too many. */
  function takeShown() {
    if (take.hidden) return false;
    const points = found;
    turn(false);
    marked.value = "1";
    put(points);
    return true;
  }

  take.addEventListener("click", takeShown);
  byHand.addEventListener("click", () => { turn(false); marked.value = ""; back(); });
  again.addEventListener("click", () => { turn(true); lookAgain(); });
  // Who taps beside the marks misses one there: they are taken, and the tap adds it. Before there are any it marks by hand.
  svg.addEventListener("click", (event) => {
    if (!looking) return;
    const points = found;
    const [x, y] = pixel(svg, event);
    if (points.some((at) => Math.hypot(at[0] - x, at[1] - y) < 20 * perScreenPixel(svg))) event.stopImmediatePropagation();
    turn(false);
    marked.value = points.length ? "1" : "";
    if (points.length) put(points);
  }, { capture: true });
  turn(begin);
  return { takeShown };
}
