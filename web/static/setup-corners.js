"use strict";
/* The table's four corners: points to drag, with a loupe beside the finger, or to move with the arrow keys. */
(() => {
  const svg = document.querySelector("svg.picture");
  const field = document.getElementById("corners");
  const loupe = document.getElementById("loupe");
  if (!svg || !field) return;
  const over = svg.querySelector(".over");
  const [width, height] = [Number(svg.dataset.width), Number(svg.dataset.height)];
  const corners = readPoints(field.value);
  const quad = svgElement("polygon", { class: "quad" }, over);
  const handles = corners.map((_, number) => {
    const dot = svgElement("circle", { class: "dot" }, over);
    const handle = svgElement("circle", { class: "handle", tabindex: 0, role: "button" }, over);
    const move = (x, y) => {
      corners[number] = [Math.min(Math.max(x, -0.11 * width), 1.11 * width), Math.min(Math.max(y, -0.11 * height), 1.11 * height)];
      draw();
    };
    movable(svg, handle, () => corners[number], move, (on) => zoom(number, on));
    return { handle, dot };
  });

  function draw() {
    const finger = 24 * perScreenPixel(svg);
    quad.setAttribute("points", writePoints(corners));
    field.value = writePoints(corners);
    corners.forEach(([x, y], number) => {
      const { handle, dot } = handles[number];
      for (const [circle, radius] of [[handle, finger], [dot, finger / 6]]) {
        circle.setAttribute("cx", x);
        circle.setAttribute("cy", y);
        circle.setAttribute("r", radius);
      }
      handle.setAttribute("aria-label", `${field.dataset.label} ${number + 1}: ${Math.round(x)}, ${Math.round(y)}`);
    });
  }

  /** What lies under the finger, twice as large, in the upper corner that is farther away. */
  function zoom(number, on) {
    loupe.hidden = !on;
    if (!on) return;
    const [x, y] = corners[number];
    loupe.className = x < width / 2 ? "right" : "left";
    const pen = loupe.getContext("2d");
    const seen = Math.min(loupe.width * perScreenPixel(svg) / 2.5, width / 4);
    const picture = new Image();
    picture.onload = () => {
      const scale = picture.naturalWidth / width;
      pen.fillStyle = "#000";
      pen.fillRect(0, 0, loupe.width, loupe.height);
      pen.drawImage(picture, (x - seen / 2) * scale, (y - seen / 2) * scale, seen * scale, seen * scale, 0, 0, loupe.width, loupe.height);
      pen.strokeStyle = "#f0c419";
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(loupe.width / 2, 0); pen.lineTo(loupe.width / 2, loupe.height);
      pen.moveTo(0, loupe.height / 2); pen.lineTo(loupe.width, loupe.height / 2);
      pen.stroke();
    };
    picture.src = svg.querySelector("image").getAttribute("href");
  }

  draw();
  addEventListener("resize", draw);
})();
