"""What the referee of Stoper makes of sightings, and of what the phone tells, a ruling each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stoper_table import ADAS, BICES, CIROS, FIRST, HAND, KNOCKED, NAMES, OPENED, Table, at_showdown, opened

from companion.eyes.sighting import Unseen
from companion.eyes.trouble import FrameQuality
from companion.games.stoper.pages.offers import bridge
from companion.games.stoper.pages.words import notices
from companion.games.stoper.rules import log as tl
from companion.games.stoper.sight import heap as counting
from companion.games.stoper.sightings import CountOdds, Dealt, Resumed, Shown, Thrown
from companion.line.notices import Notice
from companion.line.notices import notices as notices_of_eyes
from companion.referee.corrections import Correction, correct
from companion.referee.following import followed
from companion.referee.questions import question
from companion.table.log import tag
from companion.table.sure import SURE_FROM


def test_the_cards_dealt_begin_no_hand_whose_stakes_nobody_knows() -> None:
    assert not Table().dealt().chapter.lines


def test_the_cards_dealt_begin_the_next_hand_for_as_much_as_the_last() -> None:
    table = opened().tell(*(tl.Cambio(by=name, n=0) for name in NAMES[:3]), tl.Passo(by="Ada"), tl.Passo(by="Bice"), tl.End())
    assert table.dealt(1, 2, 3, 0).lines("hand") == [tl.Hand()]


def test_the_player_served_last_has_dealt() -> None:
    table = opened().tell(*(tl.Cambio(by=name, n=0) for name in NAMES[:3]), tl.Passo(by="Ada"), tl.Passo(by="Bice"), tl.End())
    assert table.dealt(2, 3, 0, 1).lines("hand") == [tl.Hand(dealer="Bice")]


def test_cards_out_and_as_many_in_are_counted() -> None:
    table = opened().changes(0, 2).changes(1, 1).changes(2, 1)
    assert table.changed() == [("Ada", 2), ("Bice", 1), ("Ciro", 1)]
    assert all((line.confidence or 0.0) >= SURE_FROM for line in table.chapter.lines if tag(line.event) == "cambio")


def test_the_second_card_that_comes_later_is_one_of_the_two() -> None:
    table = opened().throws(0, 2).receives(0, 1).changes(1, 1).changes(2, 1).receives(0, 1)
    assert table.changed()[0] == ("Ada", 2)


def test_who_is_passed_over_is_served() -> None:
    assert opened().changes(0, 1).changes(2, 1).changed() == [("Ada", 1), ("Bice", 0), ("Ciro", 1)]


def test_who_comes_after_the_last_seen_is_still_to_be_asked() -> None:
    assert opened().changes(0, 1).changed() == [("Ada", 1)]


def test_who_was_taken_to_be_served_may_have_been_late() -> None:
    assert opened().changes(0, 1).changes(2, 1).changes(1, 2).changed() == [("Ada", 1), ("Bice", 2), ("Ciro", 1)]


MENDED = {
    "one thrown unseen": (((), ((1, 1.0),)), 1),
    "one dealt unseen": ((((1, 1.0),), ()), 1),
    "thrown one or two, one came": ((((2, 0.6), (1, 0.4)), ((1, 1.0),)), 1),
    "two thrown, one came or two": ((((2, 1.0),), ((1, 0.6), (2, 0.4))), 2),
    "one thrown on a heap and found as two, one came": ((counting.thrown(2, None), counting.came(1)), 1),
    "two thrown on a heap and found as two, two came": ((counting.thrown(2, None), counting.came(2)), 2),
}


@pytest.mark.parametrize("case", MENDED)
def test_what_was_missed_going_is_counted_coming_and_the_other_way_round(case: str) -> None:
    (out, came), number = MENDED[case]
    table = opened().changes(0, 1)
    if out:
        table.throws(1, 0, counts=out)
    if came:
        table.t += 1.0
        table.see(Dealt(table.t, table.new(), 1, came, table.t))
    assert table.changes(2, 1).changed() == [("Ada", 1), ("Bice", number), ("Ciro", 1)]


def test_cards_from_between_two_places_are_of_the_one_to_whom_others_came() -> None:
    table = opened().changes(0, 1).throws(1, 1, places=((2, 0.55), (1, 0.45))).receives(1, 1).changes(2, 1)
    assert table.changed() == [("Ada", 1), ("Bice", 1), ("Ciro", 1)]


def test_an_exchange_told_by_hand_stands_whatever_the_eyes_count() -> None:
    table = opened().tell(tl.Cambio(by="Ada", n=0)).changes(0, 2).changes(1, 1)
    assert table.changed() == [("Ada", 0), ("Bice", 1)]


def test_a_whole_hand_thrown_is_no_exchange_and_no_passo_is_ever_invented() -> None:
    table = opened().changes(0, 1).throws(1, 3).changes(2, 1)
    assert [line.by for line in table.lines("passo")] == ["Dora"]
    assert table.changed()[1] == ("Bice", 0)
    assert notices(table.evening, "it") == ("Bice ha buttato le carte: passo?",)
    assert notices(table.evening, "en") == ("Bice has thrown in the cards: passo?",)


def test_who_has_passed_is_not_asked() -> None:
    table = Table().tell(HAND).dealt().tell(*OPENED).throws(3, 3)
    assert notices(table.evening, "it") == ()


def test_a_word_that_comes_late_finds_the_exchange_counted() -> None:
    table = Table().tell(HAND).dealt().tell(*OPENED[:3])
    table.changes(0, 1).changes(1, 2).tell(OPENED[3])
    assert table.changed() == [("Ada", 1), ("Bice", 2)]


def test_a_showdown_names_score_and_winner_at_once() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES).shows(2, *CIROS)
    (hand,) = table.chapter.after.hands
    (pot,) = hand.pots
    assert (pot.winner, [(one.player, one.score) for one in pot.ranking]) == ("Ada", [("Ada", 20), ("Bice", 18), ("Ciro", 10)])
    assert (table.chapter.probability or 0.0) >= SURE_FROM


def test_faces_laid_open_before_the_phone_tells_of_the_last_word_wait_for_it() -> None:
    table = opened().changes(0, 1).changes(1, 1).changes(2, 1).tell(*KNOCKED[:2])
    table.shows(0, *ADAS)
    assert not table.lines("show")
    table.tell(KNOCKED[2])
    assert [shown.by for shown in table.lines("show")] == ["Ada"]


def test_a_card_lies_once_on_the_table_so_a_doubtful_face_is_not_one_shown_elsewhere() -> None:
    doubtful = (("denari-10", 0.6), ("bastoni-10", 0.4))
    table = at_showdown().shows(1, "bastoni-7", "bastoni-6", doubtful).shows(0, *ADAS).shows(2, *CIROS)
    assert ("bastoni-10" in table.lines("show")[0].cards, table.chapter.after.hands[0].pots[0].winner) == (True, "Bice")


def test_a_card_that_was_told_is_no_face_of_anybody_else() -> None:
    table = Table().tell(HAND).dealt().tell(tl.Deal(to="Ada", faces=("denari-10",)), *OPENED)
    table.changes(0, 1).changes(1, 1).changes(2, 1).tell(*KNOCKED)
    table.shows(1, (("denari-10", 0.9), ("coppe-10", 0.1)), "coppe-7", "coppe-6")
    assert "coppe-10" in table.lines("show")[0].cards


def test_a_face_seen_twice_is_one_card() -> None:
    table = at_showdown().shows(0, *ADAS, ADAS[0]).shows(1, *BICES).shows(2, *CIROS)
    assert [len(shown.cards) for shown in table.lines("show")] == [3, 3, 3]


def test_of_four_faces_before_a_player_the_doubtful_one_is_none_of_theirs() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES).shows(2, *CIROS)
    before, told = table.chapter.ruling, table.lines("show")
    table.shows(1, (("denari-1", 0.87), ("spade-1", 0.03)))
    after = table.chapter.ruling
    assert before is not None
    assert after is not None
    assert table.lines("show") == told
    assert after.probability > 0.85 * before.probability


def test_a_hand_is_shown_by_a_player_who_is_still_in() -> None:
    table = at_showdown().shows(3, "coppe-1", "spade-1", "bastoni-1").shows(0, *ADAS)
    assert [shown.by for shown in table.lines("show")] == ["Ada"]


def test_who_throws_their_cards_at_a_showdown_concedes() -> None:
    table = at_showdown().shows(0, *ADAS).throws(1, 3).shows(2, *CIROS)
    assert [one.by for one in table.lines("muck")] == ["Bice"]
    assert table.chapter.after.hands[0].pots[0].winner == "Ada"


@pytest.mark.parametrize("counts", [((3, 1.0),), ((2, 0.46), (3, 0.42), (1, 0.12))], ids=["three", "a heap, two or three"])
def test_the_pot_is_won_as_soon_as_the_last_one_throws_their_cards(counts: CountOdds) -> None:
    """Nobody changes cards any more: who throws some throws all."""
    table = at_showdown().shows(0, *ADAS).shows(2, *CIROS)
    assert not table.chapter.after.hands
    table.throws(1, 0, counts=counts)
    assert table.chapter.after.hands[0].pots[0].winner == "Ada"


def test_who_shows_nothing_has_conceded_once_the_cards_are_gathered() -> None:
    table = at_showdown().shows(0, *ADAS).shows(2, *CIROS).cleared()
    over = table.evening.chapters[0]
    assert over.after.hands[0].pots[0].winner == "Ada"
    assert (over.probability or 0.0) >= SURE_FROM
    assert [line.confidence for line in over.lines if tag(line.event) == "muck"] == [pytest.approx(0, abs=0.001)]


def test_who_is_all_in_may_turn_up_their_cards_at_once() -> None:
    first = tl.new_game(NAMES, {"Ada": 10000, "Bice": 300, "Ciro": 10000, "Dora": 10000}, "Dora")
    table = Table(first).tell(HAND).dealt().tell(*OPENED).changes(0, 1).changes(1, 1).changes(2, 1).shows(1, *BICES)
    assert [shown.by for shown in table.lines("show")] == ["Bice"]
    table.tell(tl.Punto(by="Ada", to=500), tl.Passo(by="Ciro"))
    assert table.shows(0, *ADAS).chapter.after.hands[0].pots[0].winner == "Ada"


def test_a_hand_that_was_seen_in_part_is_asked_for_once_more() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES[:2])
    assert notices_of_eyes(table.evening, FrameQuality(), table.t + 6.0) == (Notice("show", table.t, (1,)),)
    table.shows(1, BICES[2])
    assert notices_of_eyes(table.evening, FrameQuality(), table.t + 6.0) == ()


def test_a_third_card_that_was_not_seen_is_never_made_up() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES[:2]).shows(2, *CIROS).cleared()
    shown = [line.event.cards for line in table.evening.chapters[0].lines if tag(line.event) == "show"]
    assert all(set(cards) <= {*ADAS, *CIROS} for cards in shown)


def test_a_third_card_that_cannot_change_who_is_paid_asks_nobody() -> None:
    table = at_showdown().shows(0, "denari-1", "spade-1", "denari-10").shows(1, *BICES[:2]).shows(2, *CIROS).cleared()
    over = table.evening.chapters[0]
    assert (over.probability or 0.0) >= SURE_FROM
    assert question(table.evening) is None


def test_a_hand_that_the_phone_told_too_little_about_is_not_ruled_on() -> None:
    table = Table().tell(HAND).dealt().tell(*OPENED[:2])
    lines = table.cleared().chapter.lines
    assert [tag(line.event) for line in lines] == ["hand", "apro", "vedo"], "people hold their cards: a bare table ends nothing"


def test_without_a_word_what_was_seen_is_told_and_never_sure() -> None:
    table = Table().dealt().changes(0, 1).changes(1, 2).shows(0, *ADAS).shows(1, *BICES).cleared()
    over = table.evening.chapters[0]
    assert [tag(line.event) for line in over.lines] == [
        "hand", "apro", "vedo", "passo", "passo", "cambio", "cambio", "busso", "busso", "show", "show", "end",
    ]  # fmt: skip
    assert (over.probability or 0.0) < SURE_FROM
    words = [line for line in over.lines if tag(line.event) in ("apro", "vedo", "passo", "busso")]
    assert all(line.confidence is not None and line.confidence < 0.001 for line in words)
    assert over.after.hands[0].pots[0].winner == "Ada"


def test_while_nothing_could_be_seen_a_better_hand_may_have_been_shown() -> None:
    table = at_showdown().shows(0, *ADAS).shows(2, *CIROS)
    table.see(Unseen(table.t + 1, table.t + 6, None, "blocked"))
    table.t += 6.0
    over = table.cleared().evening.chapters[0]
    assert over.blind
    assert (over.probability or 0.0) < SURE_FROM
    asked = question(table.evening)
    assert asked is not None
    assert asked.kind == "won"


def test_after_a_hole_in_which_nothing_has_moved_all_is_as_before() -> None:
    table = at_showdown().shows(0, *ADAS).shows(2, *CIROS)
    t = table.t
    table.see(Unseen(t + 1, t + 6, None, "blocked"), Resumed(t + 1, t + 6, True, True, (), (0, 2)))
    table.t += 6.0
    assert (table.cleared().evening.chapters[0].probability or 0.0) >= SURE_FROM


def test_the_next_hand_dealt_ends_a_showdown_that_nobody_saw_gathered() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES).dealt(1, 2, 3, 0)
    assert len(table.evening.chapters) == 2
    assert table.evening.chapters[0].after.hands[0].pots[0].winner == "Ada"
    assert table.lines("hand") == [tl.Hand()]


def test_second_cards_of_the_exchange_are_no_new_hand() -> None:
    first = tl.new_game(NAMES, 100, "Dora")
    table = Table(first).tell(HAND).dealt()
    for place in range(4):
        table.throws(place, 2).receives(place, 1)
    for place in range(4):
        table.receives(place, 1)
    assert len(table.evening.chapters) == 1
    assert {number for _, number in table.changed()} == {2}


def test_cards_that_are_gathered_late_are_none_of_the_next_hand() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES).shows(2, *CIROS).tell(tl.Hand())
    table.throws(0, 3).shows(1, *BICES)
    assert [tag(line.event) for line in table.chapter.lines] == ["hand"]


def test_who_shows_when_the_hand_is_over_moves_no_money() -> None:
    table = opened().changes(0, 1).changes(1, 1).changes(2, 1).tell(tl.Passo(by="Ada"), tl.Passo(by="Bice"))
    before = table.chapter.after.stacks
    table.shows(2, *CIROS)
    assert table.chapter.after.stacks == before
    assert [shown.by for shown in table.lines("show")] == ["Ciro"]


# A correction, and the hand is built again.


@pytest.mark.parametrize("gathered", [False, True])
def test_a_word_put_right_sends_the_hand_through_the_referee_again(gathered: bool) -> None:
    """Dora has seen after all: her hand was seen, and is told now."""
    table = opened().changes(0, 1).changes(1, 1).changes(2, 1).changes(3, 1).tell(*KNOCKED)
    table.shows(0, *ADAS).shows(1, *BICES).shows(2, *CIROS).shows(3, "coppe-1", "spade-1", "bastoni-1")
    chapter = (table.cleared() if gathered else table).evening.chapters[0]
    assert chapter.after.hands[0].pots[0].winner == "Ada"
    at = next(index for index, line in enumerate(chapter.lines) if line.event == OPENED[3])
    put_right = Correction(chapter.id, at, at + 1, (tl.Vedo(by="Dora"),), t=chapter.lines[at].t)
    found = followed(table.evening, put_right, bridge)
    assert [tag(event) for _, event in found.added] == ["cambio", "busso"]
    table.evening = found.after
    (hand,) = table.evening.chapters[0].after.hands
    assert hand.pots[0].winner == "Dora"
    assert [one.player for one in hand.pots[0].ranking] == ["Dora", "Ada", "Bice", "Ciro"]


def test_a_hand_that_was_misread_is_put_right_and_the_others_are_read_again() -> None:
    doubtful = (("denari-9", 0.6), ("bastoni-9", 0.4))
    table = at_showdown().shows(0, "denari-10", doubtful, "spade-7").shows(1, *BICES).shows(2, *CIROS)
    at = next(index for index, line in enumerate(table.chapter.lines) if tag(line.event) == "show")
    fixed = tl.Show(by="Ada", cards=("bastoni-9", "denari-10", "spade-7"))
    table.evening = correct(table.evening, Correction(table.chapter.id, at, at + 1, (fixed,)))
    assert table.chapter.after.hands[0].pots[0].winner == "Bice"
    table.cleared()
    assert table.evening.chapters[0].after.hands[0].pots[0].winner == "Bice"


def test_a_hand_taken_out_does_not_come_back() -> None:
    table = at_showdown().shows(0, *ADAS).shows(1, *BICES)
    at = next(index for index, line in enumerate(table.chapter.lines) if tag(line.event) == "show")
    table.evening = correct(table.evening, Correction(table.chapter.id, at, at + 1, ()))
    assert [shown.by for shown in table.shows(2, *CIROS).lines("show")] == ["Bice", "Ciro"]


def test_what_was_reported_again_counts_once() -> None:
    table = opened()
    thrown = Thrown(table.t + 2.0, table.new(), ((0, 1.0),), ((2, 0.7), (1, 0.3)))
    table.see(thrown, replace(thrown, counts=((1, 0.99), (2, 0.01)))).receives(0, 1)
    assert table.changed() == [("Ada", 1)]
    shown = Shown(table.t, 0, table.new(), (("denari-9", 1.0),))
    assert table.see(shown, shown).chapter.reports.sightings.count(shown) == 1


def test_the_first_line_alone_tells_nothing() -> None:
    assert not Table(FIRST).cleared().chapter.lines
