"use strict";
// The program ends and begins again: once it was gone and answers again, the page goes on. Where it was never seen gone it was quick.
const then = document.querySelector("[data-then]").dataset.then;
let gone = false, asked = 0;
async function ask() {
  asked += 1;
  try {
    await fetch("/healthz", { cache: "no-store" });
    if (gone || asked > 12) return location.assign(then);
  } catch {
    gone = true;
  }
  setTimeout(ask, 500);
}
setTimeout(ask, 500);
