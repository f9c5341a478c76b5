"""Sums of money as people read them. Inside the program they are whole minor units (cents), exact at any size."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from msgspec import Struct

from companion.table.language import Lang, catalogue

LARGE_SUM: Final = 100_000
"""Minor units (cents): a typed sum of this or more is asked about, as 1.000 euros are more than a bar plays for."""

_EXACT_TO = 10**14
"""Minor units (cents): a page writes a sum of this or more as a power of ten. Some prices double without end."""


_MARKS: Final[dict[Lang, tuple[str, str]]] = {"it": (".", ","), "en": (",", ".")}
"""The marks of thousands and of decimals, as in CLDR. To import babel for them takes longer than to rule on a game."""

_DIGITS = 12
_TYPED = re.compile(
    r"(?P<whole>[1-9]\d{0,2}(?P<group>[.,’' \u00a0\u202f])\d{3}(?:(?P=group)\d{3})*|\d+|(?=[.,]\d))"
    r"(?:(?P<point>[.,])(?P<cents>\d{0,2}))?",
    re.ASCII,
)
"""Digits, perhaps in groups of three, then perhaps cents; or cents alone, after their mark."""


class Sum(Struct, frozen=True):
    """An amount of money: ``minor`` units (cents) and as people read it."""

    minor: int
    text: str


class Minor(int):
    """Minor units (cents) as a value in a reason (`companion.table.errors`). The error of a log shows the number as it is there,
    a page shows a sum."""


class Points(int):
    """A number of points as a value in what is said of a form; a page shows it with its thousands."""


class TooLarge(ValueError):
    """A typed number has more than twelve digits before the cents."""


def exact(minor: int, lang: Lang) -> str:
    """``minor`` units (cents) in euros, exact at any size. Not negative.

    >>> exact(123456, "it"), exact(5, "en")
    ('1.234,56 €', '€0.05')
    """
    euros, cents = divmod(minor, 100)
    return catalogue(lang).gettext("€{euros}.{cents}").format(euros=grouped(euros, lang), cents=f"{cents:02}")


def bare(minor: int, lang: Lang) -> str:
    """``minor`` units (cents) as a sum without its currency. Not negative.

    >>> bare(123456, "it"), bare(5, "en")
    ('1.234,56', '0.05')
    """
    euros, cents = divmod(minor, 100)
    return f"{grouped(euros, lang)}{decimal_mark(lang)}{cents:02}"


def grouped(number: int, lang: Lang) -> str:
    """A whole number with a mark after each three digits.

    >>> grouped(1234567, "it"), grouped(-1234, "en")
    ('1.234.567', '-1,234')
    """
    return f"{number:,}".replace(",", group_mark(lang))


def group_mark(lang: Lang) -> str:
    """The mark between groups of three digits of a number."""
    return _MARKS[lang][0]


def decimal_mark(lang: Lang) -> str:
    """The decimal mark."""
    return _MARKS[lang][1]


def percent(share: Decimal, lang: Lang) -> str:
    r"""A share of 0 to 1 in percent, to four decimals: "25 %", "33,3333 %". No line parts the number from its sign.

    >>> percent(Decimal("0.29"), "it"), percent(Decimal("0.333333"), "it"), percent(Decimal(1), "en")
    ('29\xa0%', '33,3333\xa0%', '100\xa0%')
    """
    text = f"{round(share * 100, 4):f}".rstrip("0").rstrip(".")
    return catalogue(lang).gettext("{n}\u00a0%").format(n=text.replace(".", decimal_mark(lang)))


def money(minor: int, lang: Lang) -> str:
    """``minor`` units (cents) as a page writes them: "8,00 €", "€8.00", "1,02·10^25 €"."""
    if minor < _EXACT_TO:
        return exact(minor, lang)
    digits = str(minor // 100)
    return f"{digits[0]}{decimal_mark(lang)}{digits[1:3]}·10^{len(digits) - 1} €"


def stake(minor: int, lang: Lang, *, points: bool = False) -> str:
    """An amount of a game that may be played for points: ``minor`` units (cents), or that number of points. Not negative.

    >>> stake(250, "it"), stake(2500, "it", points=True), stake(1, "en", points=True)
    ('2,50 €', '2.500 punti', '1 point')
    """
    if not points:
        return money(minor, lang)
    return str(catalogue(lang).ngettext("{n} point", "{n} points", minor).format(n=grouped(minor, lang)))


def minor_units(text: str) -> int:
    """Cents from what people type: "2", "2,5", ",5", "2.50", "€ 2", "1.234,50". The € stands before the number or after it. A
    mark with one or two digits after it is that of the cents, one with three that of the thousands; "1,234" alone is neither.

    Raises:
        ValueError: it is no sum of euros, or one below 0. TooLarge: it has more than twelve digits before the cents.

    >>> minor_units("2,5"), minor_units(",5"), minor_units("€ 0.05"), minor_units("1.234,50 €"), minor_units("10.000")
    (250, 50, 5, 123450, 1000000)
    """
    plain = text.strip()
    plain = plain.removeprefix("€") if plain.startswith("€") else plain.removesuffix("€")
    whole, cents = _number(plain.strip())
    return whole * 100 + int((cents or "").ljust(2, "0"))


def points_of(text: str) -> int:
    """A number of points from what people type: "200", "1.000".

    Raises:
        ValueError: it is none, or one below 0. TooLarge: it has more than twelve digits.

    >>> points_of("200"), points_of("1.000")
    (200, 1000)
    """
    whole, cents = _number(text.strip())
    if cents is not None:
        raise ValueError(text)
    return whole


def _number(text: str) -> tuple[int, str | None]:
    """The digits before the mark of the cents, and those after it; None without a mark."""
    found = _TYPED.fullmatch(text)
    if found is None or (found["group"] and found["group"] == found["point"]):
        raise ValueError(text)
    if found["group"] == "," and found["whole"].count(",") == 1 and not found["point"]:
        raise ValueError(text)
    digits = re.sub(r"\D", "", found["whole"])
    if len(digits) > _DIGITS:
        raise TooLarge(text)
    return int(digits or "0"), found["cents"]


def typed(minor: int) -> str:
    """An amount (minor units) as people type it, to begin a form with: "2", "2,50"."""
    return f"{minor // 100}" + (f",{minor % 100:02}" if minor % 100 else "")


def as_sum(minor: int, lang: Lang) -> Sum:
    """The amount (minor units) together with its text."""
    return Sum(minor, money(minor, lang))
