"""No address tells a spectator of a card that nobody has laid open, in every phase of a game."""

from __future__ import annotations

from typing import Any

import pytest
from leaks import ASKED, Case, answers, differing, every_game, faces_of

from companion.games import Game
from companion.table.game import Turn


@pytest.mark.slow
@every_game
def test_in_every_phase_every_address_answers_as_if_nobody_had_seen_a_hidden_card(name: str) -> None:
    case = Case.of(name)
    lines = case.hidden.noted(case.hidden.whole())
    for length in phases(case.game, lines):
        dear = length == len(lines)
        told = answers(lines[:length], dear=dear)
        assert not differing(told, answers(case.hidden.blind(lines[:length]), dear=dear))
    asked = {*ASKED, *(["/api/chances"] if case.game.pages.chances is not None else [])}
    assert asked <= {one.partition(" ")[0] for one in told}


def phases(game: Game, lines: Any) -> list[int]:
    """How far to play until the table first waits for each thing that it waits for in this log."""
    found: dict[object, int] = {}
    state, hidden = game.rules.begin(lines[0].event), False
    for length, line in enumerate(lines[1:], start=2):
        state = game.rules.apply(state, line.event)
        hidden = hidden or bool(faces_of(line))
        waiting = game.rules.waiting(state)
        if hidden:
            found.setdefault(waiting.step if isinstance(waiting, Turn) else type(waiting), length)
    return sorted({*found.values(), len(lines)})
