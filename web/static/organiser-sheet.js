// The sheet over the page, and what a change would do.
import { bringNames, button, command, el, say, unbroken } from "./organiser-dom.js";
import { redraw } from "./organiser-slip.js";

const sheet = document.getElementById("sheet");
let proposal = null; // what stands on the sheet to be confirmed: it follows the game
let drawings = 0; // an answer that comes after something else was drawn is not drawn any more
let asked = false; // something was tapped or typed on the sheet that is open, and is not what a change would do

/** Open the sheet with a heading and a way out. */
export function open(title, ...content) {
  put(title, content);
  asked = true;
}

function put(title, content) {
  proposal = null;
  drawings += 1;
  asked = false;
  fill(title, title, content);
}

/** The sheet as it was, with all that was typed on it; `problem`: why what was typed cannot be. */
function back(from, problem = "") {
  proposal = null;
  drawings += 1;
  asked = true;
  redraw(() => {
    const [top, ...rest] = from;
    top.querySelector("h2").id = "sheet-title";
    sheet.dataset.context = top.textContent;
    sheet.replaceChildren(top, ...(problem ? [el("p.problem.refused", { role: "alert" }, problem)] : []), ...rest.filter((one) => !one.matches(".refused")));
    sheet.scrollTop = 0;
  });
}

function fill(title, context, content) {
  redraw(() => {
    sheet.dataset.context = context;
    sheet.replaceChildren(
      el("div.top", {}, el("h2", { id: "sheet-title" }, title), button("✕", () => sheet.close(), "button.close", { "aria-label": say.close_sheet })),
      ...content.filter((one) => one),
    );
    if (!sheet.open) {
      sheet.showModal();
      enter();
    }
    bringNames(sheet);
    sheet.scrollTop = 0;
  });
}

export const close = () => sheet.close();
sheet.addEventListener("close", () => { proposal = null; asked = false; drawings += 1; leave(); });

// Back closes the sheet, and not the page: while it is open it is a step of the browser's history.
const STEP = { sheet: true };
let leaving = false; // its step is being taken back, which takes the browser a moment
history.scrollRestoration = "manual";
if (history.state?.sheet) history.replaceState(null, "");

function enter() {
  if (!leaving && !history.state?.sheet) history.pushState(STEP, "");
}

function leave() {
  if (leaving || !history.state?.sheet) return;
  leaving = true;
  history.back();
}

addEventListener("popstate", () => {
  if (leaving) {
    leaving = false;
    if (sheet.open) enter(); // opened again meanwhile
  } else if (sheet.open) sheet.close();
});

/** Show what a command would do, made on this view, and do just that when it is confirmed: `send(what, view, mark)`. `elsewhere`: what
    else could be done with it where its lines are gone, as a promise of elements. What the sheet was before stays, with all that was
    typed: it comes back where this is refused. `from`: that, where a change leads to another. */
export async function propose(view, what, title, send, elsewhere = async () => [], from = sheet.open && asked ? [...sheet.children] : null) {
  put(title, [el("p.soft", {}, "…")]);
  await weigh({ view, what, title, send, elsewhere, from, mark: null });
}

/** The game has changed: what the sheet proposes is brought up to date, and stays as it is where that makes no difference. */
export async function follow() {
  if (following) { again = true; return; } // one at a time, however fast the camera sees
  following = true;
  do {
    again = false;
    if (proposal) await weigh(proposal, true);
  } while (again);
  following = false;
}
let following = false, again = false;

async function weigh(one, unasked = false) {
  const drawing = drawings;
  let effect;
  try {
    effect = await command(one.view, one.what, true);
  } catch (error) {
    if (drawing === drawings && !(unasked && !error.refusal.error)) await refused(one, error); // a network that fails says so by itself
    return;
  }
  if (drawing !== drawings || effect.mark === one.mark) return;
  show({ ...one, mark: effect.mark }, effect);
}

function show(one, effect) {
  put(one.title, []);
  proposal = one;
  if (effect.already) {
    fill(one.title, effect.mark, [el("p", { role: "status" }, say.already), button(say.cancel, close)]);
    return;
  }
  const confirm = button(say.confirm, () => done(one, confirm), "button.big");
  const quiet = !effect.hands.length && !effect.rest.length ? el("p", {}, say.no_effect) : null;
  const changed = one.changed ? el("p.problem", { role: "alert" }, one.changed) : null;
  fill(one.title, effect.mark, [changed, confirm, el("h3", {}, say.effect), quiet,
    ...going(say.without, "ul.without", effect.without), ...going(say.adds, "ul.adds", effect.adds),
    ...effect.hands.map(difference), effect.rest.length ? table(effect.rest) : null, before(one), button(say.cancel, close)]);
  confirm.focus();
}

const before = ({ from }) => (from ? button(`‹ ${say.back}`, () => back(from), "button", { "data-key": "back" }) : null);

/** Confirmed: it is done as it was shown, or shown again. */
async function done(one, confirm) {
  proposal = null;
  confirm.disabled = true;
  const error = await one.send(one.what, one.view, one.mark);
  if (!error) close();
  else if (error.refusal.error === "changed") await weigh({ ...one, mark: null, changed: error.message });
  else await refused(one, error);
}

async function refused(one, error) {
  const drawing = drawings;
  const places = error.refusal.error === "stale" ? await one.elsewhere(error.refusal.view) : [];
  if (drawing !== drawings) return;
  const instead = error.refusal.instead;
  const more = instead ? [el("p", {}, say.instead), el("ul.without", {}, ...instead.without.map((line) => el("li", {}, line))),
    button(say.propose, () => propose(one.view, instead.do, one.title, one.send, one.elsewhere, one.from), "button.big")] : [];
  if (!error.refusal.error) more.push(button(say.again, () => propose(one.view, one.what, one.title, one.send, one.elsewhere, one.from), "button.big"));
  if (one.from && !more.length && !places.length) {
    back(one.from, error.message);
    return;
  }
  put(one.title, [el("p.problem", { role: "alert" }, error.message), ...more, ...places, before(one), button(say.cancel, close)]);
}

const going = (title, kind, lines) => (lines.length ? [el("h3", {}, title), el(kind, {}, ...lines.map((line) => el("li", {}, unbroken(line))))] : []);

const text = (lines) => lines.split("\n").map((line) => el("p", {}, unbroken(line)));

function difference(one) {
  return el("div.difference", {}, el("h4", {}, one.what),
    el("div.now", {}, el("b", {}, say.now), ...text(one.now)), el("div.then", {}, el("b", {}, say.then), ...text(one.then)));
}

function table(rows) {
  const head = el("tr", {}, el("td"), el("th", { scope: "col" }, say.now), el("th", { scope: "col" }, say.then));
  return el("table", {}, head, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.what), el("td", {}, unbroken(row.now)), el("td", {}, unbroken(row.then)))));
}

/** A form for a reason, which may be left out. `done({reason})` or `done({})`. */
export function reasoned(title, done) {
  const reason = el("input", { id: "reason", maxLength: 200 });
  open(title, el("label", { htmlFor: "reason" }, say.reason), reason,
    button(say.propose, () => done(reason.value.trim() ? { reason: reason.value.trim() } : {}), "button.big"), button(say.cancel, close));
}
