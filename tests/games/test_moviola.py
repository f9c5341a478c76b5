"""A step of the moviola is the table as it was then: what everybody had, the figures, what had happened until then."""

from __future__ import annotations

from importlib import import_module

import pytest

from companion.games import GAMES
from companion.pages.moments import follow
from companion.pages.moviola import SETTINGS

HAS = {"stu": ("pedine", "virgin", "has"), "stoppa": ("has",), "stoper": ("has",)}


@pytest.mark.parametrize("seed", [1, 4])
@pytest.mark.parametrize("game_id", sorted(HAS))
def test_every_step_shows_what_everybody_had_then(game_id: str, seed: int) -> None:
    bots, game = import_module(f"companion.games.{game_id}.bots"), GAMES[game_id]
    log = bots.simulate(bots.Settings(players=bots.seated(4), event_probabilities=bots.PLAIN), hands=4, seed=seed)
    moments = list(follow(game.rules, game.pages, log))
    over = [at for at in range(1, len(moments)) if game.rules.hands(moments[at].seen) > game.rules.hands(moments[at - 1].seen)]
    differs = 0
    for hand, end in enumerate(over, start=1):
        if game.rules.in_hand(moments[end].seen):  # the next has begun with the same line
            continue
        begin = next(at for at, moment in enumerate(moments) if moment.seen.hand is not None and moment.seen.hand.n == hand)
        replayed = game.pages.moviola(moments[: end + 1], "it") if game.pages.moviola is not None else None
        assert replayed is not None
        assert replayed.n == hand
        first, last = (game.pages.view(moments[: at + 1], "it", SETTINGS) for at in (begin, end))

        def had(shown: object) -> list[tuple[object, ...]]:
            return [tuple(getattr(seat, key) for key in HAS[game_id]) for seat in shown.seats]

        assert (had(replayed.steps[0]), replayed.steps[0].figures) == (had(first), first.figures)
        assert (had(replayed.steps[-1]), replayed.steps[-1].figures) == (had(last), last.figures)
        told = replayed.steps[0].happened
        assert told
        assert told == first.happened[-len(told) :], "and nothing of the hand before"
        assert all(step.happened != last.happened for step in replayed.steps[:1])
        differs += had(first) != had(last)
    assert differs
