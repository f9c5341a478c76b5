"use strict";
/* The TV's page: draws the table from the JSON of /api/game and follows /api/stream (line.js). Made of parts.js. */

let shown = null; // the view on the screen
let chances = {}; // player → chance of paying, where the organiser lets it be shown

/* ---- the table ---- */

function drawSeats(view) {
  const area = $("table").getBoundingClientRect();
  const layout = seating(view.seats.length, area.width / unit(), area.height / unit(), page.clockwise);
  const list = $("seats");
  list.className = layout.size.size;
  list.style.setProperty("--tall", `calc(${layout.size.card} * var(--u))`);
  const put = (element, x, y) => {
    element.style.left = `calc(50% + ${x.toFixed(2)} * var(--u))`;
    element.style.top = `calc(50% + ${y.toFixed(2)} * var(--u))`;
  };
  list.replaceChildren(
    ...view.seats.map((seat, index) => {
      const place = layout.places[index];
      const box = plate(seat, layout.size.size === "small" || layout.size.size === "tiny");
      box.style.width = `calc(${layout.size.width} * var(--u))`;
      box.style.height = `calc(${layout.size.height} * var(--u))`;
      put(box, place.x, place.y);
      const item = make("li", `seat ${place.side}`, box);
      item.dataset.player = seat.name;
      if (seat.role ?? seat.moves) item.classList.add(seat.role ?? seat.moves);
      if (seat.dealer) item.classList.add("dealer");
      if (!seat.in_play && !seat.in_hand) item.classList.add("out");
      else if (!seat.in_hand && ["hand_in_progress", "moviola"].includes(view.status)) item.classList.add("aside");
      if (seat.change !== null && seat.change < 0) item.classList.add("pays");
      if (seat.winner) item.classList.add("wins");
      if (seat.card) {
        const known = seat.card.face !== null;
        const card = make("div", "card", cardImage(seat.card.face, known ? seat.card.name : words.hidden), make("span", "", known ? seat.card.name : ""));
        const chance = view.status === "hand_in_progress" ? chances[seat.name] : undefined;
        if (chance !== undefined) {
          const chip = make("b", "chance", `${Math.round(chance * 20) * 5}%`); // no finer than they are reckoned
          chip.title = words.chance;
          card.append(chip);
        }
        put(card, place.cardX, place.cardY);
        item.append(card);
      }
      return item;
    }),
  );
  const middle = $("middle");
  middle.style.width = `calc(${layout.free.width} * var(--u))`;
  middle.style.height = `calc(${layout.free.height} * var(--u))`;
  fitNames(list);
}

/** One of the figures above the table, such as the pot. */
function figure({ label, text, tag, dim }) {
  const said = make("dd", "", make("span", "", text));
  if (tag) said.append(" ", make("span", "tag", tag));
  return make("div", dim ? "dim" : "", make("dt", "", label), said);
}

/* ---- the middle ---- */

function endOfGame(view) {
  const box = make("article", "won", make("p", "big", view.message));
  if (view.settlement.length) {
    const shares = make("dl", "shares");
    for (const share of view.settlement) shares.append(make("dt", "", share.name), make("dd", "", share.sum.text));
    box.append(shares);
  }
  return box;
}

function drawMiddle(view, before) {
  const middle = $("middle");
  const now = JSON.stringify(view.ruling);
  const standing = middle.dataset.drawn === now ? middle.querySelector(".ruling") : null; // a ruling that stands does not fall again
  const ruling = standing ?? (view.ruling ? rulingBox(view.ruling, news(before, view).fresh) : null);
  middle.dataset.drawn = now;
  const title = view.title ? make("p", "title", view.title) : null;
  const below = view.status === "won" ? endOfGame(view) : make("p", ruling ? "message below" : "message", view.message);
  if (standing) {
    while (standing.nextSibling) standing.nextSibling.remove();
    middle.append(below);
  } else middle.replaceChildren(...[title, ruling, below].filter(Boolean));
  fit(middle);
}

/** The ruling's letters as large as there is room for, and as many notes below it as leave them large. Only when even small letters
    have no room are long texts cut. */
function fit(middle) {
  const fits = (names) =>
    [...middle.children].reduce((sum, part) => sum + part.offsetHeight, 2 * unit()) <= middle.clientHeight &&
    [...middle.querySelectorAll(names)].every((name) => name.scrollWidth <= name.clientWidth);
  const notes = [...middle.querySelectorAll(".note")];
  middle.classList.remove("cut");
  for (let most = Math.min(2, notes.length); most >= 0; most--) {
    notes.forEach((note, i) => { note.hidden = i >= most; });
    for (let big = 9; big >= (most ? 6 : 3); big -= 0.5) {
      middle.style.setProperty("--big", `calc(${big} * var(--u))`);
      if (fits(big > 5 ? ".payer" : "none")) return;
    }
  }
  middle.classList.add("cut");
}

/** Long names in smaller letters, as far as they stay readable from four metres; then they are cut. */
function fitNames(list) {
  const least = 3;
  for (const name of list.querySelectorAll(".called")) {
    name.style.fontSize = "";
    for (let size = least + 2; name.scrollWidth > name.clientWidth && size >= least; size -= 0.25) {
      if (parseFloat(getComputedStyle(name).fontSize) / unit() > size) name.style.fontSize = `calc(${size} * var(--u))`;
    }
  }
}

/* ---- the whole page ---- */

/** A new view has come: it is drawn, and what is new in it is said. */
function draw(view) {
  if (view.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  const before = shown;
  shown = view;
  document.body.dataset.status = view.status;
  rewind(view);
  varAfter(before, view);
  callOut();
  drawTable(view, before);
  announce(before, view);
  sound(before, view);
  if (view !== before) askChances(view);
}

/** The table as this view has it, which may be one of the moviola's; `before` is what stood there, null for nothing. */
function drawTable(view, before) {
  $("hand").textContent = view.hand ? `${words.hand} ${view.hand}` : "";
  $("figures").replaceChildren(...view.figures.map(figure));
  drawSeats(view);
  drawMiddle(view, before);
  const latest = view.happened.slice(-2);
  const happened = $("happened");
  happened.replaceChildren(...latest.flatMap((text, i) => (i === latest.length - 1 ? [make("b", "", text)] : [make("span", "", text), make("i", "", "·")])));
  if (happened.scrollWidth > happened.clientWidth) happened.replaceChildren(happened.lastElementChild); // the newest is read whole
}

/** Reads out what is new: after a correction only what it has changed. */
function announce(before, view) {
  const { fresh, withdrawn } = news(before, view);
  const spoken = fresh.map((payment) => `${payment.player} ${signed(payment.delta)}: ${payment.text}`);
  spoken.push(...withdrawn.map((payment) => words.withdrawn.replace("{player}", () => payment.player)));
  const was = before && before.ruling && view.ruling && before.ruling.hand === view.ruling.hand ? before.ruling : null;
  if (view.ruling && view.ruling.void && !(was && was.void)) spoken.push(words.void_hand);
  if (view.winner !== null && !(before && before.message === view.message)) spoken.push(view.message);
  if (view.ruling && !view.ruling.sure && (spoken.length || !was || was.sure)) spoken.unshift(words.unsure);
  if (spoken.length) $("announce").textContent = spoken.join(". ");
}

/** The chances belong to one state of the table: an answer that comes too late is not shown. */
async function askChances(view) {
  chances = {};
  if (!page.chances || !page.shows.odds || view.status !== "hand_in_progress") return;
  const answer = await fetch(page.chances);
  const told = answer.ok ? await answer.json() : null;
  if (!told || shown !== view || reel) return;
  chances = told.chances;
  drawTable(view, view);
}

/** An organiser has changed what is shown, or asks for the moviola. */
function drawShows(shows) {
  const was = page.shows;
  page.shows = shows;
  $("odds").hidden = !shows.odds || !page.chances;
  if (!shown) return;
  if (shows.odds !== was.odds) askChances(shown).then(() => { if (!page.shows.odds && !reel) drawTable(shown, shown); });
  if (shows.moviola_after_s !== was.moviola_after_s && !reel) playLater(shown);
  if (shows.played > was.played) playMoviola();
  varShown(shows.var ?? null);
  voiceSwitched(was.voice);
}

/* ---- the live picture ---- */

function follow(picture) {
  const again = () => setTimeout(() => { picture.src = `${picture.dataset.src}?t=${Date.now()}`; }, page.live_interval_s * 1000);
  picture.addEventListener("load", again);
  picture.addEventListener("error", () => { picture.removeAttribute("src"); setTimeout(() => again(), 2000); });
  picture.src = picture.dataset.src;
}

window.addEventListener("resize", () => { if (reel) step(at); else if (shown) drawTable(shown, shown); });
if ($("live")) follow($("live"));
offerSounds();
connect();
if (new URLSearchParams(location.search).has("moviola")) {
  const first = setInterval(() => { if (shown) { clearInterval(first); playMoviola(); } }, 200);
}
