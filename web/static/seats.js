"use strict";
/* Where everybody sits: the first player in the middle of the near side, the others anticlockwise, or clockwise. No box reaches
   into the table's middle, which is kept for the ruling; round it runs a lane for the arrow of an exchange. Lengths are in
   hundredths of the height of a 16:9 screen; (0, 0) is the table's middle, y down. */

// `players`: at most; `end`: how many of them sit at each end; `row`, `side`: the largest box of a row and of an end.
const TABLES = [
  { players: 3, end: 0, row: { width: 54, height: 17.5 }, side: { width: 12, height: 0 }, size: "large" },
  { players: 9, end: 1, row: { width: 44, height: 15.5 }, side: { width: 30, height: 33, upright: true }, size: "large" },
  { players: 12, end: 1, row: { width: 44, height: 15.5 }, side: { width: 30, height: 33, upright: true }, size: "medium" },
  { players: 16, end: 2, row: { width: 32, height: 15 }, side: { width: 29, height: 26, upright: true }, size: "small" },
  { players: 20, end: 4, row: { width: 29, height: 15 }, side: { width: 30, height: 13 }, size: "small" },
  { players: 28, end: 5, row: { width: 20, height: 18, upright: true }, side: { width: 21, height: 11 }, size: "tiny" },
  { players: Infinity, end: 5, row: { width: 13, height: 17, upright: true }, side: { width: 19, height: 10 }, size: "tiny" },
];
const LANE = 4.2; // how wide the lane is where an arrow runs in the middle of it
const GAP = 0.8; // between two boxes
const HEAD = 2; // how long an arrow's head is

/** Every player's box in an area of width x height units: its middle (x, y), its width and height, on which side of the table
    it is (near, right, far, left), and whether it is upright, the card above the name. Also `free`, width and height of the
    middle that no box reaches into, narrower where an `arrow` runs round it, and `lane`, half the width and half the height of
    the way round it; `clockwise` as given. */
function seating(players, width, height, clockwise = false, arrow = false) {
  const { end, row, size, side: widest } = TABLES.find((table) => players <= table.players);
  const side = { ...widest, width: Math.min(widest.width, width * 0.26) }; // beside a demo's clip
  const near = Math.floor((players - 2 * end) / 2);
  const places = [];

  const along = (n, at) => {
    const wide = Math.min(row.width, (width - (n - 1) * GAP) / n);
    const step = n > 1 ? Math.min(wide + 14, (width - wide) / (n - 1)) : 0;
    const away = at === "near" ? 1 : -1;
    for (let i = 0; i < n; i++) {
      const x = away * (i - (n - 1) / 2) * step;
      places.push({ side: at, x, y: away * (height - row.height) / 2, width: wide, height: row.height, upright: Boolean(row.upright) });
    }
  };
  const across = (n, at) => {
    const out = at === "right" ? 1 : -1;
    const room = height - 2 * (row.height + LANE); // an arrow may come round
    const tall = Math.min(side.height, (room - (n - 1) * GAP) / n);
    for (let i = 0; i < n; i++) {
      const y = -out * (i - (n - 1) / 2) * Math.min(tall * 1.4, (room - tall) / (n - 1 || 1));
      places.push({ side: at, x: (out * (width - side.width)) / 2, y, width: side.width, height: tall, upright: Boolean(side.upright) });
    }
  };
  along(near, "near");
  across(end, "right");
  along(players - 2 * end - near, "far");
  across(end, "left");
  // The game's first player sits in the middle of the near side, also where that side seats many.
  const first = Math.floor((near - 1) / 2);
  const [nearest, ...others] = places.slice(first).concat(places.slice(0, first));
  const lane = { width: width / 2 - side.width - LANE / 2, height: height / 2 - row.height - LANE / 2 };
  const beside = arrow ? -LANE : LANE - 2 * GAP;
  return {
    size,
    places: [nearest, ...(clockwise ? others.reverse() : others)],
    free: { width: 2 * lane.width + beside, height: 2 * lane.height + beside },
    lane,
    clockwise,
  };
}

/** The way from one box to another along the lane, as points: anticlockwise, or clockwise, also where that is the longer way, as
    it goes past everybody who is passed over. It enters no box and not the middle, and leaves room for its head. */
function wayRound(from, to, lane, anticlockwise) {
  const door = ({ side, x, y, width, height }, away) => { // where one leaves the box, so far away from it, and comes into the lane
    const upDown = side === "near" || side === "far";
    const out = side === "near" || side === "right" ? 1 : -1;
    return upDown
      ? [[x, y - out * (height / 2 + away)], [x, out * lane.height]]
      : [[x - out * (width / 2 + away), y], [out * lane.width, y]];
  };
  const corners = [[1, 1], [1, -1], [-1, -1], [-1, 1]].map(([x, y]) => [x * lane.width, y * lane.height]);
  const order = ["near", "right", "far", "left"]; // the corner after a side is the one of its number
  const along = ({ side, x, y }) => [x, -y, -x, y][order.indexOf(side)]; // how far along its side, anticlockwise
  const turns = (one, other) => { // the corners from one box on to the other, anticlockwise
    const begun = order.indexOf(one.side), sides = (order.indexOf(other.side) - begun + 4) % 4;
    const count = sides || (along(other) < along(one) ? 4 : 0);
    return Array.from({ length: count }, (_, i) => corners[(begun + i) % 4]);
  };
  const [out, start] = door(from, 0.4), [into, stop] = door(to, HEAD);
  return [out, start, ...(anticlockwise ? turns(from, to) : turns(to, from).reverse()), stop, into];
}
