"""Figures over many hands of Stoppa: how a log made from sightings and words compares with the true one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from companion.games.stoppa.rules import State, apply, begin
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.rules.state import HandRulings
from companion.table.log import Line
from companion.table.sure import SURE_FROM
from companion.workshop.streams.calibration import calibration_error

NEAR_SECONDS = 4.0
"""A card is found when it is told as laid at most this long before or after it was."""


@dataclass(frozen=True, slots=True)
class Played:
    """A hand of a log that is over. ``start``, ``end``: seconds. ``laid``: who laid which card, and when. ``confidence``: how
    probable it is that its payments are right."""

    start: float
    end: float
    ruling: HandRulings
    laid: tuple[tuple[str, str, float], ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a log made of one hand; ``true`` is None where it was never played, ``seen`` where no hand of the log fits."""

    true: Played | None
    seen: Played | None

    @property
    def right(self) -> bool:
        """All of it is paid as it was."""
        return self.true is not None and self.seen is not None and paid(self.true.ruling) == paid(self.seen.ruling)

    @property
    def stoppata_right(self) -> bool:
        """What the stoppata costs whom is right, whatever the phone has told of the rest."""
        return self.true is not None and self.seen is not None and _amounts(self.true.ruling) == _amounts(self.seen.ruling)

    @property
    def sure(self) -> bool:
        """Nobody would be asked about this ruling."""
        return self.seen is not None and self.seen.confidence >= SURE_FROM


def paid(ruling: HandRulings) -> Hashable:
    """Who takes and pays what in a hand, to the last cent."""
    pots = tuple((pot.phase, pot.prize, pot.bets, pot.winner) for pot in ruling.pots)
    return pots, _amounts(ruling), ruling.void


def _amounts(ruling: HandRulings) -> Hashable:
    return tuple((one.payer, one.to, one.amount, one.cause) for one in ruling.payments)


def compare(true: Sequence[Line], seen: Sequence[Line]) -> tuple[Verdict, ...]:
    """The verdicts on the hands that are over in two logs of one evening, matched by the time that they share."""
    really, found = played(true), played(seen)
    shared = sorted(
        ((min(a.end, b.end) - max(a.start, b.start), i, j) for i, a in enumerate(really) for j, b in enumerate(found)),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for overlap, i, j in shared:
        if overlap > 0 and i not in pairs and j not in pairs.values():
            pairs[i] = j
    verdicts = [Verdict(hand, found[pairs[i]] if i in pairs else None) for i, hand in enumerate(really)]
    return (*verdicts, *(Verdict(None, found[j]) for j in range(len(found)) if j not in pairs.values()))


def played(lines: Sequence[Line]) -> tuple[Played, ...]:
    """The hands of a log that are over. A line without a time has that of the line before.

    Raises:
        GameError: the log cannot have happened.
    """
    state: State = begin(lines[0].event)
    hands: list[Played] = []
    laid: list[tuple[str, str, float]] = []
    start = t = 0.0
    for line in lines[1:]:
        t = line.t if line.t is not None else t
        before, state = state, apply(state, line.event)
        event = line.event
        if isinstance(event, tl.Hand):
            start, laid = t, []
        if isinstance(event, tl.Lay):
            laid += [(event.by, kind, t) for kind in event.cards]
        if len(state.hands) > len(before.hands):
            sure = 1.0 if line.confidence is None else line.confidence
            hands.append(Played(start, t, state.hands[-1], tuple(laid), sure))
        elif isinstance(event, tl.End) and hands and before.hand is None:
            sure = 1.0 if line.confidence is None else line.confidence
            hands[-1] = Played(hands[-1].start, t, state.hands[-1], hands[-1].laid, sure)
    return tuple(hands)


@dataclass(frozen=True, slots=True)
class StreamFigures:
    """Shares 0 to 1, but for ``hands``, those played. ``right``: hands of which all is paid as it was; ``stoppata``: of which the
    stoppata is. ``sure_but_wrong``: wrong rulings shown as sure, also on hands that nobody played, per hand played; ``unsure``:
    hands without a sure ruling, likewise. ``laid``: cards laid that are told, with the right player.
    ``calibration``: expected calibration error of the rulings' confidence, in ten bins."""

    hands: int
    right: float
    stoppata: float
    sure_but_wrong: float
    unsure: float
    laid: float
    calibration: float


def figures(verdicts: Iterable[Verdict]) -> StreamFigures:
    """The figures of these verdicts."""
    verdicts = tuple(verdicts)
    true = [verdict.true for verdict in verdicts if verdict.true is not None]
    hands = max(len(true), 1)
    cards = sum(len(hand.laid) for hand in true)
    return StreamFigures(
        hands=len(true),
        right=sum(verdict.right for verdict in verdicts) / hands,
        stoppata=sum(verdict.stoppata_right for verdict in verdicts) / hands,
        sure_but_wrong=sum(verdict.sure and not verdict.right for verdict in verdicts) / hands,
        unsure=sum(not verdict.sure for verdict in verdicts) / hands,
        laid=sum(map(_found, verdicts)) / cards if cards else 1.0,
        calibration=calibration_error(
            (verdict.seen.confidence, verdict.right) for verdict in verdicts if verdict.seen is not None
        ),
    )


def _found(verdict: Verdict) -> int:
    """How many of the cards laid are told, with the right player."""
    if verdict.true is None or verdict.seen is None:
        return 0
    left = list(verdict.seen.laid)
    found = 0
    for by, kind, t in verdict.true.laid:
        near = [one for one in left if one[:2] == (by, kind) and abs(one[2] - t) <= NEAR_SECONDS]
        if near:
            left.remove(min(near, key=lambda one: abs(one[2] - t)))
            found += 1
    return found
