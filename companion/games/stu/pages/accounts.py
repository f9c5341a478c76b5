"""The accounts at the end of a game of Lu Stù: what everybody put in, what they take of the pot and why (rules 5, 8, 10, 13, 20).
Pure. The sums are those of `companion.games.stu.rules.reckoning`."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.stu.rules import State, reckoning
from companion.games.stu.rules.state import Agreement
from companion.pages.view import AccountView
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, as_sum, money, percent
from companion.table.text import short


def accounts(seen: State, lang: Lang) -> tuple[AccountView, ...]:
    """Everybody who put something in or takes something out: the winner first, then as they sit, then partners from outside.
    Empty while nobody has won."""
    return tuple(
        AccountView(
            one.name, as_sum(one.takes, lang), as_sum(one.paid, lang) if one.paid is not None else None,
            _signed(one.net, lang) if one.net is not None else None, why(one.name, seen, lang),
        )
        for one in reckoning.accounts(seen)
    )  # fmt: skip


def _signed(minor: int, lang: Lang) -> Sum:
    sign = "+" if minor > 0 else "−" if minor < 0 else ""
    return Sum(minor, sign + money(abs(minor), lang))


def why(name: str, seen: State, lang: Lang) -> str:
    """Why somebody takes a part of the pot of a game that is won, in a few words; or why they take none, though something was
    agreed or they have paid for another; "" where there is nothing to say."""
    _, winner = catalogue(lang).gettext, seen.winner or ""
    if name == winner:
        return _("wins the pot")
    found = [
        _words(agreed, lang).format(share=percent(agreed.share, lang), winner=short(winner))
        for agreed in seen.agreements
        if winner in agreed.winners and agreed.to == name and agreed.share
    ]
    return ", ".join(found) or "; ".join(dict.fromkeys(_in_vain(name, seen, lang)))


def _in_vain(name: str, seen: State, lang: Lang) -> Iterator[str]:
    """What was agreed for somebody who takes nothing by it: it no longer counts, or the one who was to give it has not won."""
    _ = catalogue(lang).gettext
    reasons = {10: _("came back again"), 20: _("agreed again"), 21: _("all came back: rule 21")}
    now = {(agreed.kind, agreed.winners, agreed.to) for agreed in seen.agreements}
    gone = [
        (one.agreed, _("no longer counts ({why})").format(why=reasons[one.rule]))
        for one in seen.lapsed if (one.agreed.kind, one.agreed.winners, one.agreed.to) not in now
    ]  # fmt: skip
    lost = [(agreed, _("who has not won")) for agreed in seen.agreements if seen.winner not in agreed.winners]
    for agreed, reason in (*gone, *lost):
        if agreed.to == name and agreed.share:
            who = next((winner for winner in agreed.winners if winner != name), None)
            if who is not None:
                yield _words(agreed, lang).format(share=percent(agreed.share, lang), winner=short(who)) + ", " + reason


def _words(agreed: Agreement, lang: Lang) -> str:
    _ = catalogue(lang).gettext
    if agreed.kind == "taverna":
        return _("{share} for the Taverna, from {winner}")
    return _("{share} as partner of {winner}") if agreed.kind == "partner" else _("{share} as agreed with {winner}")
