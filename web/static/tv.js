"use strict";
/* The TV's page: draws the table from the JSON of /api/game and follows /api/stream (line.js). Made of parts.js. */

let shown = null; // the view on the screen
let asTold = null; // the same as it was told, with all money
let chances = {}; // player → chance of paying, where the organiser lets it be shown

/* ---- the table ---- */

function drawSeats(view) {
  const area = $("table").getBoundingClientRect();
  const layout = seating(view.seats.length, area.width / unit(), area.height / unit(), page.clockwise, Boolean(view.exchange));
  const list = $("seats");
  list.className = layout.size;
  const set = setNow(view);
  list.replaceChildren(
    ...view.seats.map((seat, index) => {
      const place = layout.places[index];
      const small = ["small", "tiny"].includes(layout.size);
      const box = plate(seat, { card: seat.card ? cardBox(seat) : fan(seat.cards), small, also: chanceMark(seat, view), set: set.has(seat.name) });
      box.style.width = inUnits(place.width);
      box.style.height = inUnits(place.height);
      box.style.setProperty("--tall", inUnits(place.height)); // browsers that reckon no width of a height have it from there
      box.style.left = `calc(50% + ${inUnits(place.x)})`;
      box.style.top = `calc(50% + ${inUnits(place.y)})`;
      if (place.upright) box.classList.add("upright");
      const item = seatItem(seat, view.status, box);
      item.classList.add(place.side);
      return item;
    }),
  );
  const middle = $("middle");
  middle.style.width = inUnits(layout.free.width);
  middle.style.height = inUnits(layout.free.height);
  if ($("follow") && view.seats.length) { // in the table's corner, else in the middle's, where it stays when an arrow comes
    const taken = layout.places.some((one) => one.x + one.width / 2 > area.width / unit() / 2 - CODE && one.y + one.height / 2 > area.height / unit() / 2 - CODE);
    $("follow").style.right = taken ? `calc(50% - ${inUnits(layout.lane.width - LANE / 2)})` : 0;
    $("follow").style.bottom = taken ? `calc(50% - ${inUnits(layout.lane.height - LANE / 2)})` : 0;
  }
  fitPlates(list);
  $("odds").textContent = `% = ${own.chance}`;
  $("odds").hidden = !list.querySelector(".chance");
  drawArrow(view, layout, area.width / unit(), area.height / unit());
}

const CODE = 15; // the width of the code that leads a phone here, with what is left free beside it

const cardBox = (seat) => make("div", `card${seat.doubtful ? " doubted" : ""}${seat.card.face === null ? " back" : ""}`, cardImage(seat.card.face, seat.card.face !== null ? seat.card.name : words.hidden));

function chanceMark(seat, view) {
  const chance = view.status === "hand_in_progress" ? chances[seat.name] : undefined;
  if (chance === undefined) return null;
  const percent = Math.round((chance * 100) / own.finest) * own.finest; // no finer than they are calculated
  const said = percent === 0 && chance > 0 ? `<${own.finest}%` : percent === 100 && chance < 1 ? `>${100 - own.finest}%` : `${percent}%`;
  const mark = make("b", "mark chance", said);
  mark.title = own.chance;
  return mark;
}

/** The exchange that is asked for, or the last one of the hand: an arrow from the asker to the asked, in the order of play or
    against it as the card goes. One that is past is faint; the same way back covers it. */
function drawArrow(view, layout, width, height) {
  const drawing = $("arrow");
  const [past, line] = drawing.querySelectorAll("polyline"), light = drawing.querySelector("polygon");
  const place = (name) => layout.places[view.seats.findIndex((seat) => seat.name === name)];
  const wayOf = ({ who, whom, back: against }) =>
    (place(who) && place(whom) ? wayRound(place(who), place(whom), layout.lane, layout.clockwise === Boolean(against)) : []);
  const put = (drawn, way) => drawn.setAttribute("points", way.map((point) => point.map((one) => one.toFixed(2)).join()).join(" "));
  const { who, whom, pending, back } = view.exchange || {};
  const way = wayOf(view.exchange || {});
  drawing.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
  drawing.querySelector("title").textContent = way.length
    ? (pending ? words.asking : words.exchange).replace("{who}", () => who).replace("{whom}", () => whom) : "";
  const before = view.exchange_before || {};
  const same = before.who === whom && before.whom === who && Boolean(before.back) !== Boolean(back); // two heads, one at each end
  put(past, same ? [] : wayOf(before));
  put(line, way);
  put(light, back && pending ? [[1, 1], [1, -1], [-1, -1], [-1, 1]].map(([x, y]) => [x * layout.lane.width, y * layout.lane.height]) : []);
  line.classList.toggle("asked", Boolean(pending));
  line.classList.toggle("past", Boolean(view.exchange && view.exchange.past));
  drawing.toggleAttribute("hidden", !way.length);
}

/** One of the figures above the table, such as the pot. */
function figure({ label, text, tag, dim }) {
  const said = make("dd", "", make("span", "", text));
  if (tag) said.append(" ", make("span", "tag", tag));
  return make("div", dim ? "dim" : "", make("dt", "", label), said);
}

/* ---- the middle ---- */

function endOfGame(view) {
  const sure = !view.ruling || view.ruling.sure;
  const box = make("article", sure ? "won" : "won unsure", make("p", "big", view.message));
  if (view.settlement.length) {
    const shares = make("dl", "shares");
    for (const share of view.settlement) shares.append(make("dt", "", share.name), make("dd", "", share.sum.text));
    box.append(shares);
  }
  return box;
}

/** The ruling, what a correction has changed in it, and below it what the table waits for; where no ruling stands, what the game
    has in its place, or that alone. */
function drawMiddle(view, before) {
  const middle = $("middle");
  const moviola = view.status === "moviola";
  const paused = moviola ? "" : pausedSince(page.shows);
  const rests = paused ? restsOn(view) !== "" : rested !== "" && rested === restsOn(view);
  const now = JSON.stringify([rests, view.ruling, view.missed]);
  const standing = middle.dataset.drawn === now ? middle.querySelector(".ruling") : null; // a ruling that stands does not fall again
  const ruling = rests || !view.ruling ? null : standing || rulingBox(view.ruling, news(before, view).fresh, view.missed);
  middle.dataset.drawn = now;
  const title = view.title || paused ? make("p", paused ? "title paused fits" : "title", paused || view.title) : null;
  const change = corrected && !moviola ? correctedBadge() : null;
  const read = rests && view.ruling ? dotted("p", "read fits", view.ruling.headline) : null;
  const lying = ruling ? null : rests ? standingBox(view) : own.middle(view);
  const below = view.status === "won" ? endOfGame(view) : paused ? null : make("p", ruling || lying ? "message below" : "message", unbroken(view.message));
  const missed = !ruling && view.missed && !moviola ? make("p", "chips", make("span", "missed", view.missed)) : null;
  if (standing) {
    for (const other of [...middle.children]) if (other !== standing) other.remove();
    standing.before(...[paused ? title : null, change].filter(Boolean));
    if (below) middle.append(below);
  } else middle.replaceChildren(...[title, change, ruling, read, lying, below, missed].filter(Boolean));
  fitMiddle(middle);
}

/* ---- between hands ---- */

let rested = ""; // the ruling that was read: how the game stands takes its place
let restTimer = 0;

/** What must have been read before the green speaks; "" in a hand, and where a ruling is not sure: that is to be checked. */
const restsOn = (view) => (view.standing.length && view.status !== "moviola" && !(view.ruling && !view.ruling.sure)
  ? JSON.stringify([view.game, view.hand, view.revision, view.ruling && view.ruling.payments]) : "");

function restLater(view) {
  clearTimeout(restTimer);
  const on = restsOn(view);
  if (!on || rested === on || (view.ruling && page.rest_s <= 0)) return;
  restTimer = setTimeout(() => { rested = on; if (shown && !reel) drawTable(shown, shown); }, view.ruling ? page.rest_s * 1000 : 0);
}

/** For how long the game has been going, by the program's clock, or by this one's; nothing where that is not known. */
function scoredFor(view) {
  const now = performance.now() / 1000;
  if (page.began && page.began.game !== view.game) {
    page.began = view.game > page.began.game ? { game: view.game, minutes: -now / 60 } : null; // an older one, taken up again
  }
  if (!page.began) return [];
  const minutes = Math.floor(page.began.minutes + now / 60);
  if (minutes < 1 || minutes > 12 * 60) return [];
  const said = minutes < 60 ? words.minutes : words.hours;
  return [{ label: words.scored_for, text: said.replace("{h}", Math.floor(minutes / 60)).replace("{m}", minutes % 60) }];
}

/** How the game stands, large: the figures, who leads, and the code that leads a phone here. */
function standingBox(view) {
  const labels = view.standing.map((one) => one.label);
  const all = [...view.figures.filter((one) => !labels.includes(one.label)), ...scoredFor(view), ...view.standing];
  const list = make("dl", "", ...all.map((one) => {
    const row = figure(one);
    row.classList.toggle("wide", one.text.length > 24);
    row.classList.toggle("again", !view.standing.includes(one));
    row.querySelector("dd").classList.add("fits");
    return row;
  }));
  const box = make("article", "standing", list);
  if (codeShown()) {
    const code = $("follow").cloneNode(true);
    code.removeAttribute("id");
    code.hidden = false;
    box.append(code);
  }
  return box;
}

const codeShown = () => $("follow") && page.shows.code !== false;

/** While a hand is played the code is small, and is there as long as it covers nothing of the middle. */
function drawCode(view) {
  const code = $("follow");
  if (!code) return;
  code.hidden = !codeShown() || view.status !== "hand_in_progress" || listed();
  const { left, top } = code.getBoundingClientRect();
  if ([...$("middle").children].some((one) => { const box = one.getBoundingClientRect(); return box.right > left && box.bottom > top; })) code.hidden = true;
}

/* ---- the whole page ---- */

/** A new view has come: it is drawn, and what is new in it is said. */
function draw(told) {
  if (told.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  const before = shown, view = shownOf(told);
  asTold = told;
  shown = view;
  document.body.dataset.status = view.status;
  noteCorrection(before, view, () => { if (shown && !reel) drawTable(shown, shown); });
  rewind(view);
  varAfter(before, view);
  callOut();
  restLater(view);
  drawTable(view, before);
  slideExchange(before, view);
  const moments = playMoments(before, view);
  announce(before, view);
  sound(before, view, moments);
  if (view !== before) askChances(view);
  tellEarlier();
}

/** The table as this view has it, which may be one of the moviola's; `before` is what stood there, null for nothing. */
function drawTable(view, before) {
  $("idle").hidden = view.status !== "no_game";
  $("hand").textContent = view.hand ? `${words.hand} ${view.hand}` : "";
  $("figures").replaceChildren(...view.figures.map(figure));
  drawSeats(view);
  fitHeader(document.querySelector("header"));
  drawMiddle(view, before);
  drawCode(view);
  const tight = $("middle").classList.contains("tight");
  const latest = listed() ? view.happened : tight ? [...view.happened.slice(-1), view.message] : view.happened.slice(-2);
  const happened = $("happened");
  happened.style.fontSize = "";
  happened.classList.remove("long");
  happened.replaceChildren(...latest.flatMap((text, i) => (i === latest.length - 1 ? [make("b", "", text)] : [make("span", "", text), make("i", "", "·")])));
  if (listed()) return; // line by line, as long as it is
  if (happened.scrollWidth > happened.clientWidth) happened.replaceChildren(happened.lastElementChild); // the newest is read whole
  fitSentence(happened);
}

/** A sentence that is too long for its line is smaller, then on two lines, and at last ends behind a whole word. */
function fitSentence(line) {
  const least = 2.6, smallest = 1.2;
  for (let size = document.body.classList.contains("large-letters") ? 4.4 : 3.6; line.scrollWidth > line.clientWidth && size > least; size -= 0.2) line.style.fontSize = inUnits(size);
  line.classList.toggle("long", line.scrollWidth > line.clientWidth);
  const full = () => line.scrollHeight > line.parentElement.clientHeight || line.scrollWidth > line.clientWidth;
  for (let size = least; full() && size > smallest; size -= 0.2) line.style.fontSize = inUnits(size);
  const said = line.lastElementChild;
  if (!said || !full()) return;
  line.style.fontSize = inUnits(2); // what is not read to its end can at least be read
  const all = said.textContent.split(" ");
  let fits = 1;
  for (let step = 2 ** Math.floor(Math.log2(all.length)); step >= 1; step /= 2) { // the most words that have room, by halves
    if (fits + step >= all.length) continue;
    said.textContent = `${all.slice(0, fits + step).join(" ")} …`;
    if (!full()) fits += step;
  }
  said.textContent = `${all.slice(0, fits).join(" ")} …`;
}

/** Reads out what is new: after a correction only what it has changed; of a ruling that was not sure and now is, all. What was
    read out stays in the page for as long as it is so. */
function announce(before, view) {
  const { fresh, withdrawn } = news(before, view);
  const was = before && before.game === view.game && sameRuling(before.ruling, view.ruling) ? before.ruling : null;
  const nowSure = Boolean(was && !was.sure && view.ruling.sure);
  const spoken = (nowSure ? view.ruling.payments : fresh).map((payment) => {
    const who = `${payment.player} ${sumOf(payment)}: `; // where the text, too, begins with that, it is said once
    return who + payment.text.replace(who, "").replace(`${payment.player}: `, "");
  });
  const elsewhere = !view.ruling || view.ruling.hand !== view.corrected_hand; // what it has changed is no payment of this ruling
  if (rewritten(before, view) && elsewhere) spoken.push(`${correctedIn(view)}: ${view.corrected.join("; ")}`);
  if (rewritten(before, view)) spoken.push(...withdrawn.map((payment) => words.withdrawn.replace("{player}", () => payment.player)));
  if (view.ruling && view.ruling.void && (nowSure || !(was && was.void))) spoken.push(words.void_hand);
  if (nowSure && !spoken.length) spoken.push(view.ruling.headline.join(", ")); // nobody pays
  if (view.winner !== null && (nowSure || !(before && before.message === view.message))) spoken.push(view.message);
  if (view.ruling && !view.ruling.sure && (spoken.length || !was || was.sure)) spoken.unshift(words.unsure);
  if (spoken.length || !before || readOut(before) !== readOut(view)) $("announce").textContent = spoken.map(closed).join(" ");
}

/** A sentence that is read out, with one mark at its end; the mark before it is for the eye. */
const closed = (said) => said.replace(/^\? /, "").replace(/([^.?!…])$/, "$1.");

/** What of a view is read out. */
const readOut = ({ game, winner, message, ruling, corrected: changed }) => JSON.stringify(
  [game, changed, winner !== null && message, ruling && [ruling.hand, ruling.about, ruling.void, ruling.sure, ruling.payments]]);

/** The chances belong to one state of the table: an answer that comes too late is not shown. */
async function askChances(view) {
  chances = {};
  if (!page.chances || !page.shows.odds || view.status !== "hand_in_progress") return;
  const told = await fetch(page.chances).then((answer) => (answer.ok ? answer.json() : null), () => null); // the program may be gone
  if (!told || shown !== view || reel) return;
  chances = told.chances;
  drawTable(view, view);
}

/** An organiser has changed what is shown, or asks for the moviola. */
function drawShows(shows) {
  const was = page.shows;
  page.shows = shows;
  if (!shown) return;
  if (shows.odds !== was.odds) askChances(shown).then(() => { if (!page.shows.odds && !reel) drawTable(shown, shown); });
  if ((shows.paused !== was.paused || shows.code !== was.code) && !reel) drawTable(shown, shown);
  if (shows.moviola_after_s !== was.moviola_after_s && !reel) playLater(shown);
  if (shows.played > was.played) playMoviola();
  varShown(shows.var || null);
  voiceSwitched(was.voice);
  if (shows.paused !== was.paused) callOut();
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
offerSwitches(() => {
  if (!asTold) return;
  stopMoviola();
  shown = null; // nothing in it is news
  draw(asTold);
});
stayAwake();
connect();
if (new URLSearchParams(location.search).has("moviola")) {
  const first = setInterval(() => { if (shown) { clearInterval(first); playMoviola(); } }, 200);
}
