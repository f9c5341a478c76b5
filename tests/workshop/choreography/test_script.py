"""What a log makes people do."""

from random import Random

import pytest
from directed import GNAFFATA, game, log

from companion.table.errors import ScriptError
from workshop.choreography.script import Over
from workshop.choreography.stu.script import Ask, DrawCard, Exchange, Leave, Pedine, Show, Stay, kind_of, read_script

ANNA, BRUNO, CARLA, DINO = range(4)


def acts(*entries: dict[str, object]) -> list[object]:
    """The acts of the only hand of a log."""
    (hand,) = read_script(log(*entries), Random(0)).hands
    return list(hand.acts)


def test_a_gnaffata_runs_back_and_costs_a_pedina() -> None:
    (hand,) = read_script(GNAFFATA, Random(0)).hands
    told = [
        (type(act).__name__, getattr(act, "asker", getattr(act, "seat", None)), getattr(act, "asked", None)) for act in hand.acts
    ]
    assert told == [
        ("Ask", ANNA, BRUNO), ("Exchange", ANNA, BRUNO), ("Ask", BRUNO, CARLA), ("Show", CARLA, None), ("Pedine", BRUNO, None),
        ("Ask", BRUNO, ANNA), ("Exchange", BRUNO, ANNA), ("Ask", DINO, None), ("DrawCard", DINO, None),
        ("Show", ANNA, None), ("Show", BRUNO, None), ("Show", CARLA, None), ("Show", DINO, None), ("Pedine", ANNA, None),
        ("Over", None, None),
    ]  # fmt: skip
    assert [act.shown for act in hand.acts if isinstance(act, Pedine)] == [2, 2]


def test_a_face_shown_late_is_the_card_that_was_dealt_early() -> None:
    (hand,) = read_script(GNAFFATA, Random(0)).hands
    assert {seat: kind_of(card) for seat, card in hand.cards.items() if seat != DINO} == {ANNA: "2", BRUNO: "5", CARLA: "gnao"}


def test_faces_that_nobody_sees_are_whatever_the_deck_has_left() -> None:
    dealt = {kind_of(read_script(GNAFFATA, Random(seed)).hands[0].cards[DINO]) for seed in range(30)}
    assert len(dealt) > 5


def test_who_stays_without_a_line_still_stays() -> None:
    told = acts(
        game("Anna", "Bruno", "Carla", dealer="Carla"), {"e": "hand"}, {"e": "passo", "by": "Bruno"},
        {"e": "swap", "with": "Carla"},
    )  # fmt: skip
    assert told[0] == Stay(None, ANNA)
    assert isinstance(told[1], Ask)


def test_all_who_have_not_spoken_stay_before_the_showdown() -> None:
    shows = [{"e": "reveal", "by": name, "card": card} for name, card in (("Carla", "3"), ("Anna", "4"), ("Bruno", "5"))]
    told = acts(game("Anna", "Bruno", "Carla", dealer="Carla"), {"e": "hand"}, {"e": "sto", "by": "Anna"}, *shows, {"e": "end"})
    assert [type(act) for act in told[:4]] == [Stay, Stay, Stay, Show]


def test_all_turn_their_cards_at_the_end_though_the_log_knows_them_from_the_deal() -> None:
    deals = [{"e": "deal", "to": name, "card": card} for name, card in (("Anna", "3"), ("Bruno", "4"))]
    told = acts(game("Anna", "Bruno", dealer="Bruno"), {"e": "hand"}, *deals, {"e": "end"})
    assert [type(act) for act in told] == [Stay, Stay, Show, Show, Pedine, Over]


def test_a_salta_passes_the_question_on() -> None:
    told = acts(
        game("Anna", "Bruno", "Carla", dealer="Carla"), {"e": "hand"}, {"e": "passo", "by": "Anna"},
        {"e": "reveal", "by": "Bruno", "card": "salta"}, {"e": "swap", "with": "Carla"},
    )  # fmt: skip
    assert [(act.asker, act.asked) for act in told if isinstance(act, Ask | Exchange)] == [(0, 1), (0, 2), (0, 2)]


def test_past_the_dealers_salta_the_asker_draws() -> None:
    told = acts(
        game("Anna", "Bruno", dealer="Bruno"), {"e": "hand"}, {"e": "passo", "by": "Anna"},
        {"e": "reveal", "by": "Bruno", "card": "salta"}, {"e": "draw", "by": "Anna", "card": "cucco"},
    )  # fmt: skip
    (drawn,) = [act for act in told if isinstance(act, DrawCard)]
    assert (drawn.seat, kind_of(drawn.new)) == (ANNA, "cucco")


def test_a_ceded_taverna_is_shown_and_then_exchanged() -> None:
    told = acts(
        game("Anna", "Bruno", "Carla", dealer="Carla"), {"e": "hand"}, {"e": "passo", "by": "Anna"},
        {"e": "taverna", "by": "Bruno"},
    )  # fmt: skip
    show, exchange = told[1:3]
    assert isinstance(show, Show)
    assert isinstance(exchange, Exchange)
    assert (kind_of(show.card), exchange.taken) == ("taverna", show.card)


def test_who_pays_the_last_pedina_leaves_with_the_card_under_the_deck() -> None:
    standing = {"Anna": {"pedine": 1, "virgin": False}}
    told = acts(
        game("Anna", "Bruno", "Carla", dealer="Carla", standing=standing), {"e": "hand"}, {"e": "passo", "by": "Anna"},
        {"e": "reveal", "by": "Bruno", "card": "gnao"},
    )  # fmt: skip
    assert [act.seat for act in told if isinstance(act, Leave)] == [ANNA]
    assert [act.shown for act in told if isinstance(act, Pedine)] == [0]


def test_a_virgin_who_gains_a_pedina_still_shows_none() -> None:
    cards = (("Anna", "matto"), ("Bruno", "matto"), ("Carla", "5"))
    told = acts(
        game("Anna", "Bruno", "Carla", dealer="Carla"), {"e": "hand"},
        *({"e": "reveal", "by": name, "card": card} for name, card in cards), {"e": "end"},
    )  # fmt: skip
    assert [(act.seat, act.shown) for act in told if isinstance(act, Pedine)] == [(CARLA, 2)]


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([], "no game line"),
        ([{"e": "hand"}], "no game line"),
        ([game(*(f"P{n}" for n in range(21)), dealer="P0")], "21 players"),
        ([game("Anna", "Bruno", dealer="Anna"), {"e": "hand"}, {"e": "swap", "with": "Bruno"}], "line 3"),
    ],
    ids=["empty", "no game line", "too many players", "cannot have happened"],
)
def test_a_log_that_cannot_be_filmed_says_why(entries: list[dict[str, object]], says: str) -> None:
    with pytest.raises(ScriptError, match=says):
        read_script(log(*entries), Random(0))
