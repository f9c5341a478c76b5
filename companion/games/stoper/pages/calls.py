"""What a voice calls out at a table of Stoper: who is all-in, the hands laid open, who takes which pot. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.stoper import words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.rulings import left, winner
from companion.games.stoper.rules import State
from companion.games.stoper.rules.log import Event, Set
from companion.games.stoper.rules.report import in_play
from companion.games.stoper.rules.state import Hand, HandRulings
from companion.pages.commentary import won
from companion.pages.moments import Moment
from companion.pages.view import AnnouncementView, View
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.text import sentence


def calls(moments: Sequence[Moment], view: View, lang: Lang) -> tuple[str, ...]:
    """What can be said of the game as it stands, a sentence each; one that was there before is not said again.

    Where a ruling is not sure, only that is said.
    """
    if not moments:
        return ()
    if view.ruling is not None and not view.ruling.sure:
        return (catalogue(lang).gettext("Not sure: check it yourselves."),)
    state: State = moments[-1].seen
    laid: Hand | None = moments[-1].laid
    if state.hand is not None:
        return tuple(_in_hand(state, state.hand, lang))
    told = tuple(_over(state.hands[-1], laid, state, lang)) if state.hands else ()
    return (*told, *((view.message + ".",) if view.status == "won" else ()))


def _in_hand(state: State, hand: Hand, lang: Lang) -> Iterator[str]:
    _ = catalogue(lang).gettext
    for seat in hand.order:
        if hand.live >> seat & 1 and not state.stacks[seat]:
            yield _("{player} is all-in.").format(player=state.table.names[seat])
    for seat in hand.order:
        if hand.known[seat].shown:
            said = phrases.hand(hand.known[seat].shown, state.table.house, lang)
            yield _("{player} shows {hand}.").format(player=state.table.names[seat], hand=said)


def _over(book: HandRulings, laid: Hand | None, state: State, lang: Lang) -> Iterator[str]:
    """Whose the pots are, or what stays and what it takes to open."""
    _ = catalogue(lang).gettext
    if book.void:
        yield _("Void hand: the cards are dealt again.")
        return
    if book.unassigned is not None:
        said = _("Nobody opens: the pot stays, {sum}.") if book.unassigned == "no_opening" else _("Parola: the pot stays, {sum}.")
        yield said.format(sum=money(left(book), lang))
        yield _("To open it takes {figure}.").format(figure=phrases.figure(state.carried.level, lang))
        return
    if book.stated:
        for paid in book.payments:
            said = _("{player} wins {sum}.") if paid.delta > 0 else _("{player} loses {sum}.")
            yield said.format(player=paid.player, sum=money(abs(paid.delta), lang))
    for n, pot in enumerate(book.pots, start=1):
        shown = laid.known[state.table.names.index(pot.winner)].shown if laid is not None and pot.how == "shown" else 0
        text = _("{player} takes {pot} with {hand}.") if shown else _("{player} takes {pot}.")
        named = _("the pot") if len(book.pots) == 1 else _("pot {n}").format(n=n)
        hand = phrases.hand(shown, state.table.house, lang) if shown else ""
        yield sentence(text.format(player=pot.winner, pot=f"{named}, {money(pot.amount, lang)},", hand=hand).replace(",.", "."))
        yield from (f"{sentence(why)}." for why in words.ties(pot, book.pots, lang, cited=False))


# What fills the TV's screen at Stoper: who is out of a tournament, and who has won. Pure.


def announcements(before: State, event: Event, after: State, lang: Lang) -> Iterator[AnnouncementView]:
    """What this event announces."""
    _ = catalogue(lang).gettext
    gone = after.table.named(in_play(before) & ~in_play(after)) if _can_go_out(event, after) else ()
    if gone:
        yield AnnouncementView("out", _("Out of the game"), gone)
    yield from won(winner(before), winner(after), _("The winner"))


def _can_go_out(event: Event, after: State) -> bool:
    """In a game for cash nobody is out, as they may buy chips; nor where the table says how it stands."""
    return after.table.mode == "torneo" and not isinstance(event, Set)
