"""Rulings as data (`rulings.txt`): each log comes to what its case says, and each rule has a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rulings import Events, check_case, check_worked_logs, read_cases, rules_shown
from stoppa_cases import events_of, first_line
from stoppa_play import NAMES

from companion.games import stoppa
from companion.games.stoppa.rules import log

CASES = read_cases(Path(__file__).parent / "rulings.txt")


def report_of(data: bytes) -> Any:
    return json.loads(json.dumps(stoppa.report(stoppa.replay_log(data)).to_dict()))


@pytest.mark.parametrize("name", CASES)
def test_ruling(name: str) -> None:
    first: dict[str, Any] = {}

    def begun(said: str) -> dict[str, Any]:
        first.update(first_line(said))
        return first

    def events(line: str, _: int) -> Events:
        return events_of(line, len(first["players"]))

    check_case(CASES[name], begun, events, report_of)


def test_every_rule_has_a_case() -> None:
    assert rules_shown(CASES) == set(range(1, 20))


def test_the_worked_logs_come_out_to_the_letter(shared: Path) -> None:
    check_worked_logs(shared / "spec" / "examples" / "stoppa", report_of)


HAND = [log.Hand(), *[log.Piccolo()] * 5, log.Grosso()]


def called_giro(**house: str) -> stoppa.State:
    """Three players have called the giro at once and played five of its six hands; the last one's grosso is open."""
    rules = log.HouseRules(**house)  # type: ignore[arg-type]
    state = stoppa.begin(log.new_game(NAMES[:3], 600, 100, "Carla", removed="denari-10", house_rules=rules))
    for event in (log.Giro(by="Anna"), *[*HAND, log.Annul()] * 5, *HAND):
        state = stoppa.apply(state, event)
    return state


def test_the_last_hand_is_said_and_has_no_stoppata() -> None:
    state = called_giro()
    assert stoppa.report(state).status == "last_hand"
    for event in (log.Lay(by="Anna", cards=("denari-5",)), log.Declare(by="Anna", what="misera"), log.Annul()):
        error = stoppa.check(state, event)
        assert error is not None
        assert error.code == "no_stoppata_in_last"


@pytest.mark.parametrize("ending", [log.End(), log.Close()])
def test_the_last_grosso_is_decided_by_end_or_close_and_never_carried(ending: log.Event) -> None:
    state = stoppa.apply(called_giro(grosso_nobody="carried"), ending)
    report = stoppa.report(state)
    last = report.hands[-1]
    assert (report.status, report.dealer, report.table, last.pots[-1].how) == ("over", None, None, "dealer")
    assert last.pots[-1].winner == last.dealer
    assert last.pots[-1].prize == 6 * 1300
    assert sum(state.balances) == 0


def test_after_the_last_hand_cards_may_be_added_until_its_end() -> None:
    state = called_giro()
    for event in (log.Punto(by="Anna", to=50), log.Vedo(by="Bruno"), log.Show(by="Anna", cards=("denari-7",)),
                  log.Show(by="Bruno", cards=("coppe-8", "coppe-9"))):  # fmt: skip
        state = stoppa.apply(state, event)
    assert stoppa.report(state).status == "over"
    assert stoppa.report(state).hands[-1].pots[-1].winner == "Bruno"
    more = stoppa.apply(state, log.Show(by="Anna", cards=("denari-6",)))
    assert stoppa.report(more).hands[-1].pots[-1].winner == "Anna"
    assert sum(more.balances) == 0
    assert stoppa.check(state, log.Giro(by="Anna")) is not None
    assert stoppa.check(state, log.Hand()) is not None
    ended = stoppa.apply(more, log.End())
    assert stoppa.check(ended, log.Show(by="Anna", cards=("denari-1",))) is not None
    assert stoppa.check(ended, log.Close()) is None


def test_a_void_last_hand_is_dealt_again() -> None:
    state = stoppa.apply(called_giro(), log.Void())
    assert stoppa.report(state).status == "in_play"
    again = stoppa.apply(state, log.Hand())
    assert stoppa.report(again).status == "last_hand"
