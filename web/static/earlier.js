"use strict";
/* A spectator's phone: the hands that are over, folded; one opens to what happened in it. Asked for once somebody opens the list. */

const earlier = { list: $("earlier"), drawn: "", opened: new Set() };

/** No line parts a sum from its sign, or from whose it is. */
const whole = (text) => text.replace(/ (?=€|[+−]\d)/g, "\u00a0");

/** A hand of /api/hands: a row that opens. */
function earlierHand(one) {
  const box = make("details", one.sure ? "" : "unsure");
  box.open = earlier.opened.has(one.n);
  box.addEventListener("toggle", () => { if (box.open) earlier.opened.add(one.n); else earlier.opened.delete(one.n); });
  const row = make("summary", "", make("b", "", `${words.hand} ${one.n}`), " ", make("span", "", whole(one.payers)));
  if (!one.sure) row.append(" ", make("small", "", words.unsure));
  const came = [...one.paid.map((text) => make("p", "paid", whole(text))), ...one.notes.map((text) => make("p", "note", whole(text)))];
  box.append(row, ...came, make("ol", "", ...one.lines.map((text) => make("li", "", whole(text)))));
  return box;
}

/** What the list depends on: nothing else of a view changes it. */
const overIn = ({ game, hand, status, revision, ruling, happened }) => JSON.stringify(
  [game, revision, moneyHidden, status === "hand_in_progress" ? [hand] : [hand, ruling, happened]]);

/** The list as it is now; empty, and hidden, while no hand is over. */
async function tellEarlier() {
  const list = earlier.list, view = shown;
  if (!list || !view) return;
  list.hidden = view.hand === 0 || (view.hand === 1 && view.status === "hand_in_progress");
  const mark = overIn(view);
  if (list.hidden || !list.open || earlier.drawn === mark) return;
  if (earlier.game !== view.game) earlier.opened.clear();
  earlier.game = view.game;
  earlier.drawn = mark;
  const told = await fetch(page.hands).then((answer) => (answer.ok ? answer.json() : null), () => null);
  if (earlier.drawn !== mark) return; // asked again meanwhile
  if (!told) { earlier.drawn = ""; return; } // the line says that it is lost; the next view asks again
  list.querySelector("div").replaceChildren(...discreet(told).hands.map(earlierHand));
}

if (earlier.list) earlier.list.addEventListener("toggle", tellEarlier);
