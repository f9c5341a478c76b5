"""Sums of money as people read them. Inside the program they are whole minor units (cents), exact at any size."""

from __future__ import annotations

from companion.table.language import Lang, catalogue


def money(minor_units: int, language: Lang) -> str:
    """A sum in euros, exact at any size. Not negative.

    >>> money(123456, "it"), money(5, "en")
    ('1234,56 €', '€0.05')
    """
    euros, cents = divmod(minor_units, 100)
    return catalogue(language).gettext("€{euros}.{cents}").format(euros=euros, cents=f"{cents:02}")
