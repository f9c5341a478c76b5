"use strict";
/* The voice: an organiser switches it on; the server makes the sound of each sentence, and this page plays what is new, one after the
   other. A browser that plays nothing before somebody has touched the page gets a button. */

let called = null; // keys of what can be said of the view on the screen; null: what stood there before is not said
let saying = Promise.resolve();
let asked = 0;
let speaker = null; // one for all sentences: a browser lets speak what somebody has touched the page for, and nothing that is made later
const LONGEST_MS = 15000; // a sound that neither ends nor fails holds up nobody
const WAKES_MS = 1000; // in which what was interrupted, by a call or a pause of the device, must go on

/** A new view has come, or the voice was switched on. */
async function callOut() {
  if (!page.shows.voice) { called = null; return; }
  const mine = ++asked;
  const answer = await fetch(page.calls).catch(() => null);
  const told = answer && answer.ok ? await answer.json() : null;
  if (!told || mine !== asked) return; // something newer is asked for already
  const fresh = called === null ? [] : told.calls.filter((call) => !called.includes(call.key));
  called = told.calls.map((call) => call.key);
  for (const call of fresh) saying = saying.then(() => play(call)).catch(() => {}); // one that fails holds up nobody either
}

async function play(call) {
  if (!speaker || discreet(call.text) !== call.text) return; // nobody is to hear of money that nobody is to see
  document.body.dataset.said = call.text;
  $("voice").hidden = await speaks();
  if (!$("voice").hidden) return;
  const answer = await fetch(page.calls.replace(/\/calls.*/, `/calls/${call.key}.wav`));
  if (!answer.ok) return;
  const sound = speaker.createBufferSource();
  sound.buffer = await decodedSound(await answer.arrayBuffer());
  sound.connect(speaker.destination);
  await new Promise((done) => { sound.onended = done; setTimeout(done, LONGEST_MS); sound.start(); });
}

/** As older Safaris have it, too. */
const decodedSound = (bytes) => new Promise((done, failed) => {
  const promised = speaker.decodeAudioData(bytes, done, failed);
  if (promised) promised.then(done, failed);
});

/** Whether this browser plays anything now: if not, somebody must press the button once. */
async function speaks() {
  if (speaker.state !== "running") {
    speaker.resume().catch(() => {});
    await new Promise((done) => { speaker.addEventListener("statechange", done, { once: true }); setTimeout(done, WAKES_MS); });
  }
  return speaker.state === "running";
}

async function voiceSwitched(was) {
  if (page.shows.voice === was) return;
  called = null;
  if (page.shows.voice) {
    speaker = speaker || newAudio();
    const may = await speaks();
    $("voice").hidden = may || !page.shows.voice;
  } else $("voice").hidden = true;
  callOut();
}

/** Somebody has touched the page: from now on it may speak, for as long as it is open. */
function touched() {
  if (!speaker || speaker.state === "running") return;
  speaker.resume().then(() => { $("voice").hidden = true; }, () => {});
}

document.addEventListener("click", touched);
document.addEventListener("keydown", touched);
voiceSwitched(undefined);
