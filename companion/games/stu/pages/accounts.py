"""The accounts at the end of a game of Lu Stù: what everybody put in, what they take of the pot and why (rules 5, 8, 10, 13, 20).

Pure. Who of several partners paid how much of a ricompera is their own business (rule 10): it stands with the player who came
back, and nobody's gain is reckoned who had a part in one.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from companion.games.stu.pages.figures import figures
from companion.games.stu.rules import Report, State
from companion.games.stu.rules.log import Game, Rebuy
from companion.games.stu.rules.state import Agreement
from companion.table.language import Lang, catalogue
from companion.table.moments import Moment
from companion.table.money import Sum, as_sum, money
from companion.table.text import short
from companion.table.view import AccountView


def accounts(moments: Sequence[Moment], told: Report, lang: Lang) -> tuple[AccountView, ...]:
    """Everybody who put something in or takes something out: the winner first, then as they sit, then partners from outside.
    Empty while nobody has won."""
    if told.settlement is None or told.winner is None:
        return ()
    first, seen = moments[0].event, moments[-1].seen
    known = isinstance(first, Game) and not first.ricompere  # else somebody paid before the log begins, and it does not say who
    known = known and not any(setting.made for setting in seen.settings)  # nor does who sets how many were paid
    paid = {row.name: row.paid.minor for row in figures(moments, lang).rows}
    shared = {
        name
        for moment in moments
        if isinstance(moment.event, Rebuy) and moment.event.partners
        for name in (moment.event.by, *(partner.name for partner in moment.event.partners))
    }
    names = (told.winner, *(name for name in (*paid, *told.settlement) if name != told.winner))
    rows = []
    for name in dict.fromkeys(names):
        takes, gave = told.settlement.get(name, 0), paid.get(name, 0)
        exact = known and name not in shared
        rows.append(
            AccountView(
                name, as_sum(takes, lang), as_sum(gave, lang) if known else None, _signed(takes - gave, lang) if exact else None,
                _why(name, told.winner, seen, lang),
            )
        )  # fmt: skip
    return tuple(rows)


def _signed(minor: int, lang: Lang) -> Sum:
    sign = "+" if minor > 0 else "−" if minor < 0 else ""
    return Sum(minor, sign + money(abs(minor), lang))


def _why(name: str, winner: str, seen: State, lang: Lang) -> str:
    """For what somebody takes a part of the pot, in a few words; "" for who takes none."""
    _ = catalogue(lang).gettext
    if name == winner:
        return _("wins the pot")
    return ", ".join(
        _words(agreed, lang).format(share=_percent(agreed.share, lang), winner=short(winner))
        for agreed in seen.agreements
        if winner in agreed.winners and agreed.to == name and agreed.share
    )


def _words(agreed: Agreement, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    if agreed.kind == "taverna":
        return _("{share} for the Taverna, from {winner}")
    return _("{share} as partner of {winner}") if agreed.kind == "partner" else _("{share} as agreed with {winner}")


def _percent(share: Decimal, lang: Lang) -> str:
    """A share of 0 to 1 in percent: "25 %", "33,3 %"."""
    text = f"{float(share) * 100:.1f}".removesuffix(".0")
    return catalogue(lang).gettext("{n} %").format(n=text.replace(".", ",") if lang == "it" else text)
