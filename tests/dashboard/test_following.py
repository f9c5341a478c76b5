"""A correction takes with it what could then not have happened, in one step: also where a camera has seen the hands after it."""

from __future__ import annotations

import pytest

from companion.editing.commands import Change, Outcome, Redo, Say, Undo
from companion.editing.edit import mended, obey
from companion.games import GAMES
from companion.games.stu.rules import report
from companion.games.stu.rules.log import Penalty, Rebuy, Reveal, Standing, Sto, new_game
from companion.games.stu.sightings import Appeared, Cleared, Exchanged, Shown
from companion.referee import Evening
from companion.referee.evening import replay, reported
from companion.referee.keeping import encode_aside, encode_hand, restored
from companion.referee.record import JointCorrection, Saw
from companion.table.errors import Unfitting
from companion.table.log import tag

NAMES = ("Anna", "Bruno", "Carla")


def seen(evening: Evening, t: float, *cards: str) -> Evening:
    """A hand that the camera saw from ``t`` seconds on: dealt, Anna and Bruno exchange, these cards shown."""
    sightings = [Appeared(t + place, place) for place in range(3)]
    sightings.append(Exchanged(t + 5, t + 6, (0, 1), 0.97))
    sightings += [Shown(t + 10 + place, place, place, ((card, 1.0),)) for place, card in enumerate(cards)]
    for sighting in (*sightings, Cleared(t + 20)):
        evening = reported(evening, Saw(sighting))
    return evening


@pytest.fixture
def after_a_ricompera() -> Evening:
    """Anna loses her last pedina in the first hand, comes back, and a second hand is played; all but the ricompera was seen."""
    first = new_game(NAMES, 200, "Carla", standing={"Anna": Standing(1, False)}, edition="piazza-2010")
    evening = seen(Evening.of(GAMES["stu"], first), 0, "2", "7", "9")
    return seen(obey(evening, Say((Rebuy(by="Anna"),))), 100, "8", "3", "9")


def corrected(evening: Evening) -> Change:
    """It was not the 2 that Anna showed in the first hand."""
    lines = evening.chapters[0].lines
    at = next(index for index, line in enumerate(lines) if line.event == Reveal(by="Anna", card="2"))
    return Change(evening.chapters[0].id, at, at + 1, (Reveal(by="Anna", card="10"),))


def test_a_ricompera_goes_with_the_hand_that_made_it_necessary(after_a_ricompera: Evening) -> None:
    before = report(after_a_ricompera.current.after)
    assert (before.ricompera.count, [player.pedine for player in before.players]) == (1, [3, 2, 3])
    with pytest.raises(Unfitting):
        obey(after_a_ricompera, corrected(after_a_ricompera))
    found = mended(after_a_ricompera, corrected(after_a_ricompera))
    assert found is not None
    gone = [tag(after_a_ricompera.chapter(hand).lines[index].event) for hand, index in found.gone]
    assert (gone, found.added) == (["rebuy"], ())
    after = report(found.after.current.after)
    assert (after.ricompera.count, [player.pedine for player in after.players]) == (0, [1, 1, 3])
    gone_too = (Rebuy(by="Anna"), Reveal(by="Anna", card="2"))
    stands = [line.event for line in after_a_ricompera.log if line.event not in gone_too]
    assert [line.event for line in found.after.log if line.event != Reveal(by="Anna", card="10")] == stands


def test_one_undo_brings_all_of_it_back(after_a_ricompera: Evening) -> None:
    edit = mended(after_a_ricompera, corrected(after_a_ricompera))
    assert edit is not None
    after = edit.after
    assert isinstance(after.record.entries[-1], JointCorrection)
    assert obey(after, Undo()).log == after_a_ricompera.log
    assert obey(obey(after, Undo()), Redo()).log == after.log


def test_a_restart_and_the_record_say_the_same(after_a_ricompera: Evening) -> None:
    edit = mended(after_a_ricompera, corrected(after_a_ricompera))
    assert edit is not None
    after = edit.after
    game = GAMES["stu"]
    assert replay(game, after.record).log == after.log
    kept = restored(game, after.record, after.log, [encode_hand(chapter) for chapter in after.chapters], encode_aside(after))
    assert kept.log == after.log
    assert seen(kept, 200, "5", "6", "9").log == seen(after, 200, "5", "6", "9").log


def test_an_outcome_that_puts_somebody_out_takes_what_they_did_later_with_it() -> None:
    first = new_game(NAMES, 200, "Carla", standing={"Anna": Standing(1, False), "Bruno": Standing(1, False)})
    evening = Evening.of(GAMES["stu"], first)
    for cards in (("2", "7", "9"),):
        evening = obey(evening, Say((GAMES["stu"].rules.LOG.event({"e": "hand"}), Sto(by="Carla"))))
        for name, card in zip(NAMES, cards, strict=True):
            evening = obey(evening, Say((Reveal(by=name, card=card),)))
    evening = obey(evening, Say((Rebuy(by="Anna"),)))
    after = obey(evening, Outcome(0, {"Bruno": 1}))
    told = report(after.current.after)
    assert ([player.pedine for player in told.players], told.ricompera.count) == ([1, 0, 3], 0)
    assert obey(after, Undo()).log == evening.log


def test_where_nothing_has_to_go_it_is_a_correction_like_any_other(after_a_ricompera: Evening) -> None:
    at = len(after_a_ricompera.chapters[1].lines) - 2
    line = after_a_ricompera.chapters[1].lines[at].event
    assert isinstance(line, Reveal)
    plain = Change(1, at, at + 1, (Reveal(by=line.by, card="6"),))
    assert obey(after_a_ricompera, Change(1, at, at + 1, plain.events, mend=True)).log == obey(after_a_ricompera, plain).log


def test_what_cannot_be_even_so_says_why(after_a_ricompera: Evening) -> None:
    assert mended(after_a_ricompera, Change(0, 1, 2, (Penalty(player="Zeno"),))) is None
