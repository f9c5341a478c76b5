"use strict";
/* A spectator's phone: whose it is stays on it alone. The own box comes first, and it buzzes when something is asked of its owner. */
(() => {
  const KEPT = "companion-mine", BUZZ = [200, 100, 200]; // milliseconds: on, off, on
  const box = $("mine"), choice = box.querySelector("select"), seats = $("seats");
  let wanted = false; // something was asked of the owner when the seats were drawn last

  const remembered = () => { try { return localStorage.getItem(KEPT) || ""; } catch (error) { return ""; } };

  /** The names to choose from; a name that is not at this table is kept for another evening. */
  function offer(names) {
    const offered = [...choice.options].slice(1).map((one) => one.value);
    if (names.join("\n") !== offered.join("\n")) {
      while (choice.options.length > 1) choice.remove(1);
      for (const name of names) choice.append(new Option(name, name));
    }
    choice.value = names.includes(remembered()) ? remembered() : "";
    box.hidden = !names.length;
  }

  function drawn() {
    const all = [...seats.children];
    offer(all.map((seat) => seat.dataset.player));
    const mine = all.find((seat) => choice.value && seat.dataset.player === choice.value);
    for (const seat of all) seat.classList.toggle("mine", seat === mine);
    const now = Boolean(mine && mine.querySelector(".role"));
    if (now && !wanted && navigator.vibrate) navigator.vibrate(BUZZ);
    wanted = now;
  }

  choice.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, choice.value); } catch (error) { /* it is not remembered, then */ }
    wanted = true; // a choice is no call
    for (const seat of seats.children) seat.classList.toggle("mine", Boolean(choice.value) && seat.dataset.player === choice.value);
  });
  new MutationObserver(drawn).observe(seats, { childList: true });
})();
