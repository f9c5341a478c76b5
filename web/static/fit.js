"use strict";
/* Letters as large as there is room for: nothing that is said on the TV is cut, and nothing covers a seat. */

const LEAST = { headline: 5.95, row: 2.25, name: 3.72, small: 2.7 }; // in units: what can be read from four metres, if there is any way to have it

/** Whether the page is a column in somebody's hand, which scrolls and needs no fitting (tv.css says when). */
const listed = () => getComputedStyle(document.documentElement).getPropertyValue("--listed").trim() === "1";

const inUnits = (length) => `calc(${length.toFixed(2)} * var(--u))`;

/** The sizes that a ruling may have, the largest first, in levels: each a list with fewer columns of rows first. headline, row:
    letters, in units; air: between rows; notes: all or none; tight: what the table waits for is said
    at the bottom; wrap: whether a word, or a sum, may be broken. `most`: letters of the headline, at most. Nothing is smaller
    than can be read from four metres, unless there is no room for it. */
function levels(rows, most) {
  const columns = [1, 2, 3, 4].slice(0, Math.min(Math.max(rows, 1), 4)), found = [];
  const level = (headline, row, more = {}) => found.push(columns.map((column) => ({ headline, row, column, air: 1, notes: true, tight: false, wrap: "normal", ...more })));
  for (let headline = most; headline >= LEAST.headline; headline -= 0.5) level(headline, Math.max(2.9, Math.min(5, headline * 0.5)));
  for (const air of [1, 0.4]) for (let row = 2.7; row >= LEAST.row; row -= 0.2) level(LEAST.headline, row, { air });
  level(LEAST.headline, LEAST.row, { air: 0.4, tight: true });
  level(LEAST.headline, LEAST.row, { air: 0.4, tight: true, notes: false });
  for (let scale = 0.95; scale > 0.2; scale -= 0.05)
    level(LEAST.headline * scale, LEAST.row * Math.max(scale, 0.5), { air: 0.4, tight: true, notes: false, wrap: scale < 0.6 ? "anywhere" : "normal" });
  return found;
}

/** The figures above the table, smaller where they have no room: `--less` is below 1. */
function fitHeader(header) {
  header.style.removeProperty("--less");
  if (listed()) return;
  const edge = header.getBoundingClientRect().right - parseFloat(getComputedStyle(header).paddingRight) + 1;
  const figures = header.lastElementChild;
  for (let less = 0.95; less > 0.45 && figures.getBoundingClientRect().right > edge; less -= 0.05) header.style.setProperty("--less", less.toFixed(2));
}

/** What stands in the table's middle, as large as it can be; `most`: letters of the headline, at most. */
function fitMiddle(middle, most = 12) {
  fitRows(middle, most);
  for (const line of middle.querySelectorAll(".headline, .read")) endLines(line);
}

/** No line of parts ends with a dot: the end of the line says as much. */
function endLines(line) {
  for (const dot of line.querySelectorAll(".between")) {
    const part = dot.parentElement, next = part.nextElementSibling;
    const below = () => next.offsetTop >= part.offsetTop + part.offsetHeight / 2;
    dot.hidden = false;
    if (!below()) continue;
    dot.hidden = true;
    if (!below()) dot.hidden = false; // without it there is room for both on one line
  }
}

function fitRows(middle, most) {
  const notes = [...middle.querySelectorAll(".note")];
  middle.classList.remove("tight", "bare");
  if (listed()) {
    for (const note of notes) note.hidden = false;
    for (const name of ["--big", "--row", "--columns", "--air", "--wrap"]) middle.style.removeProperty(name);
    return;
  }
  const rows = middle.querySelectorAll(".payment").length;
  const texts = [...middle.querySelectorAll(".headline .part, .payment p, .delta, .note, .chips, .message, .big, .fits")];
  const fits = (air) => {
    const parts = [...middle.children].filter((part) => part.offsetHeight);
    const tall = parts.reduce((sum, part) => sum + part.offsetHeight, (parts.length - 1) * 1.2 * air * unit());
    if (tall > middle.clientHeight) return false;
    const room = middle.getBoundingClientRect();
    return texts.filter((text) => text.getClientRects().length).every((text) => {
      const box = text.getBoundingClientRect(), holder = text.parentElement.getBoundingClientRect();
      return box.right <= Math.min(room.right, holder.right) + 1 && box.left >= Math.max(room.left, holder.left) - 1
        && text.scrollWidth <= text.clientWidth + 1;
    });
  };
  const hasRoom = ({ headline, row, column, air, tight, wrap, notes: shown }) => {
    for (const note of notes) note.hidden = !shown;
    middle.style.setProperty("--big", inUnits(headline));
    middle.style.setProperty("--row", inUnits(row));
    middle.style.setProperty("--columns", column);
    middle.style.setProperty("--air", air);
    middle.style.setProperty("--wrap", wrap);
    middle.classList.toggle("tight", tight);
    middle.classList.toggle("bare", !shown); // no notes: what the page says elsewhere goes, too
    return fits(air);
  };
  // Each try lays the page out, a dozen milliseconds on a small machine. A level below one that has room has room, too: halve.
  const tried = levels(rows, most);
  let first = 0, last = tried.length - 1;
  while (first < last) {
    const half = (first + last) >> 1;
    if (tried[half].some(hasRoom)) last = half;
    else first = half + 1;
  }
  tried[first].some(hasRoom);
}

/** A name comes first: in smaller letters, down to what can be read from four metres; then sums are as without A+, then what the drawn card says goes,
    then what a player is about to do is said in smaller letters, then goes the drawing where words say the card; only then all letters of the box are smaller. All
    boxes take a step at a time, which is quick. In them 1em is a unit. */
function fitPlates(list) {
  const below = (told) => { // Firefox counts in scrollHeight what letters may reach beyond their line, too: that is nothing to be cut
    const end = told.getBoundingClientRect().bottom + 1;
    return told.scrollHeight > told.clientHeight + 1 && [...told.querySelectorAll(":scope > *, :scope > * > *")].some((part) => part.getBoundingClientRect().bottom > end);
  };
  const full = ({ told, parts }) => below(told) || parts.some((part) => part.scrollWidth > part.clientWidth + 1);
  let left = [...list.querySelectorAll(".told")].map((told) => (
    { told, box: told.parentElement, name: told.querySelector(".called"), parts: [told, ...told.children, ...told.querySelectorAll(".called")], scale: 1 }));
  for (const { told, box, name } of left) {
    told.classList.remove("long", "cut");
    box.classList.remove("modest", "drawn", "close", "meek", "worded");
    told.style.removeProperty("--s");
    name.style.removeProperty("font-size");
  }
  left = left.filter(full);
  const sizes = left.map(({ told, name }) => parseFloat(getComputedStyle(name).fontSize) / parseFloat(getComputedStyle(told).fontSize));
  left.forEach((one, i) => { one.size = one.most = sizes[i]; });
  const least = listed() ? LEAST.small : LEAST.name;
  const instead = [ // what gives the name more room, and where it can be had
    ["modest", ({ box }) => document.body.classList.contains("large-letters") && box.querySelector(".balance")],
    ["drawn", ({ box }) => box.querySelector(":scope > .card") && box.querySelector(".face")],
    ["close", () => true],
    ["meek", ({ box }) => box.querySelector(".role")],
    ["worded", ({ box }) => box.querySelector(":scope > .card.back") || (box.querySelector(":scope > .card") && box.querySelector(".face"))],
  ];
  while (left.length) {
    for (const one of left) {
      const next = one.size > least ? null : instead.find(([name, can]) => !one.box.classList.contains(name) && can(one));
      if (next) {
        one.box.classList.add(next[0]);
        one.size = one.most;
        one.name.style.removeProperty("font-size");
      } else if (one.size > LEAST.small) one.name.style.fontSize = `${(one.size = Math.max(one.size - 0.25, one.size > least ? least : LEAST.small)).toFixed(2)}em`;
      else if (one.scale > 0.84 || one.told.classList.contains("long")) one.told.style.setProperty("--s", (one.scale -= 0.05).toFixed(2));
      else one.told.classList.add("long"); // no word is broken before that
    }
    left = left.filter(full);
    for (const { told } of left.filter((one) => one.scale < 0.5)) told.classList.add("cut"); // a name that nobody has
    left = left.filter((one) => one.scale >= 0.5);
  }
}
