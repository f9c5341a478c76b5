"use strict";
/* Lu Stù on the TV: pedine and virgins on the plates, and its sounds. Made of parts.js and sounds.js. */

own.has = (seat) => {
  const pedine = make("div", seat.virgin ? "pedine whole" : "pedine");
  pedine.setAttribute("role", "img");
  pedine.setAttribute("aria-label", `${words.pedine}: ${seat.pedine}`);
  if (seat.pedine > 3) pedine.append(make("span", "pedina"), make("b", "", `× ${seat.pedine}`));
  else {
    for (let i = 0; i < 3; i++) pedine.append(make("span", i < seat.pedine ? "pedina" : "pedina paid"));
  }
  return pedine;
};

own.beside = (seat) => (seat.virgin ? make("span", "virgin", words.virgin) : null);

/* The shot of a bbummata, the cat of a gnaffata, the owl when the Cucco is shown, a jump for the Salta, glasses for the Taverna. The
   overlay has no sounds. */

function shot(audio) {
  const at = audio.currentTime;
  const noise = audio.createBuffer(1, audio.sampleRate * 0.5, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const crack = audio.createBufferSource();
  crack.buffer = noise;
  crack.connect(envelope(audio, at, 0.9, 0.5));
  crack.start(at);
  tone(audio, "sine", at, 0.35, 0.9, [160, 40]);
}

function cat(audio) {
  const mouth = audio.createBiquadFilter(); // it opens and closes: mi-a-o
  mouth.type = "bandpass";
  mouth.Q.value = 4;
  const at = audio.currentTime;
  mouth.frequency.setValueAtTime(700, at);
  mouth.frequency.linearRampToValueAtTime(1900, at + 0.25);
  mouth.frequency.linearRampToValueAtTime(600, at + 0.8);
  tone(audio, "sawtooth", at, 0.8, 0.7, [420, 720, 640, 380], mouth);
}

function owl(audio) {
  const at = audio.currentTime;
  tone(audio, "sine", at, 0.3, 0.5, [390, 360]);
  tone(audio, "sine", at + 0.45, 0.7, 0.5, [400, 350]);
}

function jump(audio) {
  tone(audio, "triangle", audio.currentTime, 0.5, 0.6, [180, 520, 760, 420]);
}

function glasses(audio) {
  for (const [late, pitch] of [[0, 2100], [0.02, 3150], [0.16, 2350]]) tone(audio, "sine", audio.currentTime + late, 0.6, 0.35, [pitch]);
}

const OF_CARDS = { salta: jump, taverna: glasses, cucco: owl };

/** One sound, the loudest news first; with nothing `before`, the one that says that sounds are on. */
own.sound = (before, after, moments) => {
  if (!before) return owl;
  const causes = news(before, after).fresh.map((payment) => payment.cause);
  if (causes.includes("bbummata")) return shot;
  if (causes.includes("gnaffata")) return cat;
  const played = moments.find((one) => OF_CARDS[one.card]);
  if (played) return OF_CARDS[played.card];
  const up = (view, seat) => view.seats.some((one) => one.name === seat.name && one.card && one.card.face === "cucco");
  return after.hand === before.hand && after.seats.some((seat) => up(after, seat) && !up(before, seat)) ? owl : null;
};
