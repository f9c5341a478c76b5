"""What a voice calls out at a table of Stoppa: who takes a punto and with what, who stops and who pays, the last hand. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.stoppa import words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import di_mano, winner
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.log import Event
from companion.games.stoppa.rules.state import HandRulings
from companion.pages.commentary import won
from companion.pages.moments import Moment
from companion.pages.view import AnnouncementView, View
from companion.table.language import Lang, catalogue
from companion.table.text import sentence


def calls(moments: Sequence[Moment], view: View, lang: Lang) -> tuple[str, ...]:
    """What can be said of the game as it stands, a sentence each; one that was there before is not said again.

    Where a ruling is not sure, only that is said.
    """
    _ = catalogue(lang).gettext
    if not moments:
        return ()
    if view.ruling is not None and not view.ruling.sure:
        return (_("Not sure: check it yourselves."),)
    now = moments[-1]
    book = ruling(now.seen, view.hand)
    told = tuple(_of_hand(now, book, lang)) if book is not None else ()
    return (*told, *_of_game(now.seen, view, lang))


def _of_hand(now: Moment, book: HandRulings, lang: Lang) -> Iterator[str]:
    """The punti that are won, declarations, the stop and what it costs."""
    _ = catalogue(lang).gettext
    table, state = now.seen.table, now.seen
    if book.void:
        yield _("Void hand: the cards are dealt again.")
        return
    for pot, cards in zip(book.pots, now.laid.won if now.laid is not None else (), strict=False):
        if pot.how == "stated":
            continue
        if pot.winner is None:
            yield _("Nobody bets: the punto grosso stays on the table.")
            continue
        text = _("{player} takes the {punto} with {group}.") if cards else _("{player} takes the {punto}.")
        group = phrases.group(cards, lang) if cards else ""
        yield text.format(player=pot.winner, punto=phrases.punto(pot.phase, lang), group=group)
        yield from (f"{sentence(why)}." for why in words.ties(pot, lang, cited=False))
    for one in book.declared or ():
        yield sentence(words.declared(one.player, one.what, lang)) + "."
    if book.stoppata is not None and book.stoppata.winner is not None:
        filante = now.laid is not None and di_mano(now.laid.hand, table)
        text = _("{player} stops at the first turn: stoppata di mano!") if filante else _("{player} stops!")
        yield text.format(player=book.stoppata.winner)
    for paid in book.payments:
        owed = phrases.sum_of(table, paid.amount, lang)
        yield _("{player} pays {to} {sum}.").format(player=paid.payer, to=paid.to, sum=owed)
    if state.hand is None and book.stoppata is not None and not book.payments:
        yield _("Nobody pays.")


def _of_game(state: State, view: View, lang: Lang) -> Iterator[str]:
    _ = catalogue(lang).gettext
    if state.last_hand:
        yield _("The giro is called: one more giro after this one.")
    if state.in_last_hand:
        yield _("The last hand: it has no stoppata.")
    if view.status == "won":
        yield view.message + "."


# What fills the TV's screen at Stoppa: who has won most, once the game is over. Nobody is ever out. Pure.


def announcements(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What this event announces."""
    return won(winner(before), winner(after), catalogue(lang).gettext("The winner"))
