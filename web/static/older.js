"use strict";
/* Methods that browsers as old as Chromium 63 do not have, as the standard says they do. `tools/older_browsers.py` allows the pages'
   scripts those that stand here. Loaded before all others. */
(() => {
  const put = (kind, methods) => {
    for (const name of Object.keys(methods)) {
      if (!(name in kind)) Object.defineProperty(kind, name, { value: methods[name], writable: true, configurable: true });
    }
  };
  const lastIndex = (all, holds) => {
    for (let i = all.length - 1; i >= 0; i--) if (holds(all[i], i, all)) return i;
    return -1;
  };
  put(Array.prototype, {
    at(index) { return this[index < 0 ? this.length + index : index]; },
    findLast(holds) { return this[lastIndex(this, holds)]; },
    findLastIndex(holds) { return lastIndex(this, holds); },
    flatMap(of) { return [].concat(...this.map(of)); },
  });
  put(Element.prototype, {
    replaceChildren(...parts) {
      while (this.lastChild) this.lastChild.remove();
      this.append(...parts);
    },
    toggleAttribute(name, on = !this.hasAttribute(name)) {
      if (on) this.setAttribute(name, "");
      else this.removeAttribute(name);
      return on;
    },
  });
})();
