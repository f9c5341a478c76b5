"use strict";
/* What the TV says for some seconds: what a correction has changed, at the headline; and on the whole screen that somebody is out,
   has come back, or has won. */

let corrected = null; // what has changed, a part for each player, while it is said
let correctedTimer = 0;
let momentTimer = 0;
const AFTER_A_RULING_MS = 2500; // who pays is read first

/** Whether lines that had been told before have changed between two views of a game. */
const rewritten = (before, after) => Boolean(before) && before.game === after.game && after.revision > before.revision;

/** What the table has newly said of how it stands. */
const freshSets = (before, after) => (before && before.game === after.game ? after.sets.slice(before.sets.length) : []);

/** What a correction has changed, a part for each player: sums of the same hand's ruling, else what everybody has. While the eyes
    read a card anew the game goes on: what is ruled besides, or gives way to what comes next, is no correction. */
function changes(before, after) {
  if (freshSets(before, after).length) return []; // it is said as what it is
  const one = before.ruling, other = after.ruling;
  if (other && !sameRuling(one, other)) return [];
  if (other) {
    const sums = (ruling) => new Map(ruling.sums.map((row) => [row.player, sumOf(row)]));
    const [was, is] = [sums(one), sums(other)];
    const names = [...new Set([...was.keys(), ...is.keys()])].filter((name) => (was.get(name) ?? "0") !== (is.get(name) ?? "0"));
    if (names.length && !one.final && !news(before, after).withdrawn.length) return [];
    if (names.length) return names.map((name) => `${name} ${was.get(name) ?? 0} → ${is.get(name) ?? 0}`);
    if (one.void !== other.void) return [other.headline.join(" · ")];
  }
  if (one && !other && !one.about && one.hand === after.hand) return one.sums.map((row) => `${row.player} ${sumOf(row)} → 0`);
  const old = new Map(before.seats.map((seat) => [seat.name, seat.has]));
  return after.seats.filter((seat) => old.has(seat.name) && old.get(seat.name) !== seat.has)
    .map((seat) => `${seat.name}: ${old.get(seat.name)} → ${seat.has}`);
}

/** A correction is said beside the headline for some seconds; `again` draws the page without it. */
function noteCorrection(before, after, again) {
  if (before && before.game !== after.game) corrected = null;
  const parts = rewritten(before, after) ? changes(before, after) : [];
  if (!parts.length || page.corrected_s <= 0) return;
  corrected = parts;
  clearTimeout(correctedTimer);
  correctedTimer = setTimeout(() => { corrected = null; again(); }, page.corrected_s * 1000);
}

const correctedBadge = () => make("p", "corrected", make("b", "", `${words.corrected}: `), dotted("span", "changes", corrected));

/** What deserves the whole screen in a view after another. What a correction makes of the past does not, nor what is only believed. */
function momentsOf(before, after) {
  const said = freshSets(before, after); // nobody has come back, or gone out: it stood so
  if (said.length) return [["set", said.flatMap((one) => one.parts)]];
  if (!before || !before.seats.length || before.game !== after.game || rewritten(before, after)) return [];
  const was = new Map(before.seats.map((seat) => [seat.name, seat.in_play]));
  const turned = (to) => after.seats.filter((seat) => was.get(seat.name) === !to && seat.in_play === to && !seat.believed)
    .map((seat) => seat.name);
  const found = [["out", turned(false)], ["back", turned(true)]].filter(([, names]) => names.length);
  const sure = !after.ruling || after.ruling.sure;
  if (after.status === "won" && before.status !== "won" && after.winner !== null && sure) found.push(["won", [after.winner]]);
  return found;
}

/** Shows one after the other, each for its seconds; whatever changes the past, a tap or Escape ends them. */
function playMoments(before, after) {
  if (!before || before.game !== after.game || rewritten(before, after)) endMoments();
  const found = page.moment_s > 0 ? momentsOf(before, after) : [];
  if (!found.length) return;
  const next = () => {
    if (!found.length) return endMoments();
    const [kind, names] = found.shift();
    const box = $("moment");
    box.dataset.kind = kind;
    box.replaceChildren(make("p", "kicker", own.moment[kind]), make("p", "names", ...names.map((name) => make("span", "", unbroken(name)))));
    box.hidden = false;
    box.classList.remove("long");
    for (let size = kind === "set" ? 12 : 20; size > 3; size -= 0.5) {
      box.style.setProperty("--big", inUnits(size));
      if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) break;
      box.classList.toggle("long", size <= 4); // no word is broken before that
    }
    momentTimer = setTimeout(next, page.moment_s * 1000);
  };
  endMoments();
  momentTimer = setTimeout(next, after.ruling && after.ruling.final && news(before, after).fresh.length ? AFTER_A_RULING_MS : 0);
}

function endMoments() {
  clearTimeout(momentTimer);
  $("moment").hidden = true;
}

$("moment").addEventListener("click", endMoments);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") endMoments(); });
