"""A ruling as the pages show it: its payments, summed for each player, and the headline. Pure; of any game."""

from __future__ import annotations

from collections.abc import Sequence

from companion.table.language import Lang, catalogue
from companion.table.text import sentence, short, signed
from companion.table.view import PaymentView, RulingView, SumView


def ruling_view(
    hand: int, payments: Sequence[PaymentView], lang: Lang, *, final: bool, sure: bool, confidence: float | None = None,
    void: bool = False, notes: Sequence[str] = (),
) -> RulingView:  # fmt: skip
    """The ruling of a hand with these payments, in the order in which they fell due."""
    sums = summed(payments)
    said = headline(sums, lang, sure=sure, void=void)
    return RulingView(hand, final, sure, confidence, void, tuple(payments), tuple(notes), sums, said)


def summed(payments: Sequence[PaymentView]) -> tuple[SumView, ...]:
    """A row for each player: what their payments come to, and why, in the order in which the first of them fell due.

    Where a player pays and gains, each reason says which.
    """
    found: dict[str, list[PaymentView]] = {}
    for paid in payments:
        found.setdefault(paid.player, []).append(paid)
    rows = []
    for player, all_of in found.items():
        mixed = any(paid.delta * all_of[0].delta < 0 for paid in all_of)
        why = tuple(f"{signed(paid.delta)} {_brief(paid)}" if mixed else _brief(paid) for paid in all_of)
        rows.append(SumView(player, sum(paid.delta for paid in all_of), why))
    return tuple(rows)


def headline(sums: Sequence[SumView], lang: Lang, *, sure: bool = True, void: bool = False) -> tuple[str, ...]:
    """Who pays how many, then who gains: parts that a page sets a dot between. Of a ruling that is not sure it says so.

    >>> rows = (SumView("Filomena", -2, ()), SumView("Nicola", -1, ()), SumView("Anna", 0, ()))
    >>> headline(rows, "it"), headline(rows, "en", sure=False)
    (('PAGA Filomena 2', 'Nicola 1'), ('Perhaps Filomena pays 2', 'Nicola 1'))
    """
    _ = catalogue(lang).gettext
    if void:
        return (_("Void hand"),)
    pays, gains = ([row for row in sums if row.delta * sign > 0] for sign in (-1, 1))
    if not pays and not gains:
        return (_("Nobody pays") if sure else _("Perhaps nobody pays"),)
    parts = []
    for rows, first in (
        (pays, _("{player} pays {n}") if sure else _("Perhaps {player} pays {n}")),
        (gains, _("{player} gains {n}") if sure or pays else _("Perhaps {player} gains {n}")),
    ):
        for row in rows:
            said = first if row is rows[0] else "{player} {n}"
            parts.append(said.format(player=short(row.player), n=abs(row.delta)))
    return (sentence(parts[0]), *parts[1:])


def _brief(paid: PaymentView) -> str:
    return paid.brief or paid.text
