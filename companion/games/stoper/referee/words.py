"""The referee's questions about a hand of Stoper, and what the phone is asked to tell, as people say them."""

from __future__ import annotations

from typing import Final, cast

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.stoper.referee.facts import NOBODY, FactKind
from companion.referee.questions import Question
from companion.referee.values import OTHER
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, not_seen, sentence

_QUESTIONS: Final[dict[FactKind, str]] = {
    "won": N_("Who took the pot?"),
    "face": N_("Which card did {0} show here?"),
    "dealer": N_("Who dealt this hand?"),
}


def question(asked: Question, lang: Lang) -> str:
    """What to ask: "Chi ha preso il piatto?"; of a hand that was not seen as a whole: "8 secondi non visti. …"."""
    say, kind = catalogue(lang), cast(FactKind, asked.kind)
    number = asked.id.partition("@")[2]
    said = _QUESTIONS[kind] if kind != "won" or number == "1" else N_("Who took pot {number}?")
    text = say.gettext(said).format(*asked.players, number=number)
    return f"{not_seen(asked.blind, lang)}. {sentence(text)}" if asked.blind else sentence(text)


def choice(asked: Question, choice_id: str | None, names: tuple[str, ...], lang: Lang) -> str:
    """One answer to choose, as on a button. ``names``: of all players by place; None stands for "don't know"."""
    say = catalogue(lang)
    if choice_id is None:
        return str(say.pgettext("answer", "Don't know"))
    if choice_id.startswith(OTHER):
        return str(say.pgettext("answer", "Another") if asked.kind == "face" else say.pgettext("answer", "Somebody else"))
    if choice_id == NOBODY:
        return str(say.gettext("Nobody: it stays on the table"))
    return italian_words.card(choice_id, lang) if choice_id in KINDS else names[int(choice_id)]


def told_by_bets(hand: int, winners: tuple[str, ...], lang: Lang) -> str:
    """Who took the pots of a hand after all: "Mano 2: vittoria di Elsa, a giudicare dalle puntate successive."."""
    said = catalogue(lang).gettext("Hand {n}: going by the bets since then, {winners} won it.")
    return str(said.format(n=hand, winners=listed(winners, lang)))


def thrown_in(name: str, lang: Lang) -> str:
    """Whether somebody who has thrown their cards passes: "Bice ha buttato le carte: passo?"."""
    return str(catalogue(lang).gettext("{name} has thrown in the cards: passo?").format(name=name))
