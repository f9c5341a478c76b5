"use strict";
/* The screen stays on while the page is looked at. Browsers allow it over HTTPS and on the program's own computer alone; elsewhere
   the device's own settings say (docs/settings.md). */

function stayAwake() {
  if (!navigator.wakeLock) return;
  const hold = () => { if (!document.hidden) navigator.wakeLock.request("screen").catch(() => {}); }; // refused on a low battery
  document.addEventListener("visibilitychange", hold); // it is let go of whenever the page is hidden
  hold();
}
