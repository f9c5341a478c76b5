"""Every word of the organiser's pages that is not a ruling, Italian first."""

from __future__ import annotations

from companion.dashboard.view import Lang

PAIRING: dict[Lang, dict[str, str]] = {
    "it": {
        "title": "Lu Stù: telefono dell’organizzatore",
        "scan": "Inquadra con il telefono",
        "or_type": "oppure apri {url} e scrivi il PIN",
        "pin": "PIN",
        "pin_help": "Sei cifre: stanno nel terminale e sullo schermo del computer, alla pagina /pair/show",
        "name": "Nome del telefono",
        "phone": "Telefono",
        "enter": "Entra",
        "wrong": "PIN sbagliato: guarda il terminale o lo schermo del computer",
        "wait": "Troppi PIN sbagliati: aspetta {minutes} minuti, o fai un PIN nuovo al computer",
        "unreachable": "Il programma ascolta solo su questo computer. Per i telefoni: companion serve --host 0.0.0.0",
        "renew": "PIN nuovo",
        "phones": "Telefoni abilitati",
        "none": "Nessun telefono",
        "this": "questo telefono",
        "withdraw": "Togli",
        "back": "Torna alla partita",
    },
    "en": {
        "title": "Lu Stù: organiser’s phone",
        "scan": "Scan with the phone",
        "or_type": "or open {url} and type the PIN",
        "pin": "PIN",
        "pin_help": "Six digits: in the terminal, and on the computer’s own screen at /pair/show",
        "name": "Name of this phone",
        "phone": "Phone",
        "enter": "Enter",
        "wrong": "Wrong PIN: look at the terminal or the computer’s screen",
        "wait": "Too many wrong PINs: wait {minutes} minutes, or make a new PIN at the computer",
        "unreachable": "The program listens on this computer only. For phones: companion serve --host 0.0.0.0",
        "renew": "New PIN",
        "phones": "Paired phones",
        "none": "No phone",
        "this": "this phone",
        "withdraw": "Withdraw",
        "back": "Back to the game",
    },
}
"""The pages on which a phone is paired or withdrawn."""
