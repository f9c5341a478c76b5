"""Texts without sums of money, as the TV shows them where money is hidden (`web/static/switches.js`). Pure."""

from __future__ import annotations

import re
from typing import Final

_MONEY: Final = re.compile(r"[+−-]?(?:€\s?\d[\d.,]*|\d[\d.,]*(?:·10\^\d+)?\s?€)")
_BRACKETED: Final = re.compile(r"\s*\([^()]*\)")
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


def name_only(text: str) -> str:
    """The text before its first sum: of a name with a share the name; "" of a sum alone.

    >>> name_only("Anna 2,00 €, o 3,00 € se vince"), name_only("12,50 €"), name_only("Anna")
    ('Anna', '', 'Anna')
    """
    found = _MONEY.search(text)
    return text if found is None else text[: found.start()].strip()


def without_sums(text: str) -> str:
    """What a sentence says besides its sums: its parts between commas, colons and brackets that name none; "" for nothing.

    >>> without_sums("2,00 €, con Anna (50 %: 4,00 €, mette 1,00 €)"), without_sums("Montepremi 8,00 €")
    ('con Anna', '')
    >>> without_sums("Punto grosso: 38,80 €"), without_sums("Fermo: passa Anna"), without_sums("PAGA Anna 2 · Bea 1")
    ('Punto grosso', 'Fermo: passa Anna', 'PAGA Anna 2 · Bea 1')
    """
    if not has_money(text):
        return text
    plain = _BRACKETED.sub(lambda found: "" if has_money(found[0]) else found[0], text)
    kept = []
    for part in plain.split(", "):
        before, colon, after = part.rpartition(": ")
        told = before if colon and has_money(after) and not has_money(before) else part
        if not has_money(told):
            kept.append(told)
    return ", ".join(kept).strip()
