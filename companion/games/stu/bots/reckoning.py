"""What sto and passo cost on average, estimated from a `View` within microseconds: how the odds bot decides.

A rough count, not the odds of `companion.games.stu.odds`: each card unseen is taken to be drawn on its own from those that could
be it, cards that somebody kept are taken to be high, cards that somebody passed on to be low.
"""

from __future__ import annotations

from functools import lru_cache

from companion.decks.stu import KINDS
from companion.games.stu.bots.view import View
from companion.games.stu.rules.state import NOBODY
from companion.games.stu.steps import STEP, indifference

_TAVERNA, _GNAO, _SALTA, _BRAGON, _CUCCO = range(STEP["taverna"], len(KINDS))

_ANY = (1.0,) * len(KINDS)
_PASSED_ON_PROBABILITY = 0.6
"""Probability that a low card that was passed on is passed on once more; the dealer puts it under the deck."""


@lru_cache
def _kept(players: int) -> tuple[float, ...]:
    """Per kind, low to high, the probability that it is kept, at a table of ``players``."""
    middle = indifference(players)
    return tuple(min(0.97, max(0.03, 0.5 + (step - middle) / 5)) for step in range(len(KINDS)))


@lru_cache
def _passed(players: int) -> tuple[float, ...]:
    """Per kind, low to high, the probability that it is passed on."""
    return tuple(1 - share for share in _kept(players))


class Reckoning:
    """The cards this player has not seen: the number of each kind, and the probability that the others' are higher."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.own = STEP[view.own]
        self.leaves = 0.0  # chance that the own card, passed on, ends under the deck
        unseen = [2] * len(KINDS)
        unseen[0] = view.matti
        for kind in view.faces:
            if kind is not None:
                unseen[STEP[kind]] -= 1
        self.unseen = unseen
        self.others: list[int] = []
        self.kept, self.passed = _kept(view.dealer + 1), _passed(view.dealer + 1)
        many = {_ANY: 0, self.kept: 0, self.passed: 0}
        for position, token in enumerate(view.holds):
            if token < 0 or position == view.me:
                continue
            face = view.faces[token]
            if face is not None:
                self.others.append(STEP[face])
            else:
                many[self._weights(token)] += 1
        self.hidden = [(count, _shares_higher(unseen, weights)) for weights, count in many.items() if count]

    def _weights(self, token: int) -> tuple[float, ...]:
        """Per kind, the likelihood that this hidden card is one, by what was done with it."""
        bit = 1 << token
        return self.passed if self.view.passed & bit else self.kept if self.view.kept & bit else _ANY

    def sto(self) -> float:
        """Pedine lost on average by staying."""
        return self._with(self.own)

    def passo(self) -> float:
        """Pedine lost on average by passing: to the next player, to the one before in a backward run, or to the deck."""
        view = self.view
        if view.asked == NOBODY:
            losses = [unseen * self._with(step) for step, unseen in enumerate(self.unseen) if unseen]
            return sum(losses) / (sum(self.unseen) or 1)
        token = view.holds[view.asked]
        face = view.faces[token]
        mine = self._with(self.own)
        self.leaves = _PASSED_ON_PROBABILITY ** (view.dealer - view.asked) if view.asked > view.me else 0.0
        if face is not None:
            return self._asking(STEP[face], mine)
        weights = self._weights(token)
        whole = loss = 0.0
        for step, unseen in enumerate(self.unseen):
            if unseen:
                part = unseen * weights[step]
                whole += part
                loss += part * self._asking(step, mine)
        return loss / (whole or 1)

    def _with(self, own: int) -> float:
        """Pedine lost on average at the showdown with this card: the probability that it is the lowest, not counting the
        Matti."""
        if own == 0:
            other = sum([count * (1 - shares[0]) for count, shares in self.hidden])
            return 1 - 2 * min(1.0, other + self.others.count(0))
        for step in self.others:
            if 0 < step < own:
                return 0.0
        chance = 1.0
        for count, shares in self.hidden:
            chance *= shares[own] ** count
        return chance

    def _asking(self, theirs: int, mine: float) -> float:
        """Pedine lost on average when the asked player holds ``theirs``; ``mine`` are those lost with the own card."""
        if theirs in (_GNAO, _BRAGON):
            return 1 + mine
        if theirs in (_TAVERNA, _CUCCO):
            return mine
        if theirs == _SALTA:
            return mine / 2
        loss = self._with(theirs)
        if 0 < self.own < theirs:
            return loss * self.leaves
        return loss / 2 if self.own == theirs else loss


def _shares_higher(unseen: list[int], weights: tuple[float, ...]) -> list[float]:
    """Per kind, the probability that an unseen card does not undercut it. A Matto does not: the lowest of the others still pays.

    The entry of the Matto is the probability that the card is not one.
    """
    parts = [count * weight for count, weight in zip(unseen, weights, strict=True)]
    whole = sum(parts) or 1.0
    shares = [1 - parts[0] / whole]
    lower = 0.0
    for part in parts[1:]:
        shares.append(1 - (lower + part / 2) / whole)
        lower += part
    return shares
