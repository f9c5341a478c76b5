"use strict";
/* What pairs a phone, on a television that is its machine's only screen: while nobody is known to the program yet, and for a minute
   after P on the machine's own keyboard; P once more takes it away. The program says when it is to stand there. */

const PAIRING_MS = 2000; // between two questions, while it stands there or might

function offerPairing() {
  const box = $("pairing");
  const look = async (asked) => {
    const told = await fetch(box.dataset.at + (asked ? `?asked=${asked}` : "")).then((answer) => (answer.ok ? answer.json() : null), () => null);
    const invitation = told && told.invitation;
    box.hidden = !invitation;
    if (!invitation) return;
    box.querySelector(".qr").innerHTML = invitation.code; // of our own making
    box.querySelector(".address").textContent = invitation.address;
    box.querySelector(".pin").textContent = `${invitation.pin.slice(0, 3)} ${invitation.pin.slice(3)}`;
  };
  setInterval(() => { if (!box.hidden || document.body.dataset.status === "no_game") look(""); }, PAIRING_MS);
  document.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (!ctrlKey && !metaKey && !altKey && (key === "p" || key === "P")) look(box.hidden ? "1" : "0");
  });
  look("");
}

offerPairing();
