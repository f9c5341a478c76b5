"""What the referee makes of sightings, hand by hand: each case is a story that a camera could tell of four players."""

from __future__ import annotations

import msgspec
import pytest
from stories import ANNA, BRUNO, CARLA, DINO, NAMES, drawn, exchanged, shown

from companion.games import GAMES, stu
from companion.games.stu.rules.log import End, Void, new_game
from companion.games.stu.sightings import Appeared, Cleared, Sighting
from companion.referee import Evening, observe
from companion.referee.questions import answer, question
from companion.table.log import Line, encode_line


def dealt(*places: int) -> list[Sighting]:
    """Cards come to lie in the places, half a second apart."""
    return [Appeared(1 + 0.5 * i, place) for i, place in enumerate(places)]


def showdown(t: float, *cards: tuple[int, str]) -> list[Sighting]:
    """Players turn their cards quickly one after another, then the cards are gathered."""
    return [*(shown(t + 0.4 * i, place, kind) for i, (place, kind) in enumerate(cards)), Cleared(t + 6)]


def evening(sightings: list[Sighting], dealer: str = "Dino") -> Evening:
    result = Evening.of(GAMES["stu"], new_game(NAMES, 200, dealer))
    for sighting in sightings:
        result = observe(result, sighting)
    return result


def told(log: tuple[Line, ...]) -> list[str]:
    """The acts of a log in short: ``passo Anna``, ``swap Bruno``, ``reveal Carla gnao``."""
    short = []
    for line in log[1:]:
        name, *rest = [str(value) for key, value in fields(line).items() if key not in {"t", "confidence"}]
        short.append(" ".join([name, *rest]))
    return short


def fields(line: Line) -> dict[str, object]:
    decoded: dict[str, object] = msgspec.json.decode(encode_line(line))
    return decoded


def payments(result: Evening) -> list[tuple[str, int, str]]:
    state = stu.replay(result.log)
    return [(p.player, p.delta, p.cause) for p in state.hands[-1].payments]


def confidence(result: Evening) -> float:
    (end,) = [line for line in result.log if isinstance(line.event, End | Void)]
    assert end.confidence is not None
    return end.confidence


RULINGS = {
    "rule 8, all stay and the lowest card pays": (
        [*dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"), (DINO, "10"))],
        ["hand", "reveal Bruno 7", "reveal Anna 2", "reveal Carla 9", "reveal Dino 10", "end"],
        [("Anna", -1, "lowest")],
    ),
    "rules 6, 11 and 12, an exchange, the dealer's draw, a Matto": (
        [*dealt(0, 1, 2, 3), exchanged(5, ANNA, BRUNO), drawn(9, DINO),
         *showdown(13, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"), (DINO, "matto"))],
        ["hand", "passo Anna", "swap Bruno", "passo Dino", "draw Dino", "reveal Bruno 7", "reveal Anna 2", "reveal Carla 9",
         "reveal Dino matto", "end"],
        [("Dino", -1, "matto"), ("Anna", -1, "lowest")],
    ),
    "rule 14, a Gnao in mid-hand tells of a passo that nobody saw, and the card runs back": (
        [*dealt(0, 1, 2, 3), exchanged(5, ANNA, BRUNO), shown(9, CARLA, "gnao"), exchanged(10.5, ANNA, BRUNO),
         *showdown(16, (BRUNO, "7"), (ANNA, "2"), (DINO, "5"))],
        ["hand", "passo Anna", "swap Bruno", "passo Bruno", "reveal Carla gnao", "swap Anna", "reveal Bruno 7",
         "reveal Anna 2", "reveal Dino 5", "end"],
        [("Bruno", -1, "gnaffata"), ("Anna", -1, "lowest")],
    ),
    "rule 15, a Salta is jumped: the exchange is with the one after": (
        [*dealt(0, 1, 2, 3), shown(5, BRUNO, "salta"), exchanged(6, ANNA, CARLA),
         *showdown(12, (CARLA, "2"), (DINO, "6"), (ANNA, "1"))],
        ["hand", "passo Anna", "reveal Bruno salta", "swap Carla", "reveal Carla 2", "reveal Dino 6", "reveal Anna 1", "end"],
        [("Anna", -1, "lowest")],
    ),
    "rule 16, a Bragon long before the showdown was a bbummata": (
        [*dealt(0, 1, 2, 3), shown(6, CARLA, "bragon"), drawn(11, DINO),
         *showdown(16, (BRUNO, "7"), (ANNA, "2"), (DINO, "5"))],
        ["hand", "passo Bruno", "reveal Carla bragon", "passo Dino", "draw Dino", "reveal Bruno 7", "reveal Anna 2",
         "reveal Dino 5", "end"],
        [("Bruno", -1, "bbummata"), ("Anna", -1, "lowest")],
    ),
    "a Bragon turned among the others is the showdown": (
        [*dealt(0, 1, 2, 3), *showdown(9, (DINO, "bragon"), (BRUNO, "7"), (ANNA, "2"), (CARLA, "5"))],
        ["hand", "reveal Dino bragon", "reveal Bruno 7", "reveal Anna 2", "reveal Carla 5", "end"],
        [("Anna", -1, "lowest")],
    ),
    "rule 13, a Taverna that travels face up was given away": (
        [*dealt(0, 1, 2, 3), shown(5, BRUNO, "taverna"), exchanged(6, ANNA, BRUNO), shown(7.3, ANNA, "taverna"),
         *showdown(13, (BRUNO, "7"), (CARLA, "2"), (DINO, "6"))],
        ["hand", "passo Anna", "taverna Bruno", "reveal Bruno 7", "reveal Carla 2", "reveal Dino 6", "end"],
        [("Carla", -1, "lowest")],
    ),
    "two kinds that look alike: the third copy cannot be": (
        [*dealt(0, 1, 2, 3), shown(9, ANNA, "2"), shown(9.4, BRUNO, "2"), shown(9.8, CARLA, "2", 0.6, "3"),
         shown(10.2, DINO, "6"), Cleared(15)],
        ["hand", "reveal Anna 2", "reveal Bruno 2", "reveal Carla 3", "reveal Dino 6", "end"],
        [("Anna", -1, "lowest")],
    ),
}


@pytest.mark.parametrize("case", RULINGS)
def test_the_referee_rules(case: str) -> None:
    sightings, story, expected = RULINGS[case]
    result = evening(sightings)
    assert told(result.log) == story
    assert payments(result) == expected


def test_a_ruling_falls_as_soon_as_the_last_face_is_seen() -> None:
    *sightings, _cleared = [*dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"), (DINO, "10"))]
    assert payments(evening(sightings)) == [("Anna", -1, "lowest")]


def test_a_face_that_nobody_saw_leaves_the_ruling_unsure() -> None:
    result = evening([*dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"))])
    assert payments(result) == [("Anna", -1, "lowest")]
    assert 0.4 < confidence(result) < 0.95


def test_a_face_that_decides_and_is_read_badly_leaves_the_ruling_unsure() -> None:
    cards = [shown(9, ANNA, "2"), shown(9.4, BRUNO, "1", 0.7, "9"), shown(9.8, CARLA, "8"), shown(10.2, DINO, "6")]
    result = evening([*dealt(0, 1, 2, 3), *cards, Cleared(15)])
    assert payments(result) == [("Bruno", -1, "lowest")]
    assert confidence(result) < 0.8


def test_rule_14_a_card_sent_on_to_a_bragon_that_lies_face_up_is_nothing_to_see() -> None:
    """Elsa's Gnao sends Dino's card back to Carla; whether she says "passo" to Bruno's Bragon, too, only the table knows."""
    five, elsa = (*NAMES, "Elsa"), 4
    back = [shown(6, BRUNO, "bragon"), shown(11, elsa, "gnao"), exchanged(13, DINO, CARLA)]
    result = Evening.of(GAMES["stu"], new_game(five, 200, "Elsa"))
    for sighting in [*dealt(0, 1, 2, 3, elsa), *back, *showdown(18, (CARLA, "matto"), (ANNA, "9"), (DINO, "8"))]:
        result = observe(result, sighting)
    assert payments(result)[:2] == [("Anna", -1, "bbummata"), ("Dino", -1, "gnaffata")]
    assert 0.4 < confidence(result) < 0.95
    asked = question(result)
    assert asked is not None
    assert (asked.kind, asked.players) == ("asked", ("Carla", "Bruno"))
    settled = answer(result, asked.id, "yes")
    assert ("Carla", -1, "bbummata") in payments(settled)
    assert confidence(settled) > 0.95


def test_a_card_that_shows_long_after_the_first_was_dealt_is_none_that_is_being_gathered() -> None:
    """Dealt one by one, Bruno's under a hand: nobody saw it come, and it refuses before Carla and Dino get theirs."""
    refuses = [Appeared(1, ANNA), shown(6.5, BRUNO, "gnao"), Appeared(9, CARLA), Appeared(12, DINO)]
    result = evening([*refuses, *showdown(20, (ANNA, "9"), (CARLA, "8"), (DINO, "2"))])
    assert payments(result) == [("Anna", -1, "gnaffata"), ("Dino", -1, "lowest")]
    assert confidence(result) > 0.95


GIVEN_AWAY = {("asked", ("Anna", "Bruno")): "no", ("exchange", ("Bruno", "Carla")): "yes"}


@pytest.mark.parametrize("seen", [(ANNA, BRUNO, DINO), (ANNA, CARLA, DINO), (ANNA, DINO)])
def test_rule_13_a_taverna_may_have_been_given_away_unseen_where_a_hand_lay_on_the_cards(seen: tuple[int, ...]) -> None:
    """Of Bruno's and Carla's cards not both were ever seen to lie. If his Taverna refused Anna, he pays for her Nulla; if he got
    it from Carla she pays herself, and only the table knows."""
    before = [*dealt(*seen), shown(8, BRUNO, "taverna")]
    result = evening([*before, *showdown(16, (ANNA, "nulla"), (CARLA, "2"), (DINO, "6"))])
    assert payments(result) == [("Bruno", -1, "taverna_for_nulla")]
    assert 0.5 < confidence(result) < 0.95
    asked = question(result)
    assert asked is not None
    settled = answer(result, asked.id, GIVEN_AWAY[asked.kind, asked.players])
    assert payments(settled) == [("Anna", -1, "lowest")]
    assert "taverna Carla" in told(settled.log)


def test_rule_13_a_taverna_shown_where_cards_were_seen_to_lie_still_refuses() -> None:
    """Had Carla given it to Bruno, the exchange would hardly have gone unseen."""
    before = [*dealt(0, 1, 2, 3), shown(8, BRUNO, "taverna")]
    result = evening([*before, *showdown(16, (ANNA, "nulla"), (CARLA, "2"), (DINO, "6"))])
    assert payments(result) == [("Bruno", -1, "taverna_for_nulla")]
    assert confidence(result) > 0.95


def test_a_gnao_that_first_shows_in_the_showdown_has_cost_nobody_anything() -> None:
    """The card that runs back from Elsa's Gnao stays with Carla; Bruno's own Gnao lay face down until all were turned."""
    five, elsa = (*NAMES, "Elsa"), 4
    back = [shown(11, elsa, "gnao"), exchanged(13, DINO, CARLA)]
    faces = showdown(18, (ANNA, "9"), (BRUNO, "gnao"), (CARLA, "matto"), (DINO, "8"))
    result = Evening.of(GAMES["stu"], new_game(five, 200, "Elsa"))
    for sighting in [*dealt(0, 1, 2, 3, elsa), *back, *faces]:
        result = observe(result, sighting)
    assert payments(result) == [("Dino", -1, "gnaffata"), ("Carla", -1, "matto"), ("Dino", -1, "lowest")]
    assert confidence(result) > 0.9


def test_a_doubt_that_changes_nothing_leaves_the_ruling_sure() -> None:
    cards = [shown(9, ANNA, "2"), shown(9.4, BRUNO, "8", 0.6, "9"), shown(9.8, CARLA, "9"), shown(10.2, DINO, "6")]
    assert confidence(evening([*dealt(0, 1, 2, 3), *cards, Cleared(15)])) > 0.95


def test_a_later_look_replaces_an_earlier_report_of_the_same_face() -> None:
    first, better = shown(9, ANNA, "2", 0.6, "10"), shown(9, ANNA, "2", 0.99, "10")
    rest = [shown(9.4, BRUNO, "3", other="4"), shown(9.8, CARLA, "8"), shown(10.2, DINO, "6")]
    assert confidence(evening([*dealt(0, 1, 2, 3), first, *rest, better, Cleared(15)])) > 0.95


def test_sightings_of_nonsense_neither_stop_the_game_nor_break_the_log() -> None:
    nonsense = [exchanged(4, ANNA, CARLA), drawn(4.5, ANNA), shown(5, BRUNO, "5"), exchanged(5.2, BRUNO, DINO), Cleared(30)]
    result = evening([*dealt(0, 1, 2, 3), *nonsense, *dealt(1)])
    assert stu.replay(result.log).hand is not None
    assert confidence(result) < 0.95


def test_cards_between_hands_are_no_hand() -> None:
    assert evening([shown(3, ANNA, "5"), exchanged(4, ANNA, BRUNO)]).log == evening([]).log


def test_a_face_that_shows_before_the_deal_is_a_card_being_gathered() -> None:
    stray = [Appeared(0.2, ANNA), shown(0.2, ANNA, "nulla", 1.0)]
    result = evening([*stray, *dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "10"), (DINO, "8"))])
    assert payments(result) == [("Bruno", -1, "lowest")]
    assert "reveal Anna nulla" not in told(result.log)
    assert confidence(result) < 0.95


def test_the_dealer_goes_round_from_hand_to_hand() -> None:
    hand = [*dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"), (DINO, "10"))]
    result = evening([*hand, *hand, *hand])
    state = stu.replay(result.log)
    assert [ruled.dealer for ruled in state.hands] == ["Dino", "Anna", "Bruno"]
    assert [player.pedine for player in state.players] == [0, 3, 3, 3]


def test_rule_10_a_card_dealt_to_a_player_who_is_out_is_a_ricompera() -> None:
    hand = [*dealt(0, 1, 2, 3), *showdown(9, (BRUNO, "7"), (ANNA, "2"), (CARLA, "9"), (DINO, "10"))]
    result = evening([*hand, *hand, *hand, *hand])
    state = stu.replay(result.log)
    assert state.ricompere == 1
    assert state.players[ANNA].pedine == 2
