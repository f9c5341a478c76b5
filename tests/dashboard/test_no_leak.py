"""No card that nobody has laid open reaches a spectator, in any game, whatever the log, the camera or an organiser knows.

What the contract needs of a game is in `hidden_cards.HIDDEN`.
"""

from __future__ import annotations

import pytest
from hidden_cards import ALL_OPEN
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import Case, check_faces, every_game, faces_of, played
from wild_games import any_log

from companion.games import GAMES
from companion.line.recorder import evening_of
from companion.table.log import tag

MOST_PREFIXES = 6


def lengths(data: st.DataObject, whole: int) -> set[int]:
    """How far into a log to look: to some places, and to its end."""
    return {whole, *data.draw(st.lists(st.integers(1, whole), max_size=MOST_PREFIXES - 1))}


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_what_the_log_knows_of_hidden_cards_changes_nothing(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    lines = case.hidden.noted(data.draw(case.hidden.logs))
    moments = played(case.game, lines)
    for length in lengths(data, len(lines)):
        assert case.told(moments[:length]) == case.told_blind(lines[:length])


@every_game
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_what_organisers_have_said_of_hidden_cards_changes_nothing(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    said = case.hidden.noted(evening_of(data.draw(case.hidden.logs)).log)  # every line, as if it had been said on a phone
    moments = played(case.game, said)
    for length in lengths(data, len(said)):
        assert case.told(moments[:length]) == case.told_blind(said[:length])


@every_game
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_face_on_a_page_is_one_that_was_laid_open_in_this_hand(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    moments = played(case.game, data.draw(case.hidden.logs))
    for length in lengths(data, len(moments)):
        check_faces(case, moments[:length])


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_the_public_log_tells_the_same_money_and_no_card_that_was_dealt(name: str, data: st.DataObject) -> None:
    case = Case.of(name)
    rules, moments = case.game.rules, played(case.game, data.draw(case.hidden.logs))
    public = [line for moment in moments for line in moment.lines]
    assert not [line for line in public if tag(line.event) in ("deal", "draw") and faces_of(line)]
    seen = played(case.game, public)[-1].known
    assert case.hidden.money(rules.report(seen)) == case.hidden.money(rules.report(moments[-1].known))


@every_game
def test_the_logs_have_cards_that_nobody_may_see(name: str) -> None:
    case = Case.of(name)
    lines = case.hidden.whole()
    upto = max(at for at, line in enumerate(lines) if faces_of(line) and tag(line.event) in ("deal", "draw")) + 1
    assert case.hidden.blind(lines[:upto]) != lines[:upto]


def kept_back(name: str, seed: int) -> bool:
    """Whether spectators are not told some line of a legal log of this game as it stands."""
    log = any_log(name, seed, 60)
    return [line for moment in played(GAMES[name], log) for line in moment.lines] != list(log)


@pytest.mark.parametrize("name", sorted(ALL_OPEN))
def test_a_game_whose_cards_all_lie_open_keeps_nothing_from_spectators(name: str) -> None:
    assert not any(kept_back(name, seed) for seed in range(5))


@every_game
def test_a_game_that_hides_cards_keeps_some_from_spectators(name: str) -> None:
    assert any(kept_back(name, seed) for seed in range(20))
