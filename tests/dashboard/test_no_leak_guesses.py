"""Whatever the camera holds for possible, spectators get what the log says alone."""

from __future__ import annotations

import pytest
from leaks import Case, answered, answers, answers_of, check_faces, differing, every_game, played


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
