"use strict";
/* The camera's picture on a page: kept fresh, and told in its own pixels. */

const LIVE_MS = 700;

/** The point of the picture, in its pixels, under a pointer event. */
function pixel(svg, event) {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}

/** How many pixels of the picture one pixel of the screen shows. */
function perScreenPixel(svg) {
  return 1 / svg.getScreenCTM().a;
}

function svgElement(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent.append(element);
  return element;
}

/** "x,y x,y" and back, with one decimal. */
function readPoints(text) {
  return text.split(/\s+/).filter(Boolean).map((pair) => pair.split(",").map(Number));
}

function writePoints(points) {
  return points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** Drag or push (arrow keys; with Shift a pixel at a time) an element that stands for a point; `moved(x, y)` puts it there. */
function movable(svg, element, where, moved, dragging = () => {}) {
  let offset = null;
  element.addEventListener("pointerdown", (event) => {
    const [x, y] = pixel(svg, event);
    const [atX, atY] = where();
    offset = [atX - x, atY - y];
    element.setPointerCapture(event.pointerId);
    element.focus();
    event.preventDefault();
    event.stopPropagation();
    dragging(true);
  });
  element.addEventListener("pointermove", (event) => {
    if (!offset) return;
    const [x, y] = pixel(svg, event);
    moved(x + offset[0], y + offset[1]);
    dragging(true);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    element.addEventListener(end, () => { offset = null; dragging(false); });
  }
  element.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    const step = event.shiftKey ? 1 : Number(svg.dataset.width) / 100;
    const [x, y] = where();
    moved(x + way[0] * step, y + way[1] * step);
    event.preventDefault();
  });
}

/* A new picture is asked for when the last one has come: a slow network is never behind. */
function keepLive(svg) {
  const image = svg.querySelector("image");
  const next = () => setTimeout(() => {
    if (!svg.isConnected) return;
    if (document.hidden) { next(); return; }
    const fresh = new Image();
    fresh.onload = () => { image.setAttribute("href", fresh.src); next(); };
    fresh.onerror = next;
    fresh.src = `${svg.dataset.live}${svg.dataset.live.includes("?") ? "&" : "?"}${Date.now()}`;
  }, LIVE_MS);
  next();
}
document.querySelectorAll("svg.picture").forEach(keepLive);
