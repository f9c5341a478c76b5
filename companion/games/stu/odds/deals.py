"""Random deals of the unseen cards that fit what the table has seen, as weighted samples.

Sequential importance sampling: card after card is drawn without replacement, with a chance in proportion to the copies
left times the likelihood of what was done with it. A deal is then weighted by the product of the sums it was drawn from, so
that in the limit the weighted deals are distributed as "uniform deals times likelihood of all acts".
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.decks.stu import COPIES
from companion.games.stu.odds.habits import NO_CARD, SLIP_PROBABILITY, chance_of_sto
from companion.games.stu.odds.view import Act, PublicHand
from companion.games.stu.steps import FIRST_TRUMP, STEP, STEPS

Cards = NDArray[np.int8]
"""Physical cards: twice the step of the kind, plus which copy (0 or 1)."""
Floats = NDArray[np.float32]

UNHEARD_OF = np.float32(1e-30)
"""The least likelihood of anything: what has happened was possible."""

MAX_FRESH = 2
"""Cards from the top of the deck that a hand can still need, at most: an asker's and the dealer's."""


def sample(view: PublicHand, samples: int, rng: Generator) -> tuple[Cards, NDArray[np.float64]]:
    """Deals that fit the view.

    Returns:
        cards, int8, shape (tokens + up to 2, samples): which physical card each token of the hand is, then the top cards of the
        deck; and the weight of each deal, float64, shape (samples,), with mean 1.
    """
    hand = view.hand
    copies = np.full(STEPS, COPIES, np.int8)
    copies[0] = hand.matti
    faces = (*hand.faces, *[None] * min(MAX_FRESH, hand.fresh))
    cards = np.empty((len(faces), samples), np.int8)
    left = np.repeat(copies[:, None], samples, axis=1).astype(np.float32)
    drawn = np.zeros(len(faces), bool)
    for token, kind in enumerate(faces):
        if kind is not None:
            step = STEP[kind]
            cards[token] = 2 * step + copies[step] - int(left[step, 0])
            left[step] -= 1
            drawn[token] = True
    likelihoods = _Likelihoods(view)
    column = np.arange(samples)
    log_weight = np.zeros(samples)
    for token in np.flatnonzero(~drawn).tolist():
        likelihood, guess = likelihoods.of(token, cards, drawn)
        heights = np.cumsum(left * np.maximum(likelihood * guess, UNHEARD_OF), axis=0)
        mark = rng.random(samples, np.float32) * np.float32(1 - 1e-6) * heights[-1]
        steps = (heights <= mark).sum(axis=0)
        log_weight += np.log(heights[-1]) - np.log(guess[steps, 0])
        cards[token] = 2 * steps + copies[steps] - left[steps, column].astype(np.int8)
        left[steps, column] -= 1
        drawn[token] = True
    weight = np.exp(log_weight - log_weight.max())
    return cards, weight / weight.mean()


class _Likelihoods:
    """Per card and kind, the likelihood of what was done with the card, if it is of this kind."""

    def __init__(self, view: PublicHand) -> None:
        self.stays = chance_of_sto(len(view.hand.order))
        self.yielded = view.heard.yielded
        self.acts: dict[int, list[Act]] = {}
        for act in view.heard.acts:
            for token in {act.token, act.given} - {-1}:
                self.acts.setdefault(token, []).append(act)

    def of(self, token: int, cards: Cards, drawn: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """For a card about to be drawn, given the cards drawn so far.

        Returns:
            The likelihood by kind, shape (20, samples) or (20, 1); and a guess, shape (20, 1), at the likelihood of the
            acts that depend on a card not drawn yet. The guess steers the draw and must be taken out of the weight: those acts
            count with the other card.
        """
        likelihood = guess = np.ones((STEPS, 1), np.float32)
        if self.yielded >> token & 1:
            likelihood = np.where(np.arange(STEPS)[:, None] < FIRST_TRUMP, likelihood, np.float32(SLIP_PROBABILITY))
        for act in self.acts.get(token, ()):
            table = self.stays if act.stayed else 1 - self.stays
            if act.given < 0:
                likelihood = likelihood * table[:, NO_CARD:]
                continue
            table = table[:, :NO_CARD] if token == act.token else table[:, :NO_CARD].T
            other = act.given if token == act.token else act.token
            if drawn[other]:
                likelihood = likelihood * table[:, cards[other] >> 1]
            else:
                guess = guess * table.mean(axis=1, keepdims=True)
        return likelihood, guess
