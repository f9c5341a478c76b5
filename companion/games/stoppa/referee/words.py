"""The referee's questions about a hand of Stoppa, and what the phone has not told, as people say them."""

from __future__ import annotations

from typing import Final, cast

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.stoppa import words
from companion.games.stoppa.referee.facts import NOBODY, FactKind
from companion.games.stoppa.referee.notices import Group, MoneyUntold
from companion.referee.questions import Question
from companion.referee.values import OTHER
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, not_seen, sentence, short

_QUESTIONS: Final[dict[FactKind, str]] = {
    "stopped": N_("Who laid their last card and stopped?"),
    "won": N_("Who took the {punto}?"),
    "whose": N_("Who put down the {card}?"),
    "number": N_("Which card was put down here?"),
    "missed": N_("Did somebody put down a {number} that the camera did not see?"),
    "left": N_("How many cards did {0} have left?"),
    "dealer": N_("Who dealt this hand?"),
}
_NOBODY: Final[dict[FactKind, str]] = {
    "stopped": N_("Nobody: it was broken off"),
    "won": N_("Nobody: it stays on the table"),
    "whose": N_("Nobody: no card was put down"),
    "missed": N_("No, nobody"),
}


def question(asked: Question, lang: Lang) -> str:
    """What to ask: "Chi ha preso il punto piccolo 2?"; of a hand that was not seen as a whole: "8 secondi non visti. …"."""
    say, kind = catalogue(lang), cast(FactKind, asked.kind)
    detail = asked.id.partition("@")[2]
    card, said = detail.split("/")[-1], _QUESTIONS[kind]
    if kind == "whose" and card not in KINDS:
        said = N_("Who put down this card?")
    text = say.gettext(said).format(
        *asked.players,
        punto=words.punto(detail) if kind == "won" else "",
        card=italian_words.card(card, lang).lower() if card in KINDS else "",
        number=italian_words.number(int(detail), lang) if kind == "missed" else "",
    )
    return f"{not_seen(asked.blind, lang)}. {sentence(text)}" if asked.blind else sentence(text)


def choice(asked: Question, choice_id: str | None, names: tuple[str, ...], lang: Lang) -> str:
    """One answer to choose, as on a button. ``names``: of all players by place; None stands for "don't know"."""
    say, kind = catalogue(lang), cast(FactKind, asked.kind)
    if choice_id is None:
        return str(say.pgettext("answer", "Don't know"))
    if choice_id.startswith(OTHER):
        return str(say.pgettext("answer", "Another") if kind in ("number", "left") else say.pgettext("answer", "Somebody else"))
    if choice_id == NOBODY:
        return str(say.gettext(_NOBODY[kind]))
    if kind == "number":
        return sentence(italian_words.number(int(choice_id), lang))
    if kind == "left":
        return str(say.ngettext("{n} card", "{n} cards", int(choice_id)).format(n=choice_id))
    return names[int(choice_id)]


def untold(found: MoneyUntold, lang: Lang) -> tuple[str, ...]:
    """What only the phone can add to the hand's money, a sentence each."""
    _ = catalogue(lang).gettext
    said = []
    if found.comparison:
        said.append(_("Bets were told, but not who won them: tell of the comparison, the stoppata waits for it"))
    if found.phases:
        punti = listed([words.punto(phase) for phase in found.phases], lang)
        said.append(_("Cards were shown at the {punti}, but no bet was told: put it in, if there was one").format(punti=punti))
    return tuple(said)


def lying_open(found: tuple[Group, ...], names: tuple[str, ...], lang: Lang) -> str:
    """Whose group is best of those that lie open: "Carte scoperte: 55 Bruno, 33 Anna". ``names``: of all players by place."""
    rows = ", ".join(f"{group.score} {short(names[group.place])}" for group in found)
    return str(catalogue(lang).gettext("Cards laid open: {groups}").format(groups=rows))
