"""What the referee makes of a hand when a part of it could not be seen: more may have happened, and it is asked for, not
guessed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from stories import ANNA, BRUNO, CARLA, DINO, dealt, evening, exchanged, grown, later, plain, showdown, shown

from companion.eyes.sighting import Unseen
from companion.games import find_game, stu
from companion.games.stu.referee.words import question as in_words
from companion.games.stu.rules.log import End, Hand, Void, read_lines
from companion.games.stu.sightings import Appeared, Cleared, DeckExchanged, Exchanged, Resumed, Shown, Sighting
from companion.referee import Evening, observe, reported
from companion.referee.following import undo
from companion.referee.questions import answer, question
from companion.referee.record import Inserted, Saw, StatedLine, decode
from companion.table.sure import SURE_FROM

STREAMS = Path(__file__).parent / "streams"
NAMES = ("demo", "gnao4", "salta4")


def hole(t: float, seconds: float, **lies: object) -> list[Sighting]:
    """Nothing could be seen for ``seconds``; then the table lay as ``lies`` says."""
    nothing = {"same": (), "moved": (), "backs": (), "faces": (), "turned": ()}
    return [Unseen(t, t + seconds, None, "gap"), Resumed(t, t + seconds, **{**nothing, **lies})]  # type: ignore[arg-type]


def plainly(t: float, *kinds: str) -> list[Sighting]:
    """A showdown of faces that are beyond doubt."""
    return [*(shown(t + 0.4 * place, place, kind, 0.9999) for place, kind in enumerate(kinds)), Cleared(t + 6)]


def answered(result: Evening, choice: str | None) -> Evening:
    asked = question(result)
    assert asked is not None
    return answer(result, asked.id, choice)


def through(sightings: list[Sighting], t: float, seconds: float) -> Iterator[Sighting]:
    """What the eyes report of the same table when nothing can be seen from ``t`` on. They see afterwards a card or face that has
    come to lie there meanwhile, but not what was moved."""
    until = t + seconds
    lost, faces, cards = [], {}, {}
    for seen in sightings:
        if not t <= seen.t < until:
            continue
        lost.append(seen)
        if isinstance(seen, Cleared):
            faces, cards = {}, {}
        elif isinstance(seen, Shown):
            faces[seen.place] = seen
        elif isinstance(seen, Appeared):
            cards[seen.place] = seen
            faces.pop(seen.place, None)
    cleared = any(isinstance(seen, Cleared) for seen in lost)
    yield from (seen for seen in sightings if seen.t < t and not (isinstance(seen, Exchanged | DeckExchanged) and seen.until > t))
    yield Unseen(t, until, None, "gap")
    before = {seen.place: seen for seen in sightings if isinstance(seen, Appeared | Shown) and seen.t < t}
    lying = {**({} if cleared else before), **cards, **faces}
    up = tuple(place for place, one in lying.items() if isinstance(one, Shown))
    down = tuple(place for place in lying if place not in up)
    turned = tuple(place for place in down if isinstance(before.get(place), Shown) and cleared)
    yield Resumed(t, until, (), tuple(lying), down, up, turned)
    yield from (replace(seen, t=until, not_before=None) for seen in faces.values())
    yield from (replace(seen, t=until) for place, seen in cards.items() if place not in before)
    if cleared and not lying:
        yield Cleared(until + 0.5)
    yield from (seen for seen in sightings if seen.t >= until)


@pytest.mark.slow
@pytest.mark.parametrize("every", [20, pytest.param(3, marks=pytest.mark.thorough)], ids="every {} seconds".format)
@pytest.mark.parametrize("seconds", [3.0, 8.0, 30.0])
@pytest.mark.parametrize("name", NAMES)
def test_wherever_a_hole_is_no_wrong_ruling_is_sure(name: str, seconds: float, every: int) -> None:
    game, record = decode((STREAMS / f"{name}.sightings.jsonl").read_bytes(), find_game)
    seen = [entry.sighting for entry in record.entries if isinstance(entry, Saw)]
    true = [hand.payments for hand in stu.replay(read_lines((STREAMS / f"{name}.true.jsonl").read_bytes())).hands]
    sure = 0
    for start in range(int(seen[0].t), int(seen[-1].t - seconds), every):
        result = Evening.of(game, record.game)
        for sighting in through(seen, float(start), seconds):
            result = observe(result, sighting)
        for chapter in result.chapters:
            if chapter.over and (chapter.lines[-1].confidence or 0.0) >= SURE_FROM:
                assert chapter.after.hands[-1].payments in true, f"hole at {start} s"
                sure += 1
    assert sure or seconds > 20  # nobody is asked without need


def test_an_exchange_in_a_hole_is_thought_of_and_the_ruling_waits_for_an_answer() -> None:
    """The Gnao that Bruno shows in the hole may have refused Anna, who would pay."""
    gnao = replace(shown(16, BRUNO, "gnao"), not_before=7.9)
    rest = [shown(20, ANNA, "7"), shown(20.4, CARLA, "2"), shown(20.8, DINO, "9"), Cleared(27)]
    lies = hole(8, 8, same=(ANNA, CARLA), moved=(BRUNO,), backs=(ANNA, CARLA, DINO), faces=(BRUNO,))
    result = evening(dealt(), lies, gnao, rest)
    (end,) = [line for line in result.log if isinstance(line.event, End)]
    assert (end.confidence or 0.0) < SURE_FROM
    asked = question(result)
    assert asked is not None
    assert asked.kind == "gnaffata"
    assert in_words(asked, "it") == "8 secondi non visti. Chi ha preso la gnaffata da Bruno?"
    paid = answered(result, str(ANNA)).chapters[0].after.hands[-1].payments
    assert [(payment.player, payment.cause) for payment in paid] == [("Anna", "gnaffata"), ("Carla", "lowest")]


def test_where_every_card_lies_as_before_and_nobody_can_have_shown_one_the_hand_is_as_sure_as_ever() -> None:
    everybody = (ANNA, BRUNO, CARLA, DINO)
    result = evening(dealt(), hole(8, 8, same=everybody, backs=everybody), plainly(20, "7", "8", "2", "9"))
    (end,) = [line for line in result.log if isinstance(line.event, End)]
    assert (end.confidence or 0.0) >= SURE_FROM
    assert question(result) is None


def test_cards_that_lie_face_down_where_faces_lay_are_another_hand() -> None:
    first = [*dealt(), *showdown(11, "7", "8", "2", "9")[:-1]]
    turned = hole(14, 12, moved=(0, 1, 2, 3), backs=(0, 1, 2, 3), turned=(0, 1, 2, 3))
    result = evening(first, turned, showdown(35, "5", "6", "matto", "10"))
    assert [hand.void for hand in result.settled.hands] == [False, False]
    assert [hand.dealer for hand in result.settled.hands] == ["Dino", "Anna"]


@pytest.mark.parametrize(("told", "hands"), [("0", 1), ("1", 2), ("2", 3)])
def test_whether_it_is_still_the_same_hand_is_asked_and_told(told: str, hands: int) -> None:
    """Backs before and backs afterwards, all a little elsewhere: so they lie after a new deal, and after everybody looked
    again."""
    everybody = (0, 1, 2, 3)
    middle = evening(dealt(), hole(9, 18, moved=everybody, backs=everybody))
    asked = question(middle)
    assert asked is not None
    assert asked.kind == "dealt"
    assert in_words(asked, "en") == "18 seconds not seen. Was another hand dealt meanwhile?"
    result = grown(answered(middle, told), plainly(40, "7", "8", "2", "9"))
    assert len([line for line in result.log if isinstance(line.event, Hand)]) == hands
    last = result.settled.hands[-1]
    assert [(payment.player, payment.cause) for payment in last.payments] == [("Carla", "lowest")]
    assert last.dealer == ("Dino", "Anna", "Bruno")[hands - 1]
    assert (result.chapters[-2].probability or 0.0) >= (SURE_FROM if told == "0" else 0.9)


def test_what_was_told_of_a_hole_can_be_taken_back() -> None:
    middle = evening(dealt(), hole(9, 18, moved=(0, 1, 2, 3), backs=(0, 1, 2, 3)))
    assert undo(answered(middle, "2")).log == middle.log


def test_nobody_knows_whether_it_is_the_same_hand_and_nothing_is_sure_from_then_on() -> None:
    middle = evening(dealt(), hole(9, 18, moved=(0, 1, 2, 3), backs=(0, 1, 2, 3)))
    result = grown(answered(middle, None), showdown(40, "7", "8", "2", "9"), plain(60, "5", "6", "7", "8"))
    assert all((line.confidence or 0.0) < SURE_FROM for line in result.log if isinstance(line.event, End))


def test_a_hand_that_was_played_unseen_is_asked_for_card_by_card() -> None:
    """Between two hands that were seen whole the deck has gone on by two."""
    first = plain(0, "7", "8", "2", "9")
    unseen = hole(20, 40, deck=(DINO, BRUNO))
    result = grown(evening(first, unseen), later(dealt(), 62), later(showdown(11, "5", "6", "7", "8"), 62))
    assert [hand.dealer for hand in result.settled.hands] == ["Dino", "Anna", "Bruno"]
    for kind in ("7", "10", "2", "9"):
        result = answered(result, kind)
    missed = result.settled.hands[1]
    assert not missed.void
    assert len(missed.payments) == 1
    assert question(result) is None


def test_after_a_hand_that_could_not_be_ruled_on_the_next_dealer_deals() -> None:
    first = [*dealt(), *hole(9, 25), Cleared(34.5)]
    result = evening(first, later(plain(0, "7", "8", "2", "9"), 40))
    assert any(isinstance(line.event, Void) for line in result.log)
    assert [hand.dealer for hand in result.settled.hands] == ["Dino", "Anna"]


def test_a_hand_that_was_gathered_before_everybodys_eyes_is_void_and_dealt_again() -> None:
    result = evening(dealt(), Cleared(9), later(plain(0, "7", "8", "2", "9"), 40))
    assert [hand.dealer for hand in result.settled.hands] == ["Dino", "Dino"]


def test_an_exchange_seen_after_a_hole_is_weighed_as_ever() -> None:
    everybody = (0, 1, 2, 3)
    lies = hole(6, 3, same=everybody, backs=everybody)
    result = evening(dealt(), lies, exchanged(12, ANNA, BRUNO), plainly(20, "7", "8", "2", "9"))
    paid = result.chapters[0].after.hands[-1].payments
    assert [(payment.player, payment.cause) for payment in paid] == [("Carla", "lowest")]


def test_a_hand_told_afterwards_makes_nothing_sure_that_hangs_on_one_that_could_not_be_ruled_on() -> None:
    """Everybody has three pedine but Carla, who has two and may have gone by now."""
    first = [*plain(0, "7", "8", "2", "9"), *later(dealt(), 30), *hole(39, 25), Cleared(64.5)]
    result = evening(first, later(plain(0, "7", "8", "2", "9"), 70))
    last = [chapter for chapter in result.chapters if chapter.played][-1]
    told = [StatedLine(line.event, by_hand=True) for line in result.chapters[0].lines]
    again = reported(result, Inserted(last.id, tuple(told)))
    assert (last.probability or 0.0) < SURE_FROM
    assert (again.chapter(last.id).probability or 0.0) < SURE_FROM
