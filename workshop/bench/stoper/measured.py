"""Stoper as its bench measures it."""

from __future__ import annotations

from workshop.bench.betting.run import Betting
from workshop.bench.stoper.scoring import counted, differences, played, same_changes
from workshop.streams.stoper.referee import served
from workshop.streams.stoper.truth import ideal, told

STOPER = Betting(
    "stoper", played, same_changes, counted, differences, ideal,
    names={
        "recall showdowns": "showdowns exactly right: who showed which cards, and who is paid",
        "recall exchanges": "exchanges counted right",
        "precision exchanges": "exchanges of the log that are right",
        "recall shown": "cards laid open that were read, with the right player",
        "precision shown": "cards of the log's showdowns that are right",
    },
    targets={
        "recall showdowns": ("98 %", "95 %", "88 %"),
        "sure_and_wrong": ("0", "0", "0"),
        "taken_back": ("0", "0", "0"),
        "recall exchanges": ("97 %", "93 %", "88 %"),
    },
    told=told,
    mended=served,
)  # fmt: skip
