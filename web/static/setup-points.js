"use strict";
/* Money or points: another unit turns the amounts of the form with it, a cent into a point. */
(() => {
  const amounts = () => [...document.querySelectorAll("input[inputmode=decimal]")];
  const points = (text) => (/^\d+([.,]\d{1,2})?$/.test(text) ? String(Math.round(Number(text.replace(",", ".")) * 100)) : text);
  const money = (text) => (/^\d+$/.test(text) ? (Number(text) / 100).toFixed(2).replace(/\.00$/, "").replace(".", ",") : text);
  for (const choice of document.querySelectorAll("input[name=points]")) {
    choice.addEventListener("change", () => {
      for (const field of amounts()) field.value = (choice.value === "1" ? points : money)(field.value.trim());
    });
  }
})();
