"use strict";
/* Stoper on the TV: stacks, bets and cards changed on the plates; in the middle the phase, what is in, and the pots with who
   can win each. Made of parts.js and sounds.js. */

own.chance = words.of_pot;
own.finest = 1; // they are counted exactly, not sampled

own.has = (seat) => {
  const has = make("div", "holds", make("span", "balance", seat.has));
  if (seat.changed !== null && (!seat.score || seat.changed_doubtful)) { // what is in doubt stands there, as on the phone
    const changed = seat.changed ? words.changed.replace("{n}", seat.changed) : words.served;
    has.append(make("span", `changed${seat.changed_doubtful ? " doubted" : ""}`, changed + (seat.changed_doubtful ? "?" : "")));
  }
  return has;
};

own.beside = (seat) => {
  if (seat.score || seat.passed) return betMark(seat);
  if (seat.aside) return make("span", "mark bet passed", seat.in_play ? words.aside : words.no_chips);
  const said = [seat.blind, seat.bet].filter(Boolean).join(" ");
  if (seat.all_in) return make("span", "mark bet all-in", said ? `${said} · ${words.all_in}` : words.all_in);
  return said ? make("span", "mark bet", said) : null;
};

own.middle = (view) => {
  const centre = view.centre;
  if (!centre) return null;
  const box = make("article", "centre", make("p", "kind fits", centre.title), make("p", "pot big", centre.pot));
  if (centre.parts.length) box.append(dotted("p", "parts fits", centre.parts));
  if (centre.pots.length) box.append(pots(centre.pots));
  if (centre.back) box.append(make("p", "parts fits", centre.back));
  return box;
};

/** Each pot with who can win it, and whose hand leads of those that were shown for it. */
function pots(all) {
  return make("table", "pots", ...all.map(({ name, sum, entitled, leads, score, sure }) => make(
    "tr", "", make("th", "", name), make("td", "sum", sum),
    make("td", "entitled fits", entitled, leads ? make("b", `leads${sure ? "" : " doubted"}`, ` · ${leads} ${score}${sure ? "" : "?"}`) : null),
  )));
}

own.frame = asItWas;

/* Coins when a pot is won. The overlay has no sounds. */
own.sound = (before, after) => {
  if (!before) return coins;
  return news(before, after).fresh.some((payment) => payment.delta > 0) ? coins : null;
};
