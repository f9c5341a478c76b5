"""What a history of a hand of Stoper says about things that people at the table know and that decide who is paid.

- ``won@1``: who took the first pot, a place; ``nobody`` where none took it
- ``face:2@9.80/17/coppe-6``: which card the eyes saw at 9.80 s before place 2, in episode 17, most probably this one: its id
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from typing import Final, Literal, cast, get_args

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.stoper.referee.history import History
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.sightings import Shown, Sighting
from companion.referee.questions import Question
from companion.referee.values import OTHER, Fact, Facts
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, not_seen, sentence

FactKind = Literal["won", "face", "dealer"]
PLAINEST: tuple[FactKind, ...] = ("won", "face", "dealer")
"""Kinds of questions, the plainest first: of several that settle about the same, the plainest is asked."""
NOBODY = "nobody"


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand; ``sightings``: what the eyes saw of the hand."""
    found: Facts = {}
    one = ruling(history.state, len(before.hands) + 1)
    if one is None or one.void:
        return found
    names = before.table.names

    def note(kind: FactKind, value: str, place: int | None = None, at: str = "", t: float = history.acted) -> None:
        key = kind + (f":{place}" if place is not None else "") + (f"@{at}" if at else "")
        found.setdefault(key, (Fact(key, kind, () if place is None else (place,), t), value))

    note("dealer", str(names.index(one.dealer)))
    for number, pot in enumerate(one.pots, start=1):
        note("won", str(names.index(pot.winner)), at=str(number))
    if one.unassigned is not None:
        note("won", NOBODY, at="1")
    looks = {look.episode: look for look in sightings if isinstance(look, Shown)}
    for hand in history.reading.hands if history.reading is not None else ():
        for episode, card in hand.read:
            if (look := looks.get(episode)) is not None:
                at = "/".join((f"{look.t:.2f}", str(episode), *(kind for kind, _ in look.alternatives[:1])))
                note("face", KINDS[card], hand.seat, at, look.t)
    return found


def default_of(fact: Fact) -> str | None:
    """None: a history says nothing about a fact that it does not mention."""
    return None


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is the one in the key, else 0.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and len(places) == (kind == "face") and bool(at) == (kind != "dealer"):
            t = float(at.split("/")[0]) if kind == "face" else 0.0
            return Fact(key, known, tuple(map(int, places)), t)
    raise ValueError(f"{key!r} is not a fact: expected one such as won@1")


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: none is so."""
    return False


# The referee's questions about a hand of Stoper, and what the phone is asked to tell, as people say them.


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
