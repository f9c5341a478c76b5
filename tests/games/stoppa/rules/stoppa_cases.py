"""Cases as data, one notation for what the rules say and what the pages show: a log in short, and what it comes to.

Four players, Anna Bruno Carla Dino; Dino deals first, so Anna is mano; misera 600, punti piccoli of 100: `@` says what differs.
`piccoli` stands for all of them; d c s b stand for the suits: c7 is coppe-7. `= path value`: so it says, as JSON.
"""

from __future__ import annotations

import json
from typing import Any

from rulings import card
from stoppa_play import NAMES

from companion.games.stoppa.rules.cards import DEALS

OF_THE_LINE = {"misera", "small", "hands_before"}


def plain(line: str) -> dict[str, Any] | None:
    """The event that a line of a case says; None for an empty one."""
    e, *words = line.split() or [""]
    match e, *words:
        case "", *_:
            return None
        case "hand", dealer:
            return {"e": e, "dealer": dealer}
        case "deal", to, *faces:
            return {"e": e, "to": to, "cards": 3, "faces": [*map(card, faces)]}
        case ("punto" | "rilancio"), by, to:
            return {"e": e, "by": by, "to": int(to)}
        case "declare", by, what, *cards:
            return {"e": e, "by": by, "what": what, "cards": [*map(card, cards)]}
        case "lay", by, *cards, "skipped":
            return {"e": e, "by": by, "cards": [*map(card, cards)], "skipped": True}
        case "lay", by, *cards, "forced":
            return {"e": e, "by": by, "cards": [*map(card, cards)], "forced": True}
        case ("show" | "lay"), by, *cards:
            return {"e": e, "by": by, "cards": [*map(card, cards)]}
        case "back", lays:
            return {"e": e, "lays": int(lays)}
        case _, by:
            return {"e": e, "by": by}
    return {"e": e}


def first_line(said: str) -> dict[str, Any]:
    """The game line, changed as ``said`` (``players=3 pass=checks``)."""
    line: dict[str, Any] = {"e": "game", "v": 1, "game": "stoppa", "misera": 600, "small": 100, "currency": "EUR"}
    count, house = 4, {}
    for key, value in (word.split("=") for word in said.split()):
        if key == "points":
            line["points"] = True
        elif key == "players":
            count = int(value)
        elif key == "removed":
            line["removed"] = card(value)
        elif key == "standing":
            line["standing"] = dict(zip(NAMES, json.loads(value), strict=False))
        elif key in OF_THE_LINE:
            line[key] = int(value)
        else:
            house[key] = json.loads(value) if value[0].isdigit() or value == "true" else value
    return {**line, "players": NAMES[:count], "dealer": NAMES[count - 1], "house_rules": house}


def events_of(said: str, players: int) -> list[dict[str, Any] | None]:
    """The events that a line of a case stands for; None for an empty line of the log."""
    return [plain(one) for one in (["piccolo"] * len(DEALS[players]) if said == "piccoli" else [said])]


def lines_of(said: str, players: int) -> list[str]:
    """The lines of a log that a line of a case stands for."""
    return ["" if event is None else json.dumps(event) for event in events_of(said, players)]
