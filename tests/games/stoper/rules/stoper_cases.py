"""Cases as data, one notation for what the rules say and what the pages show: a log in short, and what it comes to.

Six players clockwise, Ada Bice Ciro Dora Elsa Fabio, with 100.00 each, in cash; Ada deals first, so Bice is First. `@` says what
differs. A word with several names is said by each in turn; d c s b stand for the suits: c7 is coppe-7. `= path value`: it says
so.
"""

from __future__ import annotations

import json
from typing import Any

from rulings import Events, card
from stoper_play import NAMES


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
            discards = {"discards": [*map(card, said["discards"].split(","))]} if "discards" in said else {}
            return [{"e": e, "by": words[0], "cards": [*map(card, words[1:])], **discards}]
        case "end" | "close" | "void":
            return [{"e": e}]
    return [{"e": e, "by": name} for name in words]


def first_line(said: str) -> dict[str, Any]:
    """The game line, changed as ``said`` (``players=4 mode=torneo stacks=300``)."""
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
