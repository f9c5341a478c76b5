"""Tables as CSV, as spreadsheets open them with a double click. No text in one is taken for a formula, or for several cells."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.pages.rows import Cell
from companion.table.language import Lang
from companion.table.money import decimal_mark

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula, whoever wrote it."""


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Cell]], lang: Lang) -> bytes:
    """The rows in UTF-8 with its mark; in Italian with semicolons and decimal commas, as Excel expects them in Italy, else with
    commas and decimal points. Every text is quoted, whatever it holds: a spreadsheet that takes another sign for the end of a
    cell finds none in it.

    >>> as_csv(["Nome", "Soldi"], [["=1+1", Fraction(5, 2)], ['Anna,"B";=2', -1]], "it").decode("utf-8-sig")
    '"Nome";"Soldi"\\r\\n"\\'=1+1";2,50\\r\\n"Anna,""B"";=2";-1\\r\\n'
    """
    between = ";" if lang == "it" else ","
    lines = [[_quoted(column) for column in columns], *([_cell(cell, lang) for cell in row] for row in rows)]
    return "".join(between.join(line) + "\r\n" for line in lines).encode("utf-8-sig")


def harmless(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip().startswith(_DANGEROUS) or text.startswith(_DANGEROUS) else text


def _quoted(text: str) -> str:
    plain = harmless(text).replace('"', '""')
    return f'"{plain}"'


def _cell(cell: Cell, lang: Lang) -> str:
    if isinstance(cell, Fraction):
        return amount(cell, lang)
    if isinstance(cell, str):
        return _quoted(cell)
    return "" if cell is None else str(cell)


def amount(sum_: Fraction, lang: Lang) -> str:
    """An amount of money without its currency, exact at any size, as a spreadsheet reads it.

    >>> amount(Fraction(1600), "it"), amount(Fraction(-1, 2), "en")
    ('1600,00', '-0.50')
    """
    whole, cents = divmod(abs(round(sum_ * 100)), 100)
    return f"{'-' if sum_ < 0 else ''}{whole}{decimal_mark(lang)}{cents:02}"
