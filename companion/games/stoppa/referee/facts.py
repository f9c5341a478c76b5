"""What a history of a hand of Stoppa says about things that people at the table know and that decide who pays.

- ``stopped``: who laid their last card, a place; ``nobody``
- ``left:2``: how many cards place 2 had left when the stoppata was over
- ``won@piccolo-1``, ``won@grosso``: who took a punto, a place; ``nobody`` where it is carried
- ``whose@9.80/17/coppe-6``: who put down the card that the eyes saw at 9.80 s, in episode 17, most probably this one: a place;
  ``nobody`` where no card was put down then
- ``number@9.80/17``: its number
- ``missed@6``: who put down a card of this number that the eyes did not see, a place; ``nobody``
- ``dealer``: who dealt the hand, a place
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.betting.referee import NOBODY, Asked, Kind, Noted
from companion.games.stoppa import words
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.referee.open_faces import Group, MoneyUntold
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.cards import INDEX, Card, number_of
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.sightings import Laid, Sighting
from companion.referee.questions import Question
from companion.referee.values import Fact, Facts
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, sentence, short


class _Asked(Asked):
    """What people can be asked about a hand of Stoppa, in their words."""

    example = "left:2"

    def __init__(self) -> None:
        self.kinds = {
            "stopped": Kind(N_("Who laid their last card and stopped?"), N_("Nobody: it was broken off")),
            "won": Kind(N_("Who took the {punto}?"), N_("Nobody: it stays on the table"), detail=True),
            "whose": Kind(N_("Who put down the {card}?"), N_("Nobody: no card was put down"), detail=True, timed=True),
            "number": Kind(N_("Which card was put down here?"), of="thing", detail=True, timed=True),
            "missed": Kind(
                N_("Did somebody put down a {number} that the camera did not see?"), N_("No, nobody"), detail=True
            ),
            "left": Kind(N_("How many cards did {0} have left?"), of="thing", place=True),
            "dealer": Kind(N_("Who dealt this hand?")),
        }

    def words(self, asked: Question, lang: Lang) -> tuple[str, dict[str, str]]:
        detail = asked.id.partition("@")[2]
        said, card = self.kinds[asked.kind].asks, detail.split("/")[-1]
        if asked.kind == "whose" and card not in KINDS:
            said = N_("Who put down this card?")
        return said, {
            "punto": words.punto(detail) if asked.kind == "won" else "",
            "card": italian_words.card(card, lang).lower() if card in KINDS else "",
            "number": italian_words.number(int(detail), lang) if asked.kind == "missed" else "",
        }

    def thing(self, asked: Question, choice_id: str, lang: Lang) -> str:
        if asked.kind == "number":
            return sentence(italian_words.number(int(choice_id), lang))
        return str(catalogue(lang).ngettext("{n} card", "{n} cards", int(choice_id)).format(n=choice_id))


ASKED = _Asked()


def facts_of(history: History, before: State, sightings: tuple[Sighting, ...]) -> Facts:
    """All facts in this history. ``before``: the engine's state before the hand; ``sightings``: what the eyes saw of the hand."""
    found, acted = Noted(), history.acted
    one = ruling(history.state, len(before.hands) + 1)
    if one is None or one.void:
        return found.facts
    names, note = before.table.names, found.note
    note("dealer", str(names.index(one.dealer)), acted)
    for pot in one.pots:
        note("won", NOBODY if pot.winner is None else str(names.index(pot.winner)), acted, at=pot.phase)
    if one.stoppata is None or one.stoppata.annulled:
        return found.facts
    winner = one.stoppata.winner
    note("stopped", NOBODY if winner is None else str(names.index(winner)), acted)
    for name, laid in one.stoppata.laid.items() if winner is not None else ():
        note("left", str(before.table.size - laid), acted, place=names.index(name))
    seen = {look.episode: look for look in sightings if isinstance(look, Laid)}
    read = {card: seen[episode] for episode, card in history.episodes if episode in seen}
    for card, seat, t in _laid(history):
        if (look := read.get(card)) is not None:
            at = f"{look.t:.2f}/{look.episode}"
            note("whose", str(seat), look.t, at="/".join((at, *(kind for kind, _ in look.alternatives[:1]))))
            note("number", str(number_of(card)), look.t, at=at)
        else:
            note("missed", str(seat), t, at=str(number_of(card)))
    return found.facts


def _laid(history: History) -> Iterator[tuple[Card, int, float]]:
    """Every card that was laid, by whom, and when."""
    names = history.state.table.names
    for line in history.lines:
        if isinstance(line.event, Lay):
            for kind in line.event.cards:
                yield INDEX[kind], names.index(line.event.by), line.t or 0.0


def default_of(fact: Fact) -> str | None:
    """What a history says about a fact that it does not mention: that there was no such card, and nobody stopped; None for all
    other kinds."""
    return NOBODY if fact.kind in ("stopped", "whose", "missed") else None


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: cards left in a hand, and a card that was put down unseen."""
    return fact.kind in ("left", "missed")


def untold(found: MoneyUntold, lang: Lang) -> tuple[str, ...]:
    """What only the phone can add to the hand's money, a sentence each."""
    _ = catalogue(lang).gettext
    said = []
    if found.comparison:
        said.append(_("Bets were entered, but not who won them: say how the comparison ended, the stoppata waits for it"))
    if found.phases:
        punti = listed([words.punto(phase) for phase in found.phases], lang)
        said.append(_("Cards were shown at the {punti}, but no bet was entered: put it in, if there was one").format(punti=punti))
    return tuple(said)


def lying_open(found: tuple[Group, ...], names: tuple[str, ...], lang: Lang) -> str:
    """The groups that lie open, the best first: "Carte scoperte: 55 Bruno, 33 Anna". ``names``: of all players by place."""
    rows = ", ".join(f"{group.score} {short(names[group.place])}" for group in found)
    return str(catalogue(lang).gettext("Cards laid open: {groups}").format(groups=rows))
