"""The workshop of Lu Stù. Each part is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.decks import stu as deck
from companion.table.log import Event, Line
from workshop.games import BenchRun, GameWorkshop, Streams

if TYPE_CHECKING:
    import click

    from companion.games.stu.rules.log import Game
    from workshop.bench.recipe import ClipRecipe
    from workshop.bench.watching import Stream
    from workshop.choreography.timeline import Timeline


class StuWorkshop(GameWorkshop):
    """Also of its variants. ``mistakes`` of a clip: one of the players plays by whim, shows cards early and passes ones that
    cannot be beaten."""

    bench_alone, clip_variants = False, True
    stakes = MappingProxyType({"stake": 200})

    @property
    def bench_rooms(self) -> tuple[str, ...]:
        return ("workshop/bench/stu", "companion/referee/witnesses")  # what several views have seen of a full table

    @property
    def commands(self) -> Sequence[click.Command]:
        from workshop.bench.stu import commands

        return commands.COMMANDS

    def direct(self, lines: Sequence[Line], **how: Any) -> Timeline:
        from workshop.choreography.stu.director import direct

        return direct(lines, **how)

    def streams(self, hands: int, noise: str, seed: int) -> Streams:
        from workshop.streams.stu.noise import LEVELS
        from workshop.streams.stu.referee import figures, measured

        return Streams(measured(hands, LEVELS[noise], seed), figures)

    def first_line(self) -> type[Game]:
        """The first line of the logs that are played."""
        from companion.games.stu.rules.log import Game

        return Game

    def clip_log(self, clip: ClipRecipe) -> tuple[Line, ...]:
        from companion.games.stu import bots

        seen = bots.EventProbabilities(0, 0, exposed=0.05, wrong_dealer=0, matto=0, split=0, close=0, mistake=0.05, bargain=False)
        settings = bots.Settings(
            players=bots.seated(clip.players),
            styles=("card", "odds", "reckless") if clip.mistakes else ("card", "odds"),
            dealing=clip.dealing,
            event_probabilities=seen if clip.mistakes else bots.PLAIN,
            first=self.first_line(),
        )
        return bots.simulate(settings, hands=clip.hands, seed=clip.seed)

    def measure(self, run: BenchRun) -> tuple[str, Any]:
        from workshop.bench.stu.report import measure

        return measure(run)

    def followed(self, run: BenchRun, clips: Sequence[ClipRecipe]) -> Iterator[Any]:
        from workshop.bench.stu.run import run as followed

        return followed(clips, run.cache, run.models, run.deck, run.say, run.real_time)

    def ruled(self, clip: ClipRecipe, truth: Sequence[Line], first: Event, stream: Stream) -> Any:
        from companion.games.stu.rules.log import Game
        from workshop.bench.stu.run import ruled

        assert isinstance(first, Game)
        return ruled(clip, truth, first, stream)

    def glimpse(self, names: Sequence[str], chance: Random) -> dict[str, Any]:
        return {"e": "deal", "to": chance.choice(names), "card": chance.choice(deck.KINDS)}


WORKSHOP = StuWorkshop("stu")
