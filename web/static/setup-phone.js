"use strict";
/* Waits for the phone's first picture, then goes on; where pictures came already, somebody wants to see the code. */
const stage = document.getElementById("stage");
const ASK_MS = 1000;
let waited = false;

async function look() {
  if (document.hidden) return;
  const answer = await fetch(stage.dataset.stage);
  if (!answer.ok) return;
  const now = await answer.json();
  if (stage.textContent !== now.said) stage.textContent = now.said;
  document.getElementById("go").hidden = now.stage !== "sending";
  if (now.stage === "sending" && waited) location.replace(stage.dataset.next);
  waited ||= now.stage !== "sending";
}

async function again() {
  await look().catch(() => {}); // the program is away: ask again
  setTimeout(again, ASK_MS);
}
if (stage) again();
