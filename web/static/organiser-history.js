// Who said what, and when: all that organisers have said by hand, the newest first.
import { el, get, page, say } from "./organiser-dom.js";
import { open } from "./organiser-sheet.js";

const MOST = 60; // more than anybody scrolls through on a phone

/** Open the list on the sheet. */
export async function openHistory() {
  open(say.history, el("p.soft", {}, "…"));
  let rows;
  try {
    rows = (await get("/history")).slice(0, MOST).map(row);
  } catch (error) {
    rows = [el("li.problem", { role: "alert" }, error.message)];
  }
  if (document.getElementById("sheet").open) open(say.history, el("ol.history", {}, ...rows)); // not when it was closed meanwhile
}

function row({ text, by, at, taken_back: back }) {
  const when = at ? new Date(at).toLocaleTimeString(page.lang, { hour: "2-digit", minute: "2-digit" }) : "";
  const whose = [when, by || say.some_phone].filter(Boolean).join(" · ");
  return el(`li${back ? ".back" : ""}`, {}, el("small", {}, whose), el("span", {}, text || say.some_change), back ? el("small", {}, say.taken_back) : null);
}
