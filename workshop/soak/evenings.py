"""What the soak plays: the first line of an evening of each game, its table, and cards that a camera may catch."""

from __future__ import annotations

import json
import random

from companion.decks import italian, stu
from companion.games import GAMES
from companion.table.log import Event
from workshop.soak.visitors import Json

NAMES = ("Anna", "Bruno", "Carla", "Dino")


STAKES: dict[str, Json] = {
    "stu": {"stake": 200},
    "stoppa": {"misera": 200, "small": 10},
    "stoper": {"mode": "cash", "stacks": 5000},
}
"""What each game is played for."""


def first_of(game: str) -> tuple[Event, str]:
    """The first line of an evening of this game, and its TABLE.json where eyes can follow it, else ""."""
    own: Json = {"currency": "EUR", "dealer": "Dino", **STAKES[game]}
    first = GAMES[game].rules.LOG.event({"e": "game", "v": 1, "game": game, "players": list(NAMES), **own})
    places = ((320, 300), (520, 180), (320, 60), (120, 180))
    shown = [{"name": name, "place": place} for name, place in zip(NAMES, places, strict=True)]
    corners = ((80, 30), (560, 30), (620, 340), (20, 340))
    plain = {**own, "v": 1, "game": game, "image_size": (640, 360), "corners": corners, "players": shown}
    return first, json.dumps(plain) if GAMES[game].has_eyes else ""


def glimpse(game: str, chance: random.Random) -> Json:
    """A line that tells what somebody was dealt. At Stoper the cards are those of every one of its decks."""
    to = chance.choice(NAMES)
    if game == "stu":
        return {"e": "deal", "to": to, "card": chance.choice(stu.KINDS)}
    high = [kind for kind in italian.KINDS if kind.endswith(("-1", "-7", "-8", "-9", "-10"))]
    return {"e": "deal", "to": to, "cards": 3, "faces": chance.sample(high, 3)}
