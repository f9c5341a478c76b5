"use strict";
// The QR code brings the PIN in the fragment, which never leaves the phone by itself: one tap on "enter" sends it.
const pin = document.getElementById("pin");
function scanned() {
  if (!/^#\d{6}$/.test(location.hash)) return false;
  pin.value = location.hash.slice(1);
  for (const link of document.querySelectorAll("nav a")) link.hash = location.hash;
  history.replaceState(null, "", location.pathname + location.search);
  document.querySelector("button").focus();
  return true;
}
if (!scanned()) pin.focus();
addEventListener("hashchange", scanned); // the page was open already when the code was scanned
