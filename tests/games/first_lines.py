"""The first line of a log of each game: those of GAMES, and of the small games beside them. A new game adds its own here, and the
suites that run over every game then try it."""

from __future__ import annotations

import json
from typing import Any

FIRST = {
    "stu": '{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla"],"stake":200,"currency":"EUR","dealer":"Carla"}',
    "stoppa": '{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla"],"misera":600,"small":100,"currency":"EUR",'
              '"dealer":"Carla","removed":"denari-10"}',
    "stoper": '{"e":"game","v":1,"game":"stoper","players":["Ada","Bice","Ciro","Dora"],"mode":"cash","stacks":500,'
              '"currency":"EUR","dealer":"Dora"}',
    "cuculo": '{"e":"game","v":1,"game":"cuculo","players":["Anna","Bruno","Carla"],"stake":200,"currency":"EUR",'
              '"dealer":"Carla"}',
    "bare": '{"e":"game","v":1,"game":"bare","players":["Anna","Bruno","Carla"]}',
    "bassa": '{"e":"game","v":1,"game":"bassa","players":["Anna","Bruno","Carla"]}',
    "highcard": '{"e":"game","v":1,"game":"highcard","players":["Anna","Bruno","Carla"]}',
}  # fmt: skip


def first_line_of(game: str) -> str:
    """The first line of a log of this game."""
    assert game in FIRST, f"{game}: add the first line of its log to FIRST in tests/games/first_lines.py"
    return FIRST[game]


def agreed_in(game: str) -> dict[str, Any]:
    """The same line as plain values."""
    plain: dict[str, Any] = json.loads(first_line_of(game))
    return plain
