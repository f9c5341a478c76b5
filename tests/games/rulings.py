"""Rulings as data, of any game: a text file of small logs with what each comes to. What a line of a log is, its game says.

A line that begins with `@` sets the table; `= path value`: the report says so; `! line rule code`: the log cannot have happened.
An empty line is one in the log; `#` begins a comment. A case is named after the rule that it shows: `r07-…`, or `bad-r07-…`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.table.errors import GameError

Events = Iterable[dict[str, Any] | None]
"""What a line of a case says; None for an empty line of the log."""
SUITS = {"d": "denari", "c": "coppe", "s": "spade", "b": "bastoni"}


def card(short: str) -> str:
    return f"{SUITS[short[0]]}-{short[1:]}"


def read_cases(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text("utf-8").split("\n"):
        if re.fullmatch(r"(bad-)?r\d\d-[a-z0-9-]+", line):
            assert line not in found, line
            lines = found.setdefault(line, [])
        elif not line.startswith("#"):
            lines.append(line)
    for body in found.values():
        while body and not body[-1]:
            body.pop()
    return found


def rules_shown(cases: Iterable[str]) -> set[int]:
    """The numbers of the rules that have a case."""
    return {int(name.removeprefix("bad-")[1:3]) for name in cases}


def at(report: Any, path: str) -> Any:
    """What stands there: `hands.0.pots`; `players.*.stack` is a list."""
    first, _, rest = path.partition(".")
    if first == "*":
        return [at(one, rest) for one in report]
    found = report[int(first) if first.lstrip("-").isdigit() else first]
    return at(found, rest) if rest else found


def check_case(
    body: list[str], first_line: Callable[[str], dict[str, Any]], events_of: Callable[[str, int], Events],
    report_of: Callable[[bytes], Any],
) -> None:  # fmt: skip
    """Run a case. ``events_of``: a line of it → events, given how many lines the log has; ``report_of``: a log → its report."""
    body = list(body)
    said = body.pop(0)[1:] if body and body[0].startswith("@") else ""
    log, checked = [json.dumps(first_line(said))], 0
    for line in body:
        if line.startswith("= "):
            _, path, value = line.split(" ", 2)
            assert at(report_of("\n".join(log).encode()), path) == json.loads(value), line
        elif line.startswith("! "):
            _, number, rule, code = line.split()
            with pytest.raises(GameError) as caught:
                report_of("\n".join(log).encode())
            error = caught.value
            assert (error.line, error.rule, error.code) == (int(number), json.loads(rule), code), error
            assert str(error).startswith(f"line {number}: ")
            assert error.expected
            assert "\n" not in str(error)
        else:
            log += ["" if event is None else json.dumps(event) for event in events_of(line, len(log))]
            continue
        checked += 1
    assert checked, "a case must say what its log comes to"


def check_worked_logs(folder: Path, report_of: Callable[[bytes], Any]) -> None:
    """Every `NAME.jsonl` there comes to what `NAME.expected.json` says."""
    logs = sorted(folder.glob("*.jsonl"))
    assert len(logs) >= 15
    for path in logs:
        expected = json.loads(path.with_suffix(".expected.json").read_text("utf-8"))
        try:
            got = report_of(path.read_bytes())
        except GameError as error:
            got = {"exit": 2, "line": error.line}
        assert got == expected, path.name
