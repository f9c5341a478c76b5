"""Texts without sums of money, as the TV shows them where money is hidden (`web/static/switches.js`). Pure."""

from __future__ import annotations

import re
from typing import Final

_MONEY: Final = re.compile(r"[+−-]?(?:€\s?\d[\d.,]*|\d[\d.,]*(?:·10\^\d+)?\s?€)")
HIDDEN: Final = "•••"
"""What stands in the place of a sum."""


def has_money(text: str) -> bool:
    """Whether a text names a sum of money.

    >>> has_money("pot 12,50 €"), has_money("€0.05"), has_money("2 pedine")
    (True, True, False)
    """
    return _MONEY.search(text) is not None


def discreet(text: str) -> str:
    """The text with dots in place of each sum of money.

    >>> discreet("PAGA Nicola 6,00 €")
    'PAGA Nicola •••'
    """
    return _MONEY.sub(HIDDEN, text)
