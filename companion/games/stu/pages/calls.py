"""What a voice calls out at a table of Lu Stù: who pays, who is out, who comes back, who has won. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.stu import rules
from companion.games.stu.rules.log import Hand, Rebuy
from companion.pages.moments import Moment
from companion.pages.view import RulingView, View
from companion.table.language import Lang, catalogue
from companion.table.text import listed


def calls(moments: Sequence[Moment], view: View, lang: Lang) -> tuple[str, ...]:
    """What can be said of the game as it stands, a sentence each; one that was there before is not said again.

    Where a ruling is not sure, only that is said.
    """
    _ = catalogue(lang).gettext
    ruling = view.ruling
    if ruling is not None and not ruling.sure:
        return (_("Not sure: check it yourselves."),)
    paid = tuple(_payments(ruling, lang, _ties(moments, ruling, lang))) if ruling is not None else ()
    return (*paid, *_afterwards(moments, view, lang))


def _ties(moments: Sequence[Moment], ruling: RulingView, lang: Lang) -> list[str]:
    """Why one of two equal cards pays, where the pages show why anybody pays."""
    said = catalogue(lang).gettext("{player} has the same card as {others}, and is nearest di mano.")
    book = rules.ruling(moments[-1].seen, ruling.hand)
    shown = {paid.cause for paid in ruling.payments}
    return [
        said.format(player=paid.player, others=listed(paid.tied, lang))
        for paid in (book.payments if book is not None else ()) if paid.tied and paid.cause == "lowest" and paid.cause in shown
    ]  # fmt: skip


def _payments(ruling: RulingView, lang: Lang, ties: Sequence[str]) -> Iterator[str]:
    say = catalogue(lang)
    _ = say.gettext
    if ruling.void:
        yield _("Void hand: the cards are dealt again.")
        return
    sums: dict[str, int] = {}
    for payment in ruling.payments:
        sums[payment.player] = sums.get(payment.player, 0) + payment.delta
    for player, delta in sums.items():
        many = say.ngettext("one pedina", "{n} pedine", abs(delta)).format(n=abs(delta))
        if delta:
            text = _("{player} pays: {pedine}.") if delta < 0 else _("{player} gains: {pedine}.")
            yield text.format(player=player, pedine=many)
    yield from ties
    if ruling.final and not any(sums.values()):
        yield _("Nobody pays.")


def _afterwards(moments: Sequence[Moment], view: View, lang: Lang) -> Iterator[str]:
    _ = catalogue(lang).gettext
    for seat in view.seats:
        if not seat.in_play and seat.change is not None and seat.change < 0:
            yield _("{player} is out.").format(player=seat.name)
    back = []
    for moment in reversed(moments):
        if isinstance(moment.event, Hand):
            break
        if isinstance(moment.event, Rebuy):
            back.append(_("{player} comes back: ricompera.").format(player=moment.event.by))
    yield from reversed(back)
    if view.status == "restarted":
        yield _("Nobody has a pedina left: all come back, and there are no more ricompere.")
    if view.status == "won" and view.winner is not None:
        yield _("{winner} has won the game!").format(winner=view.winner)
