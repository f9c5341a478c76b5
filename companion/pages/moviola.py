"""The last hand that is over, step by step, of a game in which a step of the moviola is the table as it was then. Pure; told from
the public log alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from companion.pages.moments import Moment
from companion.pages.view import Figure, RulingView, SeatView, ViewSettings
from companion.table.sure import SURE_FROM

Seat = TypeVar("Seat", bound=SeatView)
Centre = TypeVar("Centre")


class StepView(Struct, Generic[Seat, Centre], frozen=True):
    """One step: the sentence, and the parts of the view that it changed. ``centre``: what lay in the middle, as the game draws
    it; ``happened``: the commentary of the hand until then."""

    says: str
    seats: tuple[Seat, ...]
    figures: tuple[Figure, ...]
    happened: tuple[str, ...]
    centre: Centre | None
    ruling: RulingView | None


class Moviola(Struct, Generic[Seat, Centre], frozen=True):
    """The hand with number ``n``, dealt by ``dealer``."""

    n: int
    dealer: str
    steps: tuple[StepView[Seat, Centre], ...]


SETTINGS = ViewSettings(sure_from=SURE_FROM, happened=2)
"""What the view of a step depends on."""


def replay_steps(
    moments: Sequence[Moment], *, quiet: type | tuple[type, ...], goes_with: Callable[[Moment, Moment], bool],
    view: Callable[[Sequence[Moment]], Any], says: Callable[[Sequence[Moment], Any], str],
) -> Moviola[Any, Any] | None:  # fmt: skip
    """The last hand that is over; None before the first is, of a void one, and where only its outcome is known.

    ``quiet``: events that are no step; ``goes_with``: whether a moment belongs to the step of the one before it; ``view``: of the
    moments so far; ``says``: a step as a sentence, of its moments and the view after it.
    """
    over = len(moments[-1].seen.hands) if moments else 0
    if not over or moments[-1].seen.hands[-1].void:
        return None
    begin = next(at for at, moment in enumerate(moments) if moment.seen.hand is not None and moment.seen.hand.n == over)
    end = next(at for at, moment in enumerate(moments) if len(moment.seen.hands) == over)
    if over in moments[-1].stated:
        return None
    book = moments[end].seen.hands[-1]
    earlier = view(moments[:begin]).happened if begin else ()
    steps = []
    for group in _steps(moments[begin : end + (moments[end].seen.hand is None)], quiet, goes_with):
        shown = view(moments[: begin + group[-1] + 1])
        said = says([moments[begin + at] for at in group], shown)
        steps.append(StepView(said, shown.seats, shown.figures, _since(earlier, shown.happened), shown.centre, shown.ruling))
    return Moviola(book.n, book.dealer, tuple(steps))


def _since(earlier: tuple[str, ...], happened: tuple[str, ...]) -> tuple[str, ...]:
    """What has happened, oldest first, without what stood there ``earlier``: before the hand."""
    same = next(many for many in range(len(happened), -1, -1) if many == 0 or happened[:many] == earlier[-many:])
    return happened[same:]


def _steps(
    hand: Sequence[Moment], quiet: type | tuple[type, ...], goes_with: Callable[[Moment, Moment], bool]
) -> Iterator[list[int]]:
    """Which of a hand's moments make one step."""
    step: list[int] = []
    for at, moment in enumerate(hand):
        if isinstance(moment.event, quiet):
            continue
        if step and not goes_with(hand[step[-1]], moment):
            yield step
            step = []
        step.append(at)
    if step:
        yield step
