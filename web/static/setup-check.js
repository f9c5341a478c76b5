"use strict";
/* What the camera sees now: cards drawn over the picture, the measures, and what to mend. */
(() => {
  const page = document.getElementById("check");
  if (!page) return;
  const svg = page.querySelector("svg.picture");
  const over = svg.querySelector(".over");
  const put = (id, text) => { document.getElementById(id).textContent = text; };

  function cards(found) {
    over.replaceChildren();
    const size = 13 * perScreenPixel(svg);
    for (const card of found.cards) {
      svgElement("polygon", { class: `card ${card.side}`, points: writePoints(card.quad) }, over);
      const [x, y] = card.quad.reduce(([a, b], [c, d]) => [a + c / 4, b + d / 4], [0, 0]);
      const label = svgElement("text", { class: "card-name", x, y, "font-size": size }, over);
      label.textContent = card.side === "face" ? `${card.card || "?"} ${Math.round(card.length)}` : Math.round(card.length);
    }
  }

  /* Places that cannot be seen have their number in the picture, where they are in it. */
  function places(found) {
    const size = 16 * perScreenPixel(svg);
    for (const one of found.places.filter((place) => place.state === "hidden")) {
      const [x, y] = one.at;
      svgElement("circle", { class: "place-hidden", cx: x, cy: y, r: size }, over);
      svgElement("text", { class: "card-name", x, y, "font-size": size }, over).textContent = one.place;
    }
    const lengths = found.places.map((one) => one.length).filter((one) => one !== null).map(Math.round);
    const least = Math.min(...lengths);
    const most = Math.max(...lengths);
    put("lengths", lengths.length ? `${least === most ? least : `${least}–${most}`} px` : "–");
    put("places", found.places.length ? `${found.places.filter((one) => one.state === "seen").length} / ${found.places.length}` : "–");
  }

  function measures(found) {
    const single = found.cards.filter((card) => card.side !== "stack");
    const smallest = single.reduce((least, card) => (!least || card.length < least.length ? card : least), null);
    put("count", single.length);
    put("smallest", smallest ? `${Math.round(smallest.length)} px${smallest.place ? ` (${page.dataset.place.toLowerCase()} ${smallest.place})` : ""}` : "–");
    put("light", `${Math.round(found.light)} / 255`);
    put("glare", `${(found.glare * 100).toFixed(1)} %`);
    put("sharpness", found.sharpness === null ? "–" : found.sharpness.toFixed(2));
    put("speed", found.per_second ? found.per_second.toFixed(1) : "–");
  }

  function advise(lines, kind) {
    const list = document.getElementById("advice");
    const wanted = JSON.stringify(lines);
    if (list.dataset.said === wanted) return; // said once, not every second
    list.dataset.said = wanted;
    list.replaceChildren(...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      item.className = kind;
      return item;
    }));
  }

  async function look() {
    const answer = document.hidden ? null : await fetch(page.dataset.url).catch(() => null);
    const told = answer && answer.ok ? await answer.json() : null;
    if (told && told.check) {
      cards(told.check);
      places(told.check);
      measures(told.check);
      const wrong = told.reason ? [told.reason, ...told.advice] : told.advice;
      advise(wrong.length ? wrong : [page.dataset.well], wrong.length ? "" : "well");
    } else if (told && (told.reason || ["lost", "frozen"].includes(told.state))) {
      over.replaceChildren();
      advise([["lost", "frozen"].includes(told.state) ? told.said : told.reason], "");
    }
    setTimeout(look, 1000);
  }
  look();
})();
