"use strict";
/* Cards before the camera, or photos of the phone: each is taken by itself or as soon as it is chosen, and the page goes on to
   the next. Only the parts of the page are exchanged: the camera's picture stays, and Back leads to where the teaching began. */
(() => {
  const LOOK_MS = 350;
  const FLASH_MS = 450;
  const READ_MS = 6000;
  const WIDEST = 1800;
  const me = sessionStorage.getItem("page") ?? [...crypto.getRandomValues(new Uint32Array(2))].join("-");
  sessionStorage.setItem("page", me);
  const eye = document.getElementById("eye");
  const svg = eye?.querySelector("svg.picture");
  let busy = 0;
  let readUntil = 0; // until then what was said of a phone's photo stays

  const ask = () => document.getElementById("ask");

  async function send(url, form) {
    const headers = { Accept: "application/json", "X-CSRF-Token": ask().dataset.csrf };
    const answer = await fetch(url, { method: "POST", headers, body: form });
    if (answer.redirected) { location.assign(answer.url); return null; } // the phone was withdrawn
    return answer.json();
  }

  function say(text, bad) {
    const said = document.getElementById("said");
    if (!said) return;
    if (text && said.textContent !== text) said.textContent = text;
    said.classList.toggle("bad", Boolean(bad));
  }

  async function onward(url, sure) {
    if (sure) {
      ask().querySelector(".asked")?.classList.add("flash");
      navigator.vibrate?.(60);
      await new Promise((done) => setTimeout(done, FLASH_MS));
    }
    const answer = await fetch(url).catch(() => null);
    if (!answer || !answer.ok || answer.redirected) { location.assign(url); return; }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll(".part")) {
      const its = fresh.getElementById(part.id);
      if (its) part.replaceWith(its);
    }
    if (eye && svg) eye.hidden = !fresh.getElementById("eye");
    history.replaceState(null, "", url);
    draw(null);
    window.scrollTo(0, 0);
  }

  function draw(seen) {
    const over = svg?.querySelector(".over");
    if (!over) return;
    over.replaceChildren();
    const wide = seen?.size ? Number(svg.dataset.width) / seen.size[0] : 1;
    for (const quad of seen?.quads ?? []) {
      const kind = ["moving", "taken", "before"].includes(seen.state) ? "card good" : "card face";
      svgElement("polygon", { class: kind, points: writePoints(quad.map(([x, y]) => [x * wide, y * wide])) }, over);
    }
  }

  async function look() {
    const waiting = svg && !eye.hidden && !document.hidden && !busy && !("waits" in ask().dataset);
    if (waiting) {
      const form = new FormData();
      const asked = ask(); // `onward` puts another in its place: an answer to an earlier look says nothing any more
      form.set("page", me);
      form.set("card", asked.dataset.card ?? "");
      form.set("more", asked.dataset.more ?? "");
      const seen = await send(asked.dataset.look, form).catch(() => null);
      if (seen && asked === ask() && !busy) {
        draw(seen);
        if (Date.now() > readUntil || seen.to) say(seen.said, seen.state === "refused");
        if (seen.to) await onward(seen.to, seen.sure);
      }
    }
    setTimeout(look, LOOK_MS);
  }

  /* Smaller, so that the bar's network is quick; as it came where the browser cannot. */
  async function smaller(file) {
    try {
      const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, WIDEST / Math.max(bitmap.width, bitmap.height));
      const plain = ["image/jpeg", "image/png"].includes(file.type);
      if (plain && scale === 1 && file.size < 2 ** 21) return file;
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(bitmap.width * scale);
      canvas.height = Math.round(bitmap.height * scale);
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.92));
      return blob ? new File([blob], "photo.jpg", { type: "image/jpeg" }) : file;
    } catch {
      return file;
    }
  }

  document.addEventListener("change", async (event) => {
    const input = event.target;
    const form = input.closest(".shutter");
    if (!form || !input.files?.length || busy) return;
    busy += 1;
    form.classList.add("busy");
    const data = new FormData(form);
    data.set("photo", await smaller(input.files[0]));
    const told = await send(form.action, data).catch(() => ({ said: ask().dataset.lost, to: null }));
    input.value = ""; // the same photo can be chosen again
    form.classList.remove("busy");
    if (told) {
      say(told.said, !told.to);
      readUntil = told.to ? 0 : Date.now() + READ_MS;
    }
    if (told?.to) await onward(told.to, told.sure);
    busy -= 1;
  });

  if (ask()) look();
})();
