"""Between hands, restarts, and the record that an evening is kept in."""

from __future__ import annotations

import pytest
import stories
from stories import ANNA, BRUNO, CARLA, DINO, dealt, evening, exchanged, grown, payments, plain, showdown, shown, told

from companion.games import GAMES, find_game
from companion.games.stu.rules.log import Hand, Reveal, Void, new_game
from companion.games.stu.sightings import Appeared, Cleared
from companion.referee import Evening, at_the_end, replay
from companion.referee.corrections import Correction, confirm, correct
from companion.referee.questions import answer, question
from companion.referee.record import Answered, Record, Saw, UnreadableRecord, decode, decode_entry, encode, encode_entry


def dealers(result: Evening) -> list[str]:
    return [ruled.dealer for ruled in result.current.after.hands]


def test_the_deck_goes_to_the_next_dealer() -> None:
    assert dealers(evening(*(plain(100 * k, "5", "7", "9", str(k + 1)) for k in range(3)))) == ["Dino", "Anna", "Bruno"]


def test_a_player_who_is_out_is_passed_over_and_comes_back_when_dealt_a_card() -> None:
    three = [plain(100 * k, "2", "7", "9", "10") for k in range(3)]
    without = [*dealt(301, BRUNO, CARLA, DINO), shown(310, BRUNO, "7"), shown(310.4, CARLA, "9"), shown(310.8, DINO, "10"),
               Cleared(316)]  # fmt: skip
    result = evening(*three, without, plain(400, "5", "7", "9", "10"))
    assert told(result.chapter(3)) == ["hand", "reveal Bruno 7", "reveal Carla 9", "reveal Dino 10", "end"]
    assert told(result.chapter(4))[:2] == ["rebuy Anna", "hand"]
    assert result.current.after.ricompere == 1


def test_a_player_who_is_out_and_shows_a_card_has_come_back_though_nobody_saw_it_dealt() -> None:
    three = [plain(100 * k, "2", "7", "9", "10") for k in range(3)]
    unseen = [*dealt(301, BRUNO, CARLA, DINO), exchanged(305, ANNA, BRUNO), *showdown(312, "2", "7", "9", "10")]
    result = evening(*three, unseen)
    assert told(result.chapter(3))[:4] == ["rebuy Anna", "hand", "passo Anna", "swap Bruno"]
    assert payments(result.chapter(3)) == [("Anna", "lowest")]


def test_the_card_that_cost_a_player_the_last_pedina_is_no_card_of_the_next_hand() -> None:
    three = [plain(100 * k, "2", "7", "9", "10") for k in range(3)]
    gathered = [Appeared(210, ANNA), shown(210, ANNA, "2")]
    first, rest = [*dealt(301, BRUNO, CARLA, DINO), shown(310, BRUNO, "7")], [shown(310.4, CARLA, "9"), shown(310.8, DINO, "10")]
    assert told(evening(*three, gathered, first).current) == ["hand", "reveal Bruno 7"], "no ricompera is announced meanwhile"
    result = evening(*three, gathered, [*first, *rest, Cleared(316)])
    assert payments(result.chapter(3)) == [("Bruno", "lowest")]
    assert result.current.after.ricompere == 0


def test_cards_gathered_before_any_face_was_shown_leave_a_void_hand_and_the_same_dealer() -> None:
    result = evening(dealt(), exchanged(4, ANNA, BRUNO), Cleared(9), plain(20, "2", "7", "9", "10"))
    assert [(ruled.dealer, ruled.void) for ruled in result.current.after.hands] == [("Dino", True), ("Dino", False)]
    assert [line.confidence for line in result.chapter(0).lines if isinstance(line.event, Void)] == [0.0]


def test_new_cards_dealt_end_the_hand_whose_gathering_nobody_saw() -> None:
    *first, _cleared = plain(0, "2", "7", "9", "10")
    result = evening(first, plain(30, "4", "7", "9", "10"))
    assert dealers(result) == ["Dino", "Anna"]
    assert [payments(chapter) for chapter in result.chapters[:2]] == [[("Anna", "lowest")]] * 2


def test_cards_taken_up_and_put_down_again_are_no_new_hand() -> None:
    result = evening(dealt(), shown(5, BRUNO, "cucco"), Appeared(6, ANNA), Appeared(7, CARLA), Appeared(8, ANNA),
                     shown(12, ANNA, "2"), shown(12.4, CARLA, "7"), shown(12.8, DINO, "9"), Cleared(20))  # fmt: skip
    assert dealers(result) == ["Dino"]


def test_one_card_put_down_by_the_way_is_no_hand() -> None:
    result = evening(Appeared(2, BRUNO), Cleared(5), plain(10, "2", "7", "9", "10"))
    assert dealers(result) == ["Dino"]


def test_of_two_who_show_their_cards_one_need_not_have_been_seen_to_get_it() -> None:
    table = Evening.of(GAMES["stu"], new_game(("Anna", "Bruno"), 200, "Bruno"))
    hand = [Appeared(1, 1), shown(6, 0, "5"), shown(6.5, 1, "2"), Cleared(12)]
    result = table
    for sighting in hand:
        result = grown(result, sighting)
    assert dealers(result) == ["Bruno"]
    assert payments(result.chapters[0]) == [("Bruno", "lowest")]


def test_of_the_last_two_one_may_keep_a_hand_on_their_card_all_the_time() -> None:
    """The other's lay for a while and was shown: the hand counts, and nobody is sure who pays."""
    table = Evening.of(GAMES["stu"], new_game(("Anna", "Bruno"), 200, "Bruno"))
    hidden = grown(table, Appeared(1, 1), shown(12, 1, "7"), Cleared(20))
    assert dealers(hidden) == ["Bruno"]
    assert hidden.chapters[0].lines[-1].confidence < 0.95
    gathered = grown(table, Appeared(1, 1), shown(1.3, 1, "7"), Cleared(4))
    assert dealers(gathered) == [], "a card that is being gathered"


def test_the_first_card_seen_to_come_counts_once_it_has_lain_for_a_while() -> None:
    table = Evening.of(GAMES["stu"], new_game(("Anna", "Bruno"), 200, "Bruno"))
    result = grown(table, Appeared(1, 1), shown(12, 1, "7"), shown(12.6, 0, "9"))
    assert told(result.current) == ["hand", "reveal Bruno 7", "reveal Anna 9", "end"]


def test_a_source_that_ends_in_the_showdown_ends_the_hand_too() -> None:
    showdown = evening(dealt(), shown(10, BRUNO, "7"), shown(10.4, CARLA, "9"), shown(10.8, DINO, "10"))
    assert showdown.current.after.hand is not None
    assert len(at_the_end(showdown).chapters) == 2
    goes_on = {
        "a refusal is no showdown": evening(dealt(), shown(5, BRUNO, "cucco")),
        "nothing was shown": evening(dealt()),
        "it is over already": evening(plain(0, "2", "7", "9", "10")),
    }
    assert [why for why, table in goes_on.items() if at_the_end(table) is not table] == []


def test_hands_seen_after_a_game_that_was_won_by_mistake_come_back_when_that_is_corrected() -> None:
    """With two at the table the third lowest card of one decides; one of those cards was misread."""
    names = ("Anna", "Bruno")

    def hand(t: float, anna: str, bruno: str) -> list[object]:
        return [Appeared(t, 0), Appeared(t + 0.5, 1), shown(t + 5, 0, anna), shown(t + 5.5, 1, bruno), Cleared(t + 12)]

    result = Evening.of(GAMES["stu"], new_game(names, 200, "Bruno"))
    for k, bruno in enumerate(("1", "9", "9", "9", "9")):
        for sighting in hand(100 * k, "5", bruno):
            result = grown(result, sighting)  # type: ignore[arg-type]
    assert result.current.after.won  # Bruno has paid once and Anna three times: nobody is a virgin
    assert len(result.current.after.hands) == 4
    assert told(result.chapter(4)) == []
    index = told(result.chapter(1)).index("reveal Bruno 9")
    right = correct(result, Correction(1, index, index + 1, (Reveal(by="Bruno", card="2"),)))
    assert len(right.current.after.hands) == 5
    assert told(right.chapter(4))[0] == "hand"


def mixed() -> Evening:
    """An evening with everything in its record: sightings, an answer, a "don't know", corrections, an inserted hand."""
    unsure = [*dealt(), shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"), shown(10.2, DINO, "6"),
              Cleared(15)]  # fmt: skip
    result = evening(unsure, stories.later(unsure, 100))
    first = question(result)
    assert first is not None
    result = answer(result, first.id, None)
    second = question(result)
    assert second is not None
    assert second.hand != first.hand
    result = confirm(answer(result, second.id, "9"), 1)
    return correct(result, Correction(result.current.id, 0, 0, (Hand(),)))


def test_after_a_restart_the_evening_is_what_it_was() -> None:
    result = mixed()
    again = replay(*decode(encode(result.record, GAMES["stu"]), find_game))
    assert again == result
    assert grown(again, plain(300, "2", "7", "9", "10")).log == grown(result, plain(300, "2", "7", "9", "10")).log


def test_a_record_is_one_entry_a_line() -> None:
    result = mixed()
    lines = encode(result.record, result.game).splitlines()
    assert len(lines) == 1 + len(result.record.entries)
    assert [decode_entry(line, result.game) for line in lines[1:]] == list(result.record.entries)


UNREADABLE = {
    "no JSON": b"{",
    "no object": b"[]",
    "two entries in a line": b'{"Cleared":{"t":1.0},"Appeared":{"t":1.0,"place":0}}',
    "a type of a later program": b'{"Sung":{"t":1.0}}',
    "a key missing": b'{"Appeared":{"t":1.0}}',
    "a wrong type": b'{"Answered":{"question":7,"choice":null}}',
    "not UTF-8": b'{"Answered":{"question":"\xff","choice":null}}',
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_line_that_is_no_entry_is_refused(case: str) -> None:
    with pytest.raises(UnreadableRecord):
        decode_entry(UNREADABLE[case], GAMES["stu"])


def test_the_line_of_a_record_that_cannot_be_read_is_named() -> None:
    record = Record(new_game(stories.NAMES, 200, "Dino"), (Saw(Cleared(1.0)), Answered("0:draw:3", "yes")))
    kept = encode(record, GAMES["stu"])
    with pytest.raises(UnreadableRecord, match="line 4: "):
        decode(kept + b"{}\n", find_game)
    with pytest.raises(UnreadableRecord, match="line 1: "):
        decode(kept.split(b"\n", 1)[1], find_game)


def test_an_entry_reads_as_it_was_written() -> None:
    entry = Saw(exchanged(5.25, ANNA, BRUNO, 0.6))
    assert decode_entry(encode_entry(entry, GAMES["stu"]), GAMES["stu"]) == entry
