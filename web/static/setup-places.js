"use strict";
/* The players' places for a further camera: one tap says where one of them is; the others follow, and can be dragged. */
(() => {
  const form = document.getElementById("places-form");
  const svg = form.querySelector("svg.picture");
  const over = svg.querySelector(".over");
  svgElement("polygon", { class: "quad", points: form.dataset.corners }, over);
  if (form.dataset.asked === "1") {
    svg.addEventListener("click", (event) => {
      document.getElementById("tap").value = writePoints([pixel(svg, event)]);
      form.submit();
    }, { once: true });
    return;
  }
  const field = document.getElementById("places");
  const places = readPoints(field.value);
  const apart = places.flatMap(([x, y], number) => places.slice(number + 1).map((at) => Math.hypot(at[0] - x, at[1] - y)));
  const radius = Math.max(12.5 * perScreenPixel(svg), Math.min(17 * perScreenPixel(svg), Math.min(...apart) / 2));
  places.forEach((_, number) => {
    const circle = svgElement("circle", { class: "placed", r: radius, tabindex: 0, role: "button", "aria-label": `${form.dataset.place} ${number + 1}` }, over);
    const label = svgElement("text", { class: "number", "font-size": radius * 1.2 }, over);
    label.textContent = number + 1;
    const put = () => {
      const [x, y] = places[number];
      circle.setAttribute("cx", x);
      circle.setAttribute("cy", y);
      label.setAttribute("x", x);
      label.setAttribute("y", y);
      field.value = writePoints(places);
    };
    movable(svg, circle, () => places[number], (x, y) => { places[number] = [x, y]; put(); });
    put();
  });
})();
