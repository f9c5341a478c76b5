"use strict";
/* What the TV says for some seconds: at the headline what a correction has changed; on the whole screen who is out, is back, or
   has won; over the table the card that has stopped somebody. */

let corrected = null; // what has changed, a part for each player, and in which hand, while it is said
let correctedTimer = 0;
let momentTimer = 0;
let waiting = []; // what is still to be shown
let playing = false; // something is shown, or will be
let known = new Set(); // what was announced on this page, or before it was opened
const CARD_MS = 2000;
const AFTER_A_RULING_MS = 2500; // who pays is read first

/** Whether what had been told of a game was corrected between two views of it. */
const rewritten = (before, after) => Boolean(before) && before.game === after.game && after.revision > before.revision && after.corrected.length > 0;

/** What the table has newly said of how it stands. */
const freshSets = (before, after) => (before && before.game === after.game ? after.sets.slice(before.sets.length) : []);

/** A correction is said beside the headline for some seconds; `again` draws the page without it. */
function noteCorrection(before, after, again) {
  if (before && (before.game !== after.game || !after.corrected.length)) corrected = null; // it was taken back, or done again
  if (!rewritten(before, after) || page.corrected_s <= 0) return;
  corrected = { title: correctedIn(after), parts: after.corrected };
  clearTimeout(correctedTimer);
  correctedTimer = setTimeout(() => { corrected = null; again(); }, page.corrected_s * 1000);
}

const correctedIn = (view) => (view.corrected_hand ? words.corrected_hand.replace("{n}", view.corrected_hand) : words.corrected);
const correctedBadge = () => make("p", "corrected", make("b", "", `${corrected.title}: `), dotted("span", "changes", corrected.parts));

/** What is announced in a view for the first time on this page. What a correction makes of the past is not, nor what was announced
    before the page was opened. */
function momentsOf(before, after) {
  const now = after.announced.map((one) => JSON.stringify(one));
  const sets = freshSets(before, after); // nobody has come back, or gone out: it stood so
  const fromHere = !before || !before.seats.length || before.game !== after.game || rewritten(before, after);
  const fresh = fromHere ? [] : after.announced.filter((one, at) => !known.has(now[at]));
  known = new Set(fromHere ? now : [...known, ...now]);
  return sets.length ? [{ kind: "set", title: words.table_says, names: sets.flatMap((one) => one.parts), beneath: [] }] : fresh;
}

/** Shows what is new, one after the other, and gives it; whatever changes the past, a tap or Escape ends it. */
function playMoments(before, after) {
  if (!before || before.game !== after.game || rewritten(before, after)) endMoments();
  const found = momentsOf(before, after);
  if (!found.length || page.moment_s <= 0) return found;
  if (found[0].kind === "set") endMoments(); // what was told before of how it stands is no longer so
  waiting = [...waiting.filter((one) => one.kind !== "card"), ...found]; // a card that nobody could be shown is past
  const read = found[0].kind !== "card" && after.ruling && after.ruling.final && news(before, after).fresh.length;
  if (!playing) {
    playing = true;
    momentTimer = setTimeout(nextMoment, read ? AFTER_A_RULING_MS : 0);
  }
  return found;
}

function nextMoment() {
  $("moment").hidden = $("played").hidden = true;
  const one = waiting.shift();
  playing = one !== undefined;
  if (!playing) return;
  (one.kind === "card" ? showCard : showMoment)(one);
  momentTimer = setTimeout(nextMoment, one.kind === "card" ? CARD_MS : page.moment_s * 1000);
}

function showMoment({ kind, title, names, beneath }) {
  const box = $("moment");
  box.dataset.kind = kind;
  box.replaceChildren(make("p", "kicker", title), make("p", "names", ...names.map((name) => make("span", "", unbroken(name)))),
    ...beneath.map((text) => make("p", "beneath", unbroken(text))));
  box.hidden = false;
  box.classList.remove("long");
  for (let size = kind === "set" ? 12 : 20; size > 3; size -= 0.5) {
    box.style.setProperty("--big", inUnits(size));
    if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) break;
    box.classList.toggle("long", size <= 4); // no word is broken before that
  }
}

/** The card that has stopped somebody, large over the table, with what is said. */
function showCard({ card, title, names }) {
  const box = $("played");
  box.dataset.card = card;
  box.replaceChildren(cardImage(card, ""), make("p", "word", names.join(" ")), make("p", "by", title));
  box.hidden = false;
}

function endMoments() {
  clearTimeout(momentTimer);
  waiting = [];
  playing = false;
  $("moment").hidden = $("played").hidden = true;
}

/** An exchange that has just been made: the two cards slide into each other's place. */
function slideExchange(before, after) {
  const now = after.exchange;
  if (!before || before.game !== after.game || before.hand !== after.hand || rewritten(before, after)) return;
  if (!now || now.pending || now.past || JSON.stringify(before.exchange) === JSON.stringify(now)) return;
  slide(now.who, now.whom);
}

$("moment").addEventListener("click", endMoments);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") endMoments(); });
