"use strict";
/* The voice: an organiser switches it on; the server makes the sound of each sentence, and this page plays what is new, one after the
   other. A browser that plays nothing before somebody has touched the page gets a button. */

let called = null; // keys of what can be said of the view on the screen; null: what stood there before is not said
let saying = Promise.resolve();
let asked = 0;

/** A new view has come, or the voice was switched on. */
async function callOut() {
  if (!page.shows.voice) { called = null; return; }
  const mine = ++asked;
  const answer = await fetch(page.calls).catch(() => null);
  const told = answer?.ok ? await answer.json() : null;
  if (!told || mine !== asked) return; // something newer is asked for already
  const fresh = called === null ? [] : told.calls.filter((call) => !called.includes(call.key));
  called = told.calls.map((call) => call.key);
  for (const call of fresh) saying = saying.then(() => play(call));
}

function play(call) {
  const sound = new Audio(page.calls.replace(/\/calls.*/, `/calls/${call.key}.wav`));
  document.body.dataset.said = call.text;
  return new Promise((done) => {
    sound.addEventListener("ended", done);
    sound.addEventListener("error", done);
    setTimeout(done, 15000); // a sound that neither ends nor fails holds up nobody
    sound.play().then(() => { $("voice").hidden = true; }, (error) => { if (error.name === "NotAllowedError") $("voice").hidden = false; done(); });
  });
}

/** Whether this browser would play anything: if not, somebody must press the button once. */
async function voiceSwitched(was) {
  if (page.shows.voice === was) return;
  called = null;
  if (page.shows.voice) {
    const probe = new AudioContext();
    await new Promise((done) => setTimeout(done, 300));
    $("voice").hidden = probe.state === "running" || !page.shows.voice;
    probe.close();
  } else $("voice").hidden = true;
  callOut();
}

$("voice").addEventListener("click", () => { $("voice").hidden = true; });
voiceSwitched(undefined);
