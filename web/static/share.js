"use strict";
/* A picture goes to the phone's own sheet for sharing, where there is one: browsers offer it over HTTPS alone. Elsewhere the link
   beside the button keeps it. A button says which picture: `data-picture`, and `data-name`, its file's name. */
for (const button of document.querySelectorAll("button[data-picture]")) {
  const { picture, name } = button.dataset;
  const fileOf = (content) => new File([content], name, { type: "image/png" });
  if (!navigator.canShare || !navigator.canShare({ files: [fileOf("")] })) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const answer = await fetch(picture);
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      await navigator.share({ files: [fileOf(await answer.blob())], title: document.title });
    } catch (error) {
      if (error.name !== "AbortError") location.assign(picture); // the picture alone can be kept by a long press
    } finally {
      button.disabled = false;
    }
  });
}
