"use strict";
/* Stoppa on the TV: balances, bets and cards left on the plates; in the middle the pot, or the sequence and what it wants. Made
   of parts.js and sounds.js. */

own.has = (seat) => {
  const has = make("div", "holds", make("span", "balance", seat.has));
  if (seat.held) {
    const held = make("span", "held", make("i", "backs"), make("b", "", String(seat.held)));
    held.setAttribute("role", "img");
    held.setAttribute("aria-label", words.held.replace("{n}", seat.held));
    has.append(held);
  }
  return has;
};

own.beside = betMark;

own.middle = (view) => {
  const centre = view.centre;
  if (!centre) return null;
  const box = make("article", "centre", make("p", "kind fits", centre.title));
  if (centre.wants) box.append(sequence(centre), make("p", "wants big", centre.wants), numbers(centre.numbers));
  else if (centre.pot) box.append(make("p", "pot big", centre.pot), dotted("p", "parts fits", centre.parts));
  if (centre.won.length) box.append(won(centre.won));
  return box;
};

/** The last cards of the sequence, each over the one before it, the newest whole; with the player who put it down. Cards that
    are not sure have a question mark. */
function sequence(centre) {
  const pile = fan(centre.pile.map(({ card }) => card)) || make("div", "fan empty");
  centre.pile.forEach(({ sure }, at) => {
    if (!sure) pile.children[at].classList.add("doubted");
  });
  const last = centre.pile.at(-1);
  const row = make("div", "sequence", pile);
  if (last) row.append(make("p", "by fits", `${last.by}${last.sure ? "" : "?"}`));
  return row;
}

/** How many cards of each number are still in the hands; the wanted one stands out, and one that is out is struck through. */
function numbers(all) {
  return make("ol", "numbers", ...all.map((one) => {
    const item = make("li", one.wanted ? "wanted" : one.left ? "" : "gone", make("b", "", one.text), dots(one.left));
    const said = one.left ? words.left_of.replace("{left}", one.left) : words.gone;
    item.setAttribute("aria-label", said.replace("{number}", one.text));
    return item;
  }));
}

const dots = (count) => make("span", "dots", ...Array.from({ length: count }, () => make("i")));

/** Who has won which punto of this hand, and with how much where they had to show. */
function won(punti) {
  return make("ul", "won-punti", ...punti.map(({ punto, winner, sum, score, sure }) => {
    return make("li", sure ? "fits" : "fits doubted", `${punto}: `, make("b", "", `${winner}${sure ? "" : "?"}`), ` ${sum}`, score ? ` (${score})` : null);
  }));
}

own.frame = asItWas;

/* Coins when a punto is won, a knock on the table and three rising notes when somebody stops. The overlay has no sounds. */

function stop(audio) {
  const at = audio.currentTime;
  tone(audio, "sine", at, 0.2, 0.9, [120, 60]);
  [392, 494, 587].forEach((pitch, i) => tone(audio, "triangle", at + 0.2 + i * 0.14, 0.35, 0.5, [pitch]));
}

own.sound = (before, after) => {
  if (!before) return coins;
  const causes = news(before, after).fresh.map((payment) => payment.cause);
  if (causes.includes("stoppata") || causes.includes("misera") || causes.includes("four_kings")) return stop;
  return causes.length ? coins : null;
};
