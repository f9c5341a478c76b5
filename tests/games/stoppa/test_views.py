"""What the TV shows, as data (`views.txt`): each log in short, and what stands on the page after any of its lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rulings import at, read_cases
from stoppa_cases import first_line, lines_of

from companion.games.stoppa import rules
from companion.games.stoppa.pages import PAGES
from companion.pages.moments import Moment, advance
from companion.pages.view import ViewSettings
from companion.table.language import Lang

CASES = read_cases(Path(__file__).parent / "views.txt")
SETTINGS = ViewSettings(sure_from=0.95, happened=2)


def shown(moments: list[Moment], lang: Lang) -> dict[str, Any]:
    """The view as the stream tells it, with what the voice says and what the steps of the moviola say."""
    view = PAGES.view(moments, lang, SETTINGS)
    replayed = PAGES.moviola(moments, lang)
    more = {"calls": PAGES.calls(moments, view, lang), "moviola": [step.says for step in replayed.steps] if replayed else None}
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({**msgspec.structs.asdict(view), **more}))
    return told


@pytest.mark.parametrize("name", CASES)
def test_the_tv_shows(name: str) -> None:
    body = [line for line in CASES[name] if line]
    first = first_line(body.pop(0)[1:] if body[0].startswith("@") else "")
    moments: list[Moment] = []
    checked = 0

    def happens(line: str, confidence: float | None = None) -> None:
        event = replace(rules.LOG.decode_line(line.encode()), confidence=confidence)
        moments.append(advance(rules, PAGES, moments[-1] if moments else None, event))

    happens(json.dumps(first))
    for line in body:
        if line.startswith("= "):
            said = line[2:]
            lang: Lang = "en" if said.startswith("en ") else "it"
            path, value = said.removeprefix("en ").split(" ", 1)
            assert at(shown(moments, lang), path) == json.loads(value), line
            checked += 1
        else:
            line, _, confidence = line.partition(" ? ")
            for one in lines_of(line, len(first["players"])):
                happens(one, float(confidence) if confidence else None)
    assert checked, "a case must say what stands on the page"


def test_every_rule_of_play_is_shown() -> None:
    assert {int(name[1:3]) for name in CASES} >= {*range(3, 13), *range(15, 20)}
