// The organiser's phone: shows what the server sends, and sends what is tapped, made on what was shown.
import { bringNames, button, command, el, get, leave, page, percent, post, say, unbroken } from "./organiser-dom.js";
import { acts, due, forget, rarer } from "./organiser-acts.js";
import { mark, turn } from "./organiser-bar.js";
import { openLine } from "./organiser-line.js";
import { openMissed } from "./organiser-missed.js";
import { openOutcome } from "./organiser-outcome.js";
import { has, ownForms } from "./organiser-own.js";
import { takeHome } from "./organiser-export.js";
import { openHistory } from "./organiser-history.js";
import { lessons } from "./organiser-lessons.js";
import { moment, varChips } from "./organiser-var.js";
import { follow, propose, reasoned } from "./organiser-sheet.js";
import { redraw } from "./organiser-slip.js";

const $ = (id) => document.getElementById(id);
const drawn = new Map(); // section → the JSON that it shows: what has not changed is left alone, also under a finger
let view = null;
let hand = null; // another hand than the newest one, when one was asked for
const memory = {}; // what the game's own acts remember between two drawings
let busy = false;
let shownLessons = false;
let everyHand = false; // not only the newest ones
const NEWEST = 20; // hands that are listed at once: a phone scrolls through these
let everyLine = null; // the hand whose lines are all shown, and not only the last ones
const LAST_LINES = 12; // lines of a hand that stand there at once
const SPARE_LINES = 3; // up to this number more are shown, too: a button in their place would save nothing

function section(id, data, fill) {
  const text = JSON.stringify(data);
  if (drawn.get(id) === text) return;
  drawn.set(id, text);
  const focused = document.activeElement?.closest(`#${id} [data-key]`)?.dataset.key;
  const children = fill().filter((child) => child);
  $(id).replaceChildren(...children);
  $(id).hidden = children.length === 0;
  bringNames($(id));
  if (focused) [...$(id).querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused)?.focus();
}

const show = (next) => redraw(() => draw(next));

function draw(next) {
  if (next.error) {
    $("status").textContent = next.message;
    document.body.classList.add("empty");
    return;
  }
  if (next.wing !== page.wing) { location.reload(); return; } // another game of the house, with scripts of its own
  document.body.classList.remove("empty");
  if (view && next.game === view.game && next.version < view.version) return; // an answer that something has overtaken
  if (view && next.game !== view.game) everyHand = false;
  const another = view && (next.game !== view.game || next.hand?.id !== view.hand?.id); // a new hand brings the current one back
  if (another || (hand && !next.hands.some((one) => one.id === hand.id))) hand = null;
  const moved = view && next.version !== view.version;
  if (view && (next.game !== view.game || next.hand?.id !== view.hand?.id || next.next.title !== view.next.title)) Object.assign(memory, { typed: {}, open: null }); // another round
  view = next;
  forget(memory, view.next);
  Object.assign(document.body.dataset, { game: view.game, status: view.phase }); // settlement.js follows it
  if ($("back")) { $("back").hidden = !view.takes_back; $("back").game.value = view.game; }
  if ($("people")) {
    $("people").querySelector("form").hidden = ["hand_in_progress", "last_hand", "won"].includes(view.phase);
    $("people-later").hidden = !["hand_in_progress", "last_hand"].includes(view.phase);
    $("people").querySelector("form").game.value = view.game;
    $("rename").href = `/setup/rename?game=${view.game}&from=organiser`;
  }
  $("status").textContent = paused() || view.next.title;
  backAndForth();
  $("question").dataset.context = view.question?.id ?? "";
  section("question", view.question, question);
  section("next", [view.next, memory, paused()], nextActs);
  section("notices", view.notices, () => view.notices.map((text) => el("p.notice", {}, text)));
  section("hand", [hand ?? view.hand, everyLine, view.shows.var], lines);
  section("players", [view.players, view.figures, view.believed, view.sets], players);
  section("more", [view.next, view.said > 0, paused()], forms);
  section("tv", [view.shows, view.hands.length, view.hand?.over,], tv);
  section("hands", [view.hands, hand?.id, view.hand?.id, everyHand], hands);
  section("export", [view.game, view.hands.length > 0, view.lang], () => takeHome(view));
  mark("hands", view.hands.some((one) => one.unsure && one.id !== view.hand?.id));
  if (moved || !shownLessons) lessons($("lessons"), toast);
  shownLessons = true;
  if (moved && !busy) follow();
}

/** Undo and redo say what they undo or redo, and whose phone that came from. */
function backAndForth() {
  for (const [id, label, said] of [["undo", say.undo, view.undoes], ["redo", say.redo, view.redoes]]) {
    const whose = said?.by && said.by !== page.phone ? ` (${said.by})` : "";
    const what = said ? `${said.text}${whose}`.trim() : "";
    $(id).disabled = busy || !said;
    $(id).setAttribute("aria-label", what ? `${label}: ${what}` : label);
    if (id === "undo") $(id).querySelector("small").textContent = what;
  }
}

/** Send a command made on this view, and show what stands then. null, or why it was refused; a `mark`'s sheet says so itself. */
async function send(what, on = view, mark = null) {
  if (busy) return Object.assign(new Error(say.failed), { refusal: {} });
  busy = true;
  document.body.classList.add("busy");
  let refused = null;
  try {
    const next = await command(on, what, false, mark);
    busy = false;
    const moves = next.hand?.id !== on.hand?.id || next.hand?.over !== on.hand?.over;
    redraw(() => { show(next); turn("now"); if (moves) scrollTo(0, 0); }); // what is to be done then is at the top
    if (next.already) toast(say.already);
    if (hand) await look(hand.id);
  } catch (error) {
    busy = false;
    refused = error;
    if (!mark) toast(error.message);
    if (error.refusal.view) show(error.refusal.view);
  } finally {
    busy = false;
    document.body.classList.remove("busy");
    if (view) backAndForth();
  }
  return refused;
}

/** What costs somebody something is shown before it is done; `at once` for what can simply be undone. */
const doOrPropose = (what, title, atOnce = false) => (atOnce ? send(what) : propose(view, what, title, send));

function question() {
  const asked = view.question;
  if (!asked) return [];
  const picture = asked.picture
    ? el("img.moment", { src: `${page.api}/picture?question=${encodeURIComponent(asked.id)}`, alt: say.picture, onerror: (event) => redraw(() => event.target.remove()) })
    : null;
  const answers = asked.choices.map((choice, index) => {
    const answer = () => (choice.id === null ? send({ what: "answer", question: asked.id, choice: null })
      : doOrPropose({ what: "answer", question: asked.id, choice: choice.id }, `${asked.text} ${choice.text}`, true));
    const label = el("span", {}, choice.text, choice.probability === null || choice.probability < 0.01 ? "" : el("small", {}, ` ${percent(choice.probability)}`));
    const image = choice.card ? el("img", { src: page.cards.replace("CARD", choice.card), alt: "" }) : null;
    return el(`button.answer${index === 0 ? ".big" : choice.id === null ? ".soft" : ""}`, { type: "button", onclick: answer, "data-key": String(choice.id) }, image, label);
  });
  return [el("p.about", {}, say.about_hand.replace("{n}", asked.n)), el("h2.asked", {}, asked.text), moment(asked, picture), el("div.answers", {}, ...answers)];
}

/** Since when the table has a break, in words; "" while it plays. */
const paused = () => (view.shows.paused ? say.paused.replace("{time}", view.shows.paused.slice(11, 16)) : "");

function nextActs() {
  if (paused()) {
    const onward = button(say.play_on, () => wished({ pause: false }), "button.big", { "data-key": "play-on" });
    return [el("h2", {}, paused()), el("p.soft", {}, say.paused_help), onward];
  }
  const tap = (events) => send({ what: "say", events });
  return acts(view.next, tap, memory, () => show(view), due(view.next, doOrPropose));
}

/** What is rarer than a tap. */
function forms() {
  const tell = (reason) => doOrPropose({ what: "say", events: [{ e: "void", ...reason }] }, say.void);
  const rest = view.next.void ? [button(say.void, () => reasoned(say.void, tell), "button", { "data-key": "void" })] : [];
  const rests = paused() ? [] : [button(say.pause, () => wished({ pause: true }), "button", { "data-key": "pause" })];
  const said = view.said > 0 ? [button(say.history, openHistory, "button", { "data-key": "history" })] : [];
  const [often, seldom] = [false, true].map((set) => rarer(view.next.more.filter((one) => !one.due && (one.key === "set") === set), doOrPropose));
  const found = [...often, ...ownForms(view, doOrPropose, rest), ...rests, ...seldom, ...said];
  return found.length ? [el("h2", {}, say.more), el("div.forms", {}, ...found)] : [];
}

/** What spectators see besides the game, and the moviola of the last hand on the TV. */
function tv() {
  const shows = view.shows;
  const chip = (key, label, wish, more) => button(label, () => wished(wish), "button.chip", { "data-key": key, ...more });
  const over = view.hands.length > (view.hand?.over ? 0 : 1);
  const chips = [
    page.moviola ? chip("play", `▶ ${say.play}`, { play: true }, { disabled: !over }) : null,
    page.moviola ? chip("moviola", say.moviola, { moviola: !shows.moviola_after_s }, { "aria-pressed": String(shows.moviola_after_s > 0) }) : null,
    page.odds ? chip("odds", say.odds, { odds: !shows.odds }, { "aria-pressed": String(shows.odds) }) : null,
    chip("voice", say.voice, { voice: !shows.voice }, { "aria-pressed": String(Boolean(shows.voice)) }),
    chip("code", say.code, { code: shows.code === false }, { "aria-pressed": String(shows.code !== false) }),
  ].filter(Boolean);
  return chips.length ? [el("h2", {}, say.tv), el("div.chips", {}, ...chips)] : [];
}

async function wished(wish) {
  try {
    show(await post("/show", wish));
    if (wish.play) toast(say.plays);
    if (wish.pause !== undefined) turn("now");
  } catch (error) {
    toast(error.message);
  }
}

function lines() {
  const shown = hand ?? view.hand;
  if (!shown) return [];
  const old = hand && hand.id !== view.hand?.id
    ? el("div.old", { role: "note" }, el("p", {}, say.old_hand.replace("{n}", shown.n)), button(say.to_current, back, "button", { "data-key": "current" })) : null;
  const lineOf = (line, key) =>
    el("li", {}, el(`button.line${line.unsure ? ".unsure" : ""}`, { type: "button", "data-key": `${key}${shown.id}.${line.index}`, onclick: () => openLine(view, shown, line, send) },
      el("span", {}, unbroken(line.text)), line.blind ? el("small", {}, say.stand_in) : line.unsure ? el("small", {}, `? ${say.unsure}`) : null));
  const left = everyLine === shown.id || shown.lines.length <= LAST_LINES + SPARE_LINES ? 0 : shown.lines.length - LAST_LINES;
  const rows = shown.lines.slice(left).map((line) => lineOf(line, "line"));
  const all = () => { everyLine = shown.id; show(view); };
  const earlier = left ? button(say.earlier_lines.replace("{n}", left), all, "button", { "data-key": "earlier-lines" }) : null;
  const video = varChips(view, shown, show, toast);
  const ruling = shown.ruling.length ? el("div.ruling", {}, ...shown.ruling.map((text) => el("p", {}, unbroken(text)))) : null;
  const missed = shown.n ? button(say.missed, () => openMissed(view, shown, send), "button", { "data-key": "missed" }) : null;
  const outcome = shown.most && shown.order.length ? button(say.outcome, () => openOutcome(view, shown, send), "button", { "data-key": "outcome" }) : null;
  return [old, el("h2", {}, shown.title), ruling, video.length ? el("div.chips", {}, ...video) : null, shown.unsure ? doubts(shown, lineOf) : null,
    el("p.soft", {}, say.lines_help), earlier, el("ol.lines", {}, ...rows), outcome, missed];
}

/** What the TV shows as not sure of a hand: the lines that are not, and one button that says it was so. */
function doubts(shown, lineOf) {
  const unsure = shown.lines.filter((line) => line.unsure && !line.frame);
  const so = button(say.confirm_hand, () => send({ what: "confirm", hand: shown.id, shown: shown.events }), "button.big", { "data-key": "so" });
  return el("div.doubts", {}, el("p", {}, unsure.length ? say.doubtful : say.doubtful_all), el("ol.lines", {}, ...unsure.map((line) => lineOf(line, "doubt"))), so);
}

function players() {
  const unsure = (player) => view.believed.includes(player.name);
  const rows = view.players.map((player) => el(`li${player.in_play ? "" : ".gone"}${unsure(player) ? ".unsure" : ""}`, {},
    el("span", {}, player.name, unsure(player) ? el("small", {}, ` ? ${say.unsure}`) : null,
      player.dealer ? el("abbr.mark", { title: say.dealer_is }, say.dealer_mark) : null,
      view.sets.includes(player.name) ? el("abbr.mark", { title: say.set }, "✎") : null),
    el("span", {}, ...has(player))));
  const sums = view.figures.map((figure) => `${figure.label} ${figure.text}`).join(" · ");
  return [el("h2", {}, say.players), sums ? el("p.sums", {}, unbroken(sums)) : null, el("ul.players", {}, ...rows)];
}

function hands() {
  if (view.hands.length < 2 && view.hands[0]?.id === view.hand?.id) return [];
  const newest = view.hand?.id; // between two hands that is what was said since the last one
  const listed = everyHand ? view.hands : view.hands.filter((one, index) => index < NEWEST || one.unsure || one.id === hand?.id);
  const rows = listed.map((one) =>
    el("li", {}, el(`button.line${one.unsure ? ".unsure" : ""}`, { type: "button", "data-key": `hand${one.id}`, "aria-current": String((hand?.id ?? newest) === one.id),
      onclick: () => (one.id === newest ? back() : look(one.id, true)) },
      el("span.n", {}, say.about_hand.replace("{n}", one.n)), el("span", {}, unbroken(one.text)), one.unsure ? el("small", {}, `? ${say.unsure}`) : null)));
  const left = view.hands.length - listed.length;
  const whole = () => { everyHand = true; redraw(() => draw(view)); };
  const more = left > 0 ? button(say.earlier_hands.replace("{n}", left), whole, "button", { "data-key": "earlier" }) : null;
  return [el("h2", {}, say.hands), el("ol.lines", {}, ...rows), more];
}

function back() {
  hand = null;
  redraw(() => { show(view); turn("now"); $("hand").scrollIntoView(); });
}

async function look(id, scroll = false) {
  const newest = view.hand?.id;
  try {
    const found = await get(`/hand/${id}`);
    hand = view.hand?.id === newest ? found : null; // another hand has begun meanwhile
    redraw(() => { show(view); if (scroll) { turn("now"); $("hand").scrollIntoView(); } });
  } catch (error) {
    hand = null;
    toast(error.message);
  }
}

/** What the table is told of the camera's troubles, too. */
function told(notices) {
  const text = notices.join(" · ");
  if ($("camera").textContent === text) return;
  redraw(() => {
    $("camera").textContent = text;
    $("camera").hidden = !text;
  });
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
// Where there is no place at the stream, the phone asks every few seconds, and comes back to it.
let source, heard, asking;
const ANSWERS_S = 2; // seconds: a line that is opened says at once how the game stands; one that is silent for this long is dead
const POOLED = 6; // connections that a browser keeps to use again: all of them may be dead, and each new line takes one
let unanswered = 0; // lines opened in a row that stayed silent; beyond POOLED each is waited for twice as long as the one before
const ASK_MS = 3000;
const ASKED = 5;
function connect() {
  source?.close();
  clearTimeout(asking);
  source = new EventSource(page.stream);
  source.addEventListener("view", (event) => { alive(); show(JSON.parse(event.data)); });
  source.addEventListener("beat", (event) => { alive(); told(JSON.parse(event.data).notices ?? []); });
  source.addEventListener("unpaired", leave);
  source.addEventListener("error", ({ target }) => {
    if (target.readyState === EventSource.CLOSED) ask(ASKED, target);
    else $("lost").hidden = false;
  });
  listen(ANSWERS_S * 2 ** Math.max(0, unanswered - POOLED));
  unanswered += 1;
}
/** Opens the line again if nothing is heard on it for this many seconds. */
function listen(seconds) {
  clearTimeout(heard);
  heard = setTimeout(() => { $("lost").hidden = false; connect(); }, Math.min(seconds, page.patience_s) * 1000);
}
async function ask(times, refused) {
  const found = await Promise.all([get(""), fetch(`/api/notices?lang=${page.lang}`).then((answer) => answer.json())]).catch(() => null);
  if (source !== refused) return; // another line has been opened meanwhile
  if (found) {
    alive();
    show(found[0]);
    told(found[1].notices ?? []);
  } else $("lost").hidden = false;
  asking = setTimeout(() => (times > 1 ? ask(times - 1, refused) : connect()), ASK_MS * (0.8 + 0.4 * Math.random()));
}
function alive() {
  $("lost").hidden = true;
  unanswered = 0;
  listen(page.patience_s);
}

$("undo").addEventListener("click", () => send({ what: "undo", entry: view.undoes.entry }));
$("redo").addEventListener("click", () => send({ what: "redo", entry: view.redoes.entry }));
/** A phone that slept, or a page that comes back, may hold a dead line for a minute without knowing: a new one is opened at
    once. */
function wake() {
  if (!document.hidden) connect();
}
document.addEventListener("visibilitychange", wake);
addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
addEventListener("online", wake);
connect();
