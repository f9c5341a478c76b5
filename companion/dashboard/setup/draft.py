"""An evening that is being set up: a frozen value that the steps of `/setup` fill, and what is still wrong with it. Pure."""

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
from companion.table.people import name_key
from companion.table.text import plain_name

MAX_NAME_LENGTH = 24
"""Characters of a name that the TV can show."""

MAX_TABLE_SHIFT = 0.06
"""Distance, as a share of the picture's width, by which a corner may have moved before the table counts as moved."""

PLACES_AND_NAMES = N_("Names: {names}. Places tapped: {places}. There must be as many.")


class Draft(msgspec.Struct, frozen=True):
    """What is known of the evening so far.

    Attributes:
        game_id: which of the house's games is played. own: what its own steps have learnt.
        late: the evening began without the camera.
        thumb: no camera: the game is played by thumb.
        size: width and height in pixels of the picture that ``corners`` and ``places`` are of; None before there is one.
        corners: of the table top, clockwise as seen; empty while unknown.
        places: where each player's card lies, as the names are.
        names: the players, in the direction of play.
        first: the game line, where it is settled: of an evening that is gone on with.
        goes_on: the id of that evening in the ledger; None for a new one.
        deck: the taught deck that is played with; "" for the shipped one.
        remembered: the places are another evening's; they move along when the table is found elsewhere.
        by_cards: they were marked by a card dealt to each, which may still lie there.
        old_corners: they are an evening's before, and nobody has looked at them since.
        instead_of: the game that is on, and left for this one by agreement, as somebody comes or goes; ``left``: its state.
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
        """Before anything was said but what is played, by default the house's first game. One without eyes is played by thumb."""
        game = game or first_game()
        return cls(game.id, game.pages.setup.fresh(late=late), late, thumb=not game.has_eyes)

    @classmethod
    def again(cls, first: Event, state: State, table: str) -> Draft:
        """Another evening like the one that began with this line and has come to this state: the same players, at the same places
        of its ``table`` (TABLE.json; "" for one by thumb)."""
        game = game_of(first)
        return _at(table, cls(game.id, game.pages.setup.again(first, state), thumb=True, names=game.rules.names(state)))

    @classmethod
    def continued(cls, evening: int, first: Event, state: State, table: str) -> Draft:
        """The game after this ``evening`` of the ledger, which is on, for somebody comes or goes: what everybody has goes along.
        Raises Wrong while that cannot be."""
        game = game_of(first)
        if game.rules.in_hand(state):
            raise Wrong(N_("A hand is being played: people come and go between two hands."))
        own, names = game.pages.setup.continued(first, state), game.rules.names(state)
        return _at(table, cls(game.id, own, thumb=True, names=names, instead_of=evening, left=state))

    @classmethod
    def going_on(cls, evening: int, first: Event, names: tuple[str, ...], table: str) -> Draft:
        """An evening of the ledger, to be gone on with; ``table`` as `again` takes it."""
        return _at(table, cls(game_of(first).id, thumb=True, names=names, first=first, goes_on=evening))

    @property
    def whole(self) -> bool:
        """Nothing is missing."""
        try:
            self.table()
        except Wrong:
            return False
        return True

    @property
    def game(self) -> Game:
        """What is played."""
        return GAMES[self.game_id]

    def first_line(self) -> Event:
        """The game line that this draft comes to. Raises Wrong while it cannot be one."""
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
        """TABLE.json, None for a game by thumb. Raises Wrong while corners or places are missing."""
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
    """With the table's corners (pixels of a picture of ``size``), in any order round the table. Raises Wrong for no such quad."""
    quad = table_corners(points, size)
    if draft.remembered and draft.whole and not draft.thumb:
        seen = parse_table_file(draft.table() or b"").with_corners(quad, size).table
        return replace(draft, corners=seen.corners, size=size, places=tuple(seat.place for seat in seen.players))
    places = draft.places if draft.size == size else ()
    return replace(draft, corners=quad, size=size, places=places, old_corners=False)


def lies_elsewhere(draft: Draft, corners: tuple[Point, ...], size: tuple[int, int]) -> bool:
    """Whether a table that is seen at these ``corners`` in a picture of ``size`` lies elsewhere than the draft has it."""
    if draft.size is None or not draft.corners:
        return False
    wide, high = size[0] / draft.size[0], size[1] / draft.size[1]
    before = [(x * wide, y * high) for x, y in draft.corners]
    turned = [(*corners[first:], *corners[:first]) for first in range(4)]
    apart = min(max(math.dist(a, b) for a, b in zip(before, quad, strict=True)) for quad in turned)
    return apart > MAX_TABLE_SHIFT * size[0]


def table_corners(points: tuple[Point, ...], size: tuple[int, int]) -> tuple[Point, ...]:
    """The corners clockwise as seen. Raises Wrong where they make no table in a picture of ``size``."""
    if len(points) != 4:
        raise Wrong(N_("There must be four corners."))
    quad = points if _turning(points) > 0 else tuple(reversed(points))
    if not _convex(quad):
        raise Wrong(N_("The corners cross: put one on each corner, round the table."))
    if _turning(quad) < 0.01 * size[0] * size[1]:
        raise Wrong(N_("That makes the table too small: put the points on its corners."))
    return quad


def with_players(draft: Draft, names: tuple[str, ...], places: tuple[Point, ...]) -> Draft:
    """With the players and, unless by thumb, their places; those tapped against the direction of play are turned round, the first
    one kept.

    Raises Wrong.
    """
    setup = draft.game.pages.setup
    names = tuple(map(plain_name, names))
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
        if runs_against_play(draft, places):
            names, places = (names[0], *reversed(names[1:])), (places[0], *reversed(places[1:]))
    own = setup.seated(draft.own, draft.names, names)
    return replace(draft, names=names, places=() if draft.thumb else places, own=own, remembered=False)


def check_names(names: Sequence[str]) -> None:
    """Raises Wrong where players cannot be called so."""
    for number, name in enumerate(names, start=1):
        if not name:
            raise Wrong(N_("The name at place {number} is missing."), number=number)
        if len(name) > MAX_NAME_LENGTH:
            raise Wrong(N_("“{name}…” is too long: at most {most} letters."), name=name[:MAX_NAME_LENGTH], most=MAX_NAME_LENGTH)
        if name_key(name) in map(name_key, names[: number - 1]):  # they would be one person in the season
            raise Wrong(N_("Two players are called {name}: add something to one of them."), name=name)


def _with_places(draft: Draft, names: tuple[str, ...], places: tuple[Point, ...]) -> Draft:
    """Of an evening that is gone on with: where everybody's card lies now. Raises Wrong."""
    if names != draft.names:
        raise Wrong(N_("The page is of another evening: load it again."))
    if draft.thumb:
        return draft
    if len(places) != len(names):
        raise Wrong(PLACES_AND_NAMES, places=len(places), names=len(names))
    if runs_against_play(draft, places):
        raise Wrong(N_("The places run the wrong way round the table: tap each player’s own."))
    return replace(draft, places=places, remembered=False)


def _at(table: str, draft: Draft) -> Draft:
    """With the corners and places of this TABLE.json; the same draft, by thumb, where it is none."""
    try:
        found = parse_table_file(table).table if table else None
    except TableError:  # of an older version: to be set up again
        found = None
    if found is None:
        return draft
    places = tuple(seat.place for seat in found.players)
    return replace(draft, thumb=False, remembered=True, size=found.image_size, corners=found.corners, places=places)


def runs_against_play(draft: Draft, places: tuple[Point, ...]) -> bool:
    """Whether the places run against the direction of play as seen; two of them run neither way."""
    if draft.thumb or len(places) < 3:
        return False
    turning = _turning(places)  # positive: clockwise
    return turning < 0 if draft.game.pages.clockwise else turning > 0


def points(text: str) -> tuple[Point, ...]:
    """Points as the pages send them: "x,y x,y …", pixels. Raises Wrong."""
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
    """The shoelace area in square pixels, positive where the points run clockwise as seen (y down)."""
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def _convex(quad: tuple[Point, ...]) -> bool:
    for i in range(4):
        a, b, c = quad[i], quad[(i + 1) % 4], quad[(i + 2) % 4]
        if (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) <= 0:
            return False
    return True
