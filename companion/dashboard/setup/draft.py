"""An evening that is being set up: a frozen value that the steps of `/setup` fill in, and what is still missing or wrong.
Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.games import GAMES, Game, first_game, game_of
from companion.line.camera import Point
from companion.line.tablefile import parse_table_file
from companion.pages.setup import Wrong
from companion.table.errors import Illegal, TableError
from companion.table.game import State
from companion.table.language import N_
from companion.table.log import Event
from companion.table.people import MAX_NAME_LENGTH, name_key
from companion.table.text import plain_name

MAX_TABLE_SHIFT = 0.06
"""Distance, as a share of the picture's width, by which a corner may have moved before the table counts as moved."""

MIN_APART_PIXELS = 1.0
"""Pixels between two places at the least: nearer ones are one point, and a card there would be nobody's."""
PLACES_AND_NAMES = N_("Names: {names}. Places tapped: {places}. There must be as many.")


class Draft(msgspec.Struct, frozen=True):
    """An evening as far as it has been set up.

    Attributes:
        game_id: the game that is played. own: what the game's own steps have set.
        late: the evening began before the camera was there.
        thumb: no camera: the game is played by thumb.
        size: width and height of the picture, pixels; None before there is one.
        corners: of the table top, pixels of that picture, clockwise as seen; empty while unknown.
        places: where each player's card lies, pixels, in the order of ``names``.
        names: the players, in the direction of play.
        first: the game line of the evening that goes on; None for a new one, whose line is still to be made.
        goes_on: the id in the ledger of the evening that goes on; None for a new one.
        deck: the taught deck that is played with; "" for the shipped one.
        remembered: the places are those of an earlier evening; they move along when the table is found elsewhere.
        by_cards: the places were marked by dealing a card to each player, which may still lie there.
        old_corners: the corners are those of an earlier evening, and nobody has checked them since.
        instead_of: the id of the game that this one continues with other people, as somebody comes or goes; ``left``: its state.
    """

    game_id: str
    own: Any = None
    late: bool = False
    thumb: bool = False
    size: tuple[int, int] | None = None
    corners: tuple[Point, ...] = ()
    places: tuple[Point, ...] = ()
    names: tuple[str, ...] = ()
    first: Event | None = None
    goes_on: int | None = None
    deck: str = ""
    remembered: bool = False
    by_cards: bool = False
    old_corners: bool = False
    instead_of: int | None = None
    left: State = None

    @classmethod
    def fresh(cls, game: Game | None = None, *, late: bool = False) -> Draft:
        """An empty draft of a game, by default the first of `GAMES`. A game without eyes is played by thumb."""
        game = game or first_game()
        return cls(game.id, game.pages.setup.fresh(late=late), late, thumb=not game.has_eyes)

    @classmethod
    def again(cls, first: Event, state: State, table: str) -> Draft:
        """A draft of another evening like the one with this first line and last state: the same players at the same places.
        ``table``: its TABLE.json, "" for an evening by thumb."""
        game = game_of(first)
        return _at(table, cls(game.id, game.pages.setup.again(first, state), thumb=True, names=game.rules.names(state)))

    @classmethod
    def continued(cls, evening: int, first: Event, state: State, table: str) -> Draft:
        """A draft of the game that continues this ``evening`` of the ledger with other people; all keep what they have. Raises
        Wrong while a hand is being played."""
        game = game_of(first)
        if game.rules.in_hand(state):
            raise Wrong(N_("A hand is being played: people come and go between two hands."))
        own, names = game.pages.setup.continued(first, state), game.rules.names(state)
        return _at(table, cls(game.id, own, thumb=True, names=names, instead_of=evening, left=state))

    @classmethod
    def going_on(cls, evening: int, first: Event, names: tuple[str, ...], table: str) -> Draft:
        """A draft in which this evening of the ledger goes on. ``table``: as in `again`."""
        return _at(table, cls(game_of(first).id, thumb=True, names=names, first=first, goes_on=evening))

    @property
    def whole(self) -> bool:
        """Whether nothing is missing or wrong."""
        try:
            self.table()
        except Wrong:
            return False
        return True

    @property
    def game(self) -> Game:
        """The game that is played."""
        return GAMES[self.game_id]

    def first_line(self) -> Event:
        """The game line of this evening. Raises Wrong while the draft allows none."""
        if self.first is not None:
            return self.first
        if len(self.names) < 2:
            raise Wrong(N_("At least two players are needed."))
        first = self.game.pages.setup.game_line(self.names, self.own)
        try:
            self.game.rules.begin(first)
        except Illegal as error:
            raise Wrong(N_("The rules do not allow it: {why}"), why=error) from error
        return first

    def table(self) -> bytes | None:
        """The evening's TABLE.json, None for a game by thumb. Raises Wrong while something is missing."""
        first = self.first_line()
        if self.thumb:
            return None
        if self.size is None or len(self.corners) != 4:
            raise Wrong(N_("The table’s corners are missing."))
        if len(self.places) != len(self.names):
            raise Wrong(PLACES_AND_NAMES, places=len(self.places), names=len(self.names))
        entry: dict[str, Any] = msgspec.to_builtins(first)
        entry.pop("e")
        if self.game_id == first_game().id:  # a table that names no game is one of the house's first
            entry.pop("game")
        entry["image_size"], entry["corners"] = self.size, self.corners
        entry["players"] = [{"name": name, "place": at} for name, at in zip(self.names, self.places, strict=True)]
        return msgspec.json.encode(entry)


def with_corners(draft: Draft, points: tuple[Point, ...], size: tuple[int, int]) -> Draft:
    """The draft with these corners of the table (pixels of a picture of ``size``), given in order round the table. Raises Wrong
    where they make no table."""
    quad = table_corners(points, size)
    if draft.remembered and draft.whole and not draft.thumb:
        seen = parse_table_file(draft.table() or b"").with_corners(quad, size).table
        return replace(draft, corners=seen.corners, size=size, places=tuple(seat.place for seat in seen.players))
    places = draft.places if draft.size == size else ()
    return replace(draft, corners=quad, size=size, places=places, old_corners=False)


def lies_elsewhere(draft: Draft, corners: tuple[Point, ...], size: tuple[int, int]) -> bool:
    """Whether the table, seen at these ``corners`` in a picture of ``size`` (pixels), has moved from where the draft has it: by
    more than `MAX_TABLE_SHIFT` at some corner."""
    if draft.size is None or not draft.corners:
        return False
    wide, high = size[0] / draft.size[0], size[1] / draft.size[1]
    before = [(x * wide, y * high) for x, y in draft.corners]
    turned = [(*corners[first:], *corners[:first]) for first in range(4)]
    apart = min(max(math.dist(a, b) for a, b in zip(before, quad, strict=True)) for quad in turned)
    return apart > MAX_TABLE_SHIFT * size[0]


def table_corners(points: tuple[Point, ...], size: tuple[int, int]) -> tuple[Point, ...]:
    """The corners (pixels) in clockwise order as seen. Raises Wrong where they make no table in a picture of ``size``."""
    if len(points) != 4:
        raise Wrong(N_("There must be four corners."))
    quad = points if _turning(points) > 0 else tuple(reversed(points))
    if not _convex(quad):
        raise Wrong(N_("The corners cross: put one on each corner, round the table."))
    if _turning(quad) < 0.01 * size[0] * size[1]:
        raise Wrong(N_("That makes the table too small: put the points on its corners."))
    return quad


def with_players(draft: Draft, names: tuple[str, ...], places: tuple[Point, ...]) -> Draft:
    """The draft with these players and, unless it is by thumb, their places (pixels). Where they were tapped against the
    direction of play their order is reversed, but for the first.

    Raises Wrong.
    """
    setup = draft.game.pages.setup
    names = tuple(map(plain_name, names))
    if draft.instead_of is not None:
        names = as_spelt(names, draft.game.rules.names(draft.left))
    if draft.goes_on is not None:
        return _with_places(draft, names, places)
    if len(names) < 2:
        raise Wrong(N_("At least two players are needed."))
    if len(names) > setup.most_players:
        raise Wrong(N_("At most {most} players."), most=setup.most_players)
    check_names(names)
    if not draft.thumb:
        if len(places) != len(names):
            raise Wrong(PLACES_AND_NAMES, places=len(places), names=len(names))
        check_apart(names, places)
        if runs_against_play(draft, places):
            names, places = (names[0], *reversed(names[1:])), (places[0], *reversed(places[1:]))
    own = setup.seated(draft.own, draft.names, names)
    return replace(draft, names=names, places=() if draft.thumb else places, own=own, remembered=False)


def check_apart(names: Sequence[str], places: Sequence[Point]) -> None:
    """Raises Wrong where the places (pixels) of two of these players are one point."""
    for number, place in enumerate(places):
        for name, before in zip(names, places[:number], strict=False):
            if math.dist(place, before) < MIN_APART_PIXELS:
                raise Wrong(N_("{one} and {other} have the same place: tap each player’s own."), one=name, other=names[number])


def check_names(names: Sequence[str]) -> None:
    """Raises Wrong where a name is missing, too long, or the same person's as another."""
    for number, name in enumerate(names, start=1):
        if not name:
            raise Wrong(N_("The name at place {number} is missing."), number=number)
        if len(name) > MAX_NAME_LENGTH:
            raise Wrong(N_("“{name}…” is too long: at most {most} letters."), name=name[:MAX_NAME_LENGTH], most=MAX_NAME_LENGTH)
        if name_key(name) in map(name_key, names[: number - 1]):  # they would be one person in the season
            raise Wrong(N_("Two players are called {name}: add something to one of them."), name=name)


def as_spelt(names: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """The names as people who sat at the table ``before`` were written there: "bruno" is Bruno, who is there.

    >>> as_spelt(["bruno", "Elsa"], ["Anna", "Bruno"])
    ('Bruno', 'Elsa')
    """
    alike = [[one for one in before if name_key(one) == name_key(name)] for name in names]
    return tuple(one[0] if len(one) == 1 else name for name, one in zip(names, alike, strict=True))


def _with_places(draft: Draft, names: tuple[str, ...], places: tuple[Point, ...]) -> Draft:
    """The draft of an evening that goes on, with the places (pixels) where everybody's card lies now. Raises Wrong."""
    if names != draft.names:
        raise Wrong(N_("The page is of another evening: load it again."))
    if draft.thumb:
        return draft
    if len(places) != len(names):
        raise Wrong(PLACES_AND_NAMES, places=len(places), names=len(names))
    check_apart(names, places)
    if runs_against_play(draft, places):
        raise Wrong(N_("The places run the wrong way round the table: tap each player’s own."))
    return replace(draft, places=places, remembered=False)


def _at(table: str, draft: Draft) -> Draft:
    """The draft with the corners and places of this TABLE.json; unchanged, by thumb, where it holds none that can be read."""
    try:
        found = parse_table_file(table).table if table else None
    except TableError:  # of an older version: to be set up again
        found = None
    if found is None:
        return draft
    places = tuple(seat.place for seat in found.players)
    return replace(draft, thumb=False, remembered=True, size=found.image_size, corners=found.corners, places=places)


def runs_against_play(draft: Draft, places: tuple[Point, ...]) -> bool:
    """Whether the places (pixels) run round the table against the direction of play; False for fewer than three, and by thumb."""
    if draft.thumb or len(places) < 3:
        return False
    turning = _turning(places)  # positive: clockwise
    return turning < 0 if draft.game.pages.clockwise else turning > 0


def points(text: str) -> tuple[Point, ...]:
    """The points in a text as pages send it: "x,y x,y …", pixels. Raises Wrong where it holds something else."""
    found = []
    for pair in text.split():
        x, _, y = pair.partition(",")
        try:
            point = float(x), float(y)
        except ValueError as error:
            raise Wrong(N_("The page sent points that make no sense: load it again.")) from error
        if not all(math.isfinite(value) and abs(value) < 1e6 for value in point):
            raise Wrong(N_("The page sent points that make no sense: load it again."))
        found.append(point)
    return tuple(found)


def _turning(polygon: tuple[Point, ...]) -> float:
    """The signed area of a polygon in square pixels (shoelace formula), positive where its points run clockwise as seen (y
    down)."""
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def _convex(quad: tuple[Point, ...]) -> bool:
    for i in range(4):
        a, b, c = quad[i], quad[(i + 1) % 4], quad[(i + 2) % 4]
        if (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) <= 0:
            return False
    return True
