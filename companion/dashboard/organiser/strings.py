"""Every word of the organiser's pages that is not a ruling, Italian first."""

from __future__ import annotations

import re

from companion.dashboard.view import Lang
from companion.stu import StuError, words
from companion.stu.cards import Kind

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

OFFERS: dict[Lang, dict[str, str]] = {
    "it": {
        "between": "Tra una mano e l’altra",
        "over": "{winner} ha vinto lo Stù",
        "nobody_back": "Nessuno rientra: ha vinto {winner}",
        "deal": "Nuova mano: il mazzo a {dealer}",
        "decides": "Tocca a {player}",
        "decides_dealer": "Tocca a {player}, che ha il mazzo",
        "sto": "{player} sta",
        "exchange": "{asker} passa e scambia con {asked}",
        "dealer_draws": "{player} cambia col mazzo",
        "all_stay": "Stanno tutti: si scopre",
        "passo": "{player} passa (risposta dopo)",
        "answers": "{asked} risponde a {asker}",
        "swap": "{asker} e {asked} scambiano",
        "refuses": "{asked} rifiuta con…",
        "ceded": "Taverna ceduta",
        "must_draw": "{player} deve pescare",
        "draws": "{player} pesca",
        "travelling": "Cart’arrit: la carta è a {player}",
        "keeps": "{player} la tiene",
        "sends_on": "{asker} la rimanda a {asked}, che scambia",
        "sends": "{player} la rimanda (risposta dopo)",
        "showdown": "Si scoprono le carte",
        "end": "Fine della mano",
    },
    "en": {
        "between": "Between hands",
        "over": "{winner} has won",
        "nobody_back": "Nobody comes back: {winner} has won",
        "deal": "New hand: {dealer} deals",
        "decides": "{player} to decide",
        "decides_dealer": "{player} to decide, with the deck",
        "sto": "{player} stays",
        "exchange": "{asker} passes, exchanged with {asked}",
        "dealer_draws": "{player} changes with the deck",
        "all_stay": "All stay: show the cards",
        "passo": "{player} passes (answer later)",
        "answers": "{asked} answers {asker}",
        "swap": "{asker} and {asked} exchange",
        "refuses": "{asked} refuses with…",
        "ceded": "Taverna ceded",
        "must_draw": "{player} must draw",
        "draws": "{player} draws",
        "travelling": "Backwards: {player} has the card",
        "keeps": "{player} keeps it",
        "sends_on": "{asker} sends it on to {asked}, exchanged",
        "sends": "{player} sends it on (answer later)",
        "showdown": "Show the cards",
        "end": "End of the hand",
    },
}
"""What the game waits for, and the buttons for what happens next. Names go in by `str.format`."""


def card_name(kind: Kind, lang: Lang) -> str:
    """The card with its article and a capital letter, as on a button."""
    said = words.card(kind, lang)
    return said[0].upper() + said[1:]


EVENTS: dict[Lang, dict[str, str]] = {
    "it": {
        "hand": "Mano {n}",
        "deal": "{player} riceve una carta",
        "passo": "{player} passa",
        "swap": "Scambio con {player}",
        "taverna": "{player} cede la Taverna",
        "draw": "{player} pesca dal mazzo",
        "reveal": "{player} mostra",
        "end": "Mano finita",
        "split": "Accordo sul montepremi",
        "between": "Prima della prossima mano",
        "no_hand": "nessuna mano",
        "void": "mano annullata",
        "nobody": "nessuno paga",
        "in_progress": "in corso",
        "pot": "Montepremi",
        "ricompera": "Ricompera",
        "open": "aperta",
        "shut": "chiusa",
        "game": "Partita",
        "takes": "{name} prende",
        "out": "fuori",
        "pedina": "pedina",
        "pedine": "pedine",
        "virgin": "vergine",
    },
    "en": {
        "hand": "Hand {n}",
        "deal": "{player} is dealt a card",
        "passo": "{player} passes",
        "swap": "Exchange with {player}",
        "taverna": "{player} cedes the Taverna",
        "draw": "{player} draws from the deck",
        "reveal": "{player} shows",
        "end": "The hand is over",
        "split": "Agreement on the pot",
        "between": "Before the next hand",
        "no_hand": "no hand",
        "void": "void hand",
        "nobody": "nobody pays",
        "in_progress": "in progress",
        "pot": "Pot",
        "ricompera": "Ricompera",
        "open": "open",
        "shut": "closed",
        "game": "Game",
        "takes": "{name} takes",
        "out": "out",
        "pedina": "pedina",
        "pedine": "pedine",
        "virgin": "virgin",
    },
}
"""The lines of a hand that the commentary passes over, and what a change does."""

WHY_NOT: tuple[tuple[str, str], ...] = (
    (r"(?P<a>.+) acts out of turn", "Non tocca a {a}"),
    (r"(?P<a>.+) acts too soon", "{a} deve aspettare: manca una risposta"),
    (r"(?P<a>.+) has not been asked", "A {a} nessuno ha passato"),
    (r"(?P<a>.+) is not in this hand", "{a} non è in questa mano"),
    (r"(?P<a>.+) has a card already.*", "{a} ha già una carta"),
    (r"(?P<a>.+) has played already, with a card", "{a} ha già giocato"),
    (r"nobody is left after (?P<a>.+) to be asked", "Dopo {a} non c’è nessuno a cui passare"),
    (r"a backward run leaves no bargaining", "Quando la carta torna indietro non si tratta"),
    (r"(?P<a>.+) has nothing to draw for", "{a} non ha da pescare"),
    (r"(?P<a>.+) is asked, and a .+ cannot refuse", "{a} può rifiutare solo con un trionfo"),
    (r"the hand cannot end yet", "La mano non può finire ora: manca una risposta"),
    (r"the card of (?P<a>.+) has not been seen", "La carta di {a} non si è vista"),
    (r"the card of (?P<a>.+) is an? .+, not an? .+", "La carta di {a} si è già vista: è un’altra"),
    (r"one (?P<a>.+) too many.*", "Di questa carta ({a}) ce ne sarebbe una di troppo"),
    (r"(?P<a>.+) got the Taverna from (?P<b>.+) in this hand.*", "{a} ha avuto la Taverna da {b} in questa mano, e la rende"),
    (r"(?P<a>.+) is still in play", "{a} è ancora in gioco"),
    (r"no ricompera is possible: they are closed.*", "Le ricompere sono chiuse"),
    (r"no ricompera is possible.*", "Nessuna ricompera: non c’è più un vergine in gioco"),
    (r"no penalties in this edition", "In questa edizione non ci sono penalità"),
    (r"no penalty while an answer is pending", "Nessuna penalità finché manca una risposta"),
    (r"(?P<a>.+) has no pedina left", "{a} non ha più pedine"),
    (r"(?P<a>.+) is out and cannot deal", "{a} è fuori e non può dare le carte"),
    (r"a split is between the last two in play", "Ci si accorda solo quando si resta in due"),
    (r"a share is outside 0 to 1", "Una quota va da 0 a 100 %"),
    (r"the shares come to more than the whole pot", "Le quote superano il montepremi"),
    (r".+ in mid-hand", "Non a mano in corso"),
    (r".+ outside a hand", "Non c’è una mano in corso"),
    (r".+ after the game is won|the game is over", "La partita è finita"),
    (r"a hand that others follow would not be over", "La mano resterebbe senza fine, e dopo ce ne sono altre"),
    (r"two hands in one", "Una mano comincia solo quando l’altra è finita"),
    (r"what was fixed by hand .+", "Una correzione fatta in una mano dopo non potrebbe più essere vera"),
)
"""Why something cannot have happened: the engine's reason in English (a whole match), and what it is in Italian."""

WHY: dict[Lang, dict[str, str]] = {
    "it": {
        "cannot": "Non può essere andata così",
        "rule": " (regola {rule})",
        "stale": "Nel frattempo è cambiato qualcosa: guarda di nuovo",
        "gone": "Questa mano non c’è più",
        "no_game": "Nessuna partita: comincia una serata in /setup",
        "contradicted": "Nulla di quello che si è visto lo conferma: correggi la mano riga per riga",
        "not_asked": "La domanda non è più aperta",
        "nothing": "Non c’è niente da annullare o ripetere",
        "unpaired": "Questo telefono non è abilitato (più): serve il PIN",
        "csrf": "Pagina scaduta: ricaricala",
        "malformed": "Richiesta non valida",
        "not_kept": "Questa partita si può guardare, ma non continuare",
    },
    "en": {
        "cannot": "It cannot have been so",
        "rule": " (rule {rule})",
        "stale": "Something has changed meanwhile: look again",
        "gone": "This hand is no more",
        "no_game": "No game yet: begin an evening at /setup",
        "contradicted": "Nothing that was seen agrees with it: correct the hand line by line",
        "not_asked": "The question is no longer open",
        "nothing": "There is nothing to undo or redo",
        "unpaired": "This phone is not paired (any more): it needs the PIN",
        "csrf": "The page is out of date: load it again",
        "malformed": "Not a valid request",
        "not_kept": "This game can be looked at, but not gone on with",
    },
}
"""Why a change was refused."""


def why_not(error: StuError, lang: Lang) -> str:
    """Why the rules forbid something, as a sentence."""
    if lang == "en":
        said = error.reason[0].upper() + error.reason[1:]
    else:
        for pattern, sentence in WHY_NOT:
            if found := re.fullmatch(pattern, error.reason, re.DOTALL):
                said = sentence.format(**found.groupdict())
                break
        else:
            said = WHY[lang]["cannot"]
    return said + (WHY[lang]["rule"].format(rule=error.rule) if error.rule is not None else "")
