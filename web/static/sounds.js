"use strict";
/* Sounds made in the browser: the shot of a bbummata, the cat of a gnaffata, the owl when the Cucco is shown. Silent until somebody
   switches them on with the button or the key s; then the button is gone, and s switches them off again. */

let audio = null; // the browser allows one only after somebody has pressed something

/** A loudness that rises at once to `peak` and dies away over `seconds`. */
function envelope(at, peak, seconds) {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(peak, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}

/** A tone that glides through `pitches` (Hz) in `seconds`. */
function tone(type, at, seconds, peak, pitches, through = null) {
  const voice = audio.createOscillator();
  voice.type = type;
  pitches.forEach((pitch, i) => voice.frequency.linearRampToValueAtTime(pitch, at + (i * seconds) / (pitches.length - 1 || 1)));
  voice.frequency.setValueAtTime(pitches[0], at);
  const loud = envelope(at, peak, seconds);
  (through ? voice.connect(through) : voice).connect(loud);
  voice.start(at);
  voice.stop(at + seconds);
}

function shot() {
  const at = audio.currentTime;
  const noise = audio.createBuffer(1, audio.sampleRate * 0.5, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const crack = audio.createBufferSource();
  crack.buffer = noise;
  crack.connect(envelope(at, 0.9, 0.5));
  crack.start(at);
  tone("sine", at, 0.35, 0.9, [160, 40]);
}

function cat() {
  const mouth = audio.createBiquadFilter(); // it opens and closes: mi-a-o
  mouth.type = "bandpass";
  mouth.Q.value = 4;
  const at = audio.currentTime;
  mouth.frequency.setValueAtTime(700, at);
  mouth.frequency.linearRampToValueAtTime(1900, at + 0.25);
  mouth.frequency.linearRampToValueAtTime(600, at + 0.8);
  tone("sawtooth", at, 0.8, 0.7, [420, 720, 640, 380], mouth);
}

function owl() {
  const at = audio.currentTime;
  tone("sine", at, 0.3, 0.5, [390, 360]);
  tone("sine", at + 0.45, 0.7, 0.5, [400, 350]);
}

/** What a view sounds like after another: one sound, the loudest news first. */
function soundOf(before, after) {
  if (!before) return null;
  const causes = news(before, after).fresh.map((payment) => payment.cause);
  if (causes.includes("bbummata")) return shot;
  if (causes.includes("gnaffata")) return cat;
  const up = (view, seat) => view.seats.find((one) => one.name === seat.name)?.card?.face === "cucco";
  return after.hand === before.hand && after.seats.some((seat) => up(after, seat) && !up(before, seat)) ? owl : null;
}

function sound(before, after) {
  const what = audio ? soundOf(before, after) : null;
  document.body.dataset.sound = what ? what.name : "";
  if (what) what();
}

function switchSounds() {
  if (audio) { audio.close(); audio = null; } else { audio = new AudioContext(); owl(); }
  $("sounds").hidden = audio !== null;
}

$("sounds").addEventListener("click", switchSounds);
document.addEventListener("keydown", (event) => {
  if (event.key === "s" && !event.ctrlKey && !event.metaKey && !event.altKey) switchSounds();
});
