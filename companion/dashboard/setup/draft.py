"""An evening that is being set up: a frozen value that the steps of `/setup` fill, and what is still wrong with it. Pure."""

from __future__ import annotations

import math
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.games.stu.rules import Illegal, begin
from companion.games.stu.rules.log import MAX_RICOMPERE, MAX_STAKE, Game, HouseRules, Standing, new_game
from companion.games.stu.rules.seats import Seating, seat_draw
from companion.line.camera import Point
from companion.table.language import N_

Edition = Literal["booklet", "piazza-2010"]

LONGEST_NAME = 24
"""Characters: what the TV can show of a name."""
MOST_PLAYERS = 39

PLACES_AND_NAMES = N_("{names} names and {places} places tapped: there must be as many.")


class Wrong(ValueError):
    """Something that was typed or tapped cannot be. ``message``: why, with its ``blanks``; translated where it is shown."""

    def __init__(self, message: str, **blanks: object) -> None:
        super().__init__(message)
        self.message, self.blanks = message, blanks


class Draft(msgspec.Struct, frozen=True):
    """What is known of the evening so far.

    Attributes:
        thumb: no camera: the game is played by thumb.
        size: width and height in pixels of the picture that ``corners`` and ``places`` are of; None before there is one.
        corners: of the table top, clockwise as seen; empty while unknown.
        places: where each player's card lies, anticlockwise, as the names are.
        names: the players, anticlockwise.
        stake: minor units (cents).
        dealer: who deals first; "" while open.
        late: the evening began without the camera: ``standing`` and ``ricompere`` count.
        drawn: the rounds of the seat draw so far, player → kind.
    """

    thumb: bool = False
    size: tuple[int, int] | None = None
    corners: tuple[Point, ...] = ()
    places: tuple[Point, ...] = ()
    names: tuple[str, ...] = ()
    stake: int = 100
    dealer: str = ""
    edition: Edition = "booklet"
    house_rules: HouseRules = HouseRules()
    late: bool = False
    standing: dict[str, Standing] = {}
    ricompere: int = 0
    drawn: tuple[dict[str, str], ...] = ()

    def game(self) -> Game:
        """The game line that this draft comes to. Raises Wrong while it cannot be one."""
        if len(self.names) < 2:
            raise Wrong(N_("At least two players are needed."))
        if self.dealer not in self.names:
            raise Wrong(N_("Choose who deals first."))
        game = new_game(
            self.names, self.stake, self.dealer, edition=self.edition, house_rules=self.house_rules,
            standing=self.standing if self.late else {}, ricompere=self.ricompere if self.late else 0,
        )  # fmt: skip
        try:
            begin(game)
        except Illegal as error:
            raise Wrong(N_("The rules do not allow it: {why}"), why=str(error)) from error
        return game

    def table(self) -> bytes | None:
        """TABLE.json, None for a game by thumb. Raises Wrong while corners or places are missing."""
        game = self.game()
        if self.thumb:
            return None
        if self.size is None or len(self.corners) != 4:
            raise Wrong(N_("The table’s corners are missing."))
        if len(self.places) != len(self.names):
            raise Wrong(PLACES_AND_NAMES, places=len(self.places), names=len(self.names))
        entry: dict[str, Any] = msgspec.to_builtins(game)
        for key in ("e", "game"):
            entry.pop(key)
        entry["image_size"], entry["corners"] = self.size, self.corners
        entry["players"] = [{"name": name, "place": at} for name, at in zip(self.names, self.places, strict=True)]
        return msgspec.json.encode(entry)

    def seating(self) -> Seating | None:
        """What the seat draw has come to; None before the first card. Raises Illegal, Contradictory as `seat_draw`."""
        return seat_draw(*self.drawn) if self.drawn else None


def with_corners(draft: Draft, points: tuple[Point, ...], size: tuple[int, int]) -> Draft:
    """With the table's corners (pixels of a picture of ``size``), in any order round the table. Raises Wrong for no such quad."""
    if len(points) != 4:
        raise Wrong(N_("There must be four corners."))
    quad = points if _turning(points) > 0 else tuple(reversed(points))
    if not _convex(quad):
        raise Wrong(N_("The corners cross: put one on each corner, round the table."))
    if _turning(quad) < 0.01 * size[0] * size[1]:
        raise Wrong(N_("That makes the table too small: put the points on its corners."))
    places = draft.places if draft.size == size else ()
    return replace(draft, corners=quad, size=size, places=places)


def with_players(draft: Draft, names: tuple[str, ...], places: tuple[Point, ...]) -> Draft:
    """With the players and, unless by thumb, their places; those tapped clockwise are turned round, the first one kept.

    Raises Wrong.
    """
    names = tuple(" ".join(name.split()) for name in names)
    if len(names) < 2:
        raise Wrong(N_("At least two players are needed."))
    if len(names) > MOST_PLAYERS:
        raise Wrong(N_("At most {most} players."), most=MOST_PLAYERS)
    for number, name in enumerate(names, start=1):
        if not name:
            raise Wrong(N_("The name at place {number} is missing."), number=number)
        if len(name) > LONGEST_NAME:
            raise Wrong(N_("“{name}…” is too long: at most {most} letters."), name=name[:LONGEST_NAME], most=LONGEST_NAME)
        if name in names[: number - 1]:
            raise Wrong(N_("Two players are called {name}: add something to one of them."), name=name)
    if not draft.thumb:
        if len(places) != len(names):
            raise Wrong(PLACES_AND_NAMES, places=len(places), names=len(names))
        if is_clockwise(places):
            names, places = (names[0], *reversed(names[1:])), (places[0], *reversed(places[1:]))
    same = set(names) == set(draft.names)
    return replace(
        draft, names=names, places=() if draft.thumb else places,
        dealer=draft.dealer if draft.dealer in names else "",
        standing={name: draft.standing[name] for name in names if name in draft.standing},
        drawn=draft.drawn if same else (),
    )  # fmt: skip


def is_clockwise(places: tuple[Point, ...]) -> bool:
    """Whether the places run clockwise as seen, which is against the order of play; two of them run neither way."""
    return len(places) > 2 and _turning(places) > 0


def with_stakes(draft: Draft, stake: str, dealer: str, edition: str, house_rules: dict[str, str]) -> Draft:
    """With what is played for and by which rules; ``stake`` as people write it: "2", "2,50". Raises Wrong."""
    if dealer and dealer not in draft.names:
        raise Wrong(N_("Choose who deals first."))
    try:
        chosen = msgspec.convert({"edition": edition, "house_rules": house_rules}, _Choices)
    except msgspec.ValidationError as error:
        raise Wrong(N_("The page sent a rule that does not exist: load it again.")) from error
    return replace(draft, stake=minor_units(stake), dealer=dealer, edition=chosen.edition, house_rules=chosen.house_rules)


class _Choices(msgspec.Struct):
    edition: Edition
    house_rules: HouseRules


def minor_units(text: str) -> int:
    """Cents from "2", "2,5", "2.50" or "€ 2". Raises Wrong for anything else, and for sums that are no stake."""
    plain = text.replace("€", "").replace("\xa0", " ").strip().replace(",", ".")
    whole, _, cents = plain.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 12 and (not cents or (cents.isascii() and cents.isdigit()))):
        raise Wrong(N_("The stake is a sum in euros, such as 2 or 2.50."))
    if len(cents) > 2:
        raise Wrong(N_("The stake is a sum in euros, such as 2 or 2.50."))
    stake = int(whole) * 100 + int((cents + "00")[:2])
    if not 1 <= stake <= MAX_STAKE:
        raise Wrong(N_("The stake is a sum in euros, such as 2 or 2.50."))
    return stake


def with_standing(draft: Draft, standing: dict[str, tuple[str, bool]], ricompere: str) -> Draft:
    """With how everybody stands: name → pedine as typed, and whether they are a virgin. Raises Wrong."""
    found = {}
    for name in draft.names:
        typed, virgin = standing.get(name, ("3", True))
        pedine = _count(typed, 99)
        if pedine is None:
            raise Wrong(N_("{name}’s pedine are a number, 0 or more."), name=name)
        if virgin and pedine < 3:
            raise Wrong(N_("{name} with {pedine} pedine has paid before: no virgin."), name=name, pedine=pedine)
        found[name] = Standing(pedine, virgin)
    count = _count(ricompere, MAX_RICOMPERE)
    if count is None:
        raise Wrong(N_("The ricompere paid are a number, 0 or more."))
    if not any(one.pedine for one in found.values()):
        raise Wrong(N_("Somebody must have a pedina."))
    return replace(draft, late=True, standing=found, ricompere=count)


def with_draw(draft: Draft, cards: dict[str, str]) -> Draft:
    """With one more round of the seat draw: player → kind, of everybody or of those who drew equal cards.

    Once it is decided, the names are put in the order in which people sit down: the dealer keeps their place, the others follow
    at their right, anticlockwise. Raises Wrong where a card is missing or cannot be.
    """
    due = still_to_draw(draft)
    missing = [name for name in due if not cards.get(name)]
    if missing:
        raise Wrong(N_("{name}’s card is missing."), name=missing[0])
    drawn = (*draft.drawn, {name: cards[name] for name in due})
    try:
        seating = seat_draw(*drawn)
    except ValueError as error:
        raise Wrong(N_("The same card three times: the deck has two. Check again.")) from error
    draft = replace(draft, drawn=drawn)
    if seating.dealer is None or seating.again:
        return draft
    # The dealer stays where they sit: seat after seat anticlockwise from there.
    at = draft.names.index(seating.dealer)
    order = (seating.dealer, *seating.players[:-1])
    names = tuple(order[(seat - at) % len(order)] for seat in range(len(order)))
    return replace(draft, names=names, dealer=seating.dealer)


def still_to_draw(draft: Draft) -> tuple[str, ...]:
    """Who draws a card next: everybody, or those who drew equal cards; nobody once it is decided."""
    seating = draft.seating()
    if seating is None:
        return draft.names
    return tuple(name for group in seating.again for name in group)


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


def _count(text: str, most: int) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 and int(text) <= most else None


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
