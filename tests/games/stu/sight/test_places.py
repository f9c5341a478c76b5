"""What the eyes make of cards that come, lie, show and go: a table of four places seen from straight above."""

from __future__ import annotations

import math

import numpy as np
import pytest
from looks import DECK, LOOKS, PLACES, Watcher, back, between, face, quad, stack

from companion.eyes.sighting import CardSeen, Point
from companion.eyes.table import rectangle_aspect
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown

BACKS = [back(place) for place in PLACES]
OTHERWISE = [back((x + 6, y - 4)) for x, y in PLACES]
"""Nobody puts a card down exactly where another lay."""
UNDER_HANDS = 0.3
"""Least probability of an exchange under hands: as likely as not where all else speaks for it."""


def test_a_card_that_comes_to_lie_is_said_once() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, seconds=3)
    assert sorted(seen.place for seen in watcher.heard(Appeared)) == [0, 1, 2, 3]


def test_a_card_covered_for_a_moment_did_not_come_again() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, seconds=2)
    watcher.see(*BACKS[1:], seconds=0.4)
    watcher.see(*BACKS, seconds=2)
    assert len(watcher.heard(Appeared)) == 4


def test_a_face_is_shown_with_what_all_looks_say_together() -> None:
    watcher = Watcher()
    watcher.see(*BACKS[1:], face(PLACES[0], gnao=0.4, salta=0.6), seconds=0.5)
    watcher.see(*BACKS[1:], face(PLACES[0], gnao=0.9, salta=0.1), seconds=1)
    (*_, last) = watcher.heard(Shown)
    assert isinstance(last, Shown)
    assert last.place == 0
    assert last.alternatives[0][0] == "gnao"
    assert 0.6 < last.alternatives[0][1] < 0.9
    assert sum(p for _, p in last.alternatives) == pytest.approx(1, abs=0.02)


def test_looking_at_a_doubtful_face_for_long_makes_it_no_surer() -> None:
    """What makes one look at a card at rest wrong makes the next one wrong, too."""
    watcher = Watcher()
    watcher.see(*BACKS[1:], face(PLACES[0], gnao=0.9, salta=0.1), seconds=10)
    (*_, last) = watcher.heard(Shown)
    assert isinstance(last, Shown)
    assert dict(last.alternatives) == pytest.approx({"gnao": 0.9, "salta": 0.1}, abs=0.01)


def test_one_look_at_a_face_is_not_enough() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, seconds=1)
    watcher.see(*BACKS[1:], face(PLACES[0], gnao=1.0))
    watcher.see(*BACKS, seconds=1)
    assert watcher.heard(Shown) == []


def test_a_face_that_goes_and_comes_is_another_episode() -> None:
    watcher = Watcher()
    watcher.see(face(PLACES[0], gnao=1.0), seconds=1)
    watcher.see(seconds=1.5)
    watcher.see(face(PLACES[0], gnao=1.0), seconds=1)
    assert len({seen.episode for seen in watcher.heard(Shown) if isinstance(seen, Shown)}) == 2


@pytest.mark.parametrize(("at", "shown"), [(PLACES[0], 1), ((535, 775), 0), ((650, 650), 0)], ids=["there", "beside", "afar"])
def test_a_strange_face_where_a_card_lay_is_that_card_shown(at: Point, shown: int) -> None:
    strange = CardSeen(quad(at), "unknown", "face", 0.9, None, (("gnao", 0.6), ("salta", 0.4)))
    watcher = Watcher()
    watcher.see(strange, seconds=1)
    assert watcher.heard(Shown) == [], "a card of no deck of ours, put down on a bare table"
    watcher.see(*BACKS, seconds=2)
    watcher.see(*BACKS[1:], strange, seconds=1)
    assert [seen.place for seen in watcher.heard(Shown)[:1]] == [0] * shown


def test_bare_places_after_the_showdown_are_the_clearing() -> None:
    watcher = Watcher()
    watcher.see(*(face(place, _7=1.0) for place in PLACES), seconds=2)
    watcher.see(stack(DECK), seconds=3)
    assert len(watcher.heard(Cleared)) == 1


def test_bare_places_without_a_face_are_cards_held_in_hands() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, seconds=2)
    watcher.see(stack(DECK), seconds=3)
    assert watcher.heard(Cleared) == []


def the_likely(watcher: Watcher, least: float = 0.5) -> Exchanged:
    """The one exchange of those reported that has this probability at ``least``."""
    (likely,) = [seen for seen in watcher.said if isinstance(seen, Exchanged) and seen.probability >= least]
    return likely


def slide(watcher: Watcher, a: int, b: int, seconds: float = 0.8) -> None:
    """The cards of two places change over, both on the way at once."""
    others = [back(place) for i, place in enumerate(PLACES) if i not in (a, b)]
    steps = round(seconds * LOOKS)
    for i in range(1, steps):
        there, here = (between(PLACES[a], PLACES[b], share) for share in (i / steps, 1 - i / steps))
        watcher.see(*others, back(there), back(here), stack(DECK), hands=(PLACES[a], PLACES[b]))


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 2), (3, 0), (0, 2)])
def test_two_cards_that_change_over_are_an_exchange(a: int, b: int) -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    slide(watcher, a, b)
    watcher.see(*OTHERWISE, stack(DECK), seconds=2)
    seen = the_likely(watcher)
    assert set(seen.places) == {a, b}
    assert seen.probability > 0.6


def test_one_after_the_other_is_an_exchange_too() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    for share in (0.2, 0.4, 0.6, 0.8):
        watcher.see(*BACKS[1:], back(between(PLACES[0], PLACES[1], share)), stack(DECK), hands=(PLACES[0], PLACES[1]))
    watcher.see(*BACKS[1:], back((PLACES[1][0], PLACES[1][1] + 45)), stack(DECK), seconds=0.5)
    for share in (0.8, 0.6, 0.4, 0.2):
        watcher.see(*BACKS[1:], back(between(PLACES[0], PLACES[1], share)), stack(DECK), hands=(PLACES[0], PLACES[1]))
    watcher.see(*OTHERWISE, stack(DECK), seconds=2)
    (seen,) = watcher.heard(Exchanged)
    assert isinstance(seen, Exchanged)
    assert set(seen.places) == {0, 1}


def test_neighbours_whose_cards_are_away_together_for_a_moment_may_have_exchanged_under_their_hands() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(*BACKS[2:], stack(DECK), seconds=0.8, hands=(PLACES[0], PLACES[1]))
    watcher.see(*BACKS, stack(DECK), seconds=2)
    (seen,) = watcher.heard(Exchanged)
    assert isinstance(seen, Exchanged)
    assert set(seen.places) == {0, 1}
    assert seen.probability > 0.2


def test_neighbours_who_both_look_at_their_cards_for_long_have_probably_not_exchanged() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(*BACKS[2:], stack(DECK), seconds=5)
    watcher.see(*BACKS, stack(DECK), seconds=2)
    assert all(isinstance(seen, Exchanged) and seen.probability < 0.5 for seen in watcher.heard(Exchanged))


def towards_edge(place: Point, length: float) -> Point:
    """A card's middle, drawn from its place to the owner's edge of the table, in card lengths."""
    x, y = place[0] - 500, place[1] - 500
    far = math.hypot(x, y)
    return place[0] + x / far * length * 72, place[1] + y / far * length * 72


def neighbours_look(seen: bool, edge: float = 1.1) -> float:
    """How likely an exchange is where neighbours draw their own cards up at the same time to look at them, with hands that reach
    far, and lay them back otherwise; ``seen``: the cards can be seen meanwhile."""
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    drawn = [back(towards_edge(place, edge)) for place in PLACES[:2]] if seen else []
    watcher.see(*BACKS[2:], *drawn, stack(DECK), seconds=0.8, hands=(PLACES[0], PLACES[1]))
    watcher.see(*OTHERWISE[:2], *BACKS[2:], stack(DECK), seconds=2)
    return max((one.probability for one in watcher.heard(Exchanged) if isinstance(one, Exchanged)), default=0.0)


def test_neighbours_who_draw_up_their_own_cards_at_the_same_time_have_not_exchanged() -> None:
    assert 0.2 < neighbours_look(seen=False) <= 0.5, "under hands that reach far an exchange looks just like it"
    assert neighbours_look(seen=True) < 0.1


def everybody_lifts(hands: tuple[Point, Point] | None = None) -> Watcher:
    """All cards are away at the same time, for a moment, and lie a little differently afterwards; ``hands`` move meanwhile."""
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(stack(DECK), seconds=0.8, hands=hands)
    watcher.see(*OTHERWISE, stack(DECK), seconds=3)
    return watcher


@pytest.mark.parametrize(
    "hands", [None, (PLACES[0], between(PLACES[0], PLACES[1], 0.4)), ((500, 990), PLACES[0])],
    ids=["above their own cards", "one beside its own card", "one from its owner's side"],
)  # fmt: skip
def test_everybody_who_lifts_their_own_card_has_exchanged_with_nobody(hands: tuple[Point, Point] | None) -> None:
    assert everybody_lifts(hands).heard(Exchanged) == []


def test_hands_that_reach_from_place_to_place_while_everybody_lifts_may_exchange() -> None:
    assert set(the_likely(everybody_lifts((PLACES[1], PLACES[2])), UNDER_HANDS).places) == {1, 2}


def test_where_nobody_knows_what_moves_cards_laid_down_again_may_have_been_exchanged() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.top.ground = lambda shape: (np.full((shape[0] * shape[1], 2), 9.0), np.ones(shape, bool))  # type: ignore[method-assign]
    watcher.see(*BACKS[2:], stack(DECK), seconds=0.8)
    watcher.see(*OTHERWISE, stack(DECK), seconds=2)
    assert watcher.heard(Exchanged)


def test_a_card_that_nobody_saw_dealt_may_be_exchanged_under_a_hand() -> None:
    """The card lay under a hand from the beginning: only hands that went back and forth, and how the cards lie afterwards, show
    the exchange."""
    watcher = Watcher()
    watcher.see(*BACKS[1:], stack(DECK), seconds=3)
    watcher.see(*BACKS[2:], stack(DECK), seconds=0.8, hands=(PLACES[0], PLACES[1]))
    watcher.see(BACKS[0], OTHERWISE[1], *BACKS[2:], stack(DECK), seconds=2)
    (seen,) = watcher.heard(Exchanged)
    assert isinstance(seen, Exchanged)
    assert set(seen.places) == {0, 1}


def test_of_two_pairs_under_hands_the_one_has_exchanged_between_which_they_move() -> None:
    """Three cards are out of sight together: only two of them can have changed over, and the hands say which."""
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(BACKS[3], stack(DECK), seconds=0.8, hands=(PLACES[1], PLACES[2]))
    watcher.see(BACKS[0], *OTHERWISE[1:3], BACKS[3], stack(DECK), seconds=2)
    assert set(the_likely(watcher, UNDER_HANDS).places) == {1, 2}


@pytest.mark.parametrize(
    "after",
    [OTHERWISE, [back(place, turn) for place, turn in zip(PLACES, (5, -6, 0, 0), strict=True)]],
    ids=["shifted", "turned"],
)
def test_cards_that_lie_differently_afterwards_are_likelier_to_have_been_exchanged(after: list[CardSeen]) -> None:
    def away(then: list[CardSeen]) -> float:
        watcher = Watcher()
        watcher.see(*BACKS, stack(DECK), seconds=2)
        watcher.see(*BACKS[2:], stack(DECK), seconds=0.8, hands=(PLACES[0], PLACES[1]))
        watcher.see(*then, stack(DECK), seconds=2)
        (seen,) = watcher.heard(Exchanged)
        assert isinstance(seen, Exchanged)
        return seen.probability

    assert 0.4 < away(after) <= 0.5, "no card was seen between the two"
    assert away(after) > away(BACKS) + 0.15


def test_a_card_gone_while_a_hand_covers_the_deck_may_have_been_changed_there() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(*BACKS[1:], stack(DECK), seconds=0.5)
    watcher.see(*BACKS[1:], seconds=0.8, hands=(PLACES[0], DECK))
    watcher.see(*OTHERWISE, stack(DECK), seconds=2)
    (seen,) = watcher.heard(DeckExchanged)
    assert isinstance(seen, DeckExchanged)
    assert seen.place == 0
    assert seen.probability > 0.15


def test_a_face_says_when_a_back_was_last_seen_in_its_place() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, seconds=2)
    watcher.see(*BACKS[1:], seconds=3)
    watcher.see(*BACKS[1:], face(PLACES[0], gnao=1.0), seconds=1)
    (seen, *_) = watcher.heard(Shown)
    assert isinstance(seen, Shown)
    assert seen.t == pytest.approx(5.1)
    assert seen.not_before == pytest.approx(2.0)


def test_a_look_at_ones_own_card_is_no_exchange() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    watcher.see(*BACKS[1:], stack(DECK), seconds=2)
    watcher.see(*BACKS, stack(DECK), seconds=2)
    assert watcher.heard(Exchanged) == []


def test_dealing_past_others_is_no_exchange() -> None:
    watcher = Watcher()
    for i, place in enumerate(PLACES):
        for share in (0.1, 0.3, 0.5, 0.7, 0.9):
            watcher.see(*BACKS[:i], back(between(DECK, place, share)), stack(DECK), hands=(DECK, place))
        watcher.see(*BACKS[: i + 1], stack(DECK), seconds=0.5)
    watcher.see(*BACKS, stack(DECK), seconds=2)
    doubtful = [*watcher.heard(Exchanged), *watcher.heard(DeckExchanged)]
    assert all(isinstance(seen, Exchanged | DeckExchanged) and seen.probability <= 0.1 for seen in doubtful)


def test_a_card_to_the_deck_and_one_back_is_a_draw() -> None:
    watcher = Watcher()
    watcher.see(*BACKS, stack(DECK), seconds=2)
    for share in (0.3, 0.5, 0.7, 0.9, 0.7, 0.5, 0.3):
        watcher.see(*BACKS[1:], back(between(PLACES[0], DECK, share)), stack(DECK), hands=(PLACES[0], DECK))
    watcher.see(*OTHERWISE, stack(DECK), seconds=2)
    (seen,) = watcher.heard(DeckExchanged)
    assert isinstance(seen, DeckExchanged)
    assert seen.place == 0


@pytest.mark.parametrize("elevation", [35, 50, 70, 89])
@pytest.mark.parametrize("aspect", [1.0, 1.6])
def test_the_tables_shape_follows_from_its_corners(elevation: float, aspect: float) -> None:
    height, turn = np.radians([elevation, 25])
    eye = 2500 * np.array([np.sin(turn) * np.cos(height), -np.cos(turn) * np.cos(height), np.sin(height)])
    ahead = -eye / np.linalg.norm(eye)
    right = np.cross(ahead, [0, 0, 1]) / np.linalg.norm(np.cross(ahead, [0, 0, 1]))
    down = np.cross(ahead, right)
    rays = np.array([(-600 * aspect, 600, 0), (600 * aspect, 600, 0), (600 * aspect, -600, 0), (-600 * aspect, -600, 0)]) - eye
    depth = rays @ ahead
    corners = np.stack([rays @ right, rays @ down], 1) / depth[:, None] * 1100 + np.array([640, 360])
    assert rectangle_aspect(corners, (1280, 720)) == pytest.approx(aspect, rel=0.02)
