"use strict";
/* An evening's picture goes to the phone's own sheet for sharing, where there is one: browsers offer it over HTTPS alone. */
(() => {
  const button = document.getElementById("share");
  const probe = new File([""], "evening.png", { type: "image/png" });
  if (!navigator.canShare || !navigator.canShare({ files: [probe] })) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const answer = await fetch(button.dataset.picture);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const file = new File([await answer.blob()], "evening.png", { type: "image/png" });
      await navigator.share({ files: [file], title: document.title });
    } catch (error) {
      if (error.name !== "AbortError") location.assign(button.dataset.picture); // the picture alone can be kept by a long press
    } finally {
      button.disabled = false;
    }
  });
})();
