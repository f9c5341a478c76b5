"""Cards by which the places were marked are no hand of any game, until the places have been bare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from companion.eyes.following.aside import BARE_SECONDS, Aside
from companion.eyes.seeing import Seen
from companion.eyes.sighting import CardSeen, Point, Sighting, Unseen
from companion.eyes.source import Picture
from companion.eyes.table import Seat, Table, TableMap
from companion.eyes.trouble import FrameQuality
from companion.games import GAMES, Game
from companion.games.stu.rules.log import Game as FirstLine
from companion.referee import Evening, observe

PLACES: tuple[Point, ...] = ((500, 800), (800, 500), (500, 200), (200, 500))
PACK: Point = (640, 880)
NAMES = ("Anna", "Bruno", "Carla", "Dino")
TABLE = Table(
    v=1, image_size=(1000, 1000), corners=((50, 50), (950, 50), (950, 950), (50, 950)),
    players=tuple(Seat(name, place) for name, place in zip(NAMES, PLACES, strict=True)),
)  # fmt: skip
TOP = TableMap(TABLE, (1000, 1000))
IMAGE = np.zeros((8, 8, 3), np.uint8)
WITH_EYES = [game for game in GAMES.values() if game.has_eyes]
SEE_THE_DEAL = ("stu", "stoppa", "stoper")
"""The games whose eyes report a card that is dealt covered."""


def card(at: Point, deck: str, side: str = "back", kind: str = "") -> CardSeen:
    (x, y), odds = at, ((kind, 0.99),) if kind else ()
    return CardSeen(((x - 20, y - 36), (x + 20, y - 36), (x + 20, y + 36), (x - 20, y + 36)), deck, side, 0.9, kind or None, odds)


def look(t: float, cards: Sequence[CardSeen], hidden: frozenset[int] = frozenset()) -> Seen:
    quality = FrameQuality(None, None, hidden=hidden)
    return Seen(Picture(t, IMAGE), tuple(cards), quality, TOP, None)


def looks(since: float, until: float, cards: Sequence[CardSeen]) -> Iterator[Seen]:
    return (look(since + number / 10, cards) for number in range(round((until - since) * 10)))


def evening(deck: str) -> list[Seen]:
    """One card lies before each, faces flash up as they are gathered, then a hand is dealt."""
    pack, backs = card(PACK, deck, "stack"), [card(at, deck) for at in PLACES]
    faces = [card(at, deck, "face", "6" if deck == "stu" else "denari-6") for at in PLACES]
    return [
        *looks(0, 8, [pack, *backs]), *looks(8, 9, [pack, backs[0], *faces[1:]]), *looks(9, 9.5, [pack, backs[3]]),
        *looks(9.5, 14, [pack]), *looks(14, 18, [pack, *backs]),
    ]  # fmt: skip


def told(game: Game, found: Sequence[Seen], aside: Aside | None) -> list[Sighting]:
    watcher, sightings = game.watcher(TOP), list[Sighting]()
    for seen in found:
        cards = seen.cards if aside is None else aside.counted(seen)
        sightings += watcher.step(seen.picture.t, cards, seen.frame_quality, seen.top, seen.moving)
    model = game.sighting_model
    assert model is not None
    return [one for one in sightings if not isinstance(one, Unseen) and model.aside(one) is None]


@pytest.mark.parametrize("game", WITH_EYES, ids=lambda game: game.id)
def test_cards_that_marked_the_places_are_no_hand_of_any_game(game: Game) -> None:
    found = evening(game.cards)
    counted = told(game, found, Aside())
    assert all(one.t >= 14 for one in counted)
    assert min(one.t for one in told(game, found, None)) < 10, "without it they would have been a hand"
    if not counted and game.id not in SEE_THE_DEAL:
        pytest.skip(f"the eyes of {game.id} report no card that is dealt covered")
    assert counted, "the deal afterwards counts"
    assert {one.place for one in counted} == set(range(4))
    assert min(one.t for one in told(game, found, None)) < 1, "without it they would have been dealt"


def test_the_hand_dealt_afterwards_is_the_first_of_the_evening() -> None:
    game = GAMES["stu"]
    first = FirstLine(v=1, game="stu", players=NAMES, stake=200, currency="EUR", dealer="Anna")
    before, after = Evening.of(game, first), Evening.of(game, first)
    for one in told(game, evening("stu"), None):
        before = observe(before, one)
    for one in told(game, evening("stu"), Aside()):
        after = observe(after, one)
    assert len(before.log) > 2, "turned up as they were gathered, the cards would have been a hand"
    assert [line.t for line in after.log[1:]] == [pytest.approx(14, abs=0.2)]


def test_it_waits_from_the_first_look_that_shows_them_until_the_places_are_bare() -> None:
    aside, backs = Aside(), [card(at, "stu") for at in PLACES]
    for seen in looks(0, 3, backs):
        assert (aside.counted(seen), aside.waiting) == ((), True)
    for seen in (look(3 + number / 10, [], frozenset({0})) for number in range(30)):
        aside.counted(seen)  # an arm is over a place: its card may still lie there
    assert aside.waiting
    for seen in looks(6, 6 + BARE_SECONDS + 0.2, []):
        aside.counted(seen)
    assert not aside.waiting
    assert aside.counted(look(9, backs)) == tuple(backs)


def test_where_nothing_lies_the_first_deal_counts_at_once() -> None:
    aside = Aside()
    for seen in looks(0, 1, [card(PACK, "stu", "stack"), card((500, 500), "stu")]):
        aside.counted(seen)
    assert not aside.waiting
    dealt = [card(PLACES[0], "stu")]
    assert aside.counted(look(1.1, dealt)) == tuple(dealt)
