"""What was said can be taken back and said again; what was seen in between stays seen."""

import pytest

from companion.games import GAMES, find_game
from companion.games.stu.rules.log import End, Hand, Passo, Reveal, Sto, Swap, new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown, Sighting
from companion.referee import Evening, replay
from companion.referee.corrections import Correction, correct
from companion.referee.evening import observe
from companion.referee.following import NothingThere, can, redo, undo
from companion.referee.record import decode, encode

GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
DEALT: list[Sighting] = [Appeared(1.0, 0), Appeared(1.5, 1), Appeared(2.0, 2)]
SHOWN: list[Sighting] = [Shown(15.0, 0, 1, (("5", 1.0),)), Shown(15.5, 1, 2, (("3", 1.0),)), Shown(16.0, 2, 3, (("9", 1.0),))]


def seen(evening: Evening, *sightings: Sighting) -> Evening:
    for sighting in sightings:
        evening = observe(evening, sighting)
    return evening


def say(evening: Evening, *events) -> Evening:
    end = len(evening.current.lines)
    return correct(evening, Correction(evening.current.id, end, end, events))


def same(one: Evening, other: Evening) -> bool:
    return (one.chapters, one.aside) == (other.chapters, other.aside)


def test_undo_gives_what_was_before_and_redo_what_was_then() -> None:
    steps = [Evening.of(GAMES["stu"], GAME)]
    for event in (Hand(), Sto(by="Anna"), Sto(by="Bruno")):
        steps.append(say(steps[-1], event))
    evening = steps[-1]
    for before in (steps[2], steps[1], steps[0]):
        evening = undo(evening)
        assert same(evening, before)
        assert evening.log == before.log
    assert can(evening) == (False, True)
    with pytest.raises(NothingThere):
        undo(evening)
    for after in steps[1:]:
        evening = redo(evening)
        assert same(evening, after)
    assert can(evening) == (True, False)
    with pytest.raises(NothingThere):
        redo(evening)


def test_after_something_new_nothing_can_be_redone() -> None:
    evening = say(Evening.of(GAMES["stu"], GAME), Hand())
    evening = say(undo(say(evening, Sto(by="Anna"))), Passo(by="Anna"))
    assert can(evening) == (True, False)
    assert same(undo(evening), say(Evening.of(GAMES["stu"], GAME), Hand()))


def test_what_was_seen_since_stays_and_counts_without_what_is_taken_back() -> None:
    dealt = seen(Evening.of(GAMES["stu"], GAME), *DEALT)
    told = say(dealt, Passo(by="Anna"), Swap(with_="Bruno"))
    later: list[Sighting] = [Exchanged(8.0, 9.0, (1, 2), 0.9), *SHOWN, Cleared(20.0), *[Appeared(30.0 + n, n) for n in range(3)]]
    evening = undo(seen(told, *later))
    assert same(evening, seen(dealt, *later))
    assert same(redo(evening), seen(told, *later))


def test_a_hand_that_was_ended_by_hand_lies_open_again() -> None:
    shown = [Reveal(by="Anna", card="5"), Reveal(by="Bruno", card="3"), Reveal(by="Carla", card="9")]
    played = say(say(Evening.of(GAMES["stu"], GAME), Hand()), *shown)
    last = len(played.current.lines)
    over = correct(played, Correction(played.current.id, last - 1, last, (End(),)))
    assert over.current.id != played.current.id
    assert same(undo(over), played)


def test_an_evening_that_was_kept_shortens_the_way_to_the_same_end() -> None:
    begun = seen(say(Evening.of(GAMES["stu"], GAME), Hand()), *DEALT)
    told = seen(say(begun, Sto(by="Anna")), *SHOWN)
    short = undo(told, {len(begun.record.entries): begun})
    assert short == undo(told)
    assert redo(short, {len(begun.record.entries): begun}) == redo(undo(told))


def test_an_evening_with_things_taken_back_is_kept_like_any_other() -> None:
    evening = redo(undo(undo(say(say(Evening.of(GAMES["stu"], GAME), Hand()), Sto(by="Anna")))))
    assert same(replay(*decode(encode(evening.record, GAMES["stu"]), find_game)), evening)
