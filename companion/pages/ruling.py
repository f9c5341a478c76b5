"""A ruling as the pages show it: its payments, summed for each player, and the headline. Pure; of any game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace

from companion.pages.phone import HandSummary, Score
from companion.pages.view import AccountView, Figure, PaymentView, RulingView, SumView, View
from companion.table.language import Lang, catalogue
from companion.table.money import Sum
from companion.table.people import name_key
from companion.table.text import perhaps, sentence, short, signed

Amount = Callable[[int], str]
"""How a number of what is paid is said, without its sign."""


def ruling_view(
    hand: int, payments: Sequence[PaymentView], lang: Lang, *, final: bool, sure: bool, confidence: float | None = None,
    void: bool = False, notes: Sequence[str] = (), amount: Amount | None = None, about: str = "", said: Sequence[str] = (),
) -> RulingView:  # fmt: skip
    """The ruling of a hand with these payments, in the order in which they fell due. ``amount``: how a number of what is paid is
    said, such as "12,00 €"; ``said``: the headline, where it is not who pays and who gains. Where it is not ``sure``, why
    anybody pays and what is noted beside it are questions."""
    if not sure:
        payments = [replace(paid, text=perhaps(paid.text, sure=False), brief=_asked(paid.brief)) for paid in payments]
    if amount is not None:
        payments = [replace(paid, amount=signed_amount(paid.delta, amount)) for paid in payments]
    sums = summed(payments, amount)
    told = tuple(said) or headline(sums, lang, sure=sure, void=void)
    noted = tuple(perhaps(note, sure=sure) for note in notes)
    return RulingView(hand, final, sure, confidence, void, tuple(payments), noted, sums, told, about)


def _asked(said: str) -> str:
    return perhaps(said, sure=not said)


def summed(payments: Sequence[PaymentView], amount: Amount | None = None) -> tuple[SumView, ...]:
    """A row for each player: what their payments come to, and why, in the order in which the first of them fell due.

    Where a player pays and gains, each reason says which.
    """
    found: dict[str, list[PaymentView]] = {}
    for paid in payments:
        found.setdefault(paid.player, []).append(paid)
    rows = []
    for player, all_of in found.items():
        mixed = any(paid.delta * all_of[0].delta < 0 for paid in all_of)
        why = tuple(f"{paid.amount or signed(paid.delta)} {_brief(paid)}" if mixed else _brief(paid) for paid in all_of)
        delta = sum(paid.delta for paid in all_of)
        rows.append(SumView(player, delta, why, signed_amount(delta, amount) if amount is not None else ""))
    return tuple(rows)


def changes(payments: Sequence[PaymentView]) -> dict[str, int]:
    """Player → what the payments do to what they have; nobody for whom that is nothing."""
    found: dict[str, int] = {}
    for paid in payments:
        if paid.delta:
            found[paid.player] = found.get(paid.player, 0) + paid.delta
    return found


def signed_amount(delta: int, amount: Amount) -> str:
    """The amount with its sign: "+12,00 €", "−6,00 €"; a dash for 0."""
    return f"{'+' if delta > 0 else '−'}{amount(abs(delta))}" if delta else "–"


def headline(sums: Sequence[SumView], lang: Lang, *, sure: bool = True, void: bool = False) -> tuple[str, ...]:
    """Who pays how many, then who gains: parts that a page sets a dot between. Of a ruling that is not sure it says so.

    >>> rows = (SumView("Filomena", -2, ()), SumView("Nicola", -1, ()), SumView("Anna", 0, ()))
    >>> headline(rows, "it"), headline(rows, "en", sure=False)
    (('PAGANO Filomena 2', 'Nicola 1'), ('Perhaps Filomena pays 2', 'Nicola 1'))
    >>> headline((SumView("Nicola", -600, (), "−6,00 €"), SumView("Anna", 600, (), "+6,00 €")), "it")
    ('PAGA Nicola 6,00 €', 'incassa Anna 6,00 €')
    """
    say = catalogue(lang)
    _ = say.gettext
    pays, gains = ([row for row in sums if row.delta * sign > 0] for sign in (-1, 1))
    if void:  # what stands in its sums was told since, a penalty, say
        return (_("Void hand"), *(headline(sums, lang) if pays or gains else ()))
    if not pays and not gains:
        return (_("Nobody pays") if sure else _("Perhaps nobody pays"),)
    many = len(gains)
    if any(row.amount for row in gains):
        gains_it = say.ngettext("then {player} takes {n}", "then {player} takes {n}", many) if pays else _("{player} takes {n}")
        may_gain = _("Perhaps {player} takes {n}")
    else:
        gains_it = say.ngettext("{player} gains {n}", "{player} gains {n}", many)
        may_gain = say.ngettext("Perhaps {player} gains {n}", "Perhaps {player} gains {n}", many)
    pay_it = say.ngettext("{player} pays {n}", "{player} pays {n}", len(pays))
    may_pay = say.ngettext("Perhaps {player} pays {n}", "Perhaps {player} pays {n}", len(pays))
    parts = []
    for rows, first in (
        (pays, pay_it if sure else may_pay),
        (gains, gains_it if sure or pays else may_gain),
    ):
        for row in rows:
            said = first if row is rows[0] else "{player} {n}"
            parts.append(said.format(player=short(row.player), n=row.amount[1:] or abs(row.delta)))
    return (sentence(parts[0]), *parts[1:])


def _brief(paid: PaymentView) -> str:
    return paid.brief or paid.text


def as_sure_as_its_end(view: View) -> View:
    """The view without what only its ruling has decided, where that is not sure and the hand is over: who deals next, and
    whether anybody may come back, are questions. Of a game that it ended nobody has won yet, and nobody has a sum of money; who
    may have won is a question. Where a hand before it is not sure, its sums stand, each with a question mark that hangs on it."""
    if view.ruling is None or view.ruling.sure or not (view.ruling.final or view.status == "won"):
        won_surely = view.status != "won" or end_sure(view)
        return view if won_surely else _won_perhaps(view, doubted_accounts(view.accounts, believed(view)))
    figures = tuple(replace(one, tag=_asked(one.tag)) for one in view.figures)
    view = replace(view, message=_asked(view.message), figures=figures)
    return _won_perhaps(replace(view, settlement=()), ()) if view.status == "won" else view


def _won_perhaps(view: View, accounts: tuple[AccountView, ...]) -> View:
    seats = tuple(replace(seat, winner=False) for seat in view.seats)
    return replace(view, message=_asked(view.message), seats=seats, winner=None, accounts=accounts, settling=())


def believed(view: View) -> tuple[str, ...]:
    """The players for whom a view shows what they have as not sure, in the order of its seats."""
    return tuple(seat.name for seat in view.seats if seat.believed)


def end_sure(view: View) -> bool:
    """Whether a game that is over is sure to have come to what its view says, by all its hands that count for it; of any other
    game, and of the hand in progress, whether its ruling is sure."""
    return (view.ruling is None or view.ruling.sure) and not (view.status == "won" and believed(view))


def doubted_accounts(accounts: Sequence[AccountView], doubted: Collection[str] | None) -> tuple[AccountView, ...]:
    """The accounts with a question mark at the sums of the ``doubted`` players, None for everybody's. Where there is a pot to
    divide all sums hang on who has won it."""
    if doubted is not None and not doubted:
        return tuple(accounts)
    keys = {name_key(name) for name in doubted or ()}
    pot = any(one.paid is not None or one.takes.minor for one in accounts)
    return tuple(
        replace(one, takes=_asked_sum(one.takes), net=_asked_sum(one.net) if one.net is not None else None)
        if doubted is None or pot or name_key(one.name) in keys else one
        for one in accounts
    )  # fmt: skip


def _asked_sum(one: Sum) -> Sum:
    return replace(one, text=_asked(one.text))


def doubted_figures(now: Sequence[Figure], before: Sequence[Figure], *, sure: bool) -> tuple[Figure, ...]:
    """The figures ``now``, with a question mark at what a ruling that is not ``sure`` has made of those ``before`` it."""
    was = {one.label: one for one in before}
    return tuple(
        replace(
            one,
            text=perhaps(one.text, sure=sure or one.text == was[one.label].text),
            tag=perhaps(one.tag, sure=sure or one.tag == was[one.label].tag),
        )
        for one in now
    )


def doubted_hand(hand: HandSummary, *, sure: bool) -> HandSummary:
    """What a hand came to, in sentences that are all questions where its ruling is not ``sure``: who is out, say, hangs on it as
    much as who pays. So is what a list of hands says of it."""
    if sure:
        return hand
    paid, notes = (tuple(perhaps(said, sure=False) for said in told) for told in (hand.paid, hand.notes))
    return replace(hand, paid=paid, notes=notes, payers=perhaps(hand.payers, sure=False), doubtful=True)


def doubted_end(score: Score, *, sure: bool) -> Score:
    """How the game stands: what the last ruling has decided, who has won, say, is a question where that is not ``sure``."""
    if sure or score.phase in ("in_play", "hand_in_progress"):
        return score
    return replace(score, status=perhaps(score.status, sure=False), winner=None)
