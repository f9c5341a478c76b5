"""What the TV shows, as data (`views.txt`): each log in short, and what stands on the page after any of its lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from rulings import at, read_cases, rules_shown
from stoper_cases import events, first_line

from companion.games.stoper import rules
from companion.games.stoper.pages import PAGES
from companion.pages.moments import Moment, advance
from companion.pages.view import ViewSettings
from companion.table.language import Lang
from companion.table.log import tag

CASES = read_cases(Path(__file__).parent / "views.txt")
SETTINGS = ViewSettings(sure_from=0.95, happened=2)


def shown(moments: list[Moment], lang: Lang) -> dict[str, Any]:
    """The view as the stream tells it, with what the voice says, the steps of the moviola, and the chances in percent."""
    view = PAGES.view(moments, lang, SETTINGS)
    replayed = PAGES.moviola(moments, lang)
    more = {
        "calls": PAGES.calls(moments, view, lang),
        "moviola": [step.says for step in replayed.steps] if replayed else None,
        "chances": {name: round(100 * chance, 2) for name, chance in PAGES.chances(moments).items()},
    }
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({**msgspec.structs.asdict(view), **more}))
    return told


@pytest.mark.parametrize("name", CASES)
def test_the_tv_shows(name: str) -> None:
    body = [line for line in CASES[name] if line]
    moments: list[Moment] = []
    checked = 0

    def happens(event: dict[str, Any] | None, confidence: float | None = None) -> None:
        assert event is not None
        line = replace(rules.LOG.decode_line(json.dumps(event).encode()), confidence=confidence)
        moments.append(advance(rules, PAGES, moments[-1] if moments else None, line))

    happens(first_line(body.pop(0)[1:] if body[0].startswith("@") else ""))
    for line in body:
        if line.startswith("= "):
            said = line[2:]
            lang: Lang = "en" if said.startswith("en ") else "it"
            path, value = said.removeprefix("en ").split(" ", 1)
            assert at(shown(moments, lang), path) == json.loads(value), line
            checked += 1
        else:
            begun = sum(tag(moment.event) == "hand" for moment in moments)
            line, _, confidence = line.partition(" ? ")
            for event in events(line, begun + 1):
                happens(event, float(confidence) if confidence else None)
    assert checked, "a case must say what stands on the page"


def test_every_rule_of_play_is_shown() -> None:
    assert rules_shown(CASES) == set(range(1, 18))
