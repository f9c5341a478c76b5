"use strict";
/* Who sits where: a tap on the picture makes a place with a field for its name; places can be dragged, named, removed. */
(() => {
  const form = document.getElementById("players-form");
  const thumb = form.dataset.thumb === "1";
  const most = Number(form.dataset.most);
  const fixed = form.dataset.fixed === "1"; // an evening that is gone on with: the players are who they were
  const svg = thumb ? null : document.querySelector("svg.picture");
  const field = document.getElementById("places");
  const list = document.getElementById("names");
  const names = [...list.querySelectorAll("input")].map((input) => input.value);
  const places = readPoints(field.value).map((at, number) => ({ at, name: names[number] || "" })).slice(0, fixed ? names.length : undefined);
  for (const name of names.slice(places.length)) places.push({ at: null, name });
  let wished = null; // the place whose mark was touched: the next name that is tapped is for it
  let among = form.dataset.among === "1"; // somebody comes to a table at which others sit already
  const LEAST = 2; // players of any game
  const KEPT = "setup-players", JUST = 120_000; // milliseconds
  const TWICE = 400; // milliseconds after the places were taken: a second tap was meant for the button that stood where a name stands now
  const marked = document.getElementById("by-cards");
  const hint = document.getElementById("hint");
  let begun = false; // the page stands as it was sent
  if (!fixed) remember();

  /** Brings back names after a page back and forward: those that were not sent, or that were sent just now and did not arrive. */
  function remember() {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    const here = kept?.table === document.getElementById("table").value && !(Date.now() - kept.sent > JUST);
    if (here && !names.some((name) => name)) {
      marked.value = kept.dealt ?? "";
      places.splice(0, places.length, ...kept.places.slice(0, most));
    }
  }

  function keep(more = {}) {
    sessionStorage.setItem(KEPT, JSON.stringify({ table: document.getElementById("table").value, places, dealt: marked.value, ...more }));
  }

  /** Where a place that was added by button comes to lie: in the table's middle, to be dragged. */
  function middle() {
    const table = readPoints(document.getElementById("table").value);
    return table.reduce(([x, y], corner) => [x + corner[0] / table.length, y + corner[1] / table.length], [0, 0]);
  }

  function add(at) {
    if (fixed) {
      const next = places.find((place) => !place.at);
      if (next) next.at = at;
      draw();
      return;
    }
    if (places.length >= most) return; // #full says so
    const number = among && at ? between(at) : places.length;
    places.splice(number, 0, { at, name: "" });
    draw();
    list.children[number].querySelector("input").focus({ preventScroll: true });
  }

  /** Between which two of the others somebody sits down: where the way round the table grows least. */
  function between([x, y]) {
    const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const longer = places.map(({ at }, number) => {
      const before = places[(number + places.length - 1) % places.length].at;
      return apart(before, [x, y]) + apart([x, y], at) - apart(before, at);
    });
    return longer.length < 3 ? places.length : longer.indexOf(Math.min(...longer)) || places.length;
  }

  function draw() {
    list.replaceChildren(...places.map((place, number) => {
      const item = document.createElement("li");
      const which = document.createElement("span");
      which.className = "which";
      which.textContent = number + 1;
      if (svg && fixed && !place.at) which.classList.add("open");
      const input = document.createElement("input");
      Object.assign(input, { name: "name", value: place.name, autocomplete: "off", placeholder: form.dataset.name });
      input.setAttribute("aria-label", `${form.dataset.name}, ${form.dataset.place} ${number + 1}`);
      if (document.getElementById("known")) input.setAttribute("list", "known"); // the season's names complete what is typed
      input.addEventListener("input", () => { place.name = input.value; offer(); keep(); mended(); tooLong(); if (svg) showNext(); });
      const remove = document.createElement("button");
      remove.type = "button";
      remove.textContent = "✕";
      remove.setAttribute("aria-label", `${form.dataset.remove}: ${form.dataset.place} ${number + 1}`);
      remove.addEventListener("click", () => { places.splice(number, 1); draw(); });
      const earlier = document.createElement("button");
      earlier.type = "button";
      earlier.textContent = "↑";
      earlier.setAttribute("aria-label", `${form.dataset.earlier}: ${form.dataset.place} ${number + 1}`);
      earlier.addEventListener("click", () => { places.splice(number - 1, 0, ...places.splice(number, 1)); draw(); });
      earlier.disabled = number === 0;
      input.enterKeyHint = "next";
      input.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || event.isComposing) return;
        event.preventDefault(); // Return leads to the next name, and behind the last one to the next page
        const next = list.children[number + 1];
        if (next) next.querySelector("input").focus();
        else if (thumb && !fixed && input.value.trim() && places.length < most) add(null);
        else if (thumb) form.requestSubmit();
        else input.blur();
      });
      input.readOnly = fixed;
      remove.hidden = fixed;
      item.append(which, input, ...(among && thumb ? [earlier] : []), remove);
      return item;
    }));
    offer();
    if (svg) mark();
    mended();
    tooLong();
    if (fixed) return;
    keep();
    document.getElementById("add").hidden = places.length >= most;
    document.getElementById("full").hidden = places.length < most;
  }

  /** What was wrong with the names that were sent is said until one is changed. */
  function mended() {
    const problem = document.querySelector("main > .problem");
    if (begun && problem) problem.hidden = true;
  }

  /** A name that will be refused as too long is said while it is typed; nothing of it is cut. */
  function tooLong() {
    const letters = Number(form.dataset.letters), said = document.getElementById("too-long");
    const name = places.map((place) => [...place.name.normalize("NFC").trim()]).find((name) => name.length > letters);
    said.hidden = !name;
    said.textContent = name ? form.dataset.long.replace("{name}", name.slice(0, letters).join("")).replace("{most}", letters) : "";
  }

  function mark() {
    const over = svg.querySelector(".over");
    over.replaceChildren();
    svgElement("polygon", { class: "quad", points: document.getElementById("table").value }, over);
    if (!fixed) for (const place of places) place.at ??= middle();
    const placed = places.filter((place) => place.at);
    // Where many sit close together the marks are smaller: a tap beside one must not hit it.
    const apart = placed.flatMap(({ at: [x, y] }, number) => placed.slice(number + 1).map(({ at }) => Math.hypot(at[0] - x, at[1] - y)));
    const radius = Math.max(12.5 * perScreenPixel(svg), Math.min(17 * perScreenPixel(svg), Math.min(...apart) / 2));
    placed.forEach((place) => {
      const number = places.indexOf(place);
      const circle = svgElement("circle", { class: "placed", r: radius, tabindex: 0, role: "button", "aria-label": `${form.dataset.place} ${number + 1}` }, over);
      const label = svgElement("text", { class: "number", "font-size": radius * 1.2 }, over);
      label.textContent = number + 1;
      circle.addEventListener("focus", () => { wished = place; showNext(); });
      const put = () => {
        circle.setAttribute("cx", place.at[0]);
        circle.setAttribute("cy", place.at[1]);
        label.setAttribute("x", place.at[0]);
        label.setAttribute("y", place.at[1]);
        field.value = writePoints(placed.map((one) => one.at));
      };
      movable(svg, circle, () => place.at, (x, y) => {
        place.at = [Math.min(Math.max(x, 0), Number(svg.dataset.width)), Math.min(Math.max(y, 0), Number(svg.dataset.height))];
        put();
        keep();
      });
      put();
    });
    field.value = writePoints(placed.map((one) => one.at));
    showNext();
  }

  /** Marks the place that gets the next name that is tapped. */
  function showNext() {
    const picks = document.querySelector(".pick:not([hidden])");
    const placed = places.filter((place) => place.at);
    svg.querySelectorAll(".placed").forEach((circle, number) => circle.classList.toggle("next", Boolean(picks) && placed[number] === nameless()));
  }

  /** The places, beginning with the one that lies best by those before: the same people keep their own. */
  function asBefore(points) {
    const before = places.map((place) => place.at);
    if (before.length !== points.length || before.includes(null)) return points;
    const turned = points.map((_, first) => [...points.slice(first), ...points.slice(0, first)]);
    const moved = turned.map((way) => way.reduce((sum, [x, y], number) => sum + Math.hypot(x - before[number][0], y - before[number][1]), 0));
    return turned[moved.indexOf(Math.min(...moved))] ?? points;
  }

  /** The places are these, found by the cards that were dealt; names that are there keep their order. */
  function put(dealtAt) {
    const points = asBefore(dealtAt);
    const called = places.map((place) => place.name).filter(Boolean);
    const spare = called.slice(points.length).map((name) => ({ at: null, name }));
    places.splice(0, places.length, ...points.map((at, number) => ({ at, name: called[number] ?? "" })), ...spare);
    among = true; // a place that is still missing goes between its neighbours
    says(true);
    draw();
    const picks = document.querySelectorAll(".pick");
    for (const pick of picks) pick.disabled = true;
    setTimeout(() => { for (const pick of picks) pick.disabled = false; }, TWICE);
    const free = [...list.querySelectorAll("input")].find((input) => !input.value);
    if (free && !document.querySelector(".pick:not([hidden])")) free.focus({ preventScroll: true }); // a keyboard hides the names to tap
  }

  /** What to do next: to deal the cards, or, once the places are ``taken``, to name them. */
  function says(taken) {
    hint.dataset.first = hint.dataset.first ?? hint.textContent;
    hint.textContent = taken ? hint.dataset.named : hint.dataset.first;
  }

  /** The place that gets the next name. */
  function nameless() {
    return places.includes(wished) && !wished.name ? wished : places.find((place) => !place.name);
  }

  /** The place whose mark, or whose row in the list, this element is. */
  function placeUnder(element) {
    const mark = element?.closest?.(".placed"), row = element?.closest?.("#names li");
    const place = mark ? places.filter((one) => one.at)[[...svg.querySelectorAll(".placed")].indexOf(mark)] : row && places[[...list.children].indexOf(row)];
    return place ? { element: mark ?? row, place } : null;
  }

  /** Of last evening's and the season's names those that are still free. */
  function offer() {
    const taken = new Set(places.map((place) => place.name));
    const picks = [...document.querySelectorAll(".pick")];
    for (const button of picks) button.hidden = taken.has(button.dataset.name) || !(thumb || nameless());
    for (const group of document.querySelectorAll(".last")) group.hidden = !group.querySelector(".pick:not([hidden])");
  }

  for (const button of document.querySelectorAll(".pick")) {
    button.addEventListener("click", () => {
      const free = nameless();
      if (free) free.name = button.dataset.name;
      else if (thumb && places.length < most) places.push({ at: null, name: button.dataset.name });
      draw();
    });
    draggable(button, placeUnder, (place) => {
      const before = place.name, offered = [...document.querySelectorAll(".pick")].some((one) => one.dataset.name === before);
      place.name = button.dataset.name;
      const free = before && !offered && nameless();
      if (free) free.name = before; // what was typed is not lost
      draw();
    });
  }
  if (svg) {
    svg.addEventListener("click", (event) => { if (!event.target.closest(".placed")) add(pixel(svg, event)); });
    addEventListener("resize", mark);
  }
  document.getElementById("add")?.addEventListener("click", () => add(svg ? middle() : null));
  form.addEventListener("submit", (event) => {
    if (byDeal?.takeShown() && nameless()) { // the places that are shown are meant: now come their names
      event.preventDefault();
      return;
    }
    if (thumb && !fixed) {
      while (places.length > LEAST && !places.at(-1).name.trim()) places.pop(); // places that nobody has taken
      draw();
    }
    keep({ sent: Date.now() });
  });
  if (thumb && !among && !fixed) while (places.length < Number(form.dataset.first)) places.push({ at: null, name: "" });
  draw();
  const dealt = document.getElementById("dealt");
  const byDeal = dealt && byCards({ svg, dealt, most, put, back: draw, lookAgain: () => says(false), begin: !places.length });
  begun = true;
  addEventListener("pageshow", (event) => { if (event.persisted) draw(); }); // a page that is kept for Back loses what was typed
})();
