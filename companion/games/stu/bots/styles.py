"""The three styles: how a bot decides, from its `View` and chance alone.

A bot with a trump stays: by rule 2 a player passes only to get something better. Only the reckless sometimes forget.
"""

from __future__ import annotations

from random import Random

from companion.games.stu.bots.reckoning import Reckoning
from companion.games.stu.bots.settings import PlayingStyle
from companion.games.stu.bots.view import View
from companion.games.stu.steps import FIRST_TRUMP, STEP, indifference


def stays(style: PlayingStyle, view: View, rng: Random, mistake: float) -> bool:
    """Whether this player says sto. ``mistake`` is the chance that a reckless one passes a trump on."""
    own = STEP[view.own]
    if own >= FIRST_TRUMP:
        return not (style == "reckless" and rng.random() < mistake)
    if style == "odds":
        reckoning = Reckoning(view)
        loss = reckoning.sto()
        return loss <= 0 or loss <= reckoning.passo()
    if style == "card":
        return own >= indifference(view.dealer + 1) + rng.uniform(-1, 1)
    return rng.random() < 0.2 + 0.05 * own


def offers_taverna(style: PlayingStyle, last: bool, rng: Random) -> bool:
    """Whether the asked player would give the Taverna away. The last to decide is less willing: nobody can be asked after
    them."""
    willing = {"card": 0.25, "odds": 0.35, "reckless": 0.6}[style]
    return rng.random() < (willing / 2 if last else willing)


def takes_taverna(style: PlayingStyle, view: View, rng: Random) -> bool:
    """Whether the asker agrees to the terms: gladly with a low card."""
    if style == "reckless":
        return rng.random() < 0.7
    return STEP[view.own] < indifference(view.dealer + 1) + 1


def swaps_by_mistake(style: PlayingStyle, rng: Random, mistake: float) -> bool:
    """Whether the asked player lets a trump go, though it refuses."""
    return style == "reckless" and rng.random() < mistake


def comes_back(style: PlayingStyle, price: int, pot: int, pedine: int, stake: int, rng: Random) -> bool:
    """Whether an eliminated player pays the ricompera.

    Args:
        price: what it costs now. pot: the pot before it. pedine: how many all the others have together. stake: the first stake;
            all in minor units. Nobody spends more than 64 stakes on one ricompera.
    """
    if price > 64 * stake:
        return False
    if style == "odds":
        return (pot + price) * 3 > price * (pedine + 3)
    return rng.random() < (0.35 if style == "card" else 0.7)
