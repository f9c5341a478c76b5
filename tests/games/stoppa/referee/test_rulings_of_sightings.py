"""What the referee of Stoppa makes of sightings, and of what the phone tells, a ruling each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from stoppa_table import DENARI, Table

from companion.decks.italian import KINDS
from companion.eyes.sighting import Unseen
from companion.games.stoppa.referee import facts
from companion.games.stoppa.referee.open_faces import groups, money_untold
from companion.games.stoppa.rules import log as tl
from companion.games.stoppa.sightings import Cleared, Dealt, Resumed, Shown, TakenBack
from companion.referee.questions import question_of
from companion.table.log import tag
from companion.table.sure import SURE_FROM


def test_a_hand_begins_with_the_first_packet_and_each_round_is_a_punto_piccolo() -> None:
    assert [tag(line.event) for line in Table().dealt(3).chapter.lines] == ["hand", "piccolo", "piccolo", "piccolo"]


def test_the_player_served_last_has_dealt() -> None:
    assert Table().dealt(3, mano=1).lines("hand") == [tl.Hand(dealer="Anna")]


def test_the_pack_before_the_dealer_is_no_packet() -> None:
    """Four seconds before Dino deals, backs lie before his place."""
    table = Table().see(Dealt(5.0, 3)).dealt(2)
    assert table.lines("hand") == [tl.Hand()]
    assert [tag(line.event) for line in table.chapter.lines] == ["hand", "piccolo", "piccolo"]


def test_without_a_word_of_the_phone_the_stoppata_is_followed_and_nobody_has_bet() -> None:
    table = Table().dealt().lays(0, "denari-5", "denari-6").lays(1, "coppe-7")
    assert table.laid() == ["A denari-5", "A denari-6", "B coppe-7"]
    assert [tag(line.event) for line in table.chapter.lines][:6] == ["hand", *["piccolo"] * 4, "grosso"]
    assert not table.lines("punto")


def test_a_misread_six_after_a_five_is_put_right_by_the_rules() -> None:
    table = Table().dealt().lays(0, "denari-5")
    table.t += 2.0
    table.see(table.card((("coppe-9", 0.7), ("coppe-6", 0.3)), ((1, 1.0),)))
    table.lays(1, "coppe-7")
    assert table.laid() == ["A denari-5", "B coppe-6", "B coppe-7"]


def test_a_six_that_was_not_seen_was_laid_all_the_same() -> None:
    table = Table().dealt().lays(0, "denari-5").lays(1, "coppe-7", "coppe-8")
    assert [lay[2:].partition("-")[2] for lay in table.laid()] == ["5", "6", "7", "8"]


def test_a_card_whose_face_was_not_seen_is_of_the_wanted_number() -> None:
    table = Table().dealt().lays(0, "denari-5")
    table.t += 2.0
    table.see(table.card((), ((2, 1.0),)))
    assert table.laid()[1].partition("-")[2] == "6"


def test_a_sequence_is_opened_by_the_player_who_closed_the_last_whatever_the_place_looks_like() -> None:
    table = Table().dealt().lays(0, "denari-9").lays(1, "coppe-10")
    table.t += 2.0
    table.see(table.card((("coppe-3", 1.0),), ((2, 0.6), (1, 0.4))))
    assert table.laid()[-1] == "B coppe-3"


def test_aces_put_down_in_one_motion_are_one_lay() -> None:
    table = Table().dealt()
    table.t += 2.0
    table.lays(0, "denari-1", "spade-1", motion=7).lays(0, "coppe-2")
    assert table.laid() == ["A denari-1 spade-1", "A coppe-2"]


def test_what_two_players_put_down_half_a_second_apart_is_theirs_each() -> None:
    table = Table().dealt().lays(0, "coppe-2")
    table.t += 2.0
    table.lays(1, "bastoni-3", motion=70)
    table.t += 0.5
    table.lays(2, "denari-4", "coppe-4", "spade-4", "bastoni-4", motion=80).lays(0, "denari-5")
    assert table.laid() == ["A coppe-2", "B bastoni-3", "C denari-4 coppe-4 spade-4 bastoni-4", "A denari-5"]


def test_a_card_seen_twice_is_laid_once() -> None:
    table = Table().dealt().lays(0, "denari-5", "denari-6").lays(1, "denari-6").lays(1, "coppe-7")
    assert table.laid() == ["A denari-5", "A denari-6", "B coppe-7"]


def test_the_card_below_seen_once_more_as_others_are_put_down_on_it_is_none_of_them() -> None:
    table = Table().dealt().lays(0, "denari-9", "denari-10")
    table.t += 2.0
    table.lays(0, "denari-10", motion=7)
    table.t += 0.1
    table.lays(0, "denari-1", "spade-1", motion=8).lays(1, "coppe-2")
    assert table.laid() == ["A denari-9", "A denari-10", "A denari-1 spade-1", "B coppe-2"]


def test_by_whom_the_card_below_was_laid_says_nothing_of_those_put_down_on_it() -> None:
    table = Table().dealt().lays(0, "denari-4")
    table.t += 2.0
    table.lays(0, "denari-4", motion=7)
    table.t += 0.1
    table.lays(1, "coppe-5", "coppe-6", motion=8)
    assert table.laid() == ["A denari-4", "B coppe-5", "B coppe-6"]


def test_a_hand_over_the_pile_when_the_stoppata_is_over_gathers_it() -> None:
    """The last card came from Anna's place, but may have been Bruno's; what his hand then brought could not be read."""
    table = Table().dealt().lays(0, *DENARI[:9]).doubtful((("denari-10", 1.0),), ((0, 0.95), (1, 0.05)))
    table.doubtful(tuple((kind, 0.0225) for kind in KINDS), ((1, 1.0),))
    assert table.laid()[-1] == "A denari-10"
    assert table.chapter.over


@pytest.mark.parametrize(("strange", "sure"), [((), True), (("coppe-2", "spade-2"), False)])
def test_a_hand_in_which_a_card_clearly_seen_is_taken_for_nothing_is_never_sure(strange: tuple[str, ...], sure: bool) -> None:
    table = Table().dealt().lays(0, *DENARI[:8]).lays(2, *strange).lays(0, *DENARI[8:]).cleared()
    hand = table.evening.chapters[0]
    assert (hand.after.hands[-1].stoppata.winner, (hand.probability or 0.0) >= SURE_FROM) == ("Anna", sure)


@pytest.mark.parametrize(("rounds", "sure"), [(4, True), (3, False)])
def test_a_hand_with_a_whole_round_not_seen_to_be_dealt_is_never_sure(rounds: int, sure: bool) -> None:
    """What was bet in it, nobody may have heard."""
    hand = Table().dealt(rounds).lays(0, *DENARI).cleared().evening.chapters[0]
    assert (hand.after.hands[-1].stoppata.winner, (hand.probability or 0.0) >= SURE_FROM) == ("Anna", sure)


def test_a_round_that_somebody_has_told_was_dealt_is_sure() -> None:
    hand = Table().dealt(3).tell(tl.Piccolo()).lays(0, *DENARI).cleared().evening.chapters[0]
    assert (hand.probability or 0.0) >= SURE_FROM


def test_a_card_that_turns_up_twice_was_misread_before() -> None:
    table = Table().dealt().lays(0, "denari-5")
    table.t += 2.0
    table.see(table.card((("spade-6", 0.9), ("bastoni-6", 0.1)), ((1, 1.0),)))
    table.lays(1, "coppe-7", "coppe-8", "coppe-9", "coppe-10", "spade-6")
    assert table.laid()[1:] == ["B bastoni-6", "B coppe-7", "B coppe-8", "B coppe-9", "B coppe-10", "B spade-6"]


def test_an_omitted_card_is_noticed_when_it_shows_later() -> None:
    table = Table().dealt().lays(0, "denari-5").lays(2, "denari-6", "denari-7", "denari-8", "denari-9", "denari-10")
    table.lays(2, "coppe-5").lays(1, "coppe-6")
    noted = [one.kind for one in table.chapter.after.hand.irregularities]
    assert noted == ["omitted"]


def test_a_card_taken_back_is_off_the_pile() -> None:
    table = Table().dealt().lays(0, "denari-5").lays(1, "coppe-6")
    table.t += 2.0
    table.see(TakenBack(table.t, table.episode - 1, ((1, 1.0),), 0.9)).lays(0, "spade-6")
    assert [tag(line.event) for line in table.chapter.lines][-4:] == ["lay", "lay", "back", "lay"]


def test_after_a_hole_the_pile_that_looks_as_before_has_not_grown() -> None:
    table = Table().dealt().lays(0, "denari-5")
    t = table.t
    table.see(Unseen(t + 1, t + 5, None, "blocked"), Resumed(t + 1, t + 5, True, True, (("denari-5", 1.0),)))
    table.t += 6.0
    assert table.lays(1, "coppe-6").laid() == ["A denari-5", "B coppe-6"]


def test_the_old_top_card_may_still_show_though_cards_were_laid_in_the_dark() -> None:
    """Under five new cards the seven was found once more, so the pile seemed to lie as before; the 4 and 5 after a dark time are
    no 8 and 9 that were misread."""
    table = Table().dealt().lays(0, "coppe-6", "coppe-7")
    t = table.t
    table.see(Unseen(t + 1, t + 7, None, "dark"), Resumed(t + 1, t + 7, True, True, ()))
    table.t += 7.0
    for kind in ("coppe-4", "spade-5", "spade-6"):
        table.doubtful(((kind, 0.925), ("denari-8", 0.002), ("denari-9", 0.002), ("denari-10", 0.002)), ((1, 0.9), (0, 0.1)))
    assert [lay.partition("-")[2] for lay in table.laid()][-3:] == ["4", "5", "6"]


def test_after_a_hole_the_cards_in_between_were_laid_while_nothing_could_be_seen() -> None:
    table = Table().dealt().lays(0, "denari-5")
    t = table.t
    table.see(Unseen(t + 1, t + 9, None, "blocked"), Resumed(t + 1, t + 9, True, None, ()))
    table.t += 10.0
    table.lays(1, "coppe-8")
    assert [lay.partition("-")[2] for lay in table.laid()] == ["5", "6", "7", "8"]
    assert table.chapter.blind


BET = (tl.Punto(by="Anna", to=50), tl.Vedo(by="Bruno"), tl.Passo(by="Carla"), tl.Passo(by="Dino"))


def test_a_card_that_was_shown_is_laid_by_its_owner_wherever_the_hand_seemed_to_come_from() -> None:
    table = Table().dealt().tell(tl.Grosso(), *BET).shows(0, "denari-3", "denari-7", "denari-8").shows(1, "spade-1", "spade-5")
    table.lays(0, "bastoni-5", "spade-6").doubtful((("denari-7", 0.999), ("bastoni-7", 0.001)), ((3, 0.98), (1, 0.02)))
    table.lays(0, "denari-8")
    assert table.laid() == ["A bastoni-5", "A spade-6", "A denari-7", "A denari-8"]
    assert table.chapter.ruling is not None
    assert not table.chapter.ruling.history.doubtful


def test_a_showdown_names_the_winner_at_once() -> None:
    table = Table().dealt(1).tell(*BET).shows(0, "coppe-3", "coppe-8", "coppe-10").shows(1, "denari-7", "denari-5", "spade-9")
    (pot,) = table.chapter.after.hand.pots
    assert (pot.winner, pot.ranking[0].cards, pot.ranking[0].score) == ("Anna", 3, 33)


def test_who_lays_nothing_open_has_conceded_once_the_next_round_is_dealt() -> None:
    table = Table().dealt(1).tell(*BET).shows(0, "coppe-3", "coppe-8", "coppe-10")
    table.t += 5.0
    table.dealt(1)
    assert [(muck.by) for muck in table.lines("muck")] == ["Bruno"]


def test_faces_laid_open_before_the_phone_tells_of_the_bets_are_shown_once_it_does() -> None:
    table = Table().dealt(1).shows(0, "coppe-3", "coppe-8", "coppe-10").shows(1, "denari-7", "denari-5", "spade-9")
    assert not table.lines("show")
    table.tell(*BET)
    assert {show.by for show in table.lines("show")} == {"Anna", "Bruno"}


def test_groups_that_lie_open_are_named_even_where_nobody_has_told_of_a_bet() -> None:
    table = Table().dealt(1).shows(0, "coppe-3", "coppe-8", "coppe-10").shows(1, "denari-7", "denari-6", "denari-1")
    assert [(group.place, group.cards, group.score) for group in groups(table.chapter)] == [(1, 3, 55), (0, 3, 33)]


def test_money_that_nobody_told_of_is_missed_once_the_stoppata_begins() -> None:
    table = Table().dealt(1).shows(0, "coppe-3", "coppe-8", "coppe-10").shows(1, "denari-7", "denari-6", "denari-1")
    table.dealt(3).lays(0, "denari-5")
    untold = money_untold(table.chapter)
    assert untold is not None
    assert untold.phases == ("piccolo-1",)
    [said] = facts.untold(untold, "en")
    assert said.startswith("Cards were shown at the punto piccolo 1, but no bet was entered")


@pytest.mark.parametrize(
    ("told", "how"), [(tl.Muck(by="Bruno"), "conceded"), (tl.Show(by="Anna", cards=("spade-2",)), "shown")]
)
def test_the_stoppata_waits_for_a_comparison_that_was_told_of_and_not_seen(told: tl.Event, how: str) -> None:
    table = Table().dealt(1).tell(*BET).dealt(3).lays(0, "denari-5").lays(1, "coppe-6")
    assert not table.lines("lay")
    untold = money_untold(table.chapter)
    assert untold is not None
    assert untold.comparison
    [said] = facts.untold(untold, "en")
    assert said.startswith("Bets were entered, but not who won them")
    table.tell(told)
    assert table.laid() == ["A denari-5", "B coppe-6"]
    assert table.chapter.after.hand.pots[0].how == how


def test_no_word_is_ever_invented() -> None:
    table = Table().dealt().lays(0, "denari-5")
    assert {tag(line.event) for line in table.chapter.lines} == {"hand", "piccolo", "grosso", "lay"}


STOP = tuple(f"denari-{number}" for number in range(1, 11))


def test_the_stop_ends_the_hand_and_cards_left_are_counted_from_those_laid() -> None:
    table = Table().dealt().lays(0, *STOP)
    (hand,) = table.chapter.after.hands
    assert [(paid.payer, paid.amount, paid.cards) for paid in hand.payments] == [
        ("Bruno", 3000, 10), ("Carla", 3000, 10), ("Dino", 3000, 10)
    ]  # fmt: skip
    assert table.chapter.over


def test_a_doubtful_face_is_not_asked_about_where_nobody_pays_differently() -> None:
    table = Table().dealt().lays(0, *STOP[:5])
    table.t += 2.0
    table.see(table.card((("denari-6", 0.5), ("coppe-6", 0.5)), ((0, 1.0),))).lays(0, *STOP[6:])
    table.see(Cleared(table.t + 3))
    (over, _) = table.evening.chapters
    assert over.probability is not None
    assert over.probability > 0.95
    assert question_of(over) is None


def test_a_doubtful_place_is_asked_about_where_it_decides_what_is_paid() -> None:
    table = Table().dealt()
    table.lays(0, *STOP[:8])
    table.t += 2.0
    table.see(table.card((("denari-9", 1.0),), ((1, 0.5), (2, 0.5)))).lays(0, "denari-10").lays(0, "coppe-3")
    table.t += 2.0
    table.see(table.card((("coppe-4", 1.0),), ((1, 0.6), (2, 0.4)))).see(Cleared(table.t + 3))
    asked = question_of(table.evening.chapters[0])
    assert asked is not None
    assert asked.kind in ("left", "stopped", "whose")


def test_the_next_hand_is_dealt_though_nobody_saw_the_table_cleared() -> None:
    table = Table().dealt().lays(0, *STOP)
    table.t += 20.0
    table.dealt(1, mano=1)
    assert [chapter.over for chapter in table.evening.chapters] == [True, False]
    assert table.chapter.after.hand.dealer == 0


def test_a_packet_left_out_is_no_other_dealer() -> None:
    assert Table().dealt(2, but=[0]).lines("hand") == [tl.Hand()]


@pytest.mark.parametrize("late", [0.2, 1.0, 3.0])
def test_backs_reported_twice_begin_no_round(late: float) -> None:
    table = Table().dealt(1)
    table.see(Dealt(table.t + 2.4 + late, 2, 3))
    assert len(table.lines("piccolo")) == 1


def test_more_of_a_face_replaces_what_was_known_of_it() -> None:
    table = Table().dealt().lays(0, "denari-5")
    table.t += 2.0
    doubtful = table.card((("coppe-6", 0.6), ("spade-6", 0.4)), ((1, 1.0),))
    table.see(doubtful, replace(doubtful, alternatives=(("spade-6", 0.98), ("coppe-6", 0.02))))
    assert table.laid() == ["A denari-5", "B spade-6"]


@pytest.mark.parametrize("at", range(4))
def test_of_four_faces_shown_at_a_piccolo_the_one_that_was_hardly_read_is_none_of_the_players(at: int) -> None:
    faces = [(("spade-1", 0.99),), (("coppe-1", 0.84), ("coppe-8", 0.02)), (("coppe-7", 0.95),)]
    faces.insert(at, (("bastoni-7", 0.51), ("coppe-6", 0.05), ("denari-1", 0.04)))
    table = Table().dealt(1).tell(*BET).shows(0, "denari-7", "coppe-6", "coppe-8")
    table.t += 2.0
    table.see(*(Shown(table.t, 1, 50 + number, odds) for number, odds in enumerate(faces)))
    shown = next(line for line in table.chapter.lines if line.event == table.lines("show")[-1])
    assert shown.event == tl.Show(by="Bruno", cards=("coppe-1", "coppe-7", "spade-1"))
    assert shown.confidence is not None
    assert 0.5 < shown.confidence < SURE_FROM


def test_a_doubtful_face_that_turns_up_later_takes_no_plain_ones_place() -> None:
    table = Table().dealt(1).tell(*BET).shows(0, "denari-7", "denari-2", "spade-3").shows(1, "coppe-3", "coppe-9", "denari-6")
    told = table.lines("show")
    table.t += 4.0
    table.see(Shown(table.t, 1, 50, (("coppe-7", 0.62), ("bastoni-8", 0.09), ("spade-2", 0.08))))
    assert table.lines("show") == told
