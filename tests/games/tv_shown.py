"""What the TV shows, as data: a case is a log in short, and lines that say what stands on the page by then.

`@…`, first: what the first line of the log has of its own. `= PATH VALUE`, in English `= en PATH VALUE`: what stands there.
`… ? 0.9`: how sure a line is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace
from rulings import at

from companion.games import GAMES
from companion.pages.moments import Moment, advance
from companion.pages.view import ViewSettings
from companion.table.language import Lang
from companion.table.log import tag

SETTINGS = ViewSettings(sure_from=0.95, happened=2)


def shown(game: str, moments: list[Moment], lang: Lang) -> dict[str, Any]:
    """The view as the stream tells it, with what the voice says, the steps of the moviola, and chances, if any, in percent."""
    pages = GAMES[game].pages
    view = pages.view(moments, lang, SETTINGS)
    replayed = pages.moviola(moments, lang)
    chances = pages.chances(moments) if pages.chances is not None else {}
    more = {
        "calls": pages.calls(moments, view, lang),
        "moviola": [step.says for step in replayed.steps] if replayed else None,
        "chances": {name: round(100 * chance, 2) for name, chance in chances.items()},
    }
    told: dict[str, Any] = msgspec.json.decode(msgspec.json.encode({**msgspec.structs.asdict(view), **more}))
    return told


def check_shown(
    game: str, case: list[str], first_line: Callable[[str], dict[str, Any]],
    events: Callable[[str, dict[str, Any], int], Iterable[str]],
) -> None:  # fmt: skip
    """``first_line``: makes the first line of its own part; ``events``: what a line in short means, by the first line and the
    number of hands begun before it."""
    body = [line for line in case if line]
    first = first_line(body.pop(0)[1:] if body[0].startswith("@") else "")
    moments: list[Moment] = []
    checked = 0

    def happens(line: str, confidence: float | None = None) -> None:
        event = replace(GAMES[game].rules.LOG.decode_line(line.encode()), confidence=confidence)
        moments.append(advance(GAMES[game].rules, GAMES[game].pages, moments[-1] if moments else None, event))

    happens(json.dumps(first))
    for line in body:
        if line.startswith("= "):
            said = line[2:]
            lang: Lang = "en" if said.startswith("en ") else "it"
            path, value = said.removeprefix("en ").split(" ", 1)
            assert at(shown(game, moments, lang), path) == json.loads(value), line
            checked += 1
        else:
            line, _, confidence = line.partition(" ? ")
            begun = sum(tag(moment.event) == "hand" for moment in moments)
            for one in events(line, first, begun):
                happens(one, float(confidence) if confidence else None)
    assert checked, "a case must say what stands on the page"
