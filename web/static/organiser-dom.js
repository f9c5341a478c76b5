// What the organiser's modules share: elements, the page's own data, commands to the server.

export const page = JSON.parse(document.getElementById("page").textContent);
export const say = page.strings;
const called = new Map(page.kinds);

/** An element: `el("button.big", {onclick}, "text", child)`. Text is text, never markup. */
export function el(what, properties = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const button = (label, onclick, kind = "button", more = {}) => el(kind, { type: "button", onclick, ...more }, label);

/** The text with no sum parted from its sign at the end of a line. */
export const unbroken = (text) => text.replace(/ (?=[€%])/g, "\u00a0");

/** A button with the drawing of a card. */
export function cardButton(kind, onclick, { dim = false, label = called.get(kind) } = {}) {
  const image = el("img", { src: page.cards.replace("CARD", kind), alt: "" });
  if (label.length > 9 && !label.includes(" ")) label = `${label.slice(0, 6)}\u00AD${label.slice(6)}`; // Masche-rone
  return el(`button.card${dim ? ".dim" : ""}`, { type: "button", onclick }, image, el("span", {}, label));
}

/** Names to choose from in one row, which scrolls to the chosen one: what stands below does not move, however many there are. */
export const names = (chips) => el("div.chips.names", {}, ...chips);

/** Scroll each row of names to the one that is chosen. */
export function bringNames(within) {
  for (const chosen of within.querySelectorAll(".names > [aria-pressed='true']")) {
    const row = chosen.parentElement;
    row.scrollLeft = chosen.offsetLeft - row.offsetLeft - (row.clientWidth - chosen.offsetWidth) / 2;
  }
}

export const cardName = (kind) => called.get(kind);
export const percent = (share) => say.percent.replace("{n}", Math.round(share * 100));
export const kinds = page.kinds.map(([kind]) => kind);

/** GET as JSON; throws what the server said against it, or `say.failed`. */
export function get(path) {
  return ask(`${page.api}${path}${path.includes("?") ? "&" : "?"}lang=${page.lang}`, {});
}

/** A command made on this view: the view after it, or with `dry` its effect. `mark`: that of the effect that was confirmed. What is
    refused is thrown, with its `view`. Each has a token: one that arrives twice is done once. */
export function command(view, what, dry = false, mark = null) {
  const tap = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("");
  return post("/command", { game: view.game, version: view.version, said: view.said, do: what, dry, tap, ...(mark ? { expects: mark } : {}) });
}

/** POST as JSON; throws what the server said against it, or `say.failed`. */
export function post(path, told) {
  return ask(`${page.api}${path}?lang=${page.lang}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": page.csrf },
    body: JSON.stringify(told),
  });
}

let leaving = false;
/** Go to the page that pairs phones, once: the stream and a refused tap may both say that this phone is paired no longer. */
export function leave() {
  if (!leaving) location.assign(page.pair);
  leaving = true;
}
addEventListener("pageshow", () => { leaving = false; }); // Back has brought this page again

async function ask(url, options) {
  let response, data;
  try {
    response = await fetch(url, options);
    data = await response.json();
  } catch {
    throw Object.assign(new Error(say.failed), { refusal: {} });
  }
  if (response.status === 401) leave();
  if (!response.ok) throw Object.assign(new Error(data.message ?? say.failed), { refusal: data });
  return data;
}
