"""The steps of the moviola as sentences, in Italian and English."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.decks.stu import RANK, Kind
from companion.games.stu import words
from companion.table.language import Lang

if TYPE_CHECKING:
    from companion.games.stu.story import Step

_DEEDS: dict[Lang, dict[str, str]] = {
    "it": {
        "sto": "{who} sta",
        "passo": "{who} fa passo{with_card}{to_whom}",
        "passo_back": "{who} manda indietro la carta{to_whom}",
        "passo_dealer": "{who}, il mazziere, va al mazzo",
        "swap": "{who} e {whom} scambiano{exchange}",
        "swap_back": "«cart'arrit»: {who} e {whom} scambiano{exchange}",
        "taverna": "{whom} ha la Taverna e la cede{to_who}{in_return}",
        "handed_back": "{whom} rende la Taverna{to_who}{in_return}",
        "refused": "{who} mostra {card}{cry}{stopped}",
        "jumped": "{who} mostra il Salta, «zumb»: {whom} lo salta",
        "draw": "{who} mette sotto {old} e pesca {card}",
        "shown": "{who} scopre {card}",
        "penalty": "penalità per {who}",
        "end": "si scoprono le carte",
        "void": "la mano è nulla: si rifà",
    },
    "en": {
        "sto": "{who} stays",
        "passo": "{who} passes{with_card}{to_whom}",
        "passo_back": "{who} sends the card back{to_whom}",
        "passo_dealer": "{who}, the dealer, goes to the deck",
        "swap": "{who} and {whom} exchange{exchange}",
        "swap_back": "“cart'arrit”: {who} and {whom} exchange{exchange}",
        "taverna": "{whom} has the Taverna and gives it{to_who}{in_return}",
        "handed_back": "{whom} hands the Taverna back{to_who}{in_return}",
        "refused": "{who} shows {card}{cry}{stopped}",
        "jumped": "{who} shows the Salta, “zumb”: {whom} jumps it",
        "draw": "{who} puts {old} under the deck and draws {card}",
        "shown": "{who} shows {card}",
        "penalty": "a penalty for {who}",
        "end": "the cards are shown",
        "void": "the hand is void and played again",
    },
}

_CRIES: dict[Kind, str] = {
    "taverna": "fatt nu bicchijr",
    "gnao": "Gnaff, cart'arrit",
    "bragon": "BBum",
}

_STOPPED: dict[Lang, dict[Kind, str]] = {
    "it": {
        "taverna": ": {whom} si ferma",
        "cucco": ": per {whom} è una «cecata»",
    },
    "en": {
        "taverna": ": {whom} is stopped",
        "cucco": ": {whom} is blinded (cecata)",
    },
}

_BITS: dict[Lang, dict[str, str]] = {
    "it": {"unseen": "una carta non vista", "gives": ": {who} dà {card} e prende {other}", "to": " {a} {name}",
           "with": " con {card}", "for": " e prende {card}", "passo_e_sto": " («passo e sto»)", "cry": ", «{cry}»"},
    "en": {"unseen": "an unseen card", "gives": ": {who} gives {card} and gets {other}", "to": " to {name}",
           "with": " with {card}", "for": ", for {card}", "passo_e_sto": " (“passo e sto”)", "cry": ", “{cry}”"},
}  # fmt: skip


def tell(step: Step, dealer: str, language: Lang) -> str:
    """The step as one sentence, with what fell due and what was irregular after it; ``dealer`` is who dealt the hand."""
    bits = _BITS[language]

    def name(kind: Kind | None) -> str:
        return bits["unseen"] if kind is None else words.card(kind, language)

    def to(player: str | None) -> str:
        if player is None:
            return ""
        return bits["to"].format(a="ad" if player[:1].lower() == "a" else "a", name=player)

    known = step.card is not None or step.other is not None
    lower = step.card is not None and step.other is not None and RANK[step.other] < RANK[step.card]
    exchange = bits["gives"].format(who=step.who, card=name(step.card), other=name(step.other)) if known else ""
    said = _DEEDS[language][step.deed].format(
        who=step.who,
        whom=step.whom,
        card=name(step.card),
        old=name(step.other),
        to_who=to(step.who),
        to_whom=to(step.whom),
        with_card=bits["with"].format(card=name(step.card)) if step.card else "",
        exchange=exchange + (bits["passo_e_sto"] if step.deed == "swap" and lower else ""),
        in_return=bits["for"].format(card=name(step.card)) if step.card else "",
        cry=bits["cry"].format(cry=_CRIES[step.card]) if step.card in _CRIES else "",
        stopped=_STOPPED[language].get(step.card, "").format(whom=step.whom) if step.card else "",
    )
    told = [said, *(words.payment(paid, language, dealer) for paid in step.payments)]
    told += [words.irregularity(found, language) for found in step.irregularities]
    return ". ".join(sentence[0].upper() + sentence[1:] for sentence in told) + "."
