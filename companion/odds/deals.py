"""Random deals of the unseen cards that fit what the table has seen, as weighted samples.

Sequential importance sampling: card after card is drawn without replacement, with a chance in proportion to the copies left times
the likelihood of what was done with it; each deal is then weighted by the product of the sums it was drawn from. The weighted
deals have exactly the distribution "uniform deals times likelihood of the acts" in the limit.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.odds.habits import FIRST_TRUMP, NOTHING, SLIP, STEP, STEPS, chance_of_sto
from companion.odds.view import Act, PublicHand
from companion.stu.cards import COPIES

Cards = NDArray[np.int8]
"""Physical cards: twice the step of the kind, plus which copy (0 or 1)."""

FRESH = 2
"""How many cards from the top of the deck a hand can still need: an asker's and the dealer's."""


def sample(view: PublicHand, samples: int, rng: Generator) -> tuple[Cards, NDArray[np.float64]]:
    """Deals that fit the view.

    Returns:
        cards, int8, shape (tokens + up to 2, samples): which physical card each token of the hand is, then the top cards of the
        deck; and the weight of each deal, float64, shape (samples,), with mean 1.
    """
    hand = view.hand
    tokens = len(hand.faces)
    top = min(FRESH, hand.fresh)
    copies = np.full((STEPS, 1), COPIES, np.int8)
    copies[0] = hand.matti
    left = np.repeat(copies, samples, axis=1).astype(np.float32)
    cards = np.empty((tokens + top, samples), np.int8)
    known = np.zeros(tokens + top, bool)
    for token, kind in enumerate(hand.faces):
        if kind is not None:
            step = STEP[kind]
            cards[token] = 2 * step + (copies[step] - left[step, :1]).astype(np.int8)
            left[step] -= 1
            known[token] = True
    about: dict[int, list[Act]] = {}
    for act in view.told.acts:
        about.setdefault(act.token, []).append(act)
        if act.given >= 0:
            about.setdefault(act.given, []).append(act)
    stays = chance_of_sto(len(hand.order))
    each = np.arange(samples)
    log_weight = np.zeros(samples)
    for token in range(tokens + top):
        if known[token]:
            continue
        share = left
        if view.told.yielded >> token & 1:
            share = share * _refuses_nothing()
        for act in about.get(token, ()):
            likelihood = _likelihood(act, token, cards, known, stays)
            share = share if likelihood is None else share * likelihood
        heights = np.cumsum(share, axis=0)
        whole = heights[-1]
        if share is not left:
            log_weight += np.log(whole)
        mark = rng.random(samples, np.float32) * np.float32(1 - 1e-6) * whole
        step = (heights <= mark).sum(axis=0)
        cards[token] = 2 * step + copies[step, 0] - left[step, each].astype(np.int8)
        left[step, each] -= 1
        known[token] = True
    weight = np.exp(log_weight - log_weight.max())
    return cards, weight / weight.mean()


def _refuses_nothing() -> NDArray[np.float32]:
    weights = np.ones((STEPS, 1), np.float32)
    weights[FIRST_TRUMP:] = SLIP
    return weights


def _likelihood(act: Act, token: int, cards: Cards, known: NDArray[np.bool_], stays: NDArray[np.float32]
                ) -> NDArray[np.float32] | None:
    """How likely this act is for each kind that ``token`` could be: shape (20, samples) or (20, 1).

    None while it hangs on a card that is drawn later: it counts there.
    """
    table = stays if act.stayed else 1 - stays
    if token == act.token:
        if act.given < 0:
            return table[:, NOTHING:]
        return table[:, cards[act.given] >> 1] if known[act.given] else None
    return table[cards[act.token] >> 1, :NOTHING].T if known[act.token] else None
