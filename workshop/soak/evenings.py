"""What the soak plays: the first line of an evening of each game, its table, and cards that a camera may catch."""

from __future__ import annotations

import json
import random

from companion.games import GAMES
from companion.table.log import Event
from workshop.games import workshop_of
from workshop.soak.visitors import Json

NAMES = ("Anna", "Bruno", "Carla", "Dino")


def first_of(game: str) -> tuple[Event, str]:
    """The first line of an evening of this game, and its TABLE.json where eyes can follow it, else ""."""
    own = workshop_of(game)
    places = ((320, 300), (520, 180), (320, 60), (120, 180))
    shown = [{"name": name, "place": place} for name, place in zip(NAMES, places, strict=True)]
    corners = ((80, 30), (560, 30), (620, 340), (20, 340))
    plain = {**own.terms("Dino"), "v": 1, "game": game, "image_size": (640, 360), "corners": corners, "players": shown}
    return own.first(NAMES, "Dino"), json.dumps(plain) if GAMES[game].has_eyes else ""


def glimpse(game: str, chance: random.Random) -> Json | None:
    """A line that tells what somebody was dealt; None: no line of the game does."""
    return workshop_of(game).glimpse(NAMES, chance)
