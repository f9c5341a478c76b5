// Video on the phone: what the TV shows of a hand, and the moment that a question asks about, again and again.
import { button, el, get, page, post, say } from "./organiser-dom.js";

let ends = 0; // when the video that this phone knows of is over, by its own clock
let known = 0;
let looping = 0;

/** Buttons under *On the TV*: the video of the hand that is shown on the phone. */
export function varChips(view, hand, show, toast) {
  if (!page.var) return [];
  const now = view.shows.var;
  if (now && now.played !== known) {
    known = now.played;
    ends = performance.now() + now.seconds * (now.slow ? 2000 : 1000) + now.still * 1000;
  }
  const asked = async (wish) => {
    try {
      const next = await post("/var", wish);
      show(next);
      if (wish.hand !== null) toast(say.var_plays.replace("{seconds}", Math.round(next.shows.var.seconds * (wish.slow ? 2 : 1))));
    } catch (error) {
      toast(error.message);
    }
  };
  const chip = (key, label, wish) => button(label, () => asked(wish), "button.chip", { "data-key": key });
  if (now && performance.now() < ends) {
    const stop = chip("var-stop", `■ ${say.var_stop}`, { hand: null });
    setTimeout(() => stop.remove(), ends - performance.now());
    return [stop, ...begin(hand, chip)];
  }
  return begin(hand, chip);
}

const begin = (hand, chip) => hand?.n && hand.filmed ? [
  chip("var", `▶ ${say.var.replace("{n}", hand.n)}`, { hand: hand.id }),
  chip("var-slow", `▶ ${say.var_slow}`, { hand: hand.id, slow: true }),
] : [];

/** The picture of a question, and as soon as there is video of the moment, that in its place; a tap changes from one to the other. */
export function moment(asked, picture) {
  clearInterval(looping);
  if (!asked.picture || !picture || !page.var) return picture;
  const box = el("div.moments", {}, picture);
  film(asked, picture, box).catch(() => {}); // the picture stays
  return box;
}

async function film(asked, picture, box) {
  const question = `question=${encodeURIComponent(asked.id)}`;
  const stills = await get(`/moment?${question}`);
  if (stills.length < 2) return;
  const images = await Promise.all(stills.map(async (still) => {
    const image = new Image();
    image.src = `${page.api}/moment/${still.id}.jpg?${question}`;
    await image.decode();
    return image;
  }));
  const shown = el("img.moment", { src: images[0].src, alt: say.moment });
  const swap = button("", () => {
    picture.hidden = !picture.hidden;
    shown.hidden = !picture.hidden;
    swap.textContent = picture.hidden ? say.moment_still : `▶ ${say.moment}`;
  }, "button.chip.swap");
  box.append(shown, swap);
  picture.hidden = false;
  swap.click();
  const seconds = stills.at(-1).t + 1; // the last one stays a second
  const begun = performance.now();
  clearInterval(looping);
  looping = setInterval(() => {
    if (!box.isConnected) { clearInterval(looping); return; }
    const at = ((performance.now() - begun) / 1000) % seconds;
    const index = Math.max(0, stills.findLastIndex((still) => still.t <= at));
    if (shown.src !== images[index].src) shown.src = images[index].src;
  }, 60);
}
