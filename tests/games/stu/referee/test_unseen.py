"""What the referee makes of a table that it could not see for a while: more may have happened, and nothing is guessed."""

from __future__ import annotations

import math

import pytest

from companion.eyes.sighting import CameraMoved, Unseen, Why
from companion.games import GAMES
from companion.games.stu.rules.log import Draw, End, Swap, Void, new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown, Sighting
from companion.referee import Evening, observe

NAMES = ("Anna", "Bruno", "Carla", "Dino")
DEALT: list[Sighting] = [Appeared(1 + 0.5 * place, place) for place in range(4)]


def shown(t: float, place: int, kind: str) -> Shown:
    return Shown(t, place, int(t * 100), ((kind, 0.99), ("3", 0.01)))


SHOWDOWN: list[Sighting] = [
    shown(20, 1, "7"), shown(20.4, 0, "2"), shown(20.8, 2, "9"), shown(21.2, 3, "10"), Cleared(26)
]  # fmt: skip


def evening(*sightings: Sighting) -> Evening:
    result = Evening.of(GAMES["stu"], new_game(NAMES, 200, "Dino"))
    for sighting in sightings:
        result = observe(result, sighting)
    return result


def share(result: Evening, event: type) -> float:
    """Probability, over the beam, that something of this kind has happened."""
    weights = [(math.exp(history.weight), history) for history in result.beams[-1]]
    total = sum(weight for weight, _ in weights)
    return sum(w for w, history in weights if any(isinstance(line.event, event) for line in history.lines)) / total


def unseen(seconds: float, places: tuple[int, ...] | None = None, why: Why = "blocked") -> Unseen:
    return Unseen(6, 6 + seconds, places, why)


def test_without_trouble_nobody_is_thought_to_have_exchanged() -> None:
    assert share(evening(*DEALT), Swap) == 0


@pytest.mark.parametrize("why", ["moved", "blocked", "dark", "frozen", "gap"])
def test_behind_what_could_not_be_seen_an_exchange_or_a_draw_is_possible(why: Why) -> None:
    result = evening(*DEALT, unseen(3, why=why))
    assert 0.05 < share(result, Swap) < 0.6
    assert 0.01 < share(result, Draw) < 0.6


def test_the_longer_the_more_may_have_happened() -> None:
    shares = [share(evening(*DEALT, unseen(seconds)), Swap) for seconds in (0.5, 2, 6)]
    assert shares == sorted(shares)
    assert shares[0] < shares[2] / 2


@pytest.mark.parametrize(("places", "possible"), [((0,), False), ((0, 2), False), ((0, 1), True), ((1, 2), True)])
def test_who_was_seen_all_the_time_has_not_exchanged(places: tuple[int, ...], possible: bool) -> None:
    assert (share(evening(*DEALT, unseen(3, places)), Swap) > 0) == possible


def test_an_exchange_seen_in_part_is_likelier_when_the_rest_was_hidden() -> None:
    doubtful = Exchanged(5.5, 7, (0, 1), 0.3)
    assert share(evening(*DEALT, doubtful, unseen(3, (0, 1))), Swap) > share(evening(*DEALT, doubtful), Swap)


SEEN, UNDER_HANDS = 0.97, 0.48
"""Probabilities of an exchange: a card was seen on its way; none was, so that it is as likely as not."""


@pytest.mark.parametrize(
    ("probability", "places", "least", "most"),
    [
        (SEEN, (0, 1), 0.9, 1.0),
        (UNDER_HANDS, (0, 1), 0.5, 0.75),
        (UNDER_HANDS, (1, 2), 0.3, 0.6),
        (UNDER_HANDS, (2, 3), 0.2, 0.5),
        (UNDER_HANDS, (0, 2), 0.0, 0.0),
        (UNDER_HANDS, (3, 0), 0.0, 0.0),
    ],
    ids=["seen", "the first two", "after one has stayed", "after two have stayed", "no neighbours", "past the dealer"],
)
def test_of_exchanges_under_hands_the_rules_tell_which_can_have_been(
    probability: float, places: tuple[int, int], least: float, most: float
) -> None:
    assert least <= share(evening(*DEALT, Exchanged(5, 6.5, places, probability)), Swap) <= most


def test_neighbours_who_look_at_once_have_not_exchanged_before_those_whose_turn_came_first_could_decide() -> None:
    early, late = (share(evening(*DEALT, Exchanged(t, t + 1, (2, 3), 0.9)), Swap) for t in (2.8, 7.0))
    assert early < 0.5 < 0.8 < late
    found_late = evening(*DEALT[:3], Appeared(6.8, 3), Exchanged(7.0, 8, (2, 3), 0.9))
    assert share(found_late, Swap) == pytest.approx(late), "a card that is seen only when it moves was dealt with the others"


def test_neighbours_who_look_once_their_turn_is_over_have_not_exchanged() -> None:
    seen = Exchanged(5, 6.5, (1, 2), SEEN)
    result = evening(*DEALT, seen, Exchanged(9, 10.5, (0, 1), UNDER_HANDS))
    assert [line.event.with_ for line in result.log if isinstance(line.event, Swap)] == ["Carla"]


def test_when_all_faces_are_seen_in_the_end_a_blocked_view_changes_no_payment() -> None:
    peaceful, troubled = (evening(*DEALT, *trouble, *SHOWDOWN) for trouble in ((), (unseen(4), CameraMoved(11, 25.0))))
    assert peaceful.settled.hands[-1].payments == troubled.settled.hands[-1].payments
    (end,) = [line for line in troubled.log if isinstance(line.event, End)]
    assert end.confidence is not None
    assert end.confidence > 0.9


def test_a_showdown_that_nobody_saw_is_not_guessed() -> None:
    """The cards were shown and gathered behind somebody's back, all but one: there is nothing to rule on."""
    result = evening(*DEALT, shown(20, 1, "7"), Unseen(20.5, 25, (0, 2, 3), "blocked"), Cleared(26))
    (over,) = [line for line in result.log if isinstance(line.event, End | Void)]
    assert over.confidence is not None
    assert over.confidence < 0.5


def test_trouble_between_two_hands_is_no_hand() -> None:
    assert len(evening(unseen(3), CameraMoved(10, 3.0)).log) == 1


@pytest.mark.parametrize(("t", "not_before", "sure"), [(20.4, 20.2, True), (24.0, 23.8, True), (24.0, 8.0, False)],
                         ids=["shown with the others", "shown late", "uncovered late"])  # fmt: skip
def test_a_trump_that_lay_under_a_hand_may_have_refused_before_it_was_seen(t: float, not_before: float, sure: bool) -> None:
    gnao = Shown(t, 1, 2040, (("gnao", 0.999), ("3", 0.001)), not_before)
    result = evening(*DEALT, shown(20, 0, "7"), gnao, shown(20.8, 2, "2"), shown(21.2, 3, "9"), Cleared(27))
    (end,) = [line for line in result.log if isinstance(line.event, End)]
    assert end.confidence is not None
    assert (end.confidence >= 0.95) == sure


def test_a_trump_under_a_hand_from_the_deal_on_explains_why_a_card_travelled_back() -> None:
    """Nobody saw Carla's card before it was gathered: that Bruno asked her is told by the second exchange."""
    gnao = Shown(26, 2, 2600, (("gnao", 0.999), ("3", 0.001)))
    result = evening(
        *(card for card in DEALT if card != DEALT[2]), Exchanged(5, 6, (0, 1), 0.93), Exchanged(10, 11, (0, 1), 0.93),
        shown(20, 0, "7"), shown(20.4, 1, "8"), shown(20.8, 3, "9"), gnao, Cleared(28),
    )  # fmt: skip
    paid = result.chapters[0].after.hands[-1].payments
    assert [(payment.player, payment.cause) for payment in paid] == [("Bruno", "gnaffata"), ("Anna", "lowest")]
