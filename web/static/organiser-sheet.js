// The sheet over the page, and what a change would do.
import { button, command, el, say } from "./organiser-dom.js";

const sheet = document.getElementById("sheet");

/** Open the sheet with a heading and a way out. */
export function open(title, ...content) {
  sheet.replaceChildren(
    el("div.top", {}, el("h2", { id: "sheet-title" }, title), button("✕", () => sheet.close(), "button.close", { "aria-label": say.close_sheet })),
    ...content.filter((one) => one),
  );
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
}

export const close = () => sheet.close();

/** Show what a command would do to what this view shows, and do it to just that when it is confirmed. */
export async function propose(view, what, title, send) {
  open(title, el("p.soft", {}, "…"));
  let effect;
  try {
    effect = await command(view, what, true);
  } catch (error) {
    const instead = error.refusal.instead;
    open(title, el("p.problem", { role: "alert" }, error.message),
      ...(instead ? [el("p", {}, say.instead), el("ul.without", {}, ...instead.without.map((line) => el("li", {}, line))),
        button(say.propose, () => propose(view, instead.do, title, send), "button.big")] : []),
      button(say.cancel, close));
    return;
  }
  const confirm = button(say.confirm, async () => { close(); await send(what, view); }, "button.big");
  const quiet = !effect.hands.length && !effect.rest.length ? el("p", {}, say.no_effect) : null;
  open(title, confirm, el("h3", {}, say.effect), quiet, ...effect.hands.map(difference), effect.rest.length ? table(effect.rest) : null, button(say.cancel, close));
  confirm.focus();
}

const text = (lines) => lines.split("\n").map((line) => el("p", {}, line));

function difference(one) {
  return el("div.difference", {}, el("h4", {}, one.what),
    el("div.now", {}, el("b", {}, say.now), ...text(one.now)), el("div.then", {}, el("b", {}, say.then), ...text(one.then)));
}

function table(rows) {
  const head = el("tr", {}, el("td"), el("th", { scope: "col" }, say.now), el("th", { scope: "col" }, say.then));
  return el("table", {}, head, ...rows.map((row) => el("tr", {}, el("th", { scope: "row" }, row.what), el("td", {}, row.now), el("td", {}, row.then))));
}

/** A percentage as a share, exact to the digits typed: 12.5 → 0.125. */
export const hundredths = (typed) => Number((Number(typed) / 100).toFixed(6));

/** A form for a reason, which may be left out. `done({reason})` or `done({})`. */
export function reasoned(title, done) {
  const reason = el("input", { id: "reason", maxLength: 200 });
  open(title, el("label", { htmlFor: "reason" }, say.reason), reason,
    button(say.propose, () => done(reason.value.trim() ? { reason: reason.value.trim() } : {}), "button.big"), button(say.cancel, close));
}
