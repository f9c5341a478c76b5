"""At a full table the referee looks for no history that is too unlikely to be kept, and thinks none through twice: what it keeps
is the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.stu.bots import PLAIN, Settings, seated, simulate
from companion.games.stu.referee import MODEL
from companion.games.stu.sightings import Sighting
from companion.referee import Evening, observe
from companion.referee.decoding import Decoding
from companion.referee.evening import replay
from companion.referee.values import Beam
from workshop.choreography.stu.director import direct
from workshop.streams.stu.evenings import timed
from workshop.streams.stu.noise import LEVELS
from workshop.streams.stu.referee import game_of, spoilt

PLAYERS = 20


def followed(seed: int) -> Evening:
    """A hand of a full table, as the referee has followed it from a spoilt stream."""
    settings = Settings(players=seated(PLAYERS), dealing="at-once", event_probabilities=PLAIN)
    true = timed(direct(simulate(settings, hands=1, seed=seed), seed=seed))
    evening = Evening.of(GAMES["stu"], game_of(true))
    for sighting in spoilt(true, LEVELS["medium"], f"full table {seed}"):
        evening = observe(evening, sighting)
    return evening


def weights(beam: Beam) -> dict[Any, float]:
    """Each history's weight, by what leads to another future."""
    return {history.key: history.weight for history in beam}


@pytest.mark.parametrize("seed", [1, 4])
def test_what_is_too_unlikely_to_be_kept_is_not_looked_for_and_nothing_else(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, explain, unlikely = followed(seed), MODEL.explain, 0

    def exhaustively(history: Any, step: Sighting, least: float = -math.inf) -> Iterator[Any]:
        nonlocal unlikely
        for one in explain(history, step):
            unlikely += one.weight < least
            yield one

    monkeypatch.setattr(type(MODEL), "explain", staticmethod(exhaustively))
    everything = followed(seed)
    assert unlikely > 500  # what is spared, each once
    assert len(kept.chapters) == len(everything.chapters)
    for one, other in zip(kept.chapters, everything.chapters, strict=True):
        assert one.lines == other.lines
        assert weights(one.outcome) == pytest.approx(weights(other.outcome))


def test_a_report_put_before_others_has_only_what_differs_thought_through_again(monkeypatch: pytest.MonkeyPatch) -> None:
    explain, asked = MODEL.explain, 0

    def counted(history: Any, step: Sighting, least: float = -math.inf) -> Iterator[Any]:
        nonlocal asked
        asked += 1
        return explain(history, step, least)

    monkeypatch.setattr(type(MODEL), "explain", staticmethod(counted))
    remembering, shared = followed(4), asked
    asked = 0
    monkeypatch.setattr("companion.referee.chapter.Decoding", lambda steps=(), beams=(), explained=None: Decoding(steps, beams))
    forgetting = followed(4)
    assert asked > 1.2 * shared
    assert remembering == forgetting == replay(remembering.game, remembering.record)
    assert [one.outcome for one in remembering.chapters] == [one.outcome for one in forgetting.chapters]
