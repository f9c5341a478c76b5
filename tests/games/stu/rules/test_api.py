"""What other rooms rely on: frozen states that can be kept, compared and branched, and errors that say what was expected."""

from __future__ import annotations

import pytest
from stu_play import real_game

from companion.games import stu
from companion.games.stu.rules import log
from companion.table.log import Line, encode_line

ABC = log.new_game(("Anna", "Bruno", "Carla"), 100, "Carla")


def after(*events: log.Event) -> stu.State:
    state = stu.begin(ABC)
    for event in events:
        state = stu.apply(state, event)
    return state


def test_a_state_is_kept_while_its_branches_go_on() -> None:
    asked = after(log.Hand(), log.Passo(by="Anna"))
    swapped = stu.apply(asked, log.Swap(with_="Bruno"))
    refused = stu.apply(asked, log.Reveal(by="Bruno", card="cucco"))
    assert asked == after(log.Hand(), log.Passo(by="Anna"))
    assert len({asked, swapped, refused, after(log.Hand(), log.Passo(by="Anna"))}) == 3
    with pytest.raises(AttributeError):
        asked.won = True  # type: ignore[misc]


def test_who_must_decide_and_what_is_asked() -> None:
    state = after(log.Hand(), log.Passo(by="Anna"))
    assert state.hand is not None
    assert [state.table.names[seat] for seat in state.hand.order] == ["Anna", "Bruno", "Carla"]
    assert state.hand.asking is not None
    assert (state.hand.asking.asker, state.hand.asking.asked, state.hand.asking.back) == (0, 1, False)
    state = stu.apply(state, log.Swap(with_="Bruno"))
    assert state.hand is not None
    assert (state.hand.asking, state.hand.turn, state.hand.holds) == (None, 1, (1, 0, 2))
    state = stu.apply(state, log.Reveal(by="Bruno", card="4"))
    assert state.hand is not None
    assert (state.hand.faces, state.hand.face_of(1), state.hand.is_shown(0)) == (("4", None, None), "4", True)


def test_decisions_leave_out_what_is_only_seen() -> None:
    state = after(log.Hand(), log.Passo(by="Anna"), log.Reveal(by="Bruno", card="salta"))
    kinds = {type(event).__name__ for event in stu.decisions(state)}
    assert kinds == {"Swap", "Taverna", "Reveal", "Void"}
    assert {event.by for event in stu.decisions(state) if isinstance(event, log.Reveal)} == {"Carla"}
    assert set(stu.decisions(state)) < set(stu.legal_acts(state))
    with pytest.raises(stu.Illegal):
        stu.decisions(stu.begin(ABC))


def test_an_error_says_the_rule_and_what_was_expected() -> None:
    error = stu.check(after(log.Hand(), log.Passo(by="Anna")), log.Sto(by="Carla"))
    assert error is not None
    assert (error.rule, error.line) == (11, None)
    assert str(error) == "Carla acts too soon (rule 11); expected swap with Bruno, or a trump revealed by Bruno"
    seen = stu.check(after(log.Hand(), log.Deal(to="Anna", card="4")), log.Reveal(by="Anna", card="5"))
    assert isinstance(seen, stu.Contradictory)
    assert str(error.at(7)).startswith("line 7: Carla")


@pytest.mark.parametrize("stake", [0, -5, 10**9 + 1])
def test_a_game_made_in_code_is_checked_as_one_that_is_read(stake: int) -> None:
    with pytest.raises(stu.Illegal, match="stake"):
        stu.begin(log.new_game(("Anna", "Bruno"), stake, "Anna"))


def test_replay_counts_its_lines() -> None:
    with pytest.raises(stu.Illegal) as caught:
        stu.replay([Line(ABC), Line(log.Hand()), Line(log.End())])
    assert caught.value.line == 3
    with pytest.raises(stu.Malformed, match="no game line"):
        stu.replay([])


def test_every_event_survives_its_line() -> None:
    events = [event for seed in range(30) for event in real_game(seed, 3, hands=6)]
    assert {type(event).__name__ for event in events} >= {"Game", "Hand", "Passo", "Swap", "Taverna", "Draw", "Reveal", "End"}
    for event in events:
        line = Line(event, 1.5, 0.5)
        assert log.decode_line(encode_line(line)) == line
