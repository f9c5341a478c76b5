"""The workshop of Stoper. Each part is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.table.log import Line
from workshop.games import Streams
from workshop.games.betting import BettingWorkshop

if TYPE_CHECKING:
    from workshop.bench.betting.run import Betting
    from workshop.bench.recipe import ClipRecipe
    from workshop.choreography.timeline import Timeline

STACKS = 1500
"""Chips of each player of a clip, thirty times the cip: enough for its hands, few enough that somebody is all-in."""


class _Workshop(BettingWorkshop):
    """``mistakes`` of a clip: somebody opens without what it takes, hands are shown late or are void, a player sits out."""

    clip_players = (4, 6)
    stakes = MappingProxyType({"mode": "cash", "stacks": 5000})

    @property
    def betting(self) -> Betting[Any]:
        from workshop.bench.stoper.measured import STOPER

        return STOPER

    def direct(self, lines: Sequence[Line], *, lifts: float = 0.0, **how: Any) -> Timeline:
        from workshop.choreography.stoper.director import direct

        return direct(lines, **how)

    def streams(self, hands: int, noise: str, seed: int) -> Streams:
        from workshop.streams.stoper.noise import LEVELS
        from workshop.streams.stoper.referee import figures, measured

        return Streams(measured(hands, LEVELS[noise], seed), figures)

    def clip_log(self, clip: ClipRecipe) -> tuple[Line, ...]:
        from companion.games.stoper import bots

        loose = bots.EventProbabilities(void=0.06, wrong_dealer=0, absent=0.06, chips=1, bluff=0.1, dealt=0, discards=0, late=0.3)
        rare = loose if clip.mistakes else bots.PLAIN
        settings = bots.Settings(players=bots.seated(clip.players), stacks=STACKS, event_probabilities=rare)
        return bots.simulate(settings, hands=clip.hands, seed=clip.seed)


WORKSHOP = _Workshop("stoper")
