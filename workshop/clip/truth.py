"""The truth of a clip: its TABLE.json, and what lies where in every frame, as JSON Lines.

Line 1 of the truth is ``{"meta": {…}}``; then follow, in order of time, ``{"frame", "t", "cards", "hands"}`` for every frame and
``{"line", "t", "event"}`` for every line of the log, when it has happened on the table. Pixels are rounded to a tenth. After a
knock, quads are those that the camera sees from where it stands in that frame; a frozen picture has the quads of what it shows.
Where people sit at the table, ``places`` says how much of a card in each place they leave in view, in the order of the players.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.line.tablefile import DEFAULT_GAME
from companion.table.log import Line, encode_line
from workshop.choreography.layout import card_in_place
from workshop.choreography.timeline import Timeline
from workshop.choreography.troubles import PEACEFUL, Troubles
from workshop.stage import camera as cam
from workshop.stage.scene import Camera, CardTruth, Scene, Surface


def table_json(timeline: Timeline, camera: Camera, surface: Surface) -> dict[str, Any]:
    """TABLE.json of this clip (docs/table-json.md): corners and places in pixels, players and rules from the log's game line."""
    game = _plain(timeline.lines[0])
    own = {key: value for key, value in game.items() if key not in ("e", "v", "players")}
    if own["game"] == DEFAULT_GAME:
        own.pop("game")
    return {
        "v": 1,
        "image_size": [camera.width, camera.height],
        "corners": [_tenths(corner) for corner in cam.corners(camera, surface)],
        "players": [
            {"name": seat.name, "place": _tenths(card_in_place(timeline.plan, camera, index).mean(0))}
            for index, seat in enumerate(timeline.plan.seats)
        ],
    } | own


def meta(
    timeline: Timeline, seed: int, size: tuple[int, int], fps: float, frames: int, troubles: Troubles = PEACEFUL
) -> dict[str, Any]:
    """The truth's first line: the recipe and the true log, each line with the time ``t`` at which it has happened.

    ``trouble``: kind, start ``t`` and end ``until`` (seconds) of each; the key is left out where there is none.
    """
    timed = [
        _plain(Line(line.event, round(t, 3), None)) for line, t in zip(timeline.lines, timeline.events, strict=True)
    ]
    players = [seat.name for seat in timeline.plan.seats]
    entry = {"v": 1, "seed": seed, "size": list(size), "fps": fps, "frames": frames, "players": players, "log": timed}
    return {"meta": entry | ({"trouble": troubles.entries()} if troubles.all else {})}


def event_lines(timeline: Timeline) -> list[tuple[float, dict[str, Any]]]:
    """(seconds, line of the truth) for every line of the log, in order of time."""
    entries = [
        (t, {"line": index + 1, "t": round(t, 3), "event": _plain(Line(line.event))})
        for index, (line, t) in enumerate(zip(timeline.lines, timeline.events, strict=True))
    ]
    return sorted(entries, key=lambda entry: entry[0])


def frame_line(
    timeline: Timeline, camera: Camera, scene: Scene, seen: tuple[CardTruth, ...], number: int
) -> dict[str, Any]:
    """The truth of one frame. ``card`` is the kind where a face of the deck that is played with shows, ``player`` the one whose
    card it is at that moment, or who laid it."""
    cards = []
    for entry in seen:
        if entry.side == "place":
            continue
        deck, kind = entry.key
        owner = timeline.cards[entry.id].owner_at(scene.t) if entry.id in timeline.cards else None
        cards.append(
            {
                "id": entry.id,
                "quad": [_tenths(corner) for corner in entry.quad],
                "deck": deck,
                "side": entry.side,
                "card": kind if deck == timeline.plan.cards and entry.side == "face" else None,
                "visible": round(float(entry.visible), 2),
                "player": None if owner is None else timeline.plan.seats[owner].name,
            }
        )
    fingers = [
        {
            "id": one.id,
            "player": timeline.plan.seats[int(one.id.split(".")[1])].name,
            "tip": _tenths(cam.project(camera, [[one.x, one.y, one.z]])[0]),
        }
        for one in scene.fingers
    ]
    line = {"frame": number, "t": round(scene.t, 3), "cards": cards, "hands": fingers}
    places = [round(float(entry.visible), 2) for entry in seen if entry.side == "place"]
    return line | ({"places": places} if places else {})


def _tenths(point: NDArray[np.float64]) -> list[float]:
    return [round(float(value), 1) for value in point]


def _plain(line: Line) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode(encode_line(line))
    return decoded
