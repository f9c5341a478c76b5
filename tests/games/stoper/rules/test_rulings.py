"""Rulings as data (`rulings.txt`): each log comes to what its case says, and each rule has a case."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rulings import Events, card, check_case, check_worked_logs, read_cases, rules_shown
from stoper_play import NAMES

from companion.games import stoper

CASES = read_cases(Path(__file__).parent / "rulings.txt")
RULES = 17


def events(line: str, before: int) -> Events:
    """The events that a line of a case says; the first hand has cip 50 and invito 50 where it says no others."""
    e, *words = line.split() or [""]
    said = dict(word.split("=", 1) for word in words if "=" in word)
    words = [word for word in words if "=" not in word]
    match e:
        case "":
            return [None]
        case "hand":
            amounts = {key: int(said[key]) for key in ("cip", "invito", "deck") if key in said}
            names = {key: said[key].split(",") for key in ("absent", "join") if key in said}
            stakes = {"cip": 50, "invito": 50} if before == 1 and "bare" not in words else {}
            dealer = {"dealer": said["dealer"]} if "dealer" in said else {}
            return [{"e": e, **stakes, **amounts, **names, **dealer}]
        case "apro" | "punto" | "rilancio":
            return [{"e": e, "by": words[0], "to": int(words[1])}]
        case "chips":
            return [{"e": e, "by": words[0], "amount": int(words[1])}]
        case "serviti":
            return [{"e": "cambio", "by": name, "n": 0} for name in words]
        case "cambio":
            discards = {"discards": [*map(card, words[2:])]} if words[2:] else {}
            return [{"e": e, "by": words[0], "n": int(words[1]), **discards}]
        case "deal":
            count = {"cards": int(said["cards"])} if "cards" in said else {}
            return [{"e": e, "to": words[0], "faces": [*map(card, words[1:])], **count}]
        case "show":
            return [{"e": e, "by": words[0], "cards": [*map(card, words[1:])]}]
        case "end" | "close" | "void":
            return [{"e": e}]
    return [{"e": e, "by": name} for name in words]


def first_line(said: str) -> dict[str, Any]:
    """The game line, with what ``said`` (``players=4 mode=torneo stacks=300``) sets otherwise."""
    line: dict[str, Any] = {"e": "game", "v": 1, "game": "stoper", "mode": "cash", "stacks": 10000, "currency": "EUR"}
    count, house = 6, {}
    for key, value in (word.split("=", 1) for word in said.split()):
        if key == "players":
            count = int(value)
        elif key in ("mode", "dealer"):
            line[key] = value
        elif key == "stacks":
            given = json.loads(value)
            line[key] = dict(zip(NAMES, given, strict=False)) if isinstance(given, list) else given
        elif key == "standing":
            line[key] = json.loads(value)
        else:
            house[key] = json.loads(value) if value[0].isdigit() or value in ("true", "false") else value
    return {"players": [*NAMES, "Gino"][:count], "dealer": "Ada", **line, "house_rules": house}


def report_of(data: bytes) -> Any:
    return json.loads(json.dumps(stoper.report(stoper.replay_log(data)).to_dict()))


@pytest.mark.parametrize("name", CASES)
def test_ruling(name: str) -> None:
    check_case(CASES[name], first_line, events, report_of)


def test_every_rule_has_a_case() -> None:
    assert rules_shown(CASES) == set(range(1, RULES + 1))


def test_the_worked_logs_come_out_to_the_letter(shared: Path) -> None:
    check_worked_logs(shared / "spec" / "examples" / "stoper", report_of)
