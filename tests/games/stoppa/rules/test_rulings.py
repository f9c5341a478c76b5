"""Rulings as data (`rulings.txt`): each log comes to what its case says, and each rule has a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from stoppa_cases import at, cases, first_line, lines_of
from stoppa_play import NAMES

from companion.games import stoppa
from companion.games.stoppa.rules import log

CASES = cases(Path(__file__).parent / "rulings.txt")


def report_of(events: list[str]) -> Any:
    return json.loads(json.dumps(stoppa.report(stoppa.replay_log("\n".join(events).encode())).to_dict()))


@pytest.mark.parametrize("name", CASES)
def test_ruling(name: str) -> None:
    body = CASES[name]
    said = body.pop(0)[1:] if body and body[0].startswith("@") else ""
    first = first_line(said)
    events, checked = [json.dumps(first)], 0
    while body and not body[-1]:
        body.pop()
    for line in body:
        if line.startswith("= "):
            _, path, value = line.split(" ", 2)
            assert at(report_of(events), path) == json.loads(value), line
            checked += 1
        elif line.startswith("! "):
            _, number, rule, code = line.split()
            with pytest.raises(stoppa.GameError) as caught:
                report_of(events)
            error = caught.value
            assert (error.line, error.rule, error.code) == (int(number), json.loads(rule), code), error
            assert str(error).startswith(f"line {number}: ")
            assert error.expected
            assert "\n" not in str(error)
            checked += 1
        else:
            events += lines_of(line, len(first["players"]))
    assert checked, "a case must say what its log comes to"


def test_every_rule_has_a_case() -> None:
    assert {int(name.removeprefix("bad-")[1:3]) for name in CASES} == set(range(1, 20))


def test_the_worked_logs_come_out_to_the_letter(shared: Path) -> None:
    logs = sorted((shared / "spec" / "examples" / "stoppa").glob("*.jsonl"))
    assert len(logs) >= 15
    for path in logs:
        expected = json.loads(path.with_suffix("").with_suffix(".expected.json").read_text("utf-8"))
        try:
            got = report_of([path.read_text("utf-8")])
        except stoppa.GameError as error:
            got = {"exit": 2, "line": error.line}
        assert got == expected, path.name


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
