"""What is not decided yet is not told: of cards that are being laid down a page shows no ruling that is another one at once."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest
import recorded_looks
import stoppa_cases
from recorded_looks import CLIPS
from test_corrected import STU_GAME, stoppa, stu

from companion.dashboard import Settings
from companion.dashboard.feed import Snapshot, gone_on, replayed
from companion.games import GAMES
from companion.line.follow import glimpses
from companion.line.prompter import Prompter
from companion.referee import Evening, observe
from companion.table.log import Line

LEAST_SECONDS = 1.0
"""For which a ruling on a hand in progress stands that was not sure, or for which the voice says so."""


class Told(NamedTuple):
    """What was told of a hand in progress from ``t`` on, seconds of the clip: by the TV, in large letters, and by the voice."""

    t: float
    headline: tuple[str, ...]
    calls: tuple[str, ...]
    sure: bool


def told(name: str) -> list[Told]:
    """What was told of a demo clip, one after another."""
    table, words = recorded_looks.DemoClip(name).table, CLIPS[name].path.with_name("told.jsonl")
    lines = table.game.rules.LOG.read_lines(words.read_bytes()) if words.is_file() else ()
    phone, evening = Prompter(list(lines)), Evening.of(table.game, table.first)
    now, log, found = Snapshot(None, 0, table.game, (), Settings()), evening.log[:0], list[Told]()
    for glimpse in glimpses(recorded_looks.seen(name), table):
        for sighting in glimpse.sightings:
            evening = observe(phone(evening, sighting.t), sighting)
        before, log = log, evening.log
        if log != before:
            now = gone_on(now, before, (1, now.version + 1), log, {})
            ruling = now.view("it").ruling
            said = now.game.pages.calls(now.settled, now.view("it"), "it")
            one = Told(glimpse.picture.t, ruling.headline if ruling is not None else (), said, ruling is None or ruling.sure)
            found += [one] if not found or found[-1][1:] != one[1:] else []
    return found


@pytest.mark.thorough
@pytest.mark.parametrize("name", CLIPS)
def test_of_a_clip_nothing_is_told_that_is_another_thing_at_once(name: str) -> None:
    found = told(name)
    assert any(one.headline for one in found)
    for one, then in pairwise(found):
        assert one.sure or then.t - one.t >= LEAST_SECONDS, f"{one} was told until {then}"


PICCOLO = "hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna d7 d6\nshow Bruno c1"
BRAGON = "hand\npasso Anna\nreveal Bruno bragon"


@pytest.mark.parametrize(
    ("wing", "hand", "waits"),
    [("stoppa", PICCOLO, "Mostra Bruno"), ("stu", BRAGON, "Anna passa a Bruno")],
)
@pytest.mark.parametrize("confidence", [0.0001, 0.49, 0.5, 0.8, 0.99])
def test_a_line_that_is_more_likely_wrong_than_right_decides_nothing(wing: str, hand: str, waits: str, confidence: float) -> None:
    """Until the next one comes; nor does the voice call for a check."""
    game = GAMES[wing]
    first = STU_GAME if wing == "stu" else stoppa_cases.first_line("")
    events = [game.rules.LOG.event(one) for one in (first, *(stu if wing == "stu" else stoppa)(hand))]
    log = [*(Line(event) for event in events[:-1]), Line(events[-1], confidence=confidence)]
    shown = Snapshot(1, 1, game, replayed(game, log), Settings())
    view, decided = shown.view("it"), confidence >= 0.5
    assert (view.ruling is not None, view.message != waits) == (decided, decided)
    assert (game.pages.calls(shown.settled, view, "it") == ()) == (not decided)
    assert view.ruling is None or view.ruling.sure == (confidence >= 0.99)
