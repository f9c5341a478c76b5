"use strict";
/* A picture or a video goes to the phone's own sheet for sharing, where there is one: browsers offer it over HTTPS alone. Elsewhere the link
   beside the button keeps it. A button says which: `data-picture`, and of what type unless it is a PNG: `data-type`; the
   answer, what its file is called. */
for (const button of document.querySelectorAll("button[data-picture]")) {
  const picture = button.dataset.picture;
  const type = button.dataset.type || "image/png";
  const fileOf = (content, name) => new File([content], name, { type });
  if (!navigator.canShare || !navigator.canShare({ files: [fileOf("", `1.${type.split("/")[1]}`)] })) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const answer = await fetch(picture);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition"))[1];
      await navigator.share({ files: [fileOf(await answer.blob(), name)], title: document.title });
    } catch (error) {
      if (error.name !== "AbortError") location.assign(picture); // by itself it can be kept by a long press
    } finally {
      button.disabled = false;
    }
  });
}
