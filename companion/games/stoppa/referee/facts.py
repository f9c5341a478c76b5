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
from typing import Final, Literal, cast, get_args

from companion.decks import italian_words
from companion.decks.italian import KINDS
from companion.games.stoppa import words
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.referee.open_faces import Group, MoneyUntold
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.cards import INDEX, Card, number_of
from companion.games.stoppa.rules.log import Lay
from companion.games.stoppa.sightings import Laid, Sighting
from companion.referee.questions import Question
from companion.referee.values import OTHER, Fact, Facts
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, not_seen, sentence, short

FactKind = Literal["stopped", "won", "whose", "number", "missed", "left", "dealer"]
PLAINEST: tuple[FactKind, ...] = ("stopped", "won", "whose", "number", "missed", "left", "dealer")
"""Kinds of questions, the plainest first: of several that settle about the same, the plainest is asked."""
NOBODY = "nobody"
WITH_PLACE: frozenset[FactKind] = frozenset({"left"})
"""Kinds whose key names a place."""
WITH_DETAIL: frozenset[FactKind] = frozenset({"won", "whose", "number", "missed"})
"""Kinds whose key has a detail after an ``@``."""


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
    for pot in one.pots:
        note("won", NOBODY if pot.winner is None else str(names.index(pot.winner)), at=pot.phase)
    if one.stoppata is None or one.stoppata.annulled:
        return found
    winner = one.stoppata.winner
    note("stopped", NOBODY if winner is None else str(names.index(winner)))
    for name, laid in one.stoppata.laid.items() if winner is not None else ():
        note("left", str(before.table.size - laid), names.index(name))
    seen = {look.episode: look for look in sightings if isinstance(look, Laid)}
    read = {card: seen[episode] for episode, card in history.episodes if episode in seen}
    for card, seat, t in _laid(history):
        if (look := read.get(card)) is not None:
            at = f"{look.t:.2f}/{look.episode}"
            note("whose", str(seat), at="/".join((at, *(kind for kind, _ in look.alternatives[:1]))), t=look.t)
            note("number", str(number_of(card)), at=at, t=look.t)
        else:
            note("missed", str(seat), at=str(number_of(card)), t=t)
    return found


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


def fact_of(key: str) -> Fact:
    """The fact with this key; its time is the one in the key, else 0.

    Raises:
        ValueError: there is no such kind of fact.
    """
    body, _, at = key.partition("@")
    kind, *places = body.split(":")
    for known in get_args(FactKind):
        if kind == known and len(places) == (kind in WITH_PLACE) and bool(at) == (kind in WITH_DETAIL):
            t = float(at.split("/")[0]) if kind in ("whose", "number") else 0.0
            return Fact(key, known, tuple(map(int, places)), t)
    raise ValueError(f"{key!r} is not a fact: expected one such as left:2")


def is_unseen(fact: Fact) -> bool:
    """Whether the eyes have seen nothing of it: cards left in a hand, and a card that was put down unseen."""
    return fact.kind in ("left", "missed")


# The referee's questions about a hand of Stoppa, and what the phone has not told, as people say them.


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
    """The groups that lie open, the best first: "Carte scoperte: 55 Bruno, 33 Anna". ``names``: of all players by place."""
    rows = ", ".join(f"{group.score} {short(names[group.place])}" for group in found)
    return str(catalogue(lang).gettext("Cards laid open: {groups}").format(groups=rows))
