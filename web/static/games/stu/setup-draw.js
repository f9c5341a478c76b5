"use strict";
/* The seat draw: what the camera reads fills the fields that no thumb has touched. */
(() => {
  const form = document.getElementById("draw-form");
  if (!form || !form.dataset.read) return;
  const fields = [...form.querySelectorAll("select")];
  for (const field of fields) field.addEventListener("change", () => { field.dataset.touched = "1"; });
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(form.dataset.read).catch(() => null);
    if (!answer || !answer.ok) return;
    const read = await answer.json();
    for (const field of fields) {
      if (!field.dataset.touched && read[field.dataset.place] && document.activeElement !== field) field.value = read[field.dataset.place];
    }
  }, 1500);
})();
