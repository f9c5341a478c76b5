// The organiser's phone: shows what the server sends, and sends what is tapped, made on what was shown.
import { button, cardButton, command, el, get, kinds, page, percent, say } from "./organiser-dom.js";
import { openForms } from "./organiser-forms.js";
import { openLine, propose } from "./organiser-sheet.js";

const $ = (id) => document.getElementById(id);
const drawn = new Map(); // section → the JSON that it shows: what has not changed is left alone, also under a finger
let view = null;
let hand = null; // another hand than the newest one, when one was asked for
let grid = null; // whose card is being shown, once a card was asked for
let busy = false;

function section(id, data, fill) {
  const text = JSON.stringify(data);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  const focused = document.activeElement?.closest(`#${id} [data-key]`)?.dataset.key;
  const children = fill().filter((child) => child);
  $(id).replaceChildren(...children);
  $(id).hidden = children.length === 0;
  if (focused) [...$(id).querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
}

function show(next) {
  if (next.error) {
    $("status").textContent = next.message;
    document.body.classList.add("empty");
    return;
  }
  document.body.classList.remove("empty");
  if (view && (next.game !== view.game || (hand && !next.hands.some((one) => one.id === hand.id)))) hand = null;
  if (!next.next.covered.some((one) => one.player === grid)) grid = null;
  view = next;
  $("status").textContent = view.next.title;
  $("undo").disabled = busy || !view.undo;
  $("redo").disabled = busy || !view.redo;
  section("question", view.question, question);
  section("next", [view.next, grid], nextActs);
  section("notices", view.notices, () => view.notices.map((text) => el("p.notice", {}, text)));
  section("hand", hand ?? view.hand, lines);
  section("players", [view.players, view.pot, view.ricompera], players);
  section("more", view.next, () => openForms(view, doOrPropose));
  section("hands", [view.hands, hand?.id], hands);
}

/** Send a command made on this view; says why when it is refused, and shows what stands now. */
async function send(what, on = view) {
  if (busy) return false;
  busy = true;
  document.body.classList.add("busy");
  try {
    const next = await command(on, what);
    busy = false;
    show(next);
    if (hand) await look(hand.id);
    return true;
  } catch (error) {
    busy = false;
    toast(error.message);
    if (error.refusal.view) show(error.refusal.view);
    return false;
  } finally {
    busy = false;
    document.body.classList.remove("busy");
    if (view) {
      $("undo").disabled = !view.undo;
      $("redo").disabled = !view.redo;
    }
  }
}

/** What costs somebody something is shown before it is done; `at once` for what can simply be undone. */
const doOrPropose = (what, title, atOnce = false) => (atOnce ? send(what) : propose(view, what, title, send));

function question() {
  const asked = view.question;
  if (!asked) return [];
  const picture = asked.picture
    ? el("img.moment", { src: `${page.api}/picture?question=${encodeURIComponent(asked.id)}`, alt: say.picture, onerror: (event) => event.target.remove() })
    : null;
  const answers = asked.choices.map((choice, index) => {
    const answer = () => (choice.id === null ? send({ what: "answer", question: asked.id, choice: null })
      : doOrPropose({ what: "answer", question: asked.id, choice: choice.id }, `${asked.text} ${choice.text}`, true));
    const label = el("span", {}, choice.text, choice.probability === null || choice.probability < 0.01 ? "" : el("small", {}, ` ${percent(choice.probability)}`));
    const image = choice.card ? el("img", { src: page.cards.replace("CARD", choice.card), alt: "" }) : null;
    return el(`button.answer${index === 0 ? ".big" : choice.id === null ? ".soft" : ""}`, { type: "button", onclick: answer, "data-key": String(choice.id) }, image, label);
  });
  return [el("p.about", {}, say.about_hand.replace("{n}", asked.n)), el("h2.asked", {}, asked.text), picture, el("div.answers", {}, ...answers)];
}

function nextActs() {
  const next = view.next;
  const found = next.offers.map((offer, index) =>
    button(offer.label, () => send({ what: "say", events: offer.events }), index === 0 && !next.showdown ? "button.big" : index === 1 ? "button.second" : "button", { "data-key": `offer${index}` }));
  const parts = [el("div.offers", {}, ...found)];
  if (next.refusals) {
    parts.push(el("h2", {}, next.refusals.title));
    parts.push(el("div.trumps", {}, ...next.refusals.offers.map((offer) =>
      cardButton(offer.card, () => send({ what: "say", events: offer.events }), { label: offer.label }))));
  }
  if (next.covered.length) {
    const whose = next.covered.find((one) => one.player === grid) ?? (next.showdown ? next.covered[0] : null);
    if (whose) {
      const players = next.covered.map((one) =>
        button(one.player, () => pick(one.player), "button.chip", { "aria-pressed": String(one === whose), "data-key": `whose${one.player}` }));
      parts.push(el("div.chips", {}, ...players), el("h2", {}, say.whose.replace("{name}", whose.player)));
      const possible = new Set(whose.kinds);
      parts.push(el("div.grid", {}, ...kinds.map((kind) =>
        cardButton(kind, () => reveal(whose.player, kind), { dim: !possible.has(kind) }))));
    } else {
      parts.push(button(say.show_card, () => pick(next.covered[0].player), "button", { "data-key": "show" }));
    }
  }
  return parts;
}

function pick(player) {
  grid = player;
  show(view);
}

function reveal(player, kind) {
  const at = view.next.covered.findIndex((one) => one.player === player);
  const after = view.next.covered[at + 1] ?? view.next.covered.find((one) => one.player !== player);
  grid = after && grid ? after.player : null;
  send({ what: "say", events: [{ e: "reveal", by: player, card: kind }] });
}

function lines() {
  const shown = hand ?? view.hand;
  if (!shown) return [];
  const rows = shown.lines.map((line) =>
    el("li", {}, el(`button.line${line.unsure ? ".unsure" : ""}`, { type: "button", "data-key": `line${shown.id}.${line.index}`, onclick: () => openLine(view, shown, line, send) },
      el("span", {}, line.text), line.unsure ? el("small", {}, `? ${say.unsure}`) : null)));
  const ruling = shown.ruling.length ? el("div.ruling", {}, ...shown.ruling.map((text) => el("p", {}, text))) : null;
  const link = view.hands.find((one) => one.id === shown.id);
  const confirm = link?.unsure ? button(say.confirm_hand, () => send({ what: "confirm", hand: shown.id }), "button") : null;
  return [el("h2", {}, shown.title), ruling, confirm, el("p.soft", {}, say.lines_help), el("ol.lines", {}, ...rows)];
}

function players() {
  const rows = view.players.map((player) => {
    const has = player.in_play ? "●".repeat(Math.min(player.pedine, 9)) : say.out;
    return el(`li${player.in_play ? "" : ".gone"}`, {},
      el("span", {}, player.name, player.dealer ? el("abbr.mark", { title: say.dealer_is }, say.dealer_mark) : null),
      el("span", {}, el("span", { "aria-label": player.in_play ? `${player.pedine} ${say.pedine}` : say.out, role: "img" }, has), player.virgin ? el("em", {}, ` ${say.virgin}`) : null));
  });
  const sums = el("p.sums", {}, `${say.pot} ${view.pot}`, view.ricompera ? ` · ${say.price} ${view.ricompera}` : "");
  return [el("h2", {}, say.players), sums, el("ul.players", {}, ...rows)];
}

function hands() {
  if (view.hands.length < 2) return [];
  const newest = view.hands[0].id;
  const rows = view.hands.map((one) =>
    el("li", {}, el(`button.line${one.unsure ? ".unsure" : ""}`, { type: "button", "data-key": `hand${one.id}`, "aria-current": String((hand?.id ?? newest) === one.id),
      onclick: () => (one.id === newest ? back() : look(one.id, true)) },
      el("span", {}, say.about_hand.replace("{n}", one.n)), el("span", {}, one.text), one.unsure ? el("small", {}, `? ${say.unsure}`) : null)));
  return [el("h2", {}, say.hands), el("ol.lines", {}, ...rows)];
}

function back() {
  hand = null;
  show(view);
  $("hand").scrollIntoView();
}

async function look(id, scroll = false) {
  try {
    hand = await get(`/hand/${id}`);
    show(view);
    if (scroll) $("hand").scrollIntoView();
  } catch (error) {
    hand = null;
    toast(error.message);
  }
}

/** What the table is told of the camera's troubles, too. */
function told(notices) {
  const text = notices.join(" · ");
  if ($("camera").textContent !== text) $("camera").textContent = text;
  $("camera").hidden = !text;
}

let toasted;
function toast(text) {
  const place = $("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toasted);
  toasted = setTimeout(() => { place.hidden = true; }, 6000);
}

// The stream: the browser opens it again by itself; silence longer than the server's heartbeat is a lost connection.
let source, heard;
function connect() {
  source?.close();
  source = new EventSource(page.stream);
  source.addEventListener("view", (event) => { alive(); if (!busy) show(JSON.parse(event.data)); });
  source.addEventListener("beat", (event) => { alive(); told(JSON.parse(event.data).notices ?? []); });
  source.addEventListener("unpaired", () => location.assign(page.pair));
  source.addEventListener("error", () => { $("lost").hidden = false; });
}
function alive() {
  $("lost").hidden = true;
  clearTimeout(heard);
  heard = setTimeout(() => { $("lost").hidden = false; connect(); }, page.patience_s * 1000);
}

$("undo").addEventListener("click", () => send({ what: "undo" }));
$("redo").addEventListener("click", () => send({ what: "redo" }));
document.addEventListener("visibilitychange", () => { if (!document.hidden) connect(); });
connect();
alive();
