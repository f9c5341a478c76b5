"use strict";
// The QR code brings its code in the fragment, which never leaves the phone by itself: one tap on "enter" sends it. A link may bring
// the PIN in the same way.
const pin = document.getElementById("pin");
function scanned() {
  const [, digits, code] = /^#(?:(\d{6})|([\w-]{20,}))$/.exec(location.hash) ?? [];
  if (!digits && !code) return false;
  pin.value = digits ?? "";
  pin.required = !code;
  document.getElementById("code").value = code ?? "";
  document.getElementById("by-pin").hidden = Boolean(code);
  for (const link of document.querySelectorAll("nav a")) link.hash = location.hash;
  history.replaceState(null, "", location.pathname + location.search);
  document.querySelector("button").focus();
  return true;
}
if (!scanned()) pin.focus();
addEventListener("hashchange", scanned); // the page was open already when the code was scanned
