"""Who gives how much to whom, so that everybody has what they have won, as people say it. Pure."""

from __future__ import annotations

from companion.pages.protocol import ForEverybody
from companion.pages.view import View
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.settling import transfers
from companion.table.text import short


def settling(pages: ForEverybody, state: State, view: View, lang: Lang) -> tuple[str, ...]:
    """The fewest payments that settle the accounts of a ``view``; none where a sum is not known, or some of it is nobody's, and
    none of a game whose end is not sure."""
    nets = {one.name: one.net.minor for one in view.accounts if one.net is not None}
    known = len(nets) == len(view.accounts) and all(one.person for one in view.accounts) and not sum(nets.values())
    if not known or (view.ruling is not None and not view.ruling.sure):
        return ()
    said = catalogue(lang).gettext("{payer} gives {sum} to {to}")
    return tuple(
        said.format(payer=short(paid.payer), sum=pages.amount(state, paid.amount, lang), to=short(paid.to))
        for paid in transfers(nets)
    )
