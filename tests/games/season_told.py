"""What an evening comes to in the season, as the tests of every game ask for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.games import GAMES
from companion.pages.moments import Moment, follow
from companion.pages.season import EveningFigures, told_of
from companion.table.log import Event, Line


def lines(*events: Event) -> tuple[Line, ...]:
    return tuple(Line(event) for event in events)


def moments_of(game: str, log: Sequence[Line]) -> list[Moment]:
    return list(follow(GAMES[game].rules, GAMES[game].pages, log))


def told(game: str, log: Sequence[Line], *, ended: bool) -> EveningFigures:
    found = told_of(GAMES[game].rules, GAMES[game].pages, log, ended=ended)
    assert found is not None
    return found


def of(found: EveningFigures, column: str) -> list[int | None]:
    """Everybody's number."""
    return [player.figures.get(column) for player in found.players]


def check_figures(found: EveningFigures, expected: dict[str, Any]) -> None:
    """``expected``: column → everybody's number."""
    assert {column: of(found, column) for column in expected} == expected


def check_money_once_over(tell: Callable[..., EveningFigures], close: Event, money: Iterable[str]) -> None:
    """Money is told of an evening that is over, closed or with another begun since; the first player wins it, but nobody has won
    what nobody closed. ``tell``: the evening with these further lines; ``money``: the columns."""
    on = tell(ended=False)
    assert all(of(on, column) == [None] * len(on.players) for column in money)
    for closed, ended in (((close,), False), ((), True)):
        found = tell(*closed, ended=ended)
        assert (found.over, found.settled) == (bool(closed), True)
        assert not any(None in of(found, column) for column in money)
        assert [player.won for player in found.players] == [bool(closed), *[False] * (len(found.players) - 1)]
