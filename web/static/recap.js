"use strict";
/* The page of the evening's video shows how far it is, and is loaded again once it is made, or has failed; while the
   program does not answer it says so. */
(() => {
  const waits = document.querySelector("[data-recap]");
  if (!waits) return;
  const say = (state) => {
    for (const said of waits.querySelectorAll("[data-says]")) said.hidden = said.dataset.says !== state;
  };
  const look = async () => {
    if (!document.hidden) {
      const answer = await fetch(waits.dataset.recap).catch(() => null);
      const now = answer && answer.ok ? await answer.json().catch(() => null) : null;
      const over = now ? now.state !== "waiting" && now.state !== "making" : answer && answer.status < 500;
      if (over) return location.replace(location.pathname); // the page itself, not the form that was sent
      say(now ? now.state : "lost");
      if (now) waits.querySelector("progress").value = now.share;
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 500);
})();
