"""An evening as rows for a spreadsheet, which a game fills: plain frozen values, already said in one language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from companion.table.language import Lang, catalogue
from companion.table.text import perhaps

Cell = str | int | Fraction | None
"""A text, a number, an amount in whole units of money (euros), or nothing."""


class Row(Struct, frozen=True):
    """``hand``: the number of the hand it is about, 0 for none; ``cells``: one for each column; ``set``: it says what the table
    has set after that hand, and nothing of the hand; ``doubtful``: a card that it rests on may be another."""

    hand: int
    cells: tuple[Cell, ...]
    set: bool = False
    doubtful: bool = False


class Rows(Struct, frozen=True):
    """A sheet: what its ``columns`` are called, and its ``rows`` in order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def sheet(
    columns: Sequence[str], told: Iterable[Sequence[Cell] | Row], settings: Iterable[Sequence[Cell]] = (),
    last: Iterable[Sequence[Cell]] = (),
) -> Rows:  # fmt: skip
    """Rows that begin with the number of their hand: those ``told`` hand by hand, what was set after a hand behind it, and the
    ``last`` ones. Where something else is told between two hands, its rows and `set_row` stand in ``told``, in their order."""
    rows = [*map(_row, told), *map(set_row, settings)]
    return Rows(tuple(columns), (*sorted(rows, key=lambda row: row.hand), *map(_row, last)))


def set_row(cells: Sequence[Cell]) -> Row:
    """A row for what the table has set after a hand."""
    return replace(_row(cells), set=True)


def hand_row(cells: Sequence[Cell], *, doubtful: bool) -> Row:
    """Of a hand; ``doubtful``: as of `Row`."""
    return replace(_row(cells), doubtful=doubtful)


def asked(cells: Sequence[Cell], *, sure: bool) -> Sequence[Cell]:
    """The cells of a row of money; what it is, the second, is a question where that is not ``sure``."""
    return cells if sure else (cells[0], perhaps(str(cells[1]), sure=False), *cells[2:])


def before_hand(n: int, lang: Lang) -> str:
    """What sums are called that stand from before hand ``n``, which goes on: what lies on the table meanwhile is nobody's yet."""
    return catalogue(lang).gettext("before hand {n}, in progress").format(n=n)


def _row(cells: Sequence[Cell] | Row) -> Row:
    if isinstance(cells, Row):
        return cells
    number = cells[0]
    assert isinstance(number, int), "a hand's number comes first"
    return Row(number, tuple(cells))


def euros(minor: int) -> Fraction:
    """``minor`` units (cents) as an amount.

    >>> euros(250)
    Fraction(5, 2)
    """
    return Fraction(minor, 100)
