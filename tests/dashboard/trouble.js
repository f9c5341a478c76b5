(mayScroll) => {
  const found = [], seen = (e) => e.checkVisibility({ visibilityProperty: true });
  const name = (e) => `${e.className || e.id || e.tagName}: ${e.textContent.trim().replace(/\s+/g, " ").slice(0, 60)}`;
  const apart = (p, q, by = 1.5) => p.right <= q.left + by || q.right <= p.left + by || p.bottom <= q.top + by || q.bottom <= p.top + by;
  const inside = (p, q, by = 1.5) => p.left >= q.left - by && p.right <= q.right + by && p.top >= q.top - by && p.bottom <= q.bottom + by;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
  const once = (of) => { const known = new Map(); return (e) => known.get(e) ?? known.set(e, of(e)).get(e); };
  const rect = once((e) => e.getBoundingClientRect()), cuts = once((e) => getComputedStyle(e).overflow !== "visible");
  const pairs = (list, box) => list.forEach((a, i) => list.slice(i + 1).forEach((b) => {
    if (!apart(box(a), box(b)) && !a.contains(b) && !b.contains(a)) found.push(`${name(a)} overlaps ${name(b)}`); }));
  pairs(all(".plate, .ruling, .centre, .message, .corrected, .title, .won, header, #notices, #idle > *"), rect);
  for (const card of all(".card img, .pedine, .mark, .role, .face")) {
    const box = card.closest(".plate");
    if (box && !inside(rect(card), rect(box))) found.push(`${name(card)} leaves its box`);
    const bare = rect(card);
    if (!bare.width || !bare.height) found.push(`${name(card)} is nothing`);
  }
  for (const box of all(".plate, .ruling, .headline, .payment, .message, .card:not(.fan .card) img, .fan .card:last-child img")) { // and nothing lies over them
    const { left, top, width, height } = rect(box), x = left + width / 2, y = top + height / 2;
    const there = y < innerHeight - 2 ? document.elementFromPoint(x, y) : box;
    if (!there || (!box.contains(there) && !there.contains(box)) || there.contains(document.getElementById("table"))) found.push(`${name(box)} is covered by ${there ? name(there) : "nothing"}`);
  }
  for (const box of all(".plate")) pairs([...box.querySelectorAll(".card:not(.fan .card), .fan, .balance, .held, .called, .pedine, .virgin, .mark, .role, .face")].filter(seen), rect);
  const screen = { left: 0, top: 0, right: innerWidth, bottom: mayScroll ? Infinity : innerHeight };
  const lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    if (!text.textContent.trim() || !seen(holder) || holder.closest(".spoken, script, noscript, svg")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      const slack = line.height * 0.2; // letters are lower than the line that a font asks for
      const ink = { left: line.left, right: line.right, top: line.top + slack, bottom: line.bottom - slack };
      const page = { ...ink, top: ink.top + scrollY, bottom: ink.bottom + scrollY };
      if (!inside(page, screen)) found.push(`${name(holder)} leaves the screen`);
      for (let box = holder; box && box !== document.body; box = box.parentElement)
        if (cuts(box) && !inside(ink, rect(box), 2)) { found.push(`${name(holder)} is cut by ${box.className || box.id}`); break; }
      lines.push([holder, ink]);
    }
  }
  lines.forEach(([a, p], i) => lines.slice(i + 1).forEach(([b, q]) => { if (a !== b && !apart(p, q, 1)) found.push(`${name(a)} runs into ${name(b)}`); }));
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
  if (!mayScroll && document.documentElement.scrollHeight > innerHeight) found.push("the page is taller than the screen");
  return [...new Set(found)];
}
