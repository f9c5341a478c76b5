"use strict";
document.getElementById("print").hidden = false; // without scripts the browser's own menu prints
document.getElementById("print").addEventListener("click", () => window.print());
