"""Corrections by hand: what they do to their hand and to all that follows, and what cannot be corrected."""

from __future__ import annotations

from decimal import Decimal

import pytest
import stories
from stories import ANNA, BRUNO, CARLA, DINO, dealt, evening, exchanged, payments, plain, showdown, shown, told

from companion.games.stu.rules import Illegal, replay
from companion.games.stu.rules import log as tl
from companion.games.stu.rules.log import Draw, End, Event, Hand, Matto, Partner, Passo, Penalty, Rebuy, Reveal, Sto, Swap, Void
from companion.games.stu.sightings import Cleared
from companion.referee import Evening
from companion.referee.corrections import Changed, Correction, Stale, changed, confirm, correct, insert_hand, suggestions
from companion.table.errors import Unfitting


def at(result: Evening, hand: int, short: str) -> int:
    """The index of a line of the hand, told in short."""
    return told(result.chapter(hand)).index(short)


def insert(result: Evening, hand: int, before: str, *events: Event) -> Evening:
    place = at(result, hand, before)
    return correct(result, Correction(hand, place, place, events))


def remove(result: Evening, hand: int, short: str, count: int = 1) -> Evening:
    place = at(result, hand, short)
    return correct(result, Correction(hand, place, place + count))


def change(result: Evening, hand: int, short: str, *events: Event) -> Evening:
    place = at(result, hand, short)
    return correct(result, Correction(hand, place, place + 1, events))


def pedine(result: Evening) -> list[int]:
    return [player.pedine for player in result.current.after.players]


TWO = [*plain(0, "2", "7", "9", "10"), *plain(100, "4", "7", "9", "10")]
"""Anna has the lowest card twice."""


def test_an_exchange_that_the_eyes_never_saw_is_inserted() -> None:
    result = insert(evening(TWO), 0, "reveal Anna 2", Passo(by="Anna"), Swap(with_="Bruno"))
    assert told(result.chapter(0))[:3] == ["hand", "passo Anna", "swap Bruno"]
    assert payments(result.chapter(0)) == [("Anna", "lowest")]


def test_a_gnaffata_that_the_eyes_took_for_the_showdown_changes_payments_and_pedine() -> None:
    seen = evening(
        dealt(), shown(9, BRUNO, "gnao"), shown(9.4, ANNA, "2"), shown(9.8, CARLA, "7"), shown(10.2, DINO, "5"), Cleared(16)
    )
    assert payments(seen.chapter(0)) == [("Anna", "lowest")]
    result = insert(seen, 0, "reveal Bruno gnao", Passo(by="Anna"))
    assert payments(result.chapter(0)) == [("Anna", "gnaffata"), ("Anna", "lowest")]
    assert pedine(result) == [1, 3, 3, 3]


def test_an_exchange_that_never_was_is_removed() -> None:
    seen = evening(dealt(), exchanged(5, ANNA, BRUNO), *showdown(10, "2", "7", "9", "10"))
    result = remove(seen, 0, "passo Anna", 2)
    assert "swap Bruno" not in told(result.chapter(0))


def test_a_card_that_was_misread_is_changed_and_all_that_follows_with_it() -> None:
    result = change(evening(TWO), 0, "reveal Bruno 7", Reveal(by="Bruno", card="1"))
    assert payments(result.chapter(0)) == [("Bruno", "lowest")]
    assert pedine(evening(TWO)) == [1, 3, 3, 3]
    assert pedine(result) == [2, 2, 3, 3]


def test_a_hand_that_was_none_is_taken_out() -> None:
    seen = evening(TWO)
    result = correct(seen, Correction(0, 0, len(seen.chapter(0).lines)))
    assert pedine(result) == [2, 3, 3, 3]
    assert [ruled.dealer for ruled in result.current.after.hands] == ["Dino"]


def test_a_hand_dealt_wrong_is_void_and_the_same_player_deals_again() -> None:
    result = change(evening(TWO), 0, "end", Void(reason="misdeal"))
    assert pedine(result) == [2, 3, 3, 3]
    assert [(ruled.dealer, ruled.void) for ruled in result.current.after.hands] == [("Dino", True), ("Dino", False)]


def test_a_whole_hand_that_the_eyes_never_saw_is_inserted() -> None:
    missed: list[Event] = [Hand(), *(Reveal(by=name, card=card) for name, card in  # type: ignore[arg-type]
                                     zip(stories.NAMES, ("9", "8", "7", "1"), strict=True)), End()]  # fmt: skip
    result = insert_hand(evening(TWO), 1, missed)
    assert pedine(result) == [1, 3, 3, 2]
    assert [chapter.id for chapter in result.chapters] == [0, 3, 1, 2]


def test_what_lies_between_two_hands_is_inserted_before_the_later() -> None:
    result = insert(evening(TWO), 1, "hand", Matto(in_deck=1))
    assert told(result.chapter(1))[:2] == ["matto", "hand"]
    assert replay(result.log).matti == 1


def test_rule_24_a_penalty_between_hands_belongs_to_the_hand_before() -> None:
    result = insert(evening(TWO, edition="piazza-2010"), 1, "hand", Penalty(player="Carla"))
    assert [(p.player, p.cause) for p in result.current.after.hands[0].payments] == [("Anna", "lowest"), ("Carla", "penalty")]


def test_rule_10_partners_and_shares_are_added_to_a_ricompera_that_the_eyes_saw() -> None:
    three = [seen for k in range(4) for seen in plain(100 * k, "2", "7", "9", "10")]
    seen = evening(three)
    assert told(seen.chapter(3))[:2] == ["rebuy Anna", "hand"]
    partners = (Partner("Bruno", Decimal("0.25")),)
    result = correct(seen, Correction(3, 0, 1, (Rebuy(by="Anna", partners=partners),)))
    assert result.current.after.agreements[0].to == "Bruno"
    assert pedine(result) == pedine(seen)


def test_between_hands_what_happens_now_is_told_at_once() -> None:
    seen = evening(TWO, edition="piazza-2010")
    now = seen.current.id
    result = correct(seen, Correction(now, 0, 0, (Penalty(player="Bruno"), Matto(in_deck=1))))
    assert pedine(result) == [1, 2, 3, 3]
    played = stories.grown(result, plain(200, "5", "7", "9", "10"))
    assert told(played.chapter(now))[:3] == ["penalty", "matto", "hand"]
    assert pedine(played) == [0, 2, 3, 3]


def test_rule_20_the_last_two_split_and_ricompere_are_closed() -> None:
    seen = evening(*(plain(100 * k, "2", "7", "9", "10") for k in range(3)))
    result = correct(seen, Correction(seen.current.id, 0, 0, (tl.Close(),)))
    assert not result.current.after.ricompere_open
    with pytest.raises(Illegal, match="last two"):
        correct(seen, Correction(seen.current.id, 0, 0, (tl.Split(shares={"Anna": Decimal("0.5"), "Bruno": Decimal("0.5")}),)))


IMPOSSIBLE = {
    "an exchange between two who are no neighbours": ("reveal Anna 2", (Passo(by="Anna"), Swap(with_="Carla")), "not been asked"),
    "a third copy of a card": ("end", (Reveal(by="Bruno", card="2"),), "not a 2"),
    "a second end": ("end", (End(),), "outside a hand"),
    "a ricompera in mid-hand": ("end", (Rebuy(by="Anna"),), "mid-hand"),
    "a penalty in an edition that has none": ("end", (Penalty(player="Anna"),), "no penalties"),
    "a draw by somebody who does not deal": ("reveal Anna 2", (Draw(by="Bruno"),), "nothing to draw"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_cannot_have_happened_is_refused_and_says_why(case: str) -> None:
    before, events, why = IMPOSSIBLE[case]
    seen = evening(TWO)
    with pytest.raises(Illegal, match=why) as error:
        insert(seen, 0, before, *events)
    assert error.value.line is not None


def test_a_finished_hand_cannot_be_left_unfinished() -> None:
    with pytest.raises(Illegal, match="not over"):
        remove(evening(TWO), 0, "end")


def test_who_corrects_what_has_changed_meanwhile_is_told() -> None:
    seen = evening(TWO)
    with pytest.raises(Stale):
        correct(seen, Correction(0, 1, 2, shown=(Hand(),)))
    with pytest.raises(Stale):
        correct(seen, Correction(0, 5, 99))
    with pytest.raises(KeyError):
        correct(seen, Correction(77, 0, 0))


def test_a_correction_that_makes_a_later_one_impossible_is_refused() -> None:
    """Anna loses her last pedina in the third hand; in the fourth she has come back, and somebody fixed what she did."""
    seen = evening(*(plain(100 * k, "2", "7", "9", "10") for k in range(4)))
    fixed = confirm(seen, 3)
    with pytest.raises(Unfitting, match="later hand"):
        change(fixed, 0, "reveal Bruno 7", Reveal(by="Bruno", card="1"))  # then Anna still has a pedina, and cannot come back


def preview(seen: Evening, correction: Correction) -> Changed:
    return changed(seen, correct(seen, correction), correction.hand)


def test_the_preview_shows_what_would_change_and_changes_nothing() -> None:
    seen = evening(TWO)
    before = seen.log
    shown = preview(seen, Correction(0, 2, 3, (Reveal(by="Bruno", card="1"),)))
    assert seen.log == before
    assert [player.pedine for player in shown.rulings_before.players] == [1, 3, 3, 3]
    assert [player.pedine for player in shown.rulings_after.players] == [2, 2, 3, 3]
    assert [(id, was.payments[0].player, now.payments[0].player) for id, was, now in shown.hands if was and now] == [
        (0, "Anna", "Bruno")
    ]
    assert shown.rulings_after.virgins == ("Carla", "Dino")
    assert shown.evening.log == change(seen, 0, "reveal Bruno 7", Reveal(by="Bruno", card="1")).log


def test_the_preview_shows_the_price_of_a_ricompera_that_was_not_paid() -> None:
    seen = evening(*(plain(100 * k, "2", "7", "9", "10") for k in range(4)))
    shown = preview(seen, Correction(1, 1, 2, (Reveal(by="Anna", card="8"),)))
    assert (shown.rulings_before.ricompera.price, shown.rulings_after.ricompera.price) == (800, 400)


def test_lines_fixed_by_hand_are_certain_and_say_so() -> None:
    result = change(evening(TWO), 0, "reveal Bruno 7", Reveal(by="Bruno", card="1"))
    chapter = result.chapter(0)
    (index,) = chapter.fixed
    assert told(chapter)[index] == "reveal Bruno 1"
    assert chapter.lines[index].confidence == 1.0


def test_what_was_fixed_in_a_hand_in_progress_stays_when_the_eyes_say_something_else_later() -> None:
    seen = evening(dealt(), shown(9, BRUNO, "1", 0.6, "7"))
    fixed = change(seen, 0, "reveal Bruno 1", Reveal(by="Bruno", card="7"))
    result = stories.grown(fixed, shown(9, BRUNO, "1", 0.99, "7"), shown(9.4, ANNA, "2"), shown(9.8, CARLA, "9"),
                           shown(10.2, DINO, "10"), Cleared(16))  # fmt: skip
    assert "reveal Bruno 7" in told(result.chapter(0))
    assert payments(result.chapter(0)) == [("Anna", "lowest")]


def test_what_was_removed_in_a_hand_in_progress_stays_away() -> None:
    seen = evening(dealt(), exchanged(5, ANNA, BRUNO), shown(9, BRUNO, "7", 0.6))
    fixed = remove(seen, 0, "passo Anna", 2)
    result = stories.grown(fixed, shown(9, BRUNO, "7", 0.99), shown(9.4, ANNA, "2"), shown(9.8, CARLA, "9"),
                           shown(10.2, DINO, "10"), Cleared(16))  # fmt: skip
    assert told(result.chapter(0)) == ["hand", "reveal Bruno 7", "reveal Anna 2", "reveal Carla 9", "reveal Dino 10", "end"]


def test_a_hand_that_was_corrected_in_its_showdown_goes_on() -> None:
    *cards, cleared = plain(0, "2", "7", "9", "10")
    fixed = change(evening(cards), 0, "reveal Bruno 7", Reveal(by="Bruno", card="1"))
    assert payments(fixed.current) == [("Bruno", "lowest")]
    assert told(fixed.current)[-1] == "end"
    assert not fixed.current.reports.closed
    assert payments(stories.grown(fixed, cleared).chapter(0)) == [("Bruno", "lowest")]


def test_a_void_told_in_mid_hand_ends_it_and_the_next_cards_are_a_new_hand() -> None:
    seen = evening(dealt(), exchanged(5, ANNA, BRUNO))
    lines = len(seen.current.lines)
    result = correct(seen, Correction(0, lines, lines, (Void(reason="a card face up"),)))
    result = stories.grown(result, plain(20, "2", "7", "9", "10"))
    assert [(ruled.dealer, ruled.void) for ruled in result.current.after.hands] == [("Dino", True), ("Dino", False)]


def test_a_hand_that_is_called_void_stays_as_unsure_as_it_was() -> None:
    seen = evening(dealt(), shown(12, CARLA, "2", 0.6, other="7"), shown(20, BRUNO, "8"))
    lines = seen.current.lines
    result = correct(seen, Correction(0, len(lines), len(lines), (Void(),)))
    stands = result.chapter(0).lines[:-1]
    assert [line.event for line in stands] == [line.event for line in lines]
    assert [line.confidence for line in stands] == pytest.approx([line.confidence for line in lines], abs=0.001)


def test_the_wrong_dealer_is_put_right_and_the_hand_thought_through_again() -> None:
    """The dealer decides who is asked: with Dino dealing, Dino drew; with Anna dealing, Anna."""
    seen = evening(dealt(), stories.drawn(6, ANNA), *showdown(10, "2", "7", "9", "10"))
    assert "draw Anna" not in told(seen.chapter(0))
    result = change(seen, 0, "hand", Hand(dealer="Anna"))
    assert "draw Anna" in told(result.chapter(0))
    assert replay(result.log).hands[0].irregularities[0].kind == "wrong_dealer"


def test_a_confirmed_hand_is_certain() -> None:
    unsure = evening(dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"),
                     shown(10.2, DINO, "6"), Cleared(15))  # fmt: skip
    result = confirm(unsure, 0)
    assert [line.confidence for line in result.chapter(0).lines] == [1.0] * 6
    assert payments(result.chapter(0)) == [("Bruno", "lowest")]


def test_with_the_camera_off_a_hand_is_told_line_by_line() -> None:
    result = evening()
    for event in (Hand(), Passo(by="Anna"), Swap(with_="Bruno"), Sto(by="Bruno"), Passo(by="Dino"), Draw(by="Dino"),
                  Reveal(by="Anna", card="9"), Reveal(by="Bruno", card="2"), Reveal(by="Carla", card="5"),
                  Reveal(by="Dino", card="cucco"), End()):  # fmt: skip
        end = len(result.current.lines)
        result = correct(result, Correction(result.current.id, end, end, (event,)))
    assert payments(result.chapter(0)) == [("Bruno", "lowest")]
    assert result.current.lines == ()
    assert pedine(result) == [3, 2, 3, 3]


def test_with_the_camera_off_the_next_hand_ends_the_one_before() -> None:
    result = evening()
    first = [Hand(), *(Reveal(by=name, card=card) for name, card in zip(stories.NAMES, ("9", "8", "7", "1"), strict=True))]
    for event in (*first, Hand(), Passo(by="Bruno")):  # type: ignore[arg-type]
        end = len(result.current.lines)
        result = correct(result, Correction(result.current.id, end, end, (event,)))
    assert told(result.chapter(0))[-1] == "end"
    assert told(result.current) == ["hand", "passo Bruno"]


def test_a_camera_that_comes_back_in_mid_hand_takes_over() -> None:
    result = evening()
    for event in (Hand(), Passo(by="Anna"), Swap(with_="Bruno")):
        end = len(result.current.lines)
        result = correct(result, Correction(0, end, end, (event,)))
    result = stories.grown(result, showdown(20, "9", "2", "5", "10"))
    assert told(result.chapter(0)) == ["hand", "passo Anna", "swap Bruno", "reveal Anna 9", "reveal Bruno 2", "reveal Carla 5",
                                       "reveal Dino 10", "end"]  # fmt: skip
    assert payments(result.chapter(0)) == [("Bruno", "lowest")]


def test_suggestions_begin_with_what_the_eyes_find_likely() -> None:
    unsure = evening(dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"),
                     shown(10.2, DINO, "6"), Cleared(15))  # fmt: skip
    line = at(unsure, 0, "reveal Bruno 1")
    first, *others = suggestions(unsure, 0, line, line + 1)
    assert first.events == (Reveal(by="Bruno", card="9"),)
    assert first.probability == pytest.approx(0.3, abs=0.02)
    assert all(suggestion.probability <= first.probability for suggestion in others)


def test_every_suggestion_can_be_taken() -> None:
    seen = evening(dealt(), exchanged(5, ANNA, BRUNO), *showdown(10, "2", "7", "9", "10"))
    for start, stop in ((1, 1), (3, 3), (4, 5)):
        found = suggestions(seen, 0, start, stop)
        assert found
        for suggestion in found[::4]:
            correct(seen, Correction(0, start, stop, suggestion.events))
