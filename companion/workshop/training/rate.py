"""The learning rate: up from nothing at first, then down along half a cosine (Loshchilov and Hutter 2017)."""

from __future__ import annotations

import math


def warmed_and_cooled(highest: float, step: int, progress: float, warm_up: int = 100, least: float = 0.01) -> float:
    """The rate of a step, counted from 0, when a share ``progress`` 0..1 of the budget is spent.

    It grows to ``highest`` over the first ``warm_up`` steps, and has fallen to the share ``least`` of it when all is spent.
    """
    warm = min((step + 1) / warm_up, 1.0)
    return highest * warm * (least + (1 - least) * (1 + math.cos(math.pi * progress)) / 2)
