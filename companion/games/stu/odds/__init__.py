"""Each player's chance of paying, from what everybody at the table has seen.

``look`` at the lines of a log (or take the ``public_hand`` of a state), then ask for the ``odds``: Monte Carlo over the unseen
cards (`deals`), the rest of the hand played by rules and habit (`playout`, `habits`).
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from companion.games.stu.odds.deals import sample
from companion.games.stu.odds.playout import PlayOut
from companion.games.stu.odds.view import Act, Heard, PublicHand, listen, look, public_hand

__all__ = ["Act", "Heard", "Odds", "PlayerOdds", "PublicHand", "listen", "look", "odds", "public_hand"]


class PlayerOdds(Struct, frozen=True):
    """One player's chances, 0 to 1 each.

    Attributes:
        pays: chance of paying a pedina at the showdown.
        deltas: change of pedine from now to the end of the hand → its chance; changes that no sample had are left out.
    """

    name: str
    pays: float
    deltas: dict[int, float]


class Odds(Struct, frozen=True):
    """The chances of everybody in the hand, in the order of play.

    ``effective`` is how many unweighted samples the weighted ones are worth: a chance p is off by about
    ``sqrt(p * (1 - p) / effective)``.
    """

    players: tuple[PlayerOdds, ...]
    effective: float


def odds(view: PublicHand, *, samples: int = 10_000, seed: int = 0) -> Odds:
    """The odds of a hand in progress. The same view and seed give the same odds."""
    rng = np.random.default_rng(seed)
    cards, weight = sample(view, samples, rng)
    end = PlayOut(view, cards, rng)
    end.play()
    share = weight / weight.sum()
    pays = end.paid @ share
    possible = range(int(end.delta.min()), int(end.delta.max()) + 1)
    chances = {delta: (end.delta == delta) @ share for delta in possible}
    players = tuple(
        PlayerOdds(name, float(pays[p]), {delta: float(chance[p]) for delta, chance in chances.items() if chance[p]})
        for p, name in enumerate(view.names)
    )
    return Odds(players, float(1 / np.sum(share**2)))
