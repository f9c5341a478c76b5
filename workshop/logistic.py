"""Logistic regression, by scipy's trust-region Newton method: targets may be shares, and each weight has a ridge of its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from companion.table.errors import CompanionError

Floats = NDArray[np.float64]


class CannotFit(CompanionError):
    """Data to which no weights were found; the message says how many rows there were."""


def fitted(features: Floats, target: Floats, ridge: Floats | float = 0.0) -> Floats:
    """The weights (k,) under which ``target`` (n,), 0 to 1 each, is likeliest, given ``features`` (n, k); no constant is added.

    Minimises the negative log-likelihood in nats plus half of ``ridge`` ((k,), or one for all) times the squared weights.

    Raises:
        CannotFit: no rows, or the search did not come to an end.
    """
    count, width = features.shape
    pull = np.broadcast_to(np.asarray(ridge, np.float64), (width,)) / max(count, 1)

    def loss(weights: Floats) -> tuple[float, Floats]:
        said = features @ weights
        surprise = np.logaddexp(0.0, said) - target * said
        slope = features.T @ (expit(said) - target) / count + pull * weights
        return float(surprise.mean() + 0.5 * (pull * weights**2).sum()), slope

    def curvature(weights: Floats) -> Floats:
        chance = expit(features @ weights)
        return np.asarray((features * (chance * (1 - chance) / count)[:, None]).T @ features + np.diag(pull))

    if not count:
        raise CannotFit("no rows to fit weights to: expected at least one")
    found = minimize(loss, np.zeros(width), jac=True, hess=curvature, method="trust-exact", options={"gtol": 1e-10})
    weights = np.asarray(found.x, np.float64)
    if not found.success and np.abs(loss(weights)[1]).max() > 1e-7:
        raise CannotFit(f"no weights found for {count} rows: {found.message}")
    return weights


def probabilities(features: Floats, weights: Floats) -> Floats:
    """What the ``weights`` (k,) say of ``features`` (n, k): (n,), 0 to 1."""
    return np.asarray(expit(features @ weights), np.float64)
