"use strict";
/* What somebody switches on the TV itself, and this browser remembers: bigger letters (key +), and money that is not shown (key e). */

const MONEY = /[+−-]?(?:€\s?\d+(?:[.,]\d+)*|\d[\d.,]*(?:·10\^\d+)?\s?€)/g;
const HIDDEN = "•••";

/** What was kept under this name; a browser that keeps nothing has the default. */
const kept = (name, otherwise) => { try { return JSON.parse(localStorage.getItem(name)) || otherwise; } catch (error) { return otherwise; } };
const keep = (name, value) => { try { localStorage.setItem(name, JSON.stringify(value)); } catch (error) { /* until it is closed, then */ } };

let moneyHidden = kept("money-hidden", false);
let lettersLarge = kept("letters-large", false);

/** The same value without a sum of money in any of its texts, where money is not to be shown. */
function discreet(value) {
  if (!moneyHidden) return value;
  if (typeof value === "string") return value.replace(MONEY, HIDDEN);
  if (Array.isArray(value)) return value.map(discreet);
  if (!value || typeof value !== "object") return value;
  const found = {};
  for (const [key, one] of Object.entries(value)) found[key] = discreet(one);
  return found;
}

/** A view as it is shown: without money no figure that is a sum, and no accounts. */
function shownOf(view) {
  if (!moneyHidden) return view;
  const plain = discreet(view);
  return { ...plain, figures: plain.figures.filter((one) => one.text !== HIDDEN), settlement: [], accounts: [] };
}

function applySwitches() {
  document.body.classList.toggle("large-letters", lettersLarge);
  $("letters").textContent = lettersLarge ? "A−" : "A+";
  document.body.classList.toggle("penniless", moneyHidden);
  $("money").textContent = moneyHidden ? $("money").dataset.show : $("money").dataset.hide;
}

function switchLetters() {
  lettersLarge = !lettersLarge;
  keep("letters-large", lettersLarge);
  applySwitches();
  dispatchEvent(new Event("resize"));
}

/** `again` draws what stands there. */
function offerSwitches(again) {
  const money = () => {
    moneyHidden = !moneyHidden;
    keep("money-hidden", moneyHidden);
    applySwitches();
    again();
  };
  for (const [id, does] of [["letters", switchLetters], ["money", money]]) {
    $(id).addEventListener("click", does);
    $(id).hidden = false;
  }
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    if (key === "+") switchLetters();
    if (key === "e") money();
  });
  applySwitches();
}
