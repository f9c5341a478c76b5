"""What sto and passo cost on average, reckoned in microseconds from a `View`: the odds bot's head.

A rough count, not the odds of `companion.odds`: each card unseen is taken to be drawn on its own from those that could be it, cards
that somebody kept are taken to be high, cards that somebody passed on to be low.
"""

from __future__ import annotations

from companion.stu.cards import KINDS
from companion.workshop.simulator.view import View

_STEP = {kind: step for step, kind in enumerate(KINDS)}
_LAST_NUMBER = _STEP["10"]
_TAVERNA, _GNAO, _SALTA, _BRAGON, _CUCCO = range(_LAST_NUMBER + 1, len(KINDS))

_KEPT = tuple(min(1.0, 0.05 + 0.09 * step) for step in range(len(KINDS)))
"""How likely each kind is kept; the rest of the time it is passed on."""
_PASSED = tuple(1.05 - share for share in _KEPT)
_ANY = (1.0,) * len(KINDS)


class _Count:
    """The cards this player has not seen: how many of each kind, and how sure the others are to be higher."""

    def __init__(self, view: View) -> None:
        unseen = [2] * len(KINDS)
        unseen[0] = view.matti
        for kind in view.faces:
            if kind is not None:
                unseen[_STEP[kind]] -= 1
        self.unseen = unseen
        self.total = sum(unseen)
        self.others: list[int] = []
        fresh = kept = passed = 0
        for position, token in enumerate(view.holds):
            if token < 0 or position == view.me:
                continue
            face = view.faces[token]
            if face is not None:
                self.others.append(_STEP[face])
            elif view.passed >> token & 1:
                passed += 1
            elif view.kept >> token & 1:
                kept += 1
            else:
                fresh += 1
        self.marks = [
            (how_many, _shares_higher(unseen, weights))
            for how_many, weights in ((fresh, _ANY), (kept, _KEPT), (passed, _PASSED))
            if how_many
        ]

    def loss(self, own: int) -> float:
        """Pedine lost on average at the showdown with this card: the chance that it is the lowest, the Matti aside."""
        if own == 0:
            other = 0.0
            for how_many, shares in self.marks:
                other += how_many * (1 - shares[0])
            return 1 - 2 * min(1.0, other)
        for step in self.others:
            if 0 < step < own:
                return 0.0
        chance = 1.0
        for how_many, shares in self.marks:
            chance *= shares[own] ** how_many
        return chance


def _shares_higher(unseen: list[int], weights: tuple[float, ...]) -> list[float]:
    """For each kind, the chance that a card unseen does not undercut it. A Matto does not: the lowest of the others still pays.

    The entry of the Matto is the chance that the card is none.
    """
    parts = [count * weight for count, weight in zip(unseen, weights, strict=True)]
    whole = sum(parts) or 1.0
    shares = [1 - parts[0] / whole]
    lower = 0.0
    for part in parts[1:]:
        shares.append(1 - (lower + part / 2) / whole)
        lower += part
    return shares


def loss_of_sto(view: View) -> float:
    """Pedine lost on average by staying."""
    return _Count(view).loss(_STEP[view.own])


def loss_of_passo(view: View) -> float:
    """Pedine lost on average by passing: to the next player, to the one before in a backward run, or to the deck."""
    count = _Count(view)
    own = _STEP[view.own]
    if view.asked > view.dealer:
        losses = (unseen * count.loss(step) for step, unseen in enumerate(count.unseen) if unseen)
        return sum(losses) / (count.total or 1)
    token = view.holds[view.asked]
    face = view.faces[token]
    stays_mine = count.loss(own)
    if face is not None:
        return _answered(count, own, _STEP[face], stays_mine)
    weights = _PASSED if view.passed >> token & 1 else _KEPT if view.kept >> token & 1 else _ANY
    whole = loss = 0.0
    for step, unseen in enumerate(count.unseen):
        if unseen:
            part = unseen * weights[step]
            whole += part
            loss += part * _answered(count, own, step, stays_mine)
    return loss / (whole or 1)


def _answered(count: _Count, own: int, theirs: int, stays_mine: float) -> float:
    """Pedine lost on average when the asked holds this."""
    if theirs in (_GNAO, _BRAGON):
        return 1 + stays_mine
    if theirs in (_TAVERNA, _CUCCO):
        return stays_mine
    if theirs == _SALTA:
        return stays_mine / 2
    if 0 < own < theirs:
        return 0.0
    return count.loss(theirs) / (2 if own == theirs else 1)
