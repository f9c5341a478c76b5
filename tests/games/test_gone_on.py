"""A hand is over, its cards still lie there, and the phone tells what comes next: that says nothing of how the hand ended."""

from __future__ import annotations

import pytest
import recorded_looks

from companion.editing.commands import Say
from companion.editing.edit import obey
from companion.games import GAMES
from companion.line.follow import glimpses
from companion.line.prompter import Prompter
from companion.referee import Evening, observe
from companion.referee.chapter import Chapter
from companion.table.log import Line, tag


def first_over(game: str) -> Evening:
    """The evening of a game's clip, with what is told of it, at the moment at which the eyes first think a hand over."""
    clip = recorded_looks.DemoClip(game)
    table, words = clip.table, clip.path.with_name("told.jsonl")
    phone = Prompter(table.game.rules.LOG.read_lines(words.read_bytes()) if words.is_file() else ())
    evening = Evening.of(table.game, table.first)
    for glimpse in glimpses(recorded_looks.seen(game), table):
        evening = phone(evening, glimpse.picture.t)
        for sighting in glimpse.sightings:
            evening = observe(evening, sighting)
        if evening.current.over and tag(evening.current.lines[-1].event) == "end":
            return evening
    raise AssertionError(f"{game}: no hand is over while its cards lie there")


def told(chapter: Chapter) -> tuple[float | None, tuple[Line, ...], int]:
    """How sure a hand is, its lines with how sure each of them is, and the number of its histories."""
    return chapter.probability, chapter.lines, len(chapter.outcome)


@pytest.mark.slow
@pytest.mark.parametrize("game", recorded_looks.CLIPS)
def test_a_hand_after_which_somebody_goes_on_is_as_sure_as_one_whose_cards_were_seen_gathered(game: str) -> None:
    evening = first_over(game)
    model, hand = GAMES[game].sighting_model, evening.current
    assert model is not None
    gathered = observe(evening, model.TAGS["Cleared"](evening.t))
    following = next(one for one in evening.game.rules.legal_acts(hand.after) if tag(one) == "hand")
    gone_on = obey(evening, Say((following,)))
    assert told(gone_on.chapter(hand.id)) == told(gathered.chapter(hand.id))
    assert [tag(line.event) for line in gone_on.current.lines] == ["hand"]
