"""Stoppa as its bench measures it."""

from __future__ import annotations

from workshop.bench.betting.run import Betting
from workshop.bench.stoppa.hands import played, same_cards
from workshop.bench.stoppa.ruling import begun, by_phone
from workshop.bench.stoppa.scoring import counted, differences
from workshop.streams.stoppa.truth import ideal

STOPPA = Betting(
    "stoppa", played, same_cards, counted, differences, ideal,
    names={
        "recall laid": "laid cards found with the right player",
        "precision laid": "laid cards of the log that are right",
    },
    targets={
        "right": ("98 %", "95 %", "88 %"),
        "sure_and_wrong": ("0", "0", "0"),
        "recall laid": ("99 %", "97 %", "93 %"),
    },
    told=by_phone,
    mended=begun,
)  # fmt: skip
