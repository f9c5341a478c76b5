"""Cards put down together, when the eyes have found only some of them: what the referee makes of that, a ruling each."""

from __future__ import annotations

import pytest
from stoppa_table import BET, Table

from companion.decks.italian import KINDS
from companion.games.stoppa.referee.history import History
from companion.games.stoppa.rules import log as tl
from companion.table.log import tag
from companion.table.sure import SURE_FROM

FOLD = (tl.Passo(by="Carla"), tl.Passo(by="Dino"))
TWOS = ("denari-2", "coppe-2", "spade-2", "bastoni-2")


def shown(*by_bruno: str) -> Table:
    """A hand in which Bruno has shown these for the punto grosso, and Anna three others."""
    return Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-3", "spade-8", "spade-10").shows(1, *by_bruno)


def probability(table: Table, laid: str) -> float:
    """The probability that these cards were put down together by this player, as ``B denari-1 coppe-1``."""
    by, *kinds = laid.split()
    total = found = 0.0
    for one in table.chapter.outcome:
        assert isinstance(one, History)
        share = 2.718281828 ** one.weight
        total += share
        lays = [line.event for line in one.lines if isinstance(line.event, tl.Lay)]
        found += share * any(lay.by[0] == by and set(lay.cards) == set(kinds) for lay in lays)
    return found / total


def opened_with_an_ace(table: Table) -> Table:
    """Bruno closes the first sequence with coppe-10 and opens the next; spade-1 is found among what he puts down."""
    table.lays(0, "spade-3").lays(2, "coppe-4", "coppe-5", "coppe-6").lays(3, "coppe-7").lays(0, "spade-8").lays(2, "coppe-9")
    return table.lays(1, "coppe-10", "spade-1")


def test_who_is_known_to_have_two_aces_may_have_put_down_both_where_one_was_found() -> None:
    assert 0.3 < probability(opened_with_an_ace(shown("denari-1", "denari-7")), "B spade-1 denari-1") < SURE_FROM
    assert probability(opened_with_an_ace(shown("denari-6", "denari-7")), "B spade-1") > SURE_FROM


def test_an_ace_that_turns_up_later_was_kept_back() -> None:
    table = opened_with_an_ace(shown("denari-1", "denari-7")).lays(0, "spade-2").lays(3, "denari-3", "denari-4", "denari-5")
    table.lays(2, "denari-6").lays(1, "denari-7").lays(3, "denari-8").lays(2, "denari-9").lays(1, "denari-10", "denari-1")
    assert "B spade-1" in table.laid()
    assert table.laid()[-1] == "B denari-1"


@pytest.mark.parametrize("seen", [2, 3])
def test_who_is_known_to_have_most_of_a_number_has_put_down_all_of_it(seen: int) -> None:
    table = shown("coppe-2", "coppe-7").lays(0, "bastoni-1")
    table.t += 2.0
    table.lays(1, *TWOS[1 : 1 + seen], motion=90)
    assert probability(table, "B " + " ".join(TWOS)) > 0.9


def test_all_of_a_number_were_put_down_where_none_of_it_comes_again() -> None:
    table = Table().dealt().lays(0, "denari-1").lays(1, "denari-2").lays(2, "denari-3", "denari-4", "denari-5")
    table.lays(2, "denari-6", "denari-7", "denari-8", "denari-9").lays(3, "denari-10")
    for suit in ("coppe", "spade", "bastoni"):
        table.lays(3, f"{suit}-1").lays(0, *(f"{suit}-{number}" for number in (3, 4, 5))).lays(2, f"{suit}-6", f"{suit}-7")
        table.lays(0, f"{suit}-8", f"{suit}-9").lays(3, f"{suit}-10")
    assert "B denari-2 coppe-2 spade-2 bastoni-2" in table.laid()


def test_who_opens_above_an_ace_that_they_have_shown_has_put_that_down_first() -> None:
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-1", "spade-7").shows(1, "coppe-1", "coppe-3")
    table.lays(0, "denari-2")
    assert 0.2 < probability(table, "A spade-1") < SURE_FROM


LEFT = ("denari-2", "coppe-5", "coppe-6", "spade-6", "spade-8", "spade-4", "denari-1")


@pytest.mark.parametrize("left", [6, 7])
def test_who_shows_all_that_is_left_has_put_down_the_rest(left: int) -> None:
    """Carla is known to have two aces, and opens with one of them: whether the other lay under it, the cards left tell."""
    bets = (tl.Punto(by="Anna", to=50), tl.Passo(by="Bruno"), tl.Vedo(by="Carla"), tl.Passo(by="Dino"))
    table = Table().dealt().tell(tl.Grosso(), *bets).shows(0, "spade-3", "bastoni-4").shows(2, "coppe-1", "denari-1")
    table.lays(0, "bastoni-9").lays(2, "bastoni-10", "coppe-1")
    table.lays(0, *(f"bastoni-{number}" for number in range(2, 9))).lays(2, "denari-9").lays(0, "denari-10", "spade-3")
    assert table.chapter.over
    assert 0.3 < probability(table, "C coppe-1 denari-1") < 0.7
    table.shows(2, *LEFT[:left]).cleared()
    (over, _) = table.evening.chapters
    assert {paid.payer: paid.cards for paid in over.after.hands[0].payments}["Carla"] == left


def test_a_face_missed_at_a_punto_piccolo_is_none_that_was_dealt_for_another() -> None:
    """Bruno's third card of the first punto, which nobody saw, is coppe-9 or denari-10: all his others are accounted for."""
    table = Table().dealt(1).tell(*BET).shows(0, "denari-3", "denari-8", "coppe-10").shows(1, "coppe-7", "spade-5")
    table.dealt(1).tell(*BET).shows(0, "spade-1", "spade-2", "spade-3").shows(1, "coppe-2", "coppe-3", "coppe-4")
    table.dealt(1).tell(*BET).shows(0, "spade-4", "bastoni-5", "spade-6").shows(1, "coppe-5", "coppe-6", "spade-8").dealt(1)
    table.lays(0, "spade-1", "spade-2", "spade-3", "spade-4", "bastoni-5", "spade-6", "spade-7", "denari-8")
    table.lays(1, "coppe-9", "denari-10", "coppe-2").lays(0, "denari-3")
    table.lays(1, "coppe-4", "coppe-5", "coppe-6", "coppe-7", "spade-8").lays(2, "spade-9").lays(0, "coppe-10").cleared()
    over = table.evening.chapters[0]
    assert over.after.hands[0].stoppata.winner == "Anna"
    assert over.probability == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(("looks_like", "laid"), [(0.06, "denari-5"), (0.9, "coppe-5")])
def test_of_a_card_hardly_read_it_is_the_one_that_the_player_is_known_to_have(looks_like: float, laid: str) -> None:
    table = shown("denari-5", "denari-8").lays(0, "bastoni-4")
    others = tuple((kind, (0.99 - looks_like) / 39) for kind in KINDS if kind != "coppe-5")
    table.doubtful((("coppe-5", looks_like), *others), ((1, 1.0),))
    assert table.laid()[-1] == f"B {laid}"


@pytest.mark.parametrize(
    ("by_bruno", "others", "sure"),
    [
        (("coppe-2", "coppe-3"), "denari", False),
        (("coppe-2", "coppe-3", "coppe-4"), "denari", False),
        (("coppe-2", "coppe-3", "coppe-4"), "coppe", True),
        (("coppe-5", "coppe-6", "coppe-7"), "denari", True),
    ],
    ids=["two that lose", "three that lose", "three that lose, and no other card of theirs is out", "three that win"],
)
def test_so_few_cards_are_seldom_all_that_somebody_loses_the_punto_grosso_with(
    by_bruno: tuple[str, ...], others: str, sure: bool
) -> None:
    """Behind a bottle may lie the others, unless Anna has laid these: who takes it is not sure."""
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-2", "spade-3", "spade-4").shows(1, *by_bruno)
    table.lays(0, *(f"{others}-{number}" for number in (5, 6, 7, 8, 9, 10, 1)), "spade-2", "spade-3", "spade-4")
    stopped = end_of(table)
    assert (stopped >= SURE_FROM) == sure, "also before the table is cleared"
    assert end_of(table.cleared()) == pytest.approx(stopped, abs=0.05)


def end_of(table: Table) -> float:
    """How sure the hand's end is."""
    (confidence,) = [line.confidence for line in table.evening.log if tag(line.event) == "end"]
    assert confidence is not None
    return confidence


def confidence_of(table: Table, by: str) -> tuple[tuple[str, ...], float]:
    """What this player has shown last, and how sure that is."""
    *_, line = (line for line in table.evening.log if isinstance(line.event, tl.Show) and line.event.by == by)
    return line.event.cards, line.confidence or 0.0


@pytest.mark.parametrize(
    ("piccolo", "cards", "sure"),
    [
        (True, ("coppe-2", "coppe-3"), False),
        (True, ("coppe-2", "coppe-3", "spade-5"), True),
        (False, ("coppe-2", "coppe-3"), False),
        (False, ("coppe-2", "coppe-3", "coppe-4"), True),
    ],
    ids=["two of three of a punto piccolo", "all three", "two of a punto grosso", "three"],
)
def test_fewer_cards_than_are_shown_are_never_sure_while_they_lie_there(
    piccolo: bool, cards: tuple[str, ...], sure: bool
) -> None:
    """A 38 was shown as 25, without a doubt, when one of its cards was not found."""
    table = Table().dealt(1).tell(*BET) if piccolo else Table().dealt().tell(tl.Grosso(), *BET)
    table.shows(1, *cards).shows(0, "spade-2", "spade-3", "spade-4")
    shown, confidence = confidence_of(table, "Bruno")
    assert set(shown) == set(cards)
    assert (confidence >= SURE_FROM) == sure


def test_what_the_phone_tells_of_cards_shown_is_sure_however_few_they_are() -> None:
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-2", "spade-3", "spade-4")
    table.tell(tl.Show(by="Bruno", cards=("coppe-2", "coppe-3")))
    assert confidence_of(table, "Bruno") == (("coppe-2", "coppe-3"), 1.0)


def test_a_card_known_later_to_have_been_theirs_was_most_probably_shown_though_the_same_is_paid() -> None:
    """Nobody keeps back a card that would make their group better."""
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-2", "spade-3", "spade-1").shows(1, "coppe-5", "coppe-8")
    table.lays(0, "spade-2").lays(1, "coppe-3").lays(0, *(f"denari-{number}" for number in range(4, 11)), "spade-1", "spade-3")
    table.cleared()
    shown, confidence = confidence_of(table, "Bruno")
    assert set(shown) == {"coppe-3", "coppe-5", "coppe-8"}
    assert 0.7 < confidence < SURE_FROM


def test_who_hardly_can_have_had_a_better_card_has_not_hidden_it() -> None:
    """Four cards that are out would have made Bruno's three the better ones; one of his has not been seen, or seven."""
    up = [f"denari-{number}" for number in range(6, 11)]
    few, many = (Table().dealt().tell(tl.Grosso(), *BET).shows(0, "spade-2", "spade-3", "spade-5") for _ in range(2))
    few.shows(1, "coppe-2", "coppe-3", "coppe-4").lays(0, "denari-4").lays(1, *(f"bastoni-{number}" for number in range(5, 11)))
    few.lays(1, "coppe-2").lays(0, "spade-3").lays(1, "coppe-4").lays(0, "spade-5", *up, "spade-2", "denari-3").cleared()
    many.shows(1, "coppe-2", "coppe-3", "coppe-4").lays(0, "denari-3", "denari-4", "spade-5", *up, "spade-2", "spade-3").cleared()
    for table, sure in (few, True), (many, False):
        hand = table.evening.chapters[0]
        assert [pot.winner for pot in hand.after.hands[0].pots][-1] == "Anna"
        assert hand.probability is not None
        assert (hand.probability >= SURE_FROM) == sure


def test_lines_whose_cards_were_all_read_are_sure_one_with_cards_that_nobody_saw_is_not() -> None:
    table = shown("coppe-2", "coppe-7").lays(0, "bastoni-1")
    table.t += 2.0
    table.lays(1, *TWOS[1:3], motion=90)
    lays = {line.event.cards: line.confidence or 0.0 for line in table.chapter.lines if isinstance(line.event, tl.Lay)}
    [four] = [confidence for cards, confidence in lays.items() if set(cards) == set(TWOS)]
    assert four < SURE_FROM < lays["bastoni-1",]
