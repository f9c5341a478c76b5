() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => known.get(colour) ?? known.set(colour, read(colour)).get(colour);
  const read = (colour) => { // of any notation
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = "#000";
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .reduce((sum, one, i) => sum + [0.2126, 0.7152, 0.0722][i] * (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4), 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const colours = (style) => [...style.backgroundImage.matchAll(/(?:rgba?|color)\([^()]*\)/g)].map(([one]) => rgba(one));
  const grounds = (element) => { // every colour that may lie behind it
    for (let box = element; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      const own = colours(style), flat = rgba(style.backgroundColor);
      if (own.length) return own;
      if (flat[3] > 0.85) return [flat];
      if (box.id === "table") return [...colours(getComputedStyle(document.getElementById("felt"))), rgba(getComputedStyle(document.documentElement).backgroundColor)];
    }
    return [rgba(getComputedStyle(document.documentElement).backgroundColor)];
  };
  const poor = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".spoken, script, noscript, title, svg#arrow")) continue;
    const style = getComputedStyle(element);
    const ink = rgba(element.closest("svg") ? style.fill : style.color);
    let opacity = 1;
    for (let box = element; box; box = box.parentElement) opacity *= parseFloat(getComputedStyle(box).opacity);
    const worst = Math.min(...grounds(element).map((ground) => ratio(ink.map((one, i) => i < 3 ? one * opacity + ground[i] * (1 - opacity) : 1), ground)));
    if (worst < 4.5) poor.push(`${element.className.baseVal ?? element.className}: ${element.textContent.trim().slice(0, 40)}: ${worst.toFixed(2)}`);
  }
  return [...new Set(poor)];
}
