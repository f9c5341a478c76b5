"use strict";
/* A name of last time is dragged onto a place, with a finger or a mouse. A tap, or Return, gives it to the next one instead. */

const DRAG_FROM = 8; // pixels of the screen: less is a tap that trembled
const EDGE = 64, STEP = 12; // pixels: so near to the screen's edge the page moves along, by this much a frame

/** `target(element)`: the place under the pointer, null where there is none; `drop(place)`: it is let go there. */
function draggable(button, target, drop) {
  let start = null, ghost = null, over = null, last = null;

  function move(event) {
    if (!start) return;
    if (!ghost && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < DRAG_FROM) return;
    if (!ghost) {
      ghost = button.cloneNode(true);
      ghost.classList.add("ghost");
      document.body.append(ghost);
      button.classList.add("dragged");
    }
    if (!last) requestAnimationFrame(scrollAlong);
    last = [event.clientX, event.clientY];
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    look();
  }

  /** Marks the place that is under the name. */
  function look() {
    const found = target(document.elementFromPoint(...last));
    if (found?.element !== over?.element) {
      over?.element.classList.remove("over-it");
      found?.element.classList.add("over-it");
      over = found;
    }
  }

  /** A place below the screen, or above it, comes to the name that is held at the edge. */
  function scrollAlong() {
    if (!ghost) return;
    const [, y] = last;
    if (y < EDGE || y > innerHeight - EDGE) {
      scrollBy(0, y < EDGE ? -STEP : STEP);
      look();
    }
    requestAnimationFrame(scrollAlong);
  }

  function end(event) {
    const dragged = Boolean(ghost), where = over;
    ghost?.remove();
    over?.element.classList.remove("over-it");
    button.classList.remove("dragged");
    start = ghost = over = last = null;
    if (!dragged) return;
    // The click that follows a drag is none: it would give the name to the next place as well.
    const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
    if (event.type === "pointerup" && where) drop(where.place);
  }

  button.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    start = [event.clientX, event.clientY];
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointermove", move);
  for (const ending of ["pointerup", "pointercancel"]) button.addEventListener(ending, end);
}
