"""With the rules switched off nothing is repaired: what is seen is written down, right or wrong."""

from __future__ import annotations

import numpy as np
import pytest

from companion.eyes.seeing import view_of
from companion.eyes.sighting import CardSeen
from companion.eyes.table import Seat, Table, TableMap
from companion.games.stu.rules.log import new_game
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Shown, Sighting
from workshop.bench.stu.bytetrack import Residents, boxes_of, tracked_sightings
from workshop.bench.stu.hands import played
from workshop.bench.stu.without_rules import log_without_rules
from workshop.bench.watching import Look, Stream, encode_sighting

GAME = new_game(("Anna", "Bruno", "Carla"), 100, "Carla")
DEALT = (Appeared(1.0, 0), Appeared(2.0, 1), Appeared(3.0, 2))


def shows(anna: str, bruno: str, carla: str) -> tuple[Sighting, ...]:
    faces = enumerate((anna, bruno, carla))
    return tuple(Shown(20.0 + place / 2, place, 10 + place, ((kind, 1.0),)) for place, kind in faces)


def test_what_is_seen_clearly_is_ruled() -> None:
    moves = Exchanged(8.0, 9.0, (0, 1), 0.9), DeckExchanged(12.0, 14.0, 2, 0.9)
    (hand,) = played(log_without_rules(GAME, (*DEALT, *moves, *shows("2", "7", "9"), Cleared(30.0))))
    assert hand.over
    done = [(deed.kind, deed.who) for deed in hand.deeds if deed.card is None]
    assert done == [("exchange", ("Anna", "Bruno")), ("draw", ("Carla",))]
    assert [(payment["player"], payment["cause"]) for payment in hand.payments] == [("Anna", "lowest")]
    assert hand.confidence == 1.0


def test_a_trump_shown_by_itself_refuses_the_player_before() -> None:
    log = log_without_rules(GAME, (*DEALT, Shown(8.0, 1, 1, (("bragon", 1.0),)), *shows("2", "bragon", "9"), Cleared(30.0)))
    assert [payment["cause"] for payment in played(log)[0].payments] == ["bbummata", "lowest"]


def test_a_false_exchange_is_believed_and_an_impossible_one_left_out() -> None:
    """Exchanges said to be as likely as not are taken at their word; cards that no engine lets pass are not."""
    sightings = (*DEALT, Exchanged(8.0, 9.0, (1, 2), 0.5), Exchanged(10.0, 11.0, (0, 1), 0.5), Exchanged(12.0, 13.0, (0, 1), 0.4))
    (hand,) = played(log_without_rules(GAME, (*sightings, *shows("2", "7", "9"), Cleared(30.0))))
    assert [deed.who for deed in hand.deeds if deed.kind == "exchange"] == [("Bruno", "Carla")]


def test_a_hand_with_a_face_unseen_is_given_up() -> None:
    log = log_without_rules(GAME, (*DEALT, *shows("2", "7", "9")[:2], Cleared(30.0)))
    (hand,) = played(log)
    assert hand.void


def card(x: float, y: float) -> CardSeen:
    return CardSeen(((x, y), (x + 50, y), (x + 50, y + 94), (x, y + 94)), "stu", "back", 0.9)


def test_a_box_is_upright_round_its_card() -> None:
    assert boxes_of([card(100, 200)]).xywh.tolist() == [[125, 247, 50, 94]]


def test_residents_that_changed_places_have_been_exchanged() -> None:
    table = Table(
        1, (1000, 1000), ((0, 0), (1000, 0), (1000, 1000), (0, 1000)),
        (Seat("Anna", (200, 500)), Seat("Bruno", (800, 500))),
    )  # fmt: skip
    top = TableMap(table, (1000, 1000))
    residents, found = Residents(top.places), []
    left, right = card(175, 453), card(775, 453)
    for n in range(20):
        known = {0: 1, 1: 2} if n < 10 else {0: 2, 1: 1}  # the identities have changed places
        found += residents.step(view_of((left, right), n / 10, top), known)
    assert [(type(seen), seen.places) for seen in found if isinstance(seen, Exchanged)] == [(Exchanged, (0, 1))]


@pytest.mark.train
def test_bytetrack_follows_two_cards_that_pass_each_other_in_full_view() -> None:
    """Cards that slide past each other, apart enough to be told apart: the identities go with them."""
    table = Table(
        1, (1000, 1000), ((0, 0), (1000, 0), (1000, 1000), (0, 1000)),
        (Seat("Anna", (225, 500)), Seat("Bruno", (775, 500))),
    )  # fmt: skip
    looks = []
    for n in range(80):
        u = float(np.clip((n - 20) / 40, 0, 1))
        cards = (card(200 + 550 * u, 453 - 110 * np.sin(np.pi * u)), card(750 - 550 * u, 453 + 110 * np.sin(np.pi * u)))
        looks.append(Look(n / 10, cards, (encode_sighting(Appeared(0.5, 0)),) if n == 5 else ()))
    found = tracked_sightings(Stream((1000, 1000), tuple(looks), 0.0), table)
    assert [seen.places for seen in found if isinstance(seen, Exchanged)] == [(0, 1)]
    assert Appeared(0.5, 0) in found
