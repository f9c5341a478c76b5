"""What the season's pages show, made from `companion.line.season.Seasons`: the table, a player's page. In one language's words,
and pure. The API's JSON is made of these structs. No forgotten name is in them: a forgotten player is "somebody".
"""

from __future__ import annotations

import datetime
import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

from companion.clock import night_of
from companion.dashboard.days import local_time
from companion.dashboard.season.columns import (
    EVENINGS,
    NAME,
    NIGHTS,
    WON,
    Figure,
    Head,
    Missing,
    curve_of,
    heads,
    lacks,
    shown,
    sum_of,
)
from companion.dashboard.season.ending import stands
from companion.games import GAMES
from companion.line.season import Record, Seasons, Span
from companion.pages.rows import Cell
from companion.pages.season import Evening, Row, Season, dealings, rows
from companion.table.language import Lang, catalogue
from companion.table.money import Sum
from companion.table.people import page_id

_MAX_NAMED = 5
"""The most players that a line of a player's page names, such as those who made this player pay."""


class RowView(Struct, frozen=True):
    """A person. ``id``: of their page. ``unsure``: number of hands in their games that are not sure and that nobody has
    confirmed; ``sets``: how often the table has said in these games how it stands; ``no_money``: in words why sums
    of money are missing: "not yet" or "not known"; "" where none is missing, or no money was played for; ``no_points``: why
    points are, "not yet", or "" in the same way; ``went_on``: in words, that all their games went on as others with other people,
    which have the money; else ""."""

    id: str
    name: str
    figures: dict[str, Figure]
    unsure: int
    sets: int = 0
    no_money: str = ""
    no_points: str = ""
    went_on: str = ""


class TableView(Struct, frozen=True):
    """The season's table of one game, `game_id` (JSON `wing`). ``rows`` in the order that was asked for; ``hands``: those that
    count; ``evenings``: games that count; ``nights``: when they began; ``unsettled``: in how many games money is not settled,
    ``unknown``: in how many nobody knows who had paid what, so that their money is not counted; ``left``: what was left in pots,
    None for nothing: with what all have won and lost it comes to 0; ``sets``: how often the table has said how it stands."""

    game_id: str = field(name="wing")
    title: str
    first: datetime.date | None
    last: datetime.date | None
    evenings: int
    hands: int
    unsure: int
    unsettled: int
    sets: int
    unknown: int
    left: Sum | None
    columns: tuple[Head, ...]
    rows: tuple[RowView, ...]
    nights: int


class EveningLine(Struct, frozen=True):
    """A game of a player's page. ``day``: on which its night began; ``started``: local time, ISO 8601; ``stood``: what they had
    in the end, in words; ``total``: the curve's column, added up from the first game to this one; ``sets``: how often the table
    has said how it stands; ``no_money``, ``no_points``, ``went_on``: as of `RowView`, about this
    game."""

    game: int
    day: datetime.date
    won: bool
    hands: int
    unsure: int
    stood: str
    figures: dict[str, Figure]
    total: int
    started: str
    sets: int = 0
    no_money: str = ""
    no_points: str = ""
    went_on: str = ""


class NightLine(Struct, frozen=True):
    """A night of a player's page: its ``games`` (ids, in order) together, with the columns of `EveningLine`. ``won``: number of
    games won."""

    day: datetime.date
    games: tuple[int, ...]
    won: int
    hands: int
    unsure: int
    sets: int
    figures: dict[str, Figure]
    total: int
    no_money: str
    no_points: str = ""
    went_on: str = ""


class Dealt(Struct, frozen=True):
    """What one did to others, the most first: ``id`` of their page, None for all who are forgotten."""

    label: str
    others: tuple[tuple[str | None, str, int], ...]


class PlayerView(Struct, frozen=True):
    """A player's page. ``also``: other names of theirs; ``curve``: the column that ``total`` of games and nights adds up;
    ``unknown``: in how many games nobody knows who had paid what: no sum counts their money."""

    row: RowView
    also: tuple[str, ...]
    columns: tuple[Head, ...]
    evenings: tuple[EveningLine, ...]
    dealt: tuple[Dealt, ...]
    curve: Head
    nights: tuple[NightLine, ...]
    unknown: int = 0


def table_view(seasons: Seasons, game_id: str, span: Span, lang: Lang, *, by: str = "", down: bool | None = None) -> TableView:
    """The season's table of a game. ``by``: the column's id, or `NAME`, to sort by; anything else: the order of `_rank`.
    ``down``: whether the highest comes first, None: for columns of numbers."""
    season, evenings = GAMES[game_id].pages.season, seasons.evenings(game_id, span)
    found = list(rows(evenings, season.columns(lang)).values())
    columns_shown = heads(game_id, [one.told for one in evenings], lang)
    found.sort(key=_rank(seasons, curve_of(columns_shown, game_id).id))
    if by == NAME:
        found.sort(key=lambda row: seasons.written[row.person].casefold(), reverse=bool(down))
    elif by in {head.id for head in columns_shown}:
        down = True if down is None else down
        found.sort(key=lambda row: _figure(row, by) or 0, reverse=down)
        found.sort(key=lambda row: _figure(row, by) is None)  # what was not told comes last
    return TableView(
        game_id=game_id,
        title=GAMES[game_id].pages.title,
        first=span.first,
        last=span.last,
        evenings=games_of(evenings),
        hands=sum(evening.told.hands for evening in evenings),
        unsure=sum(evening.unsure for evening in evenings),
        unsettled=games_of(evening for evening in evenings if not evening.told.settled),
        sets=sum(evening.told.sets for evening in evenings),
        unknown=games_of(evening for evening in evenings if evening.told.unknown),
        left=sum_of(left, lang) if (left := sum(evening.told.left for evening in evenings)) else None,
        columns=columns_shown,
        rows=tuple(_row_view(seasons, row, season, evenings, lang) for row in found),
        nights=len({evening.night for evening in evenings}),
    )


def games_of(evenings: Iterable[Evening]) -> int:
    """How many games these are: one that went on with other people is the same game as the one that it went on as."""
    return len({evening.counted_as for evening in evenings})


def places_of(view: TableView, by: str = "") -> list[int]:
    """The place of each row of a table that is sorted ``by`` a column, from 1: players with the same number share a place. By
    name, and by itself, it is that of wins and then balances, as `_rank` has it."""
    curve = curve_of(view.columns, view.game_id).id

    def number(row: RowView, column: str) -> int | None:
        figure = row.figures[column]
        return figure.minor if isinstance(figure, Sum) else figure

    if by not in ("", NAME):
        of_column = [number(row, by) for row in view.rows]
        return [of_column.index(one) + 1 for one in of_column]
    ranks = [(-(number(row, WON) or 0), *_last_unknown(number(row, curve))) for row in view.rows]
    return [sorted(ranks).index(one) + 1 for one in ranks]


def night_view(seasons: Seasons, record: Record, lang: Lang) -> tuple[RowView, ...]:
    """What all games of the same kind in the night of this ``record`` come to together, a row for each player who is not
    forgotten, the highest of the curve's column first."""
    game_id, night = record.told.game_id, night_of(record.started)
    season = GAMES[game_id].pages.season
    games = [one for one in seasons.evenings(game_id) if one.night == night]
    found = list(rows(games, season.columns(lang)).values())
    by = curve_of(heads(game_id, [one.told for one in games], lang), game_id).id
    found.sort(key=lambda row: (-(_figure(row, by) or 0), -row.won, seasons.written[row.person].casefold()))
    return tuple(_row_view(seasons, row, season, games, lang) for row in found)


def player_view(seasons: Seasons, person: str, game_id: str, lang: Lang) -> PlayerView:
    """The page of a player (a person's key), over all evenings of this game, the newest first."""
    season = GAMES[game_id].pages.season
    columns = season.columns(lang)
    evenings = [one for one in seasons.evenings(game_id) if person in one.who]
    row = rows(evenings, columns).get(person) or Row(person)
    shown_columns = heads(game_id, [one.told for one in evenings], lang)
    curve = curve_of(shown_columns, game_id)
    lines, total = [], 0
    for evening in evenings:
        alone = rows([evening], columns, partly=True)[person]
        total += _figure(alone, curve.id) or 0
        stood = ", ".join(filter(None, (stands(player, season, lang) for player in evening.players_of(person))))
        lines.append(
            EveningLine(
                game=evening.game, day=evening.night, started=local_time(evening.started), won=bool(alone.won),
                hands=evening.told.hands, unsure=evening.unsure, stood=stood, figures=_figures(alone, season, lang),
                total=total, sets=evening.told.sets, **Missing.of([evening.told], lang)._asdict(),
            )
        )  # fmt: skip
    nights = []
    for day, of_night in itertools.groupby(zip(evenings, lines, strict=True), lambda one: one[0].night):
        games, told = zip(*of_night, strict=True)
        alone = rows(games, columns)[person]
        nights.append(
            NightLine(
                day=day, games=tuple(one.game for one in games), won=alone.won, hands=sum(one.told.hands for one in games),
                unsure=alone.unsure, sets=alone.sets, figures=_figures(alone, season, lang), total=told[-1].total,
                **Missing.of([one.told for one in games], lang)._asdict(),
            )
        )  # fmt: skip
    dealt, done = [], dealings(evenings, person)
    for pair in season.between(lang):
        given, taken = done.get(pair.id, (Counter[str | None](), Counter[str | None]()))
        dealt += [Dealt(pair.given, _others(seasons, given, lang)), Dealt(pair.taken, _others(seasons, taken, lang))]
    also = tuple(written(seasons, key) for key in seasons.people.names_of(person)[1:])
    return PlayerView(
        _row_view(seasons, row, season, evenings, lang), also, shown_columns, tuple(reversed(lines)), tuple(dealt), curve,
        tuple(reversed(nights)), games_of(evening for evening in evenings if evening.told.unknown),
    )  # fmt: skip


def csv_rows(view: TableView, lang: Lang) -> tuple[list[str], list[list[Cell]]]:
    """The table for a spreadsheet: the heads of its columns, and a row for each player."""
    _ = catalogue(lang).gettext
    heads = [_("Name"), *(head.label for head in view.columns), _("Hands not sure")]
    return heads, [[row.name, *(_plain(row, head) for head in view.columns), row.unsure] for row in view.rows]


def written(seasons: Seasons, key: str) -> str:
    """The name with this key as it was typed last; the key itself where no evening has it."""
    for record in reversed(seasons.records):
        for name in record.names:
            if seasons.people.own_key(name) == key:
                return " ".join(name.split())
    return key


def _rank(seasons: Seasons, curve: str | None) -> Callable[[Row], Any]:
    """The sort key of the default order: most wins first, then the highest in the curve's column, after all others those where
    it is not known, then by name."""
    return lambda row: (-row.won, *_last_unknown(row.figures.get(curve or "")), seasons.written[row.person].casefold())


def _last_unknown(figure: int | None) -> tuple[bool, int]:
    return figure is None, -(figure or 0)


def _figure(row: Row, column: str) -> int | None:
    return {NIGHTS: len(row.nights), EVENINGS: row.evenings, WON: row.won}.get(column, row.figures.get(column))


def _figures(row: Row, season: Season, lang: Lang) -> dict[str, Figure]:
    columns = season.columns(lang)
    own = {one.id: shown(row.figures.get(one.id), one.kind, lang, balance=one.id == season.curve) for one in columns}
    return {NIGHTS: len(row.nights), EVENINGS: row.evenings, WON: row.won, **own}


def _row_view(seasons: Seasons, row: Row, season: Season, among: Iterable[Evening], lang: Lang) -> RowView:
    """A row of the table. ``among``: the games that the row adds up; games without this person may be among them."""
    games = [one.told for one in among if row.person in one.who]
    return RowView(
        page_id(row.person), seasons.written[row.person], _figures(row, season, lang), row.unsure, row.sets,
        *Missing.of(games, lang),
    )  # fmt: skip


def _others(seasons: Seasons, counted: Counter[str | None], lang: Lang) -> tuple[tuple[str | None, str, int], ...]:
    nobody = catalogue(lang).gettext("somebody")
    most: Iterable[tuple[str | None, int]] = counted.most_common(_MAX_NAMED)
    return tuple(
        (page_id(who), seasons.written[who], count) if who is not None else (None, nobody, count) for who, count in most
    )


def _plain(row: RowView, head: Head) -> Cell:
    """A row's figure in this column for a spreadsheet: a number or, where one is missing, the words that say why."""
    figure = row.figures[head.id]
    if figure is None:
        return lacks(row, head) or None
    if head.kind == "points" and isinstance(figure, Sum):
        return figure.minor
    return Fraction(figure.minor, 100) if isinstance(figure, Sum) else figure
