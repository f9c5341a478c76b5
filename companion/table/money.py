"""Sums of money as people read them. Inside the program they are whole minor units (cents), exact at any size."""

from __future__ import annotations

from msgspec import Struct

from companion.table.language import Lang, catalogue

_EXACT_TO = 10**14
"""From this many minor units on, a page writes a sum as a power of ten: some prices double without end."""


class Sum(Struct, frozen=True):
    """An amount of money: ``minor`` units (cents) and as people read it."""

    minor: int
    text: str


def exact(minor: int, lang: Lang) -> str:
    """``minor`` units (cents) in euros, exact at any size. Not negative.

    >>> exact(123456, "it"), exact(5, "en")
    ('1234,56 €', '€0.05')
    """
    euros, cents = divmod(minor, 100)
    return catalogue(lang).gettext("€{euros}.{cents}").format(euros=euros, cents=f"{cents:02}")


def money(minor: int, lang: Lang) -> str:
    """``minor`` units (cents) as a page writes them: "8,00 €", "€8.00", "1,02·10^25 €"."""
    if minor < _EXACT_TO:
        return exact(minor, lang)
    digits = str(minor // 100)
    comma = "," if lang == "it" else "."
    return f"{digits[0]}{comma}{digits[1:3]}·10^{len(digits) - 1} €"


def stake(minor: int, lang: Lang, *, points: bool = False) -> str:
    """An amount of a game that may be played for points: ``minor`` units (cents), or so many ``points``. Not negative.

    >>> stake(250, "it"), stake(250, "it", points=True), stake(1, "en", points=True)
    ('2,50 €', '250 punti', '1 point')
    """
    if not points:
        return money(minor, lang)
    return str(catalogue(lang).ngettext("{n} point", "{n} points", minor).format(n=minor))


def minor_units(text: str) -> int:
    """Cents from what people type: "2", "2,5", "2.50", "€ 2".

    Raises:
        ValueError: it is no sum of euros, or one below 0.

    >>> minor_units("2,5"), minor_units("€ 0.05")
    (250, 5)
    """
    plain = text.replace("€", "").replace("\xa0", " ").strip().replace(",", ".")
    whole, _, cents = plain.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 12 and (not cents or (cents.isascii() and cents.isdigit()))):
        raise ValueError(text)
    if len(cents) > 2:
        raise ValueError(text)
    return int(whole) * 100 + int((cents + "00")[:2])


def typed(minor: int) -> str:
    """An amount as people type it, to be changed: "2", "2,50"."""
    return f"{minor // 100}" + (f",{minor % 100:02}" if minor % 100 else "")


def as_sum(minor: int, lang: Lang) -> Sum:
    """The amount with its text."""
    return Sum(minor, money(minor, lang))
