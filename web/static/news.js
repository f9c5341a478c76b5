"use strict";
/* What the TV says for some seconds: what a correction has changed, at the headline; and on the whole screen that somebody is out,
   has come back, or has won. */

let corrected = null; // what has changed, a part for each player, while it is said
let correctedTimer = 0;
let momentTimer = 0;
const AFTER_A_RULING_MS = 2500; // who pays is read first

/** Whether what had been told of a game was corrected between two views of it. */
const rewritten = (before, after) => Boolean(before) && before.game === after.game && after.revision > before.revision;

/** What the table has newly said of how it stands. */
const freshSets = (before, after) => (before && before.game === after.game ? after.sets.slice(before.sets.length) : []);

/** A correction is said beside the headline for some seconds; `again` draws the page without it. */
function noteCorrection(before, after, again) {
  if (before && before.game !== after.game) corrected = null;
  if (!rewritten(before, after) || page.corrected_s <= 0) return;
  corrected = after.corrected;
  clearTimeout(correctedTimer);
  correctedTimer = setTimeout(() => { corrected = null; again(); }, page.corrected_s * 1000);
}

const correctedBadge = () => make("p", "corrected", make("b", "", `${words.corrected}: `), dotted("span", "changes", corrected));

/** What is announced in a view and was not in the one before. What a correction makes of the past is not. */
function momentsOf(before, after) {
  const said = freshSets(before, after); // nobody has come back, or gone out: it stood so
  if (said.length) return [{ kind: "set", title: words.table_says, names: said.flatMap((one) => one.parts) }];
  if (!before || !before.seats.length || before.game !== after.game || rewritten(before, after)) return [];
  const old = before.announced.map((one) => JSON.stringify(one));
  return after.announced.filter((one) => {
    const at = old.indexOf(JSON.stringify(one));
    if (at >= 0) old.splice(at, 1);
    return at < 0;
  });
}

/** Shows one after the other, each for its seconds; whatever changes the past, a tap or Escape ends them. */
function playMoments(before, after) {
  if (!before || before.game !== after.game || rewritten(before, after)) endMoments();
  const found = page.moment_s > 0 ? momentsOf(before, after) : [];
  if (!found.length) return;
  const next = () => {
    if (!found.length) return endMoments();
    const { kind, title, names } = found.shift();
    const box = $("moment");
    box.dataset.kind = kind;
    box.replaceChildren(make("p", "kicker", title), make("p", "names", ...names.map((name) => make("span", "", unbroken(name)))),
      ...own.beneath(kind, names, after).map((text) => make("p", "beneath", text)));
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
