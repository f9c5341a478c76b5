"""Who gives how much to whom, so that everybody has what they have won, as people say it. Pure.

Where a game goes on from another one with other people, all keep their chips or balances and nobody has been paid in between: the
accounts are those of all these games together, or say that they are of one alone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec.structs import replace

from companion.pages.phone import Score
from companion.pages.protocol import ForEverybody, Pages
from companion.pages.ruling import believed, doubted_accounts
from companion.pages.view import AccountView, View
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.money import Sum
from companion.table.people import name_key
from companion.table.settling import transfers
from companion.table.text import asks, perhaps, short


class Before(NamedTuple):
    """A game that went on with other people. ``players``: their names; ``won``: as of `ForEverybody.won_before`; ``points``:
    these are points, no money; ``hands``: how many of its hands count; ``unsure``: how many of them nobody has confirmed;
    ``elsewhere``: what was won and put in in it counts in yet another game that it went on as, or in itself, as it was played
    out."""

    players: tuple[str, ...]
    won: Mapping[str, int] | None
    points: bool = False
    hands: int = 0
    unsure: int = 0
    elsewhere: bool = False


class Accounts(NamedTuple):
    """What a game that is over came to. ``own``: it alone; ``whole``: it and those before it, the largest win first, empty where
    there are none or a sum is not known; ``part``: of which games these are, "" where there is one game."""

    own: tuple[AccountView, ...] = ()
    whole: tuple[AccountView, ...] = ()
    part: str = ""


def accounts_of(pages: Pages, state: State, view: View, before: Sequence[Before] | None, lang: Lang) -> Accounts:
    """The accounts of a ``view``, which is of this ``state``, with those of the games ``before`` it, the latest first; None:
    nobody has looked for them."""
    if not view.accounts:
        return Accounts()
    earlier = before or ()
    own = _own(pages, state, view.accounts, earlier)
    with_money = _counted_in(earlier, points=pages.score(state, lang).points)
    whole = _whole(pages, state, own, with_money or (), lang)
    own, whole = _as_sure(own, whole, believed(view), with_money or ())
    return Accounts(own, whole, _part(before, with_money, own, whole, view.winner, lang))


def settling(pages: ForEverybody, state: State, view: View, accounts: Sequence[AccountView], lang: Lang) -> tuple[str, ...]:
    """The fewest payments that settle these accounts of a ``view``; none where a sum is not known, or some of it is nobody's, and
    none of a game whose end is not sure. They are questions where one of the sums is."""
    nets = {one.name: one.net.minor for one in accounts if one.net is not None}
    known = len(nets) == len(accounts) and all(one.person for one in accounts) and not sum(nets.values())
    if not known or (view.ruling is not None and not view.ruling.sure):
        return ()
    said = catalogue(lang).gettext("{payer} gives {sum} to {to}")
    sure = not any(one.net is not None and asks(one.net.text) for one in accounts)
    paid = ((short(one.payer), pages.amount(state, one.amount, lang), short(one.to)) for one in transfers(nets))
    return tuple(perhaps(said.format(payer=payer, sum=amount, to=to), sure=sure) for payer, amount, to in paid)


def _own(
    pages: ForEverybody, state: State, accounts: Sequence[AccountView], before: Sequence[Before]
) -> Sequence[AccountView]:
    """What this game alone came to: without sums where it holds what was put in in a game ``before`` it that counts elsewhere."""
    if pages.won_before(state) == {} and any(one.elsewhere for one in before):
        return tuple(AccountView(one.name, Sum(0, ""), why=one.why, person=one.person) for one in accounts)
    return accounts


def _counted_in(before: Sequence[Before], *, points: bool) -> tuple[Before, ...] | None:
    """The games ``before`` one whose money has to be added to its own, which is ``points`` or is not, up to one that counts
    elsewhere; None where that cannot be."""
    with_money = tuple(one for one in takewhile(lambda one: not one.elsewhere, before) if one.won is None or one.won)
    if any(one.won is None or one.points != points for one in with_money):
        return None
    return with_money


def _whole(
    pages: ForEverybody, state: State, accounts: Sequence[AccountView], before: Sequence[Before], lang: Lang
) -> tuple[AccountView, ...]:
    """What this game, with these ``accounts``, and the games ``before`` it (the latest first) came to together, the largest win
    first; empty where there are none, or a sum is not known. Names that differ only in capitals or accents are one person."""
    if not before or not accounts or any(one.net is None for one in accounts):
        return ()
    names, nets = dict[str, str](), dict[str, int]()
    sums = [{one.name: one.net.minor for one in accounts if one.person and one.net is not None}]
    for won in (*sums, *(one.won or {} for one in before)):
        for name, net in won.items():
            names.setdefault(name_key(name), name)
            nets[name_key(name)] = nets.get(name_key(name), 0) + net
    rows = sorted(nets.items(), key=lambda one: -one[1])
    pots = (one for one in accounts if not one.person)
    nothing = Sum(0, "")
    people = (AccountView(names[key], nothing, net=Sum(net, _signed(pages, state, net, lang))) for key, net in rows)
    return (*people, *pots)


def _signed(pages: ForEverybody, state: State, net: int, lang: Lang) -> str:
    return ("−" if net < 0 else "+" if net else "") + pages.amount(state, abs(net), lang)


def _as_sure(
    own: Sequence[AccountView], whole: Sequence[AccountView], believed: Collection[str], before: Sequence[Before]
) -> tuple[tuple[AccountView, ...], tuple[AccountView, ...]]:  # fmt: skip
    """The accounts of one game, and of it with those ``before`` it, with a question mark at each sum that hangs on a hand that is
    not sure. ``believed``: the players for whom it is not sure what they have. Of the games before nobody knows whose sums hang
    on such a hand."""
    unsure = any(one.unsure for one in before)
    return doubted_accounts(own, believed), doubted_accounts(whole, None if unsure else believed)


def won_last(whole: Sequence[AccountView], winner: str | None, lang: Lang) -> str:
    """That the ``winner`` of the last game has won most in that one alone, where another has won more in all of them; "" where
    that is not so. ``whole``: as `Accounts` has them."""
    if winner is None or not whole or name_key(whole[0].name) == name_key(winner):
        return ""
    return catalogue(lang).gettext("{winner} has won most in the last part").format(winner=short(winner))


def won_last_said(score: Score, said: str) -> Score:
    """How the game stands, with what is ``said`` (`won_last`) where its status names the winner."""
    return replace(score, status=said) if said and score.winner is not None and short(score.winner) in score.status else score


def _part(
    before: Sequence[Before] | None, with_money: Sequence[Before] | None, accounts: Sequence[AccountView],
    whole: Sequence[AccountView], winner: str | None, lang: Lang,
) -> str:  # fmt: skip
    """Of which games the accounts are, where one went before or nobody has looked (``before`` is None); "" where there is one
    game. ``accounts``: as `_own` gives them; ``with_money``: as `_counted_in` does; ``whole``: as `_whole` does.
    The ``winner`` of the last game is named where another has won more in all of them."""
    say = catalogue(lang)
    if before is None:
        return say.gettext("Of this game alone")
    elsewhere = any(one.elsewhere for one in before)
    if elsewhere and accounts and all(one.net is None for one in accounts):
        return say.gettext("The pot counts in another game already: the part before was played on twice")
    if elsewhere and with_money:
        said = say.gettext("Of the last {n} parts of the game alone: the one before them counts in another game already")
        return said.format(n=len(with_money) + 1)
    if with_money is None or elsewhere:
        return say.gettext("Of this part of the game alone, without the one before with other people")
    if not with_money or not whole:  # what the parts came to is not known
        return ""
    said = say.gettext("Of the whole game, in {n} parts: it went on with other people")
    if winner is not None and won_last(whole, winner, lang):
        said = say.gettext("Of the whole game, in {n} parts; {winner} has won most in the last one")
    return said.format(n=len(with_money) + 1, winner=short(winner or ""))
