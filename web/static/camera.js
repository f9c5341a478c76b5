"use strict";
/* The phone's camera: a picture is made when it can be sent, and never waits. At most two are on their way, so that one is taken
   while the other travels; what a slow network cannot carry is not made. Large pictures are tried first, and kept where enough of
   them arrive; then their size stays, as the table's corners are told in one size. */

const PER_SECOND = 15;
const ON_THE_WAY = 2;
const LARGE = 1920; // pixels of the longer side
const USUAL = 1280; // where the network does not carry the large ones
const TRIAL_MS = 4000;
const ENOUGH_PER_SECOND = 8;
const SIDE_MS = 24 * 3600 * 1000; // the choice counts for a day, also after the page was loaded again
const QUALITY = 0.85;
const GIVE_UP_MS = 5000;
const SLOWEST_MS = 2000; // between two tries while the program does not answer
const IDLE_MS = 2000; // between two tries while another camera is chosen
const LOW_BATTERY = 0.3;

const video = document.getElementById("preview");
const canvas = document.createElement("canvas");
const pen = canvas.getContext("2d", { alpha: false });
const element = (id) => document.getElementById(id);
const digits = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const kept = { // private windows may keep nothing: then the code counts until the page is closed
  values: {},
  get(key) { try { return localStorage.getItem(key) ?? this.values[key] ?? null; } catch { return this.values[key] ?? null; } },
  set(key, value) { this.values[key] = value; try { localStorage.setItem(key, value); } catch { /* see above */ } },
};

const PAGE = digits(8);
let state = "start";
let stream = null;
let onTheWay = 0;
let due = 0;
let failures = 0;
let opening = 0; // counts: a camera that opens after somebody has stopped it, or asked for it again, is closed
let sentAt = [];
let wasLying = false;
let trial = null; // of large pictures: when its first one had arrived, ms, and how many have since

function be(now) {
  state = now;
  document.body.dataset.state = now;
  for (const one of document.querySelectorAll("[data-is]")) one.hidden = !one.dataset.is.split(" ").includes(now);
  if (now !== "send") {
    dim(false);
    trial = null;
  }
}

function dim(on) {
  element("dark").hidden = !on;
}

const when = (ms) => ({ "X-Page": PAGE, "X-Taken": ms.toFixed(2) });
const filming = () => ["send", "offline", "unwanted"].includes(state);

/* AbortSignal.timeout, which old phones do not have. */
function givenUp() {
  const control = new AbortController();
  setTimeout(() => control.abort(), GIVE_UP_MS);
  return control.signal;
}

function post(path, body, more = {}) {
  return fetch(path, { method: "POST", body, cache: "no-store", signal: givenUp(), ...more,
    headers: { Authorization: `Bearer ${kept.get("token")}`, ...more.headers } });
}

/* The code is in the fragment once; the token that it brings is kept, for when the page is loaded again. */
async function enter() {
  const code = location.hash.slice(1);
  if (!kept.get("phone")) kept.set("phone", digits(16));
  if (code) {
    const answer = await post("/join", JSON.stringify({ code, phone: kept.get("phone") }), { headers: { "Content-Type": "application/json" } });
    if (answer.ok) kept.set("token", (await answer.json()).token);
    else if (answer.status !== 401) throw new Error(`${answer.status}`);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return kept.get("token") !== null;
}

async function begin() {
  be("start");
  for (;;) {
    try {
      if (!await enter()) return be("code");
      break;
    } catch {
      be("offline");
      await new Promise((done) => setTimeout(done, SLOWEST_MS));
    }
  }
  await film();
}

/** Open the rear camera and show it. */
async function film() {
  if (!navigator.mediaDevices) return be("cannot");
  be("ask");
  release();
  const mine = opening;
  const side = chosenSide() ?? LARGE;
  try {
    const opened = await navigator.mediaDevices.getUserMedia({ audio: false, video: {
      facingMode: { ideal: "environment" }, width: { ideal: side }, height: { ideal: Math.round(side * 9 / 16) }, frameRate: { ideal: 30 } } });
    if (mine !== opening) {
      opened.getTracks().forEach((track) => track.stop());
      return undefined;
    }
    stream = opened;
    opened.getVideoTracks()[0].onended = () => { if (stream === opened && filming() && !document.hidden) film(); };
    video.srcObject = stream;
    await video.play();
  } catch (error) {
    if (mine !== opening) return undefined;
    release();
    return be(error.name === "NotAllowedError" ? "denied" : "cannot");
  }
  if (mine !== opening) return undefined;
  failures = 0;
  due = 0;
  be("send");
  return awake();
}

function release() {
  opening++;
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  video.srcObject = null;
}

/* Every new picture of the camera calls this, or a clock where the browser does not say when there is one. */
function next() {
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback((now, about) => { next(); pictured(about.captureTime); });
  else setTimeout(() => { next(); pictured(); }, 1000 / PER_SECOND);
}

function pictured(capturedAt) {
  const now = performance.now();
  if (!filming() || !stream || document.hidden || onTheWay >= ON_THE_WAY || now < due - 8 || !video.videoWidth) return;
  due = Math.max(due + 1000 / PER_SECOND, now);
  send(Math.min(capturedAt ?? now, now));
}

async function send(taken) {
  onTheWay++;
  let wait = 0;
  try {
    const answer = await post("/picture", await jpeg(), { headers: { "Content-Type": "image/jpeg", ...when(taken) } });
    if (![200, 401, 409, 429].includes(answer.status)) throw new Error(`${answer.status}`);
    wait = answered(answer.status, (await answer.json()).said);
    failures = 0;
  } catch {
    failures++;
    if (filming()) be("offline");
    wait = Math.min(SLOWEST_MS, 250 * 2 ** failures);
  } finally {
    onTheWay--;
  }
  due = Math.max(due, performance.now() + wait);
}

/** What the program said to a picture; returns how long to wait before the next, in ms. */
function answered(status, said) {
  if (!filming()) return 0;
  if (status === 401) { release(); be("code"); }
  else if (status === 409) { release(); be("other"); }
  else if (said === "unwanted") { be("unwanted"); return IDLE_MS; }
  else if (status === 200) {
    sentAt.push(performance.now());
    tryLarge(performance.now());
    if (state !== "send") be("send");
  }
  return 0;
}

/** The longer side on which this phone and this network have settled, in pixels; null before they have. */
function chosenSide() {
  const [side, at] = (kept.get("side") ?? "").split(" ").map(Number);
  return Date.now() - at < SIDE_MS && [LARGE, USUAL].includes(side) ? side : null;
}

/** A picture has arrived: once large ones have been sent for a while, settle on the size that the network carries. */
function tryLarge(now) {
  if (chosenSide() !== null || Math.max(canvas.width, canvas.height) <= USUAL) return;
  trial ??= { since: now, arrived: -1 };
  trial.arrived++;
  const ms = now - trial.since;
  if (ms >= TRIAL_MS) kept.set("side", `${trial.arrived * 1000 >= ENOUGH_PER_SECOND * ms ? LARGE : USUAL} ${Date.now()}`);
}

async function jpeg() {
  const scale = Math.min(1, (chosenSide() ?? LARGE) / Math.max(video.videoWidth, video.videoHeight));
  const width = Math.round(video.videoWidth * scale);
  const height = Math.round(video.videoHeight * scale);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  pen.drawImage(video, 0, 0, width, height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => blob ? done(blob) : failed(new Error("no picture")), "image/jpeg", QUALITY);
  });
}

/* The screen stays on; where the browser cannot do that, the page says what the phone's settings can. */
let lock = null;
async function awake() {
  if (lock && !lock.released) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    element("asleep").hidden = true;
  } catch {
    element("asleep").hidden = document.hidden || !filming();
  }
}

function away() {
  if (kept.get("token")) post("/away", null, { keepalive: true, headers: when(performance.now()) }).catch(() => {});
}

function stopped() {
  be("stop");
  release();
  lock?.release().catch(() => {});
  lock = null;
  away();
}

document.addEventListener("visibilitychange", () => {
  trial = null;
  if (document.hidden) {
    if (filming()) away();
    return;
  }
  due = 0;
  if (!filming()) return;
  awake();
  if (stream?.getVideoTracks()[0]?.readyState === "live") video.play().catch(() => film());
  else film();
});
addEventListener("pagehide", () => { if (filming()) away(); });
addEventListener("hashchange", begin); // the page was open already when a new code was scanned
document.addEventListener("pointerdown", () => { if (filming()) awake(); }); // some phones want a finger first

element("take").addEventListener("click", async () => {
  try {
    await post("/take", null);
    await film();
  } catch {
    be("offline");
  }
});
element("again").addEventListener("click", () => { kept.get("token") ? film() : begin(); });
element("stop").addEventListener("click", stopped);
element("dim").addEventListener("click", () => dim(true));
element("dark").addEventListener("click", () => dim(false));

setInterval(() => {
  const since = performance.now() - 2000;
  sentAt = sentAt.filter((at) => at > since);
  element("rate").textContent = Math.round(sentAt.length / 2);
  if (sentAt.length) element("size").textContent = `· ${canvas.width} × ${canvas.height}`;
  const upright = stream !== null && video.videoHeight > video.videoWidth;
  wasLying ||= stream !== null && video.videoWidth > video.videoHeight;
  element("upright").hidden = !upright || wasLying;
  element("turned").hidden = !upright || !wasLying;
}, 1000);

async function watchBattery() {
  const battery = await navigator.getBattery?.();
  const look = () => { element("battery").hidden = battery.charging || battery.level >= LOW_BATTERY; };
  if (!battery) return;
  battery.addEventListener("levelchange", look);
  battery.addEventListener("chargingchange", look);
  look();
}

watchBattery().catch(() => {});
next();
begin();
