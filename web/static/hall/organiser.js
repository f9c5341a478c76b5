// The organisers' page of a hall: every open question of every table, and how each table is.

const page = JSON.parse(document.getElementById("page").textContent);
const say = page.strings;
const $ = (id) => document.getElementById(id);
const ASK_MS = 1000;
let drawn = ""; // what is shown, as JSON: buttons stay as they are under a finger while nothing changes
let failed = 0;

function el(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

function button(label, press) {
  const made = el("button", "", label);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

async function ask(url, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json", "X-CSRF-Token": page.csrf }, body: JSON.stringify(body),
  };
  const answer = await fetch(url, options);
  if (answer.status === 401) location.reload();
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message || say.failed);
  return told;
}

async function send(url, body) {
  try {
    draw(await ask(url, body));
  } catch (error) {
    $("outcomes").replaceChildren(el("p", "no", error instanceof TypeError ? say.failed : error.message));
  }
}

const token = () => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("").padEnd(8, "0");

function question(one) {
  const title = `${say.table.replace("{name}", () => one.name)} · ${say.hand.replace("{n}", one.n)}`;
  const box = el("article", one.sent ? "ask sent" : "ask", el("b", "", title), el("p", "", one.text));
  if (one.sent) {
    box.append(el("p", "soft", say.sent));
    return box;
  }
  const tap = token();
  const press = (choice) => () => {
    for (const other of box.querySelectorAll("button")) other.disabled = true;
    send(page.answer, { table: one.table, question: one.id, choice, tap });
  };
  box.append(el("div", "choices", ...one.choices.map((choice) => button(choice.text, press(choice.id)))));
  return box;
}

function call(one) {
  const done = button(say.dealt, () => { done.disabled = true; send(page.dealt, { table: one.table, call: one.call }); });
  return el("article", "ask call", el("b", "", one.text), done);
}

/* A new call sounds where the phone was told so: browsers let a page sound only after a tap, so each page begins silent. */
let bell = null;
let rung = null; // the calls that stood there before: they are nothing new

function listen(calls) {
  const fresh = rung !== null && calls.some((one) => !rung.has(one.call));
  rung = new Set(calls.map((one) => one.call));
  if (fresh && bell) {
    document.body.dataset.rung = Number(document.body.dataset.rung || 0) + 1;
    ring(bell);
  }
}

function switchBell() {
  if (bell) { bell.close(); bell = null; } else { bell = newAudio(); ring(bell); }
  sayBell();
}

function sayBell() {
  $("sound").textContent = bell ? say.sound_off : say.sound_on;
  $("sound").setAttribute("aria-pressed", String(Boolean(bell)));
  $("sound").hidden = false;
}

function phone(one) {
  const role = one.referee ? say.referee : say.organiser;
  const box = el("li", "", el("p", "", `${one.name} · ${one.own ? `${role}, ${say.own}` : role}`));
  if (!one.own) box.append(button(one.referee ? say.to_organiser : say.to_referee, () => send(page.role, { phone: one.id, referee: !one.referee })));
  return box;
}

function table(one, mayChange) {
  const link = el("a", "", say.table.replace("{name}", () => one.name));
  link.href = page.table.replace("/0", `/${one.id}`);
  const box = el("li", one.state, el("p", "", link, ` · ${say[one.state]}`));
  for (const text of [one.silent, ...one.notes]) if (text) box.append(el("p", "soft", text));
  if (!mayChange) return box;
  const remove = button(say.withdraw, () => { if (confirm(say.really)) send(page.withdraw, { table: one.id }); });
  box.append(remove);
  for (const other of one.branches) {
    const line = el("div", "branch", el("span", "", other.shown ? `${other.text} · ${say.shown}` : other.text));
    if (!other.shown || one.notes.length) line.append(button(say.show, () => send(page.branch, { table: one.id, game: other.game })));
    box.append(line);
  }
  return box;
}

function draw(view) {
  const now = JSON.stringify(view);
  if (now === drawn) return;
  drawn = now;
  if (view.referee !== !$("people")) location.reload(); // it was made the other
  listen(view.calls);
  $("outcomes").replaceChildren(...view.outcomes.slice(0, 3).map((one) => el("p", one.ok ? "yes" : "no", one.text)));
  $("calls").replaceChildren(...view.calls.map(call));
  $("questions").replaceChildren(...(view.questions.length ? view.questions.map(question) : [el("p", "soft", say.none)]));
  $("tables").replaceChildren(...(view.tables.length ? view.tables.map((one) => table(one, !view.referee)) : [el("li", "", say.no_table)]));
  if (view.referee) return;
  $("people").replaceChildren(...view.phones.map(phone));
  $("code").textContent = view.code;
  const command = page.joins.replace("{address}", view.address).replace("{code}", view.code);
  if ($("command").textContent !== command) $("qr").src = `${page.code}?${encodeURIComponent(view.code)}`; // another code by now
  $("command").textContent = command;
}

async function look() {
  try {
    if (!document.hidden) draw(await ask(page.api));
    failed = 0;
  } catch {
    failed += 1;
  }
  $("lost").hidden = failed < 2;
  setTimeout(look, ASK_MS);
}

$("sound").addEventListener("click", switchBell);
sayBell();
look();
