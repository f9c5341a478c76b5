// No slip: a button that has just come under the finger does nothing for a moment, and looks so. One that stays where it was is not
// touched, whatever is drawn around it.
const DEAD_MS = 400;
const NEAR_PX = 8;
const TOUCHABLE = "button, a.button, summary, select, input";
let depth = 0;

/** What a button is: where it belongs (`data-context`, which changes with what its taps would mean) and what it says. */
const known = (one) => `${one.closest("[data-context]")?.dataset.context ?? ""}|${one.closest("section, dialog, header")?.id ?? ""}|${one.getAttribute("aria-label") ?? one.textContent}`;

function places() {
  const found = new Map();
  for (const one of document.querySelectorAll(TOUCHABLE)) {
    const box = one.getBoundingClientRect();
    if (!box.width || box.bottom < 0 || box.top > innerHeight) continue;
    const key = known(one);
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([one, box]);
  }
  return found;
}

const near = (one, other) => Math.abs(one.top - other.top) < NEAR_PX && Math.abs(one.left - other.left) < NEAR_PX;

/** Change what is shown; buttons that are new or elsewhere afterwards are dead for a moment. */
export function redraw(change) {
  if (depth) return change();
  depth += 1;
  const before = places();
  try {
    return change();
  } finally {
    depth -= 1;
    for (const [key, now] of places()) {
      const was = before.get(key) ?? [];
      for (const [one, box] of now) {
        const [same] = was.find(([, old]) => near(box, old)) ?? [];
        if (!same) rest(one);
        else if (same !== one && dead.get(same) > performance.now()) rest(one, dead.get(same)); // drawn again: as fresh as it was
      }
    }
  }
}

const dead = new WeakMap(); // button → until when, in the time of events
const finger = { down: 0, on: null }; // when it came down, and on which button that was not dead: a busy phone makes it a click later

function rest(one, until = performance.now() + DEAD_MS) {
  dead.set(one, until);
  one.classList.add("fresh");
  setTimeout(() => { if (dead.get(one) === until) one.classList.remove("fresh"); }, until - performance.now()); // it may have moved again
}

document.addEventListener("pointerdown", (event) => {
  const one = event.target.closest(TOUCHABLE);
  finger.down = event.timeStamp;
  finger.on = dead.get(one) > event.timeStamp ? null : one;
}, true);
document.addEventListener("click", (event) => {
  const one = event.target.closest(TOUCHABLE);
  if (!event.detail || one === finger.on || !(dead.get(one) > finger.down)) return; // a key slips on nothing
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
