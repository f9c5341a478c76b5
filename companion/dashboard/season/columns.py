"""The columns of the season's pages, and their numbers as people read them: which a page has, and what it says where one is
missing. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from companion.games import GAMES
from companion.pages.season import EveningFigures, Kind, Season
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, money, stake

NIGHTS, EVENINGS, WON, NAME = "nights", "evenings", "won", "name"
"""Ids of the columns that every table has, before those of the game: nights of play, games, games won; and of the column of
names."""
OWN_COLUMNS = 3
"""How many of these are columns of numbers."""

Figure = int | Sum | None
"""A number of the table: money, or points, with its text; None where nothing was said."""


class Head(Struct, frozen=True):
    """A column's head. ``id`` names it in `RowView.figures` and in ``?sort=``."""

    id: str
    label: str
    kind: Kind
    help: str


class Lacks(Protocol):
    """A row that says why a number is missing: of money, of points, of money that the next game has; each "" where none is."""

    @property
    def no_money(self) -> str: ...

    @property
    def no_points(self) -> str: ...

    @property
    def went_on(self) -> str: ...


def heads(game_id: str, games: Iterable[EveningFigures], lang: Lang) -> tuple[Head, ...]:
    """The heads of a table of these ``games``. Points have a column where one was played for points, money has its columns unless
    all were."""
    _, points = catalogue(lang).gettext, [one.points for one in games]
    own = (
        Head(NIGHTS, _("Evenings"), "count", _("Nights of play, until ten in the morning, however many games each had.")),
        Head(EVENINGS, _("Games"), "count", _("Games with at least one hand that counts.")),
        Head(WON, _("Won"), "count", _("Games won.")),
    )
    left_out = {"money" if points and all(points) else "", "" if any(points) else "points"}
    columns = GAMES[game_id].pages.season.columns(lang)
    return (*own, *(Head(one.id, one.label, one.kind, one.help) for one in columns if one.kind not in left_out))


def curve_of(columns: Sequence[Head], game_id: str) -> Head:
    """The one of these ``columns`` by which players are ranked, and whose running total is drawn as a curve: the game's own, that
    of points where all was played for points, or else the number of games won."""
    curve = GAMES[game_id].pages.season.curve or WON
    found = {head.id: head for head in columns}
    return found.get(curve) or next((head for head in columns if head.kind == "points"), found[WON])


def balances(columns: Iterable[Head], season: Season) -> tuple[Head, ...]:
    """The columns of what somebody has won or lost: of money, and of points."""
    return tuple(head for head in columns if head.kind == "points" or head.id == season.curve)


def shown(figure: int | None, kind: Kind, lang: Lang, *, balance: bool = False) -> Figure:
    """A figure of a column as the pages take it: a sum of money (minor units) or a number of points together with its text, other
    numbers as they are. ``balance``: it is what somebody has won or lost, and is written with its plus, too, as points are."""
    if figure is None or kind not in ("money", "points"):
        return figure
    if kind == "points":
        return Sum(figure, _sign(figure, plus=True) + stake(abs(figure), lang, points=True))
    return sum_of(figure, lang, signed=balance)


def sum_of(minor: int, lang: Lang, *, signed: bool = False) -> Sum:
    """A sum of money (minor units) with its text, below 0, too; ``signed``: with its plus."""
    return Sum(minor, _sign(minor, plus=signed) + money(abs(minor), lang))


def _sign(number: int, *, plus: bool) -> str:
    return "−" if number < 0 else "+" if plus and number else ""


def no_money(games: Iterable[EveningFigures], lang: Lang) -> str:
    """The words in place of a sum of money over these games: "not yet" while one of them is not settled, "not known" where nobody
    has told of one of them who had paid what; "" where the sum is known, or no money was played for."""
    _, told = catalogue(lang).gettext, tuple(games)
    if any(not one.settled and not one.unknown for one in told):
        return _("not yet")
    return _("not known") if any(one.unknown for one in told) else ""


def no_points(games: Iterable[EveningFigures], lang: Lang) -> str:
    """The words in place of a number of points over these games: "not yet" while one of them is not over; "" where the number is
    known, or none was played for points."""
    return catalogue(lang).gettext("not yet") if any(one.points_open for one in games) else ""


def went_on(games: Iterable[EveningFigures], lang: Lang) -> str:
    """The words in place of a sum of money of games that all went on as another one, which has it; "" where one did not."""
    told = tuple(games)
    return catalogue(lang).gettext("in the next part") if told and all(one.went_on for one in told) else ""


class Missing(NamedTuple):
    """Why numbers of some games are missing: see `Lacks`."""

    no_money: str
    no_points: str
    went_on: str

    @classmethod
    def of(cls, games: Iterable[EveningFigures], lang: Lang) -> Missing:
        """Why they are in these games."""
        told = tuple(games)
        return cls(no_money(told, lang), no_points(told, lang), went_on(told, lang))


def lacks(row: Lacks, head: Head) -> str:
    """The words in place of the number in this column of a row, "" for none."""
    return {"money": row.no_money or row.went_on, "points": row.no_points}.get(head.kind, "")


def not_yet(columns: Iterable[Head], told: EveningFigures, lang: Lang) -> tuple[Head, ...]:
    """The columns in which nobody of a game has a number yet: that is said once for all of them."""
    missing, said = Missing.of([told], lang), catalogue(lang).gettext("not yet")
    nobody = (head for head in columns if not any(head.id in one.figures for one in told.players))
    return tuple(head for head in nobody if lacks(missing, head) == said)


def text_of(figure: Figure, none: str = "") -> str:
    """A figure as text. Where there is none it is ``none``, the words of `lacks`, or where that is "" a dash, as for a best hand
    where no hand was laid open."""
    if figure is None:
        return none or "–"
    return figure.text.replace(" €", "\u00a0€") if isinstance(figure, Sum) else str(figure)  # no line parts a sum


def is_below(figure: Figure) -> bool:
    """Whether this is a negative sum of money, or number of points."""
    return isinstance(figure, Sum) and figure.minor < 0
