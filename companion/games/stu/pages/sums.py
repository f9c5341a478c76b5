"""Sums of money as the pages write them."""

from __future__ import annotations

from companion.games.stu import words
from companion.table.language import Lang

_EXACT_TO = 10**14
"""From this many minor units on, a sum is written as a power of ten: ricompere double without end."""


def money(minor: int, lang: Lang) -> str:
    """`minor` units (cents) as people read them: "8,00 €", "€8.00", "1,02·10^25 €"."""
    if minor < _EXACT_TO:
        return words.money(minor, lang)
    digits = str(minor // 100)
    comma = "," if lang == "it" else "."
    return f"{digits[0]}{comma}{digits[1:3]}·10^{len(digits) - 1} €"
