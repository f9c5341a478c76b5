"""What a history of a hand of Stoper says about things that people at the table know and that decide who is paid.

- ``won@1``: who took the first pot, a place; ``nobody`` where none took it
- ``face:2@9.80/17/coppe-6``: which card the eyes saw at 9.80 s before place 2, in episode 17, most probably this one: its id
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.betting.referee import NOBODY, Asked, Kind, Noted
from companion.games.stoper.referee.history import History
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.sightings import Shown, Sighting
from companion.referee.questions import Question
from companion.referee.values import Facts
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed


class _Asked(Asked):
    """What people can be asked about a hand of Stoper, in their words."""

    example = "won@1"

    def __init__(self) -> None:
        self.kinds = {
            "won": Kind(N_("Who took the pot?"), N_("Nobody: it stays on the table"), detail=True),
            "face": Kind(N_("Which card did {0} show here?"), of="thing", place=True, detail=True, timed=True),
            "dealer": Kind(N_("Who dealt this hand?")),
        }

    def words(self, asked: Question, lang: Lang) -> tuple[str, dict[str, str]]:
        number = asked.id.partition("@")[2]
        several = asked.kind == "won" and number != "1"
        return N_("Who took pot {number}?") if several else self.kinds[asked.kind].asks, {"number": number}

    def thing(self, asked: Question, choice_id: str, lang: Lang) -> str:
        return italian_words.card(choice_id, lang)


ASKED = _Asked()


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand; ``sightings``: what the eyes saw of the hand."""
    found, acted = Noted(), history.acted
    one = ruling(history.state, len(before.hands) + 1)
    if one is None or one.void:
        return found.facts
    names, note = before.table.names, found.note
    note("dealer", str(names.index(one.dealer)), acted)
    for number, pot in enumerate(one.pots, start=1):
        note("won", str(names.index(pot.winner)), acted, at=str(number))
    if one.unassigned is not None:
        note("won", NOBODY, acted, at="1")
    looks = {look.episode: look for look in sightings if isinstance(look, Shown)}
    for hand in history.reading.hands if history.reading is not None else ():
        for episode, card in hand.read:
            if (look := looks.get(episode)) is not None:
                at = "/".join((f"{look.t:.2f}", str(episode), *(kind for kind, _ in look.alternatives[:1])))
                note("face", KINDS[card], look.t, place=hand.seat, at=at)
    return found.facts


def told_by_bets(hand: int, winners: tuple[str, ...], lang: Lang) -> str:
    """Who took the pots of a hand after all: "Mano 2: vittoria di Elsa, a giudicare dalle puntate successive."."""
    said = catalogue(lang).gettext("Hand {n}: going by the bets since then, {winners} won it.")
    return str(said.format(n=hand, winners=listed(winners, lang)))


def thrown_in(name: str, lang: Lang) -> str:
    """Whether somebody who has thrown their cards passes: "Bice ha buttato le carte: passo?"."""
    return str(catalogue(lang).gettext("{name} has thrown in the cards: passo?").format(name=name))
