// The evening to take home: a sheet to print, and files for a spreadsheet.
import { el, page, say } from "./organiser-dom.js";

export function takeHome(view) {
  if (!view.hands.length) return [];
  const link = (name, label, more = {}) => el("a.button", { href: `/organiser/games/${view.game}/${name}?lang=${page.lang}`, ...more }, label);
  return [el("h2", {}, say.take_home), el("div.forms", {},
    link("sheet", say.sheet), link("hands.csv", say.hands_csv, { download: "" }), link("money.csv", say.money_csv, { download: "" }),
    page.recap ? link("recap", say.recap) : null)];
}
