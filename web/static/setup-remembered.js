"use strict";
/* The table and the places of an evening before, drawn over what the camera sees now: do they lie as they did? */
(() => {
  const svg = document.querySelector("svg.picture");
  const places = document.getElementById("remembered");
  if (!svg || !places) return;
  const over = svg.querySelector(".over");
  svgElement("polygon", { class: "quad", points: places.dataset.corners }, over);
  const radius = 12.5 * perScreenPixel(svg);
  readPoints(places.dataset.places).forEach(([x, y], number) => {
    svgElement("circle", { class: "placed still", r: radius, cx: x, cy: y }, over);
    const label = svgElement("text", { class: "number", "font-size": radius * 1.2, x, y }, over);
    label.textContent = number + 1;
  });
})();
