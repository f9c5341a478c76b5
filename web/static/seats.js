"use strict";
/* Where everybody sits: the first player in the middle of the near side, the others anticlockwise as seen from above, or clockwise.
   Lengths are in units of one hundredth of the screen's height (of a 16:9 screen); (0, 0) is the table's middle, y down. */

const SEAT_SIZES = [ // up to so many players: the plate's width and height, the card's height
  { players: 4, width: 36, height: 14, card: 17.5, size: "large" },
  { players: 8, width: 30, height: 13, card: 15.5, size: "large" },
  { players: 12, width: 27, height: 12, card: 14.5, size: "medium" },
  { players: 16, width: 19, height: 12.6, card: 13.5, size: "small" },
  { players: 20, width: 16, height: 12, card: 12, size: "small" },
  { players: 28, width: 14, height: 11, card: 9, size: "tiny" },
  { players: Infinity, width: 9, height: 10.5, card: 7, size: "tiny" },
];
const LABEL = 4; // height of the card's name beside it
const CARD_SHAPE = 0.56; // width of a card for a height of 1
const GAP = 1;

/** How many sit at the near side, the right end, the far side and the left end of the table. */
function sides(players) {
  const end = players < 4 ? 0 : players < 10 ? 1 : players < 17 ? 2 : players < 25 ? 3 : 4;
  const near = Math.floor((players - 2 * end) / 2);
  return { near, right: end, far: players - 2 * end - near, left: end };
}

/** Every player's place in an area of width x height units: the plate's middle (x, y), the card's middle (cardX, cardY), and on
    which side of the table (near, right, far, left). Also `free`: width and height of what is left in the table's middle. */
function seating(players, width, height, clockwise = false) {
  const size = SEAT_SIZES.find((entry) => players <= entry.players);
  const count = sides(players);
  const cardWidth = size.card * CARD_SHAPE;
  const unit = size.width + GAP + cardWidth; // plate and card side by side
  const band = Math.max(size.height, size.card + LABEL); // what a row takes of the height
  const label = Math.max(0, 9 - cardWidth / 2); // a card's name may be wider than the card
  const along = (n, i) => (n === 1 ? 0 : (2 * i) / (n - 1) - 1); // -1 … 1
  const places = [];

  const row = (n, side) => {
    const reach = Math.min((width - unit - label) / 2, ((n - 1) * (unit + 14)) / 2);
    const away = side === "near" ? 1 : -1;
    for (let i = 0; i < n; i++) {
      const middle = away * along(n, i) * reach - (reach + unit / 2 + label > width / 2 ? label / 2 : 0);
      places.push({
        side,
        x: middle - unit / 2 + size.width / 2,
        y: away * (height / 2 - size.height / 2),
        cardX: middle + unit / 2 - cardWidth / 2,
        cardY: away * (height / 2 - size.card / 2),
      });
    }
  };
  const end = (n, side) => {
    const out = side === "right" ? 1 : -1;
    const room = height - 2 * band - GAP;
    const step = Math.min(room / n, size.height * 2.2);
    for (let i = 0; i < n; i++) {
      const y = -out * (i - (n - 1) / 2) * step - LABEL / 2;
      const x = out * (width / 2 - size.width / 2);
      places.push({ side, x, y, cardX: x - out * (size.width / 2 + GAP + cardWidth / 2), cardY: y + Math.max(0, (size.height - size.card) / 2) });
    }
  };
  row(count.near, "near");
  end(count.right, "right");
  row(count.far, "far");
  end(count.left, "left");
  // The game's first player sits in the middle of the near side, also where that side seats many.
  const first = Math.floor((count.near - 1) / 2);
  const [nearest, ...others] = places.slice(first).concat(places.slice(0, first));
  return {
    size,
    places: [nearest, ...(clockwise ? others.reverse() : others)],
    free: { width: width - (count.left ? 2 * (unit + 2.5 * GAP) : 24), height: height - 2 * band - 3 },
  };
}
