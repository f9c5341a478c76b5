"""Every word of the page that is not a ruling (those are in `companion.stu.words`), Italian first."""

from __future__ import annotations

from companion.dashboard.view import Lang
from companion.stu import words

NAMES: dict[Lang, str] = {"it": "Italiano", "en": "English"}
"""What each language calls itself."""

PAGE: dict[Lang, dict[str, str]] = {
    "it": {
        "title": "Lu Stù",
        "language": "Lingua",
        "hand": "Mano",
        "pot": "Montepremi",
        "ricompera": "Ricompera",
        "open": "aperta",
        "shut": "chiusa",
        "virgins": "Vergini",
        "virgin": "vergine",
        "players": "Giocatori in senso antiorario",
        "pedine": "pedine",
        "out": "fuori",
        "dealer": "mazziere",
        "dealer_mark": "M",
        "hidden": "carta coperta",
        "unsure": "? Non sicuro: controllate voi",
        "void_hand": "Mano annullata",
        "nobody_pays": "Nessuno paga",
        "lost": "Collegamento perso: riprovo da solo…",
        "live": "Il tavolo visto dalla telecamera",
        "noscript": "Questa pagina ha bisogno di JavaScript.",
        "withdrawn": "Corretto: {player} non paga più",
        "moviola": "Moviola",
        "dealt": "Le carte come le ha date {dealer}",
        "sounds": "Accendi i suoni",
        "chance": "rischio di pagare",
        "chances": "% = rischio di pagare",
        "charts": "La serata in cifre",
        "charts_link": "Cifre",
        "to_table": "Torna al tavolo",
        "chart_pedine": "Pedine, mano per mano",
        "chart_money": "Nel piatto (R: ricompera)",
        "chart_gnaffate": "Gnaffate date",
    },
    "en": {
        "title": "Lu Stù",
        "language": "Language",
        "hand": "Hand",
        "pot": "Pot",
        "ricompera": "Ricompera",
        "open": "open",
        "shut": "closed",
        "virgins": "Virgins",
        "virgin": "virgin",
        "players": "Players, anticlockwise",
        "pedine": "pedine",
        "out": "out",
        "dealer": "dealer",
        "dealer_mark": "D",
        "hidden": "card face down",
        "unsure": "? Not sure: please check",
        "void_hand": "Void hand",
        "nobody_pays": "Nobody pays",
        "lost": "Connection lost: trying again…",
        "live": "The table as the camera sees it",
        "noscript": "This page needs JavaScript.",
        "withdrawn": "Corrected: {player} no longer pays",
        "moviola": "Replay",
        "dealt": "The cards as {dealer} dealt them",
        "sounds": "Turn sounds on",
        "chance": "chance of paying",
        "chances": "% = chance of paying",
        "charts": "The evening in figures",
        "charts_link": "Figures",
        "to_table": "Back to the table",
        "chart_pedine": "Pedine, hand by hand",
        "chart_money": "In the pot (R: ricompera)",
        "chart_gnaffate": "Gnaffate given",
    },
}

NOTICES: dict[Lang, dict[str, str]] = {
    "it": {
        "show": "Fate vedere ancora una volta la carta di {players}",
        "show_all": "Fate vedere ancora una volta le carte, per favore",
        "and": " e ",
        "check": "Il tavolo non si è visto a lungo: controllate la mano sul telefono",
        "moved": "La telecamera è stata spostata: un attimo",
        "blocked": "Qualcosa copre il tavolo alla telecamera",
        "dark": "Troppo buio per la telecamera: accendete una luce",
        "frozen": "L’immagine della telecamera è ferma",
        "gap": "La telecamera non manda immagini",
    },
    "en": {
        "show": "Please show once more the card of {players}",
        "show_all": "Please show the cards once more",
        "and": " and ",
        "check": "The table was out of sight for long: please check the hand on the phone",
        "moved": "The camera was moved: one moment",
        "blocked": "Something hides the table from the camera",
        "dark": "Too dark for the camera: please turn on a light",
        "frozen": "The camera's picture stands still",
        "gap": "The camera gives no pictures",
    },
}
"""What the table is asked, or told of the camera's troubles.

Keys are what `companion.notices` says, and what it is put together of."""

ROLES: dict[Lang, dict[str, str]] = {
    "it": {"decides": "decide", "asks": "chiede", "asked": "risponde", "draws": "pesca"},
    "en": {"decides": "decides", "asks": "asks", "asked": "answers", "draws": "draws"},
}
"""What stands on the plate of a player who is about to do something; keys are `view.Role`."""

MESSAGES: dict[Lang, dict[str, str]] = {
    "it": {
        "no_game": "Nessuna partita: la pagina parte da sola quando comincia",
        "waiting": "Si comincia: il mazzo a {player}",
        "between": "Il mazzo passa a {player}",
        "decides": "Tocca a {player}",
        "decides_dealer": "Tocca a {player}, che ha il mazzo",
        "asks": "{player} passa a {asked}",
        "back": "Cart’arrit: {player} offre a {asked}",
        "showdown": "Scoprite le carte",
        "draws": "{player} pesca dal mazzo",
    },
    "en": {
        "no_game": "No game yet: this page starts by itself when one begins",
        "waiting": "About to begin: {player} deals",
        "between": "{player} deals next",
        "decides": "{player} to decide",
        "decides_dealer": "{player} to decide, with the deck",
        "asks": "{player} passes to {asked}",
        "back": "Backwards: {player} offers to {asked}",
        "showdown": "Show the cards",
        "draws": "{player} draws from the deck",
    },
}
"""Sentences for the table's middle. Names go in by `str.format`, which reads no braces in what it puts in."""

_EXACT_TO = 10**14
"""From this many minor units on, a sum is written as a power of ten: ricompere double without end."""


def money(minor: int, lang: Lang) -> str:
    """`minor` units (cents) as people read them: "8,00 €", "€8.00", "1,02·10^25 €"."""
    if minor < _EXACT_TO:
        return words.money(minor, lang)
    digits = str(minor // 100)
    comma = "," if lang == "it" else "."
    return f"{digits[0]}{comma}{digits[1:3]}·10^{len(digits) - 1} €"


COMMENTARY: dict[Lang, dict[str, str]] = {
    "it": {
        "hand": "Mano {n}: il mazzo a {dealer}",
        "sto": "{player} sta",
        "passo": "{player} passa a {asked}",
        "passo_deck": "{player} cambia col mazzo",
        "back": "Cart’arrit: {player} rimanda a {asked}",
        "swap": "{player} e {asked} si scambiano la carta",
        "taverna": "{player} mostra la Taverna e la cede",
        "draw": "{player} pesca dal mazzo",
        "reveal": "{player} mostra {card}",
        "end": "Mano finita",
        "rebuy": "{player} rientra con una ricompera",
        "one_matto": "Un Matto fuori dal mazzo",
        "two_matti": "Di nuovo due Matti nel mazzo",
        "penalty": "{player} paga una pedina di penalità",
        "void": "Mano annullata: si ridanno le carte",
        "split": "{players} si accordano sul montepremi",
        "and": " e ",
        "close": "Niente più ricompere",
    },
    "en": {
        "hand": "Hand {n}: {dealer} has the deck",
        "sto": "{player} stays",
        "passo": "{player} passes to {asked}",
        "passo_deck": "{player} changes with the deck",
        "back": "Backwards: {player} sends the card on to {asked}",
        "swap": "{player} and {asked} exchange cards",
        "taverna": "{player} shows the Taverna and gives it away",
        "draw": "{player} draws from the deck",
        "reveal": "{player} shows {card}",
        "end": "The hand is over",
        "rebuy": "{player} comes back by ricompera",
        "one_matto": "One Matto out of the deck",
        "two_matti": "Two Matti in the deck again",
        "penalty": "{player} pays a pedina as a penalty",
        "void": "Void hand: the cards are dealt again",
        "split": "{players} agree on shares of the pot",
        "and": " and ",
        "close": "No more ricompere",
    },
}
"""What has just happened. Names go in by `str.format`."""
