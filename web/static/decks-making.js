"use strict";
/* How far the deck is, until there is somewhere to go. */
(() => {
  const page = document.getElementById("making");
  if (!page) return;
  const bar = page.querySelector("progress");
  const look = async () => {
    const answer = await fetch(page.dataset.url).catch(() => null);
    const told = answer && answer.ok ? await answer.json().catch(() => null) : null;
    if (told?.to) return location.replace(told.to);
    if (told) {
      bar.max = told.of || 1;
      bar.value = told.done;
      document.getElementById("said").textContent = told.said;
    }
    setTimeout(look, 400);
  };
  look();
})();
