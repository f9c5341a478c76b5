"use strict";
/* A name of last time is dragged onto a place, with a finger or a mouse. A tap, or Return, gives it to the next one instead. */

const DRAG_FROM = 8; // pixels of the screen: less is a tap that trembled

/** `target(element)`: the place under the pointer, null where there is none; `drop(place)`: it is let go there. */
function draggable(button, target, drop) {
  let start = null, ghost = null, over = null;

  function move(event) {
    if (!start) return;
    if (!ghost && Math.hypot(event.clientX - start[0], event.clientY - start[1]) < DRAG_FROM) return;
    if (!ghost) {
      ghost = button.cloneNode(true);
      ghost.classList.add("ghost");
      document.body.append(ghost);
      button.classList.add("dragged");
    }
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    const found = target(document.elementFromPoint(event.clientX, event.clientY));
    if (found?.element !== over?.element) {
      over?.element.classList.remove("over-it");
      found?.element.classList.add("over-it");
      over = found;
    }
  }

  function end(event) {
    const dragged = Boolean(ghost), where = over;
    ghost?.remove();
    over?.element.classList.remove("over-it");
    button.classList.remove("dragged");
    start = ghost = over = null;
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
