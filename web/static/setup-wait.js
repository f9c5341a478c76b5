"use strict";
/* A page that waits for the camera is loaded again once that is another than it was. */
(() => {
  const waits = document.querySelector("[data-state]");
  if (!waits) return;
  const look = async () => {
    const answer = document.hidden ? null : await fetch(waits.dataset.state).catch(() => null);
    const told = answer && answer.ok ? await answer.json().catch(() => null) : null;
    if (told && told.is !== waits.dataset.is) location.replace(location.pathname + (/[?&]view=\d/.exec(location.search)?.[0].replace("&", "?") ?? ""));
    else setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
})();
