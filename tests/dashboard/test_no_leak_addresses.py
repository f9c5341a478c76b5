"""No address tells a spectator of a card that nobody has laid open: in every phase of a game, and whatever the camera guesses."""

from __future__ import annotations

from typing import Any

import pytest
from leaks import ASKED, Case, answered, answers, answers_of, check_faces, every_game, faces_of, played

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


def differing(told: dict[str, bytes], blind: dict[str, bytes]) -> list[str]:
    """Which addresses answer differently."""
    return [one for one in sorted(told.keys() | blind.keys()) if told.get(one) != blind.get(one)]


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


@pytest.mark.slow
@every_game
def test_what_the_camera_guesses_reaches_no_page_but_as_the_log_says_it(name: str) -> None:
    """Also while it is doubtful, and after every answer: no spectator is told what else the eyes hold for possible."""
    case = Case.of(name)
    if case.game.sighting_model is None:
        pytest.skip(f"no eyes follow {name}")
    assert case.hidden.watched is not None, f"eyes follow {name}: say in hidden_cards.HIDDEN what they report"
    guessed = answered(case.hidden.watched())
    assert len(guessed) > 1, "nothing was doubtful"
    for evening in guessed:
        moments = played(case.game, evening.log)
        for length in (*range(1, len(moments), 23), len(moments)):
            check_faces(case, moments[:length])
    told = answers_of(guessed[0])
    assert not differing(told, answers(case.hidden.blind(guessed[0].log)))
    assert not [one for one, said in told.items() if b'"question"' in said or b'"choices"' in said or b"alternatives" in said]
