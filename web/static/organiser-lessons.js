// What corrections have taught the eyes: each with its picture, and taken back with a tap.
import { button, cardName, el, get, page, post, say } from "./organiser-dom.js";

const SOON = 4000; // a correction is learnt with one of the next pictures
let waiting = 0;
let shown = "";

/** Ask what has been learnt, now and once more soon, and show it in `section`. */
export function lessons(section, toast) {
  if (!page.lessons) return;
  const ask = () => get("/lessons").then((list) => fill(section, list, toast), () => {}); // what is shown stays
  clearTimeout(waiting);
  waiting = setTimeout(ask, SOON);
  ask();
}

function fill(section, list, toast) {
  if (JSON.stringify(list) === shown) return;
  shown = JSON.stringify(list);
  section.hidden = list.length === 0;
  section.replaceChildren(el("h2", {}, say.lessons), ...list.map((one) => lesson(section, one, toast)));
}

function lesson(section, { id, card, at }, toast) {
  const when = new Date(at * 1000).toLocaleTimeString(page.lang, { hour: "2-digit", minute: "2-digit" });
  const text = say.learnt.replace("{card}", cardName(card) ?? card).replace("{time}", when);
  const forget = async () => {
    try {
      fill(section, await post("/lessons/forget", { id }), toast);
    } catch (error) {
      toast(error.message);
    }
  };
  return el("div.lesson", {}, el("img", { src: `${page.api}/lessons/${id}.jpg`, alt: "", width: 32, height: 56 }), el("span", {}, text),
    button(say.forget, forget, "button", { "aria-label": `${say.forget}: ${text}` }));
}
