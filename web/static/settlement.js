"use strict";
/* The accounts of a game that is over: on the TV in the table's place, some seconds after the last ruling; on an organiser's
   phone above all. The page's own script says how the game stands: `data-status` of the body, and `data-game`, the game's id. */
(() => {
  const section = document.getElementById("settlement");
  if (!section) return;
  const table = document.getElementById("table"); // the TV's
  const RULING_MS = 12000; // milliseconds for which the last ruling and its cards can be looked at
  const LONG = 14; // letters of a word that a phone has room for beside the sums
  let shown = ""; // the rows that stand
  const READ = 3.72, LEAST = 2.4; // units: what is read from four metres, and what is better than nothing
  let later = 0;
  let first = true; // nobody waits on a page that was opened after the end

  const cell = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  /** Whether so few take something that a column of it would be all but empty: then their rows say it. */
  const few = (rows) => rows.filter((one) => one.takes.minor).length * 3 <= rows.length;

  function row(one, number, rows) {
    const line = document.createElement("tr");
    if (number === 0) line.className = "winner";
    const who = cell("th", one.name);
    who.scope = "row";
    const takes = section.querySelector("thead th:nth-child(3)").textContent.toLowerCase();
    const why = [one.why, one.takes.minor && few(rows) ? `${takes}\u00a0${one.takes.text}` : ""].filter(Boolean);
    if (why.length) who.append(cell("small", why.join("\u00a0· ").replace(/ (?=[€%])/g, "\u00a0")));
    const longest = Math.max(...one.name.split(/\s/).map((word) => word.length));
    who.style.setProperty("--long", Math.min(1, LONG / longest)); // on a phone: smaller rather than broken inside a word
    const won = one.net ? Math.sign(one.net.minor) : 0;
    const unknown = section.querySelector(".tables").dataset.unknown;
    const sums = [cell("td", one.paid ? one.paid.text : unknown), cell("td", one.takes.text),
      cell("td", one.net ? one.net.text : unknown, won > 0 ? "gained" : "")];
    line.append(who, ...sums);
    return line;
  }

  function put(on) {
    section.hidden = !on;
    const stood = document.body.classList.contains("settled");
    if (table) document.body.classList.toggle("settled", on);
    if (stood && !on) dispatchEvent(new Event("resize")); // the table was drawn while it had no room
    if (table && on) fit();
  }

  /** On the TV many rows stand in several tables beside one another. */
  function lay(rows) {
    const [one, ...more] = section.querySelectorAll("table");
    for (const other of more) other.remove();
    const beside = table && !listed() ? Math.min(3, Math.ceil(rows.length / 10)) : 1;
    const lines = rows.map(row);
    const each = Math.ceil(rows.length / beside);
    section.classList.toggle("few", few(rows));
    section.classList.toggle("many", beside > 1);
    section.classList.toggle("crowd", beside > 2);
    for (let number = 0; number < beside; number++) {
      const part = number ? one.cloneNode(true) : one;
      part.querySelector("tbody").replaceChildren(...lines.slice(number * each, (number + 1) * each));
      one.parentElement.append(part);
    }
  }

  /** The letters as large as all rows have room for: their size, 0 where that would be below `least` units. */
  function roomy(least) {
    const tables = section.querySelector(".tables");
    section.style.setProperty("--least", `calc(${least} * var(--u))`);
    for (let size = 9; size >= least; size -= 0.1) {
      section.style.setProperty("--row", `calc(${size} * var(--u))`);
      if (section.scrollHeight <= section.clientHeight && section.scrollWidth <= section.clientWidth && tables.scrollWidth <= tables.clientWidth) return size;
    }
    return 0;
  }

  /** As `roomy`, with who pays whom beside them where letters become larger so. */
  function placed(least) {
    const size = (on) => (section.classList.toggle("beside", on), roomy(least));
    return size(size(true) > size(false));
  }

  /** Where a crowd's accounts fill the screen letters become smaller, and phones and the sheet say who pays whom. */
  function fit() {
    section.classList.remove("beside");
    if (listed()) return; // a phone's page is as long as it has to be
    const settling = section.querySelector(".settling");
    const titled = (on) => (section.classList.toggle("untitled", !on), true);
    if ((titled(true) && placed(READ)) || (titled(false) && placed(READ)) || (titled(true) && roomy(LEAST))) return;
    if (settling) settling.hidden = true;
    if (!roomy(READ)) roomy(LEAST);
  }

  async function look() {
    clearTimeout(later);
    if (document.body.dataset.status !== "won" || (table && document.body.classList.contains("penniless"))) { shown = ""; put(false); first = false; return; }
    const answer = await fetch(section.dataset.game).catch(() => null);
    const view = answer && answer.ok ? await answer.json() : null;
    if (!view || view.status !== "won") return;
    const form = section.querySelector("form");
    if (form) form.game.value = document.body.dataset.game;
    const accounts = view.whole.length ? view.whole : view.accounts;
    const rows = JSON.stringify([accounts, view.part, view.settling, view.sets]);
    const again = rows === shown;
    if (!again) lay(accounts);
    shown = rows;
    const part = section.querySelector(".part");
    part.hidden = !view.part;
    part.textContent = view.part;
    const settling = section.querySelector(".settling");
    settling.hidden = !view.settling.length;
    settling.replaceChildren(...[`${settling.dataset.title}:`, ...view.settling].map((text) => cell("li", text)));
    const sets = section.querySelector(".sets");
    const said = ({ after, text }) => (after ? `${sets.dataset.after.replace("{n}", after)}: ${text}` : text);
    sets.replaceChildren(...view.sets.map((one) => cell("li", `✎ ${said(one)}`)));
    section.querySelector(".tables").classList.toggle("empty", !view.accounts.length);
    const share = section.querySelector(".share"); // a hall has none
    if (share) share.hidden = !view.accounts.length;
    section.classList.toggle("balances", accounts.every((one) => !one.paid && !one.takes.minor)); // there is no pot to divide
    if (!table) put(true);
    else if (!view.accounts.length) put(false);
    else if (!again || section.hidden) {
      put(first);
      if (!first) later = setTimeout(() => put(true), RULING_MS);
    }
    first = false;
  }

  new MutationObserver(look).observe(document.body, { attributeFilter: ["data-status"] });
  addEventListener("resize", () => { if (table && !section.hidden) fit(); });
  if (document.body.dataset.status) look();
})();
