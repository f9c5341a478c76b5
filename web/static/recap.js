"use strict";
/* The page of the evening's video shows how far it is, and is loaded again once it is made, or has failed. */
(() => {
  const waits = document.querySelector("[data-recap]");
  if (!waits) return;
  const look = async () => {
    const answer = document.hidden ? null : await fetch(waits.dataset.recap).catch(() => null);
    const now = answer && answer.ok ? await answer.json().catch(() => null) : null;
    if (now && now.state !== "waiting" && now.state !== "making") return location.reload();
    if (now) {
      waits.querySelector("progress").value = now.share;
      for (const said of waits.querySelectorAll("[data-says]")) said.hidden = said.dataset.says !== now.state;
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 500);
})();
