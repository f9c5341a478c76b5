"use strict";
// The QR code brings the PIN in the fragment, which never leaves the phone by itself: one tap on "enter" sends it.
const pin = document.getElementById("pin");
if (/^#\d{6}$/.test(location.hash)) {
  pin.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  document.querySelector("button").focus();
} else {
  pin.focus();
}
