"""The steps of the moviola as sentences, in Italian and English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.decks.stu import RANK, Kind
from companion.games.stu import words
from companion.table.language import N_, Lang, catalogue

if TYPE_CHECKING:
    from companion.games.stu.story import Deed, Step

_DEEDS: Final[dict[Deed, str]] = {
    "sto": N_("{who} stays"),
    "passo": N_("{who} passes{with_card}{to_whom}"),
    "passo_back": N_("{who} sends the card back{to_whom}"),
    "passo_dealer": N_("{who}, the dealer, goes to the deck"),
    "swap": N_("{who} and {whom} exchange{exchange}"),
    "swap_back": N_("“cart'arrit”: {who} and {whom} exchange{exchange}"),
    "taverna": N_("{whom} has the Taverna and gives it{to_who}{in_return}"),
    "handed_back": N_("{whom} hands the Taverna back{to_who}{in_return}"),
    "refused": N_("{who} shows {card}{cry}{stopped}"),
    "jumped": N_("{who} shows the Salta, “zumb”: {whom} jumps it"),
    "draw": N_("{who} puts {old} under the deck and draws {card}"),
    "shown": N_("{who} shows {card}"),
    "penalty": N_("a penalty for {who}"),
    "end": N_("the cards are shown"),
    "void": N_("the hand is void and played again"),
}

_CRIES: Final[dict[Kind, str]] = {
    "taverna": "fatt nu bicchijr",
    "gnao": "Gnaff, cart'arrit",
    "bragon": "BBum",
}
"""Trump → what people in Montorio call out when they show it."""

_STOPPED: Final[dict[Kind, str]] = {
    "taverna": N_(": {whom} is stopped"),
    "cucco": N_(": {whom} is blinded (cecata)"),
}


def tell(step: Step, dealer: str, language: Lang) -> str:
    """The step as one sentence, with what fell due and what was irregular after it; ``dealer`` is who dealt the hand."""
    say = catalogue(language)
    _ = say.gettext

    def name(kind: Kind | None) -> str:
        return _("an unseen card") if kind is None else words.card(kind, language)

    def to(player: str | None) -> str:
        if player is None:
            return ""
        vowel = player[:1].lower() == "a"
        return (say.pgettext("a name that begins with A", " to {name}") if vowel else _(" to {name}")).format(name=player)

    card = step.card
    known = card is not None or step.other is not None
    lower = card is not None and step.other is not None and RANK[step.other] < RANK[card]
    gives = _(": {who} gives {card} and gets {other}")
    exchange = gives.format(who=step.who, card=name(card), other=name(step.other)) if known else ""
    said = _(_DEEDS[step.deed]).format(
        who=step.who,
        whom=step.whom,
        card=name(card),
        old=name(step.other),
        to_who=to(step.who),
        to_whom=to(step.whom),
        with_card=_(" with {card}").format(card=name(card)) if card else "",
        exchange=exchange + (_(" (“passo e sto”)") if step.deed == "swap" and lower else ""),
        in_return=_(", for {card}").format(card=name(card)) if card else "",
        cry=_(", “{cry}”").format(cry=_CRIES[card]) if card in _CRIES else "",
        stopped=_(_STOPPED[card]).format(whom=step.whom) if card in _STOPPED else "",
    )
    sentences = [said, *(words.payment(paid, language, dealer) for paid in step.payments)]
    sentences += [words.irregularity(found, language) for found in step.irregularities]
    return ". ".join(sentence[0].upper() + sentence[1:] for sentence in sentences) + "."
