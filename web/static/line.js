"use strict";
/* The line to the server: server-sent events, which resume by id; a line that stays dead is opened anew. The page's own script
   has `draw(view)`, and `drawShows` where it shows more than the game. What the table is asked to do comes with every beat. */

let stream = null;
let watchdog = 0;

function lost(isLost) {
  $("lost").hidden = !isLost;
  document.body.classList.toggle("stale", isLost);
}

function alive() {
  lost(false);
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { lost(true); connect(); }, page.patience_s * 1000);
}

function showNotices(notices) {
  const box = $("notices");
  if (!box) return;
  const text = notices.join(" · ");
  if (box.textContent !== text) box.textContent = text;
  box.hidden = !text;
  box.style.fontSize = "";
  for (let part = 0.95; part > 0.4 && box.scrollWidth > box.clientWidth; part -= 0.05) box.style.fontSize = `${part}em`; // one line
  const links = document.querySelector("footer nav");
  if (links) links.style.visibility = !box.hidden && box.getBoundingClientRect().right > links.getBoundingClientRect().left ? "hidden" : "";
}

function connect() {
  if (stream) stream.close();
  stream = new EventSource(page.stream);
  stream.addEventListener("view", (event) => { alive(); draw(JSON.parse(event.data)); });
  stream.addEventListener("beat", (event) => {
    const told = JSON.parse(event.data);
    alive();
    showNotices(told.notices);
    if (typeof drawShows === "function") drawShows(told.shows);
  });
  stream.onerror = () => {
    lost(true);
    if (stream.readyState === EventSource.CLOSED) { clearTimeout(watchdog); watchdog = setTimeout(connect, 2000); }
  };
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { lost(true); connect(); }, page.patience_s * 1000);
}
