"""The rulings as people say them, in Italian and English, with Montorio's own words where the booklet has them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from companion.decks.stu import NAMES, Kind
from companion.games.stu.rules.report import Report
from companion.games.stu.rules.state import Cause, HandRulings, Irregularity, IrregularityKind, Payment, Status
from companion.table.language import Lang

RULE_OF_IRREGULARITY: Final[dict[IrregularityKind, int]] = {
    "passed_unbeatable": 2,
    "should_have_refused": 11,
    "exposed_early": 24,
    "wrong_dealer": 7,
}
"""The rule that each mistake goes against."""

_PAYMENTS: dict[Lang, dict[Cause, str]] = {
    "it": {
        "gnaffata": "{player} «pij na gnaffat» da {by}: una pedina",
        "bbummata": "{player} prende «na bbummata» da {by}: una pedina",
        "lowest": "{player} ha la carta più bassa, {card}: una pedina",
        "matto": "{player} resta con lu Matt, che paga e fa pagare: una pedina",
        "two_matti": "sono usciti i due Matti: {player} risale di una pedina",
        "n_llev_e_n_matt": "{player} ha il Matto di mano: «n llev e n matt», né paga né risale",
        "taverna_for_nulla": "la più bassa è la Nulla che la Taverna ha fermato: una pedina la paga {player}",
        "penalty": "{player} paga una pedina di penalità",
    },
    "en": {
        "gnaffata": "{player} takes a gnaffata from {by}: one pedina",
        "bbummata": "{player} takes a bbummata from {by}: one pedina",
        "lowest": "{player} has the lowest card, {card}: one pedina",
        "matto": "{player} is left with the Matto, which pays and makes others pay: one pedina",
        "two_matti": "both Matti are out: {player} gains one pedina",
        "n_llev_e_n_matt": "{player} has the Matto di mano: “n llev e n matt”, neither pays nor gains",
        "taverna_for_nulla": "the lowest is the Nulla that the Taverna stopped: {player} pays the pedina for it",
        "penalty": "{player} pays one pedina as a penalty",
    },
}

_IRREGULARITIES: dict[Lang, dict[IrregularityKind, str]] = {
    "it": {
        "passed_unbeatable": "{player} ha passato una carta che non poteva migliorare",
        "should_have_refused": "{player} aveva un trionfo e doveva rifiutare lo scambio",
        "exposed_early": "{player} ha scoperto la carta prima del tempo",
        "wrong_dealer": "{player} ha dato le carte fuori turno",
    },
    "en": {
        "passed_unbeatable": "{player} passed a card that could not be bettered",
        "should_have_refused": "{player} held a trump and should have refused the exchange",
        "exposed_early": "{player} showed the card too early",
        "wrong_dealer": "{player} dealt out of turn",
    },
}

_STATUS: dict[Lang, dict[Status, str]] = {
    "it": {
        "in_play": "si gioca; dà le carte {dealer}",
        "hand_in_progress": "mano in corso; la prossima la dà {dealer}",
        "won_unless_reentry": "{winner} ha vinto, se nessuno rientra",
        "won": "{winner} ha vinto lo Stù",
        "restarted": "non resta nessuno: rientrano tutti con tre pedine, senza più ricompere (regola 21); dà le carte {dealer}",
    },
    "en": {
        "in_play": "play goes on; {dealer} deals",
        "hand_in_progress": "a hand is in progress; {dealer} deals the next",
        "won_unless_reentry": "{winner} has won, unless somebody comes back",
        "won": "{winner} has won",
        "restarted": "nobody is left: all come back with three pedine, and no more ricompere (rule 21); {dealer} deals",
    },
}

_MORE: dict[Lang, dict[str, str]] = {
    "it": {
        "rule": "regola",
        "dealer_pays": "si va col mazzo",
        "out": "{player} va «su saupr»",
        "fine_del_vergine": "gnaffata, bbummata e carta più bassa: è la «fine del vergine» per {player}",
        "hand": "Mano {n}, mazziere {dealer}",
        "void": "mano nulla: si rifà, stesso mazziere",
        "irregular": "irregolare",
        "no_payment": "nessuno paga",
        "pot": "montepremi {pot}",
        "open": "ricompera aperta a {price}",
        "shut": "ricompera chiusa",
        "virgin": "vergine",
        "is_out": "fuori",
        "gets": "{name} prende {sum}",
    },
    "en": {
        "rule": "rule",
        "dealer_pays": "the deck itself pays (si va col mazzo)",
        "out": "{player} is out (su saupr)",
        "fine_del_vergine": "gnaffata, bbummata and lowest card: the virgin's end (fine del vergine) for {player}",
        "hand": "Hand {n}, dealt by {dealer}",
        "void": "void: the same dealer deals again",
        "irregular": "irregular",
        "no_payment": "nobody pays",
        "pot": "pot {pot}",
        "open": "ricompera open at {price}",
        "shut": "no ricompera",
        "virgin": "virgin",
        "is_out": "out",
        "gets": "{name} gets {sum}",
    },
}


def card(kind: Kind, language: Lang) -> str:
    """The card with its article: "la Secchia", "l'8", "the 8"."""
    if language == "en":
        return f"the {NAMES[kind].it}"
    if kind in ("1", "8"):
        return f"l'{kind}"
    article = {"secchia": "la", "nulla": "la", "taverna": "la", "gnao": "lo"}.get(kind, "il")
    return f"{article} {NAMES[kind].it}"


def payment(paid: Payment, language: Lang, dealer: str | None = None) -> str:
    """One payment as a sentence with its rule; ``dealer`` is who dealt that hand."""
    said = _PAYMENTS[language][paid.cause].format(
        player=paid.player, by=paid.by, card=card(paid.card, language) if paid.card else ""
    )
    if paid.cause == "lowest" and paid.player == dealer:
        said += f"; {_MORE[language]['dealer_pays']}"
    return f"{said} ({_MORE[language]['rule']} {paid.rule})"


def irregularity(found: Irregularity, language: Lang) -> str:
    """One mistake as a sentence with the rule that it goes against."""
    said = _IRREGULARITIES[language][found.kind].format(player=found.player)
    return f"{said} ({_MORE[language]['rule']} {RULE_OF_IRREGULARITY[found.kind]})"


def out(player: str, language: Lang) -> str:
    """That this player's last pedina went (rule 18)."""
    return _MORE[language]["out"].format(player=player)


def fine_del_vergine(rulings: HandRulings, virgins: Collection[str]) -> str | None:
    """Who of these virgins paid for a gnaffata, a bbummata and the lowest card in this hand (rule 22); None: nobody."""
    for player in virgins:
        causes = {paid.cause for paid in rulings.payments if paid.player == player}
        if causes >= {"gnaffata", "bbummata", "lowest"}:
            return player
    return None


def hand(rulings: HandRulings, language: Lang) -> tuple[str, ...]:
    """Who paid what in this hand and why, a sentence each; that it is void, or that nobody paid."""
    if not rulings.payments:
        return (_MORE[language]["void" if rulings.void else "no_payment"],)
    return tuple(payment(paid, language, rulings.dealer) for paid in rulings.payments)


def aftermath(rulings: HandRulings, language: Lang, virgins: Collection[str] = ()) -> tuple[str, ...]:
    """Who is out, whose virginity met its end, and what was irregular, a sentence each.

    ``virgins`` are those who were virgins when the hand began: one of them may meet the fine del vergine (rule 22).
    """
    more = _MORE[language]
    said = [out(player, language) for player in rulings.out]
    if (ended := fine_del_vergine(rulings, virgins)) is not None:
        said.insert(0, f"{more['fine_del_vergine'].format(player=ended)} ({more['rule']} 22)")
    return (*said, *(f"{more['irregular']}: {irregularity(found, language)}" for found in rulings.irregularities))


def title(rulings: HandRulings, language: Lang) -> str:
    """Which hand, and who dealt it."""
    return _MORE[language]["hand"].format(n=rulings.n, dealer=rulings.dealer)


def status(rulings: Report, language: Lang) -> str:
    """What the game is doing, and who deals or has won."""
    return _STATUS[language][rulings.status].format(dealer=rulings.dealer, winner=rulings.winner)


def money(minor_units: int, language: Lang) -> str:
    """A sum in euros, exact at any size: "8,00 €", "€8.00"."""
    euros, cents = divmod(minor_units, 100)
    return f"{euros},{cents:02d} €" if language == "it" else f"€{euros}.{cents:02d}"


def standing(rulings: Report, language: Lang) -> tuple[str, ...]:
    """How everybody stands: status, players, pot and ricompera, and the settlement of a game that is won."""
    more = _MORE[language]
    said = [status(rulings, language)]
    for player in rulings.players:
        notes = f", {more['virgin']}" if player.virgin else ""
        said.append(f"{player.name}: {'●' * min(player.pedine, 20) if player.in_play else more['is_out']}{notes}")
    price = more["open" if rulings.ricompera.open else "shut"].format(price=money(rulings.ricompera.price, language))
    said.append(f"{more['pot'].format(pot=money(rulings.pot, language))}; {price}")
    for name, amount in (rulings.settlement or {}).items():
        said.append(more["gets"].format(name=name, sum=money(amount, language)))
    return tuple(said)
