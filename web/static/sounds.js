"use strict";
/* Sounds made in the browser; which, the game's own script says (`own.sound`). Silent until somebody switches them on with the button
   or the key s; the same switches them off again. A game without sounds has no button. */

let audio = null; // the browser allows one only after somebody has pressed something

/** What plays. Where a call or the device's sleep has interrupted it, it goes on by itself; without that it would be silent for good. */
function newAudio() {
  const made = new (window.AudioContext || window.webkitAudioContext)();
  const goOn = () => { if (!document.hidden && made.state !== "running" && made.state !== "closed") made.resume().catch(() => {}); };
  made.addEventListener("statechange", () => { if (made.state === "interrupted") goOn(); });
  document.addEventListener("visibilitychange", goOn);
  window.addEventListener("pageshow", goOn);
  return made;
}

/** A loudness that rises at once to `peak` and dies away over `seconds`. */
function envelope(audio, at, peak, seconds) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}

/** A tone that glides through `pitches` (Hz) in `seconds`. */
function tone(audio, type, at, seconds, peak, pitches, through = null) {
  const voice = audio.createOscillator();
  voice.type = type;
  pitches.forEach((pitch, i) => voice.frequency.linearRampToValueAtTime(pitch, at + (i * seconds) / (pitches.length - 1 || 1)));
  voice.frequency.setValueAtTime(pitches[0], at);
  const loud = envelope(audio, at, peak, seconds);
  (through ? voice.connect(through) : voice).connect(loud);
  voice.start(at);
  voice.stop(at + seconds);
}

/** What a sum sounds like that somebody takes. */
function coins(audio) {
  for (const [late, pitch] of [[0, 2300], [0.09, 2900], [0.2, 2500]]) tone(audio, "triangle", audio.currentTime + late, 0.25, 0.3, [pitch, pitch * 1.02]);
}

/** A bell, twice: a hall's table calls the referee. */
function ring(audio) {
  for (const late of [0, 0.35]) tone(audio, "sine", audio.currentTime + late, 0.6, 0.5, [880, 878]);
}

function sound(before, after, moments) {
  const what = audio && own.sound && before ? own.sound(before, after, moments) : null;
  document.body.dataset.sound = what ? what.name : "";
  if (what) what(audio);
}

function switchSounds() {
  if (audio) { audio.close(); audio = null; } else { audio = newAudio(); own.sound(null, null)(audio); }
  $("sounds").textContent = audio ? $("sounds").dataset.off : $("sounds").dataset.on;
}

/** Once the game's own script has said whether there are any. */
function offerSounds() {
  if (!own.sound) return;
  $("sounds").hidden = false;
  $("sounds").addEventListener("click", switchSounds);
  document.addEventListener("keydown", (event) => {
    if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) switchSounds();
  });
}
