"use strict";
/* Which camera: the page as it is now, every two seconds. A camera that was plugged in appears, its picture comes; what is being
   typed stays. A part is put in only when the server says another than before: a button under a finger stays where it is. */
(() => {
  const PARTS = ["#camera-is", "#now", "#sources", "#further"];
  const said = new Map(PARTS.map((part) => [part, document.querySelector(part).outerHTML]));

  async function look() {
    const answer = document.hidden ? null : await fetch(location.href).catch(() => null);
    if (answer && answer.redirected) return location.assign(answer.url); // the evening has begun, or the phone was withdrawn
    if (answer && answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      for (const part of PARTS) put(part, fresh.querySelector(part));
    }
    setTimeout(look, 2000);
  }

  function put(part, element) {
    if (!element || element.outerHTML === said.get(part)) return;
    said.set(part, element.outerHTML);
    const focused = document.activeElement?.closest(`${part} [data-key]`)?.dataset.key;
    document.querySelector(part).replaceWith(element);
    if (focused) [...element.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
    for (const svg of element.querySelectorAll("svg.picture")) keepLive(svg);
  }

  setTimeout(look, 2000);
})();
