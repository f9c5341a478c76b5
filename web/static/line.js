"use strict";
/* The line to the server: server-sent events, which resume by id; a line that stays dead is opened again. Where there is no place
   at the stream the page asks every few seconds instead, and comes back to it. The page's own script
   has `draw(view)`, and `drawShows` where it shows more than the game. What the table is asked to do comes with every beat. */

let stream = null;
let watchdog = 0;
let asking = 0;
let seen = ""; // the id of the view that is drawn
const ANSWERS_S = 2; // seconds: a line that is opened says at once how the game stands; one that is silent for this long is dead
const POOLED = 6; // connections that a browser keeps to use again: all of them may be dead, and each new line takes one
let unanswered = 0; // lines opened in a row that stayed silent; beyond POOLED each is waited for twice as long as the one before
const ASK_MS = 3000;
const ASKED = 5; // times, until the stream is tried again

function lost(isLost) {
  $("lost").hidden = !isLost;
  document.body.classList.toggle("stale", isLost);
}

function alive() {
  lost(false);
  unanswered = 0;
  listen(page.patience_s);
}

/** Opens the line again if nothing is heard on it for this many seconds. */
function listen(seconds) {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { lost(true); connect(); }, Math.min(seconds, page.patience_s) * 1000);
}

function showNotices(notices) {
  const box = $("notices");
  if (!box) return;
  const text = notices.join(" · ");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
  document.body.classList.toggle("noticed", !box.hidden);
  fitNotices(box, notices);
  const links = document.querySelector("footer nav");
  if (links) links.style.visibility = !box.hidden && box.getBoundingClientRect().right > links.getBoundingClientRect().left ? "hidden" : "";
}

/** On one line, else on two in smaller letters, else the first ones and how many more there are: none is cut. */
function fitNotices(box, notices) {
  const footer = box.parentElement.querySelector("footer");
  const above = () => footer && box.getBoundingClientRect().top < footer.getBoundingClientRect().top;
  const full = () => box.scrollWidth > box.clientWidth + 1 || above();
  box.style.fontSize = "";
  box.classList.remove("long");
  for (let part = 0.95; part > 0.7 && full(); part -= 0.05) box.style.fontSize = `${part}em`;
  box.classList.toggle("long", full());
  for (let part = 0.7; part > 0.5 && full(); part -= 0.05) box.style.fontSize = `${part}em`;
  for (let many = notices.length - 1; many > 0 && full(); many--) box.textContent = [...notices.slice(0, many), `+${notices.length - many}`].join(" · ");
  for (let part = 0.5; part > 0.2 && full(); part -= 0.05) box.style.fontSize = `${part}em`;
}

function beat(told) {
  alive();
  showNotices(told.notices);
  if (typeof drawShows === "function") drawShows(told.shows);
}

/** Asks once for what the stream would say; then asks again, `times` times in all, and goes back to the stream. */
async function ask(times, refused) {
  const told = await fetch(`${page.now}&seen=${seen}`).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (stream !== refused) return; // another line has been opened meanwhile
  if (told === null) lost(true);
  else {
    beat(told.beat);
    seen = told.id;
    if (told.view) draw(told.view);
  }
  asking = setTimeout(() => (times > 1 ? ask(times - 1, refused) : connect()), ASK_MS * (0.8 + 0.4 * Math.random()));
}

/** A device that slept, or a page that comes back, may hold a dead line for a minute without knowing: a new one is opened at
    once. */
function wake() {
  if (!document.hidden) connect();
}

function connect() {
  if (stream) stream.close();
  clearTimeout(asking);
  stream = new EventSource(page.stream);
  stream.addEventListener("view", (event) => { alive(); seen = event.lastEventId; draw(JSON.parse(event.data)); });
  stream.addEventListener("beat", (event) => beat(JSON.parse(event.data)));
  stream.onerror = ({ target }) => {
    if (target.readyState === EventSource.CLOSED) ask(ASKED, target);
    else lost(true);
  };
  listen(ANSWERS_S * 2 ** Math.max(0, unanswered - POOLED));
  unanswered += 1;
}

document.addEventListener("visibilitychange", wake);
window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); }); // the first time the page's own script connects
window.addEventListener("online", wake);
