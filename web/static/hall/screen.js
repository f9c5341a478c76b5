"use strict";
/* The hall's big screen: a tile for each table, the big moments over the whole screen in turn. Made of parts.js, follows line.js. */

const SHAPES = [[1, 1], [2, 1], [2, 2], [3, 2], [4, 2], [4, 3], [4, 4], [5, 4], [6, 5], [7, 6], [8, 7]]; // columns, rows
const FULL = 8; // tables up to which every player has a line of their own
const NAMED = 16; // tables up to which players are named, where that leaves the letters large enough
const LEAST_NAMED = 2.6; // size of a tile's letters, hundredths of the screen's height, down to which it names them
let marks = null; // of the big moments that were shown already, or stood there when the page was opened
const waiting = [];
let last = null; // the view that is shown
let bell = null; // what rings for calls of the referee; null: nothing
let calls = null; // that stood there before: they are nothing new

/** Columns and rows in which this number of tiles has room. */
function shapeOf(count) {
  const found = SHAPES.find(([columns, rows]) => columns * rows >= count);
  const columns = Math.ceil(Math.sqrt(count));
  return found || [columns, Math.ceil(count / columns)];
}

function player(one) {
  const box = make("li", one.out ? "eliminated" : "", make("span", "sitter", one.name), make("span", "holds", one.out ? words.out : one.has));
  if (one.change) box.append(make("b", "paid", one.change.replace("-", "−")));
  return box;
}

/** Who plays, in a line or two; who is out is struck through. */
function names(players) {
  return make("p", "around", ...players.flatMap((one, i) => [make("span", one.out ? "struck" : "", one.name), i < players.length - 1 ? "\u00a0· " : ""]));
}

function tile(table, full, named) {
  const box = make("li", `tile ${table.state}`);
  box.dataset.table = table.id;
  const link = make("a", "name", words.table.replace("{name}", () => table.name));
  link.href = page.table.replace("/0", `/${table.id}`);
  const hand = table.state === "over" ? words.over : table.hand;
  box.append(make("div", "top", link, full || !table.silent ? make("span", "hand", hand) : null));
  if (table.call) box.append(make("p", "calls", words.calls));
  if (table.silent) box.append(make("p", "silent", table.silent));
  if (table.silent && !full) return box; // where there is little room, nothing that is old
  if (table.headline.length) {
    const parts = table.headline.map((part, i) => part + (table.sure || i < table.headline.length - 1 ? "" : "\u00a0?"));
    const said = dotted("p", table.sure ? "ruled" : "ruled doubtful", parts);
    if (!table.sure) said.title = words.unsure;
    box.append(said);
  } else if (!table.silent) box.append(make("p", "await", table.hand ? table.waits : words.waiting));
  if (full && table.players.length) box.append(make("ol", "sat", ...table.players.map(player)));
  else if (named && table.players.length) box.append(names(table.players));
  const figures = full ? table.figures.slice(0, 3) : table.figures.filter((_, i) => i === 0 || (named && i === 2)); // pot and virgins
  const below = make("p", "below", ...figures.map((one, i) => make("span", !full && i ? "more" : "", unbroken([one.label, one.text, one.tag].filter(Boolean).join(" ")))));
  if (table.questions) below.append(make("span", "asks", words.questions.replace("{n}", table.questions)));
  box.append(below);
  return box;
}

/** Letters of each tile as large as it has room for. */
function fit(list, rows) {
  const full = (box) => box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1
    || [...box.querySelectorAll(".sitter")].some((one) => one.scrollWidth > one.clientWidth + 1);
  for (const box of list.children) {
    const down = (least) => {
      for (let size = Math.min(7, 24 / rows); size >= least; size -= 0.2) {
        box.style.setProperty("--s", `calc(${size.toFixed(2)} * var(--u))`);
        if (!full(box)) return true;
      }
      return false;
    };
    if (box.querySelector(".around") && down(LEAST_NAMED)) continue;
    for (const one of box.querySelectorAll(".around, .below .more")) one.remove();
    down(1.2);
  }
}

function draw(view) {
  last = view;
  const count = view.tiles.length;
  const [columns, rows] = shapeOf(Math.max(count, 1));
  const list = $("tiles");
  list.style.setProperty("--columns", columns);
  list.style.setProperty("--rows", rows);
  list.replaceChildren(...view.tiles.map((table) => tile(table, count <= FULL, count <= NAMED)));
  list.hidden = !count;
  $("nobody").hidden = count > 0;
  $("round").textContent = [view.round === null ? "" : view.final ? words.final : words.round.replace("{n}", view.round), view.bell].filter(Boolean).join(" · ");
  fit(list, rows);
  big(view);
  hear([...view.tiles.map((table) => table.call), view.bell_mark].filter(Boolean));
}

/** A new call, or the tournament's bell, sounds where somebody has switched it on: browsers let a page sound only after a tap, so each page begins silent. */
function hear(now) {
  const fresh = calls !== null && now.some((one) => !calls.has(one));
  calls = new Set(now);
  if (!fresh || !bell) return;
  document.body.dataset.rung = Number(document.body.dataset.rung || 0) + 1;
  ring(bell);
}

function switchBell() {
  if (bell) { bell.close(); bell = null; } else { bell = newAudio(); ring(bell); }
  sayBell();
}

function sayBell() {
  $("sound").textContent = bell ? words.sound_off : words.sound_on;
  $("sound").setAttribute("aria-pressed", String(Boolean(bell)));
  $("sound").hidden = false;
}

/** What is new and big waits for its turn; what stood there when the page was opened is nothing new. */
function big(view) {
  const now = view.tiles.filter((table) => table.mark);
  if (marks === null) marks = new Set([...now.map((table) => table.mark), view.bell_mark]);
  if (view.bell_mark && !marks.has(view.bell_mark)) {
    marks.add(view.bell_mark);
    waiting.push([words.bell, view.rang]);
  }
  for (const table of now) {
    if (marks.has(table.mark)) continue;
    marks.add(table.mark);
    waiting.push([words.table.replace("{name}", () => table.name), table.big]);
  }
  if ($("big").hidden) next();
}

function next() {
  const box = $("big"), said = waiting.shift();
  box.hidden = !said;
  if (!said) return;
  box.replaceChildren(make("p", "table", said[0]), make("p", "said", said[1]));
  setTimeout(next, page.big_s * 1000);
}

window.addEventListener("resize", () => { if (last) draw(last); });
$("sound").addEventListener("click", switchBell);
sayBell();
stayAwake();
connect();
