"use strict";
/* The code goes on in the fragment, which browsers never send; the phone's own browser is explained first. */
const link = document.getElementById("open");
function address() {
  link.href = `https://${location.hostname}:${link.dataset.port}/?lang=${link.dataset.lang}${location.hash}`;
  document.getElementById("nocode").hidden = location.hash.length > 1;
  for (const other of document.querySelectorAll("a.other")) other.hash = location.hash;
}
if (link) {
  address();
  addEventListener("hashchange", address);
  const iphone = /iPhone|iPad|Macintosh/.test(navigator.userAgent);
  document.getElementById(iphone ? "android" : "iphone").open = false;
}
