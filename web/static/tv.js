"use strict";
/* Draws the table from the JSON of /api/game and follows /api/stream. Every text goes in by textContent: names are strangers' input. */

const page = JSON.parse(document.getElementById("page").textContent);
const words = page.strings;
const $ = (id) => document.getElementById(id);
let shown = null; // the view on the screen
let announced = null; // the ruling that was read out last

/** An element with a class and a text or children. */
function make(tag, className, ...content) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content.filter((part) => part !== null));
  return element;
}

function cardImage(face, alt) {
  const image = make("img");
  image.src = page.cards.replace("CARD", face ?? "back");
  image.alt = alt;
  return image;
}

/** A hundredth of the screen's height in pixels: --u of tv.css. */
const unit = () => Math.min(window.innerHeight, window.innerWidth * 0.5625) / 100;

const signed = (delta) => (delta > 0 ? `+${delta}` : delta < 0 ? `−${-delta}` : "0");

/* ---- the table ---- */

function plate(seat, small) {
  const pedine = make("div", "pedine");
  pedine.setAttribute("role", "img");
  pedine.setAttribute("aria-label", `${words.pedine}: ${seat.pedine}`);
  if (seat.pedine > 3) pedine.append(make("span", "pedina"), make("b", "", `× ${seat.pedine}`));
  else {
    for (let i = 0; i < 3; i++) pedine.append(make("span", i < seat.pedine ? "pedina" : "pedina paid"));
  }
  const who = make("div", "who", make("span", "called", seat.name));
  const has = make("div", "has", seat.in_play || seat.in_hand ? pedine : make("span", "gone", words.out));
  const virgin = seat.virgin ? make("span", "virgin", words.virgin) : null;
  if (seat.dealer) {
    const mark = make("span", "mark deals", words.dealer_mark);
    mark.title = words.dealer;
    (small ? has : who).append(mark);
  }
  if (virgin && !small) has.append(virgin);
  const box = make("div", "plate", who, has, small ? virgin : null);
  if (seat.change !== null) box.append(make("span", seat.change > 0 ? "mark change up" : "mark change", signed(seat.change)));
  if (seat.role) box.append(make("span", "role", words.roles[seat.role]));
  return box;
}

function drawSeats(view) {
  const area = $("table").getBoundingClientRect();
  const layout = seating(view.seats.length, area.width / unit(), area.height / unit());
  const list = $("seats");
  list.className = layout.size.size;
  list.style.setProperty("--tall", `calc(${layout.size.card} * var(--u))`);
  const put = (element, x, y) => {
    element.style.left = `calc(50% + ${x.toFixed(2)} * var(--u))`;
    element.style.top = `calc(50% + ${y.toFixed(2)} * var(--u))`;
  };
  list.replaceChildren(
    ...view.seats.map((seat, index) => {
      const place = layout.places[index];
      const box = plate(seat, layout.size.size === "small" || layout.size.size === "tiny");
      box.style.width = `calc(${layout.size.width} * var(--u))`;
      box.style.height = `calc(${layout.size.height} * var(--u))`;
      put(box, place.x, place.y);
      const item = make("li", `seat ${place.side}`, box);
      item.dataset.player = seat.name;
      if (seat.role) item.classList.add(seat.role);
      if (seat.dealer) item.classList.add("dealer");
      if (!seat.in_play && !seat.in_hand) item.classList.add("out");
      else if (!seat.in_hand && view.status === "hand_in_progress") item.classList.add("aside");
      if (seat.change !== null && seat.change < 0) item.classList.add("pays");
      if (seat.winner) item.classList.add("wins");
      if (seat.card) {
        const known = seat.card.face !== null;
        const card = make("div", "card", cardImage(seat.card.face, known ? seat.card.name : words.hidden), make("span", "", known ? seat.card.name : ""));
        put(card, place.cardX, place.cardY);
        item.append(card);
      }
      return item;
    }),
  );
  const middle = $("middle");
  middle.style.width = `calc(${layout.free.width} * var(--u))`;
  middle.style.height = `calc(${layout.free.height} * var(--u))`;
  fitNames(list);
}

/* ---- the middle ---- */

function rulingBox(ruling) {
  const box = make("article", "ruling");
  if (!ruling.final) box.classList.add("partial");
  if (!ruling.sure) box.classList.add("unsure");
  if (!ruling.payments.length) box.classList.add("quiet");
  if (!ruling.sure) box.append(make("p", "doubt", words.unsure));
  if (ruling.void) box.append(make("p", "big", words.void_hand));
  else if (!ruling.payments.length) box.append(make("p", "big", words.nobody_pays));
  const rows = make("div", "payments");
  if (ruling.payments.length > 3) box.classList.add("many");
  for (const payment of ruling.payments) {
    const row = make("div", "payment");
    row.dataset.cause = payment.cause;
    row.append(
      payment.card ? cardImage(payment.card, "") : make("span"),
      make("span", "payer", payment.player),
      make("span", payment.delta > 0 ? "delta up" : payment.delta < 0 ? "delta" : "delta none", signed(payment.delta)),
      make("span", "why", payment.text),
    );
    rows.append(row);
  }
  if (ruling.payments.length) box.append(rows);
  for (const note of ruling.notes) box.append(make("p", "note", note));
  return box;
}

function endOfGame(view) {
  const box = make("article", "won", make("p", "big", view.message));
  if (view.settlement.length) {
    const shares = make("dl", "shares");
    for (const share of view.settlement) shares.append(make("dt", "", share.name), make("dd", "", share.sum.text));
    box.append(shares);
  }
  return box;
}

function drawMiddle(view) {
  const middle = $("middle");
  const now = JSON.stringify(view.ruling);
  const standing = middle.dataset.drawn === now ? middle.querySelector(".ruling") : null; // a ruling that stands does not fall again
  const ruling = standing ?? (view.ruling ? rulingBox(view.ruling) : null);
  middle.dataset.drawn = now;
  const below = view.status === "won" ? endOfGame(view) : make("p", ruling ? "message below" : "message", view.message);
  if (standing) {
    while (standing.nextSibling) standing.nextSibling.remove();
    middle.append(below);
  } else middle.replaceChildren(...[ruling, below].filter(Boolean));
  fit(middle);
}

/** The ruling's letters as large as there is room for, and as many notes below it as leave them large. Only when even small letters
    have no room are long texts cut. */
function fit(middle) {
  const fits = (names) =>
    [...middle.children].reduce((sum, part) => sum + part.offsetHeight, 2 * unit()) <= middle.clientHeight &&
    [...middle.querySelectorAll(names)].every((name) => name.scrollWidth <= name.clientWidth);
  const notes = [...middle.querySelectorAll(".note")];
  middle.classList.remove("cut");
  for (let most = Math.min(2, notes.length); most >= 0; most--) {
    notes.forEach((note, i) => { note.hidden = i >= most; });
    for (let big = 9; big >= (most ? 6 : 3); big -= 0.5) {
      middle.style.setProperty("--big", `calc(${big} * var(--u))`);
      if (fits(big > 5 ? ".payer" : "none")) return;
    }
  }
  middle.classList.add("cut");
}

/** Long names in smaller letters, as far as they stay readable from four metres; then they are cut. */
function fitNames(list) {
  const least = 3;
  for (const name of list.querySelectorAll(".called")) {
    name.style.fontSize = "";
    for (let size = least + 2; name.scrollWidth > name.clientWidth && size >= least; size -= 0.25) {
      if (parseFloat(getComputedStyle(name).fontSize) / unit() > size) name.style.fontSize = `calc(${size} * var(--u))`;
    }
  }
}

/* ---- the whole page ---- */

function draw(view) {
  shown = view;
  $("hand").textContent = view.hand ? `${words.hand} ${view.hand}` : "";
  $("pot").textContent = view.pot.text;
  $("price").textContent = view.ricompera.price.text;
  $("open").textContent = view.ricompera.open ? words.open : words.shut;
  $("ricompera").className = view.ricompera.open ? "" : "shut";
  $("virgins").textContent = view.seats.filter((seat) => seat.virgin && seat.in_play).length;
  document.body.dataset.status = view.status;
  drawSeats(view);
  drawMiddle(view);
  const latest = view.happened.slice(-2);
  $("happened").replaceChildren(...latest.flatMap((text, i) => (i === latest.length - 1 ? [make("b", "", text)] : [make("span", "", text), make("i", "", "·")])));
  announce(view);
}

function announce(view) {
  const spoken = view.ruling ? view.ruling.payments.map((payment) => `${payment.player} ${signed(payment.delta)}: ${payment.text}`) : [];
  if (view.ruling && view.ruling.void) spoken.push(words.void_hand);
  if (view.status === "won" || view.status === "won_unless_reentry") spoken.push(view.message);
  if (view.ruling && !view.ruling.sure) spoken.unshift(words.unsure);
  const text = spoken.join(". ");
  if (text && text !== announced) $("announce").textContent = text;
  announced = text;
}

/* ---- the line to the server: server-sent events, which resume by id; a line that stays dead is opened anew ---- */

let stream = null;
let watchdog = 0;

function lost(isLost) {
  $("lost").hidden = !isLost;
  document.body.classList.toggle("stale", isLost);
}

function alive() {
  lost(false);
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { lost(true); connect(); }, page.patience_s * 1000);
}

function connect() {
  if (stream) stream.close();
  stream = new EventSource(page.stream);
  stream.addEventListener("view", (event) => { alive(); draw(JSON.parse(event.data)); });
  stream.addEventListener("beat", alive);
  stream.onerror = () => {
    lost(true);
    if (stream.readyState === EventSource.CLOSED) { clearTimeout(watchdog); watchdog = setTimeout(connect, 2000); }
  };
  clearTimeout(watchdog);
  watchdog = setTimeout(() => { lost(true); connect(); }, page.patience_s * 1000);
}

/* ---- the live picture ---- */

function follow(picture) {
  const again = () => setTimeout(() => { picture.src = `${picture.dataset.src}?t=${Date.now()}`; }, page.live_interval_s * 1000);
  picture.addEventListener("load", again);
  picture.addEventListener("error", () => { picture.removeAttribute("src"); setTimeout(() => again(), 2000); });
  picture.src = picture.dataset.src;
}

window.addEventListener("resize", () => { if (shown) draw(shown); });
if ($("live")) follow($("live"));
connect();
