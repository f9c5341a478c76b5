"use strict";
/* VAR: the seconds of video that decided a ruling, over the whole screen for as long as they last, then the verdict with the places
   that decided, large. An organiser asks for it on the phone; Escape, the phone, and whatever changes the ruling end it. The pictures
   come one by one, covered by the server. */

let film = null; // what is being shown: { stopped }
let filmed = (page.shows.var && page.shows.var.played) || 0; // videos that were asked for so far: a page that comes later does not play them

/** An organiser asks for video, or for no more of it. */
function varShown(wish) {
  if (!wish) stopVar();
  else if (wish.played > filmed) { filmed = wish.played; playVar(wish); }
}

/** A new view has come: the video ends where it would hide a ruling that was not there when it began. */
function varAfter(before, view) {
  const told = ({ hand, winner, ruling }) => JSON.stringify([hand, winner, ruling && [ruling.hand, ruling.sure, ruling.payments]]);
  if (film && (!before || told(before) !== told(view))) stopVar();
}

function stopVar() {
  if (!film) return;
  film.stopped = true;
  film = null;
  $("var").hidden = true;
  $("var").replaceChildren();
  $("var").className = "";
  delete document.body.dataset.var;
}

async function playVar(wish) {
  stopVar();
  stopMoviola();
  const own = film = { stopped: false };
  const base = page.var.replace(/0$/, wish.hand);
  const answer = await fetch(`${base}?lang=${document.documentElement.lang}`).catch(() => null);
  const told = answer && answer.ok ? await answer.json() : null;
  if (!told || own.stopped) { if (film === own) stopVar(); return; }
  const pace = wish.slow ? 0.5 : 1;
  const stills = told.cuts.flatMap((cut, index) => cut.stills.map((still) => ({ ...still, cut: index })));
  const loaded = load(stills, base, own);
  await Promise.race([loaded.ahead, new Promise((done) => setTimeout(done, 3000))]);
  if (!own.stopped) run(discreet(told), stills, pace, wish.slow, own, zoomed(told.verdict, base));
}

/** The places that decided, each as its part of a picture. */
const zoomed = (verdict, base) => (verdict ? verdict.zooms : []).map((zoom) => {
  const image = new Image();
  image.alt = "";
  image.src = `${base}/${zoom.id}.jpg?place=${zoom.place}`;
  image.onerror = () => image.remove(); // its picture is gone meanwhile
  return image;
});

/** The last seconds: what the video has shown of the ruling. */
function verdict(told, zooms, own) {
  const said = { confirmed: words.verdict_confirmed, corrected: words.verdict_corrected, unseen: words.verdict_unseen };
  $("var").querySelector(".shown").replaceChildren(...zooms);
  $("var").classList.add("ended", told.verdict);
  $("var").querySelector("figcaption p").replaceChildren(make("strong", "verdict", said[told.verdict]), ...told.says.map((one) => make("span", "besides", one)));
  setTimeout(() => { if (film === own) stopVar(); }, told.seconds * 1000);
}

/** Until a picture can be shown without a pause; fails where there is none. */
const decoded = (image) => (image.decode ? image.decode() : new Promise((done, failed) => { image.onload = done; image.onerror = failed; }));

/** Fetches the pictures in their order, a few at a time. `ahead`: enough of them are there to begin. */
function load(stills, base, own) {
  let next = 0, enough;
  const ahead = new Promise((done) => { enough = done; });
  const worker = async () => {
    while (next < stills.length && !own.stopped) {
      const still = stills[next++];
      const image = new Image();
      image.alt = "";
      image.src = `${base}/${still.id}.jpg`;
      await decoded(image).then(() => { still.image = image; }, () => {}); // one that is gone meanwhile is left out
      if (next >= Math.min(10, stills.length)) enough();
    }
    enough();
  };
  for (let i = 0; i < 3; i++) worker();
  return { ahead };
}

function run(told, stills, pace, slow, own, zooms) {
  const picture = make("div", "shown");
  const title = make("b", "", "");
  const says = make("span", "says");
  const doubt = told.sure ? null : make("span", "doubt", words.unsure);
  const line = make("progress");
  line.max = told.seconds;
  line.setAttribute("aria-label", words.var);
  $("var").replaceChildren(picture, make("figcaption", "", make("p", "", title, says, doubt), line));
  $("var").hidden = false;
  document.body.dataset.var = String(told.hand);
  const begins = told.cuts.map((_, i) => told.cuts.slice(0, i).reduce((sum, cut) => sum + cut.seconds, 0));
  const begun = performance.now();
  const frame = () => {
    if (own.stopped) return;
    const at = ((performance.now() - begun) / 1000) * pace;
    if (at >= told.seconds) {
      line.value = told.seconds;
      if (told.verdict) verdict(told.verdict, zooms, own);
      else stopVar();
      return;
    }
    const index = begins.findLastIndex((begin) => begin <= at);
    const cut = told.cuts[index];
    const still = stills.findLast((one) => one.image && one.cut === index && begins[index] + one.t <= at);
    if (still && picture.firstChild !== still.image) picture.replaceChildren(still.image);
    const parts = told.cuts.length > 1 ? ` · ${index + 1}/${told.cuts.length}` : "";
    const name = `${words.var}${slow ? ` ${words.slow}` : ""} · ${words.hand} ${told.n}${parts}`;
    if (title.textContent !== name) { title.textContent = name; says.textContent = cut.says.join(" · "); }
    line.value = at;
    requestAnimationFrame(frame);
  };
  frame();
}

document.addEventListener("keydown", (event) => { if (event.key === "Escape") stopVar(); });
