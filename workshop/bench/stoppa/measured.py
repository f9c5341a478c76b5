"""Stoppa as its bench measures it."""

from __future__ import annotations

from workshop.bench.betting.run import Betting
from workshop.bench.stoppa.ruling import log_by_phone
from workshop.bench.stoppa.scoring import score
from workshop.streams.stoppa.truth import ideal

STOPPA = Betting(
    "stoppa", log_by_phone, score, ideal,
    names={
        "recall laid": "laid cards found with the right player",
        "precision laid": "laid cards of the log that are right",
    },
    targets={
        "right": ("98 %", "95 %", "88 %"),
        "sure_and_wrong": ("0", "0", "0"),
        "recall laid": ("99 %", "97 %", "93 %"),
    },
)  # fmt: skip
