// A whole hand that the camera has missed, told by thumb on the sheet; what it does is shown before it is put in.
import { acts } from "./organiser-acts.js";
import { button, el, post, say } from "./organiser-dom.js";
import { close, open, propose } from "./organiser-sheet.js";

/** Tell a hand that was played before this one. */
export function openMissed(view, hand, send) {
  const title = say.missed_title.replace("{n}", hand.n);
  const taps = []; // the events of every tap
  const memory = {};

  async function draw() {
    open(title, el("p.soft", {}, "…"));
    let told;
    try {
      told = await post("/missed", { game: view.game, version: view.version, before: hand.id, events: taps.flat() });
    } catch (error) {
      open(title, el("p.problem", { role: "alert" }, error.message), taps.length ? back() : null, button(say.cancel, close));
      return;
    }
    if (told.over) {
      propose(view, { what: "insert", hand: hand.id, events: told.events }, title, send);
      return;
    }
    if (!taps.length) taps.push(told.events);
    const lines = el("ol.told", {}, ...told.lines.map((line) => el("li", {}, line)));
    const say_it = (events) => { taps.push(events); draw(); };
    open(title, lines, ...acts(told.next, say_it, memory, draw), taps.length > 1 ? back() : null, button(say.cancel, close));
    lines.lastElementChild.scrollIntoView({ block: "nearest" });
  }

  const back = () => button(`↶ ${say.undo}`, () => { taps.pop(); draw(); });
  draw();
}
