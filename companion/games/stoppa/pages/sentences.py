"""What has happened, as one says it: aloud, and step by step of the moviola; and what a line says in its place, beyond its words.
Pure."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from typing import Any, Final

from companion.games.stoppa import words
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.rulings import di_mano, winner
from companion.games.stoppa.pages.view import StoppaView
from companion.games.stoppa.rules import State, ruling
from companion.games.stoppa.rules.log import Back, Event, Giro, Hand, Lay, Muck, Passo, Show, Void
from companion.games.stoppa.rules.state import HandRulings, Table
from companion.pages.commentary import won, won_aloud
from companion.pages.moments import Moment
from companion.pages.view import AnnouncementView, View
from companion.table.language import N_, Lang, catalogue
from companion.table.text import listed, sentence, short


def told_aloud(moments: Sequence[Moment], view: StoppaView, lang: Lang) -> tuple[str, ...]:
    """What the voice can say of the game as it stands, a sentence each; one that was there before is not said again."""
    now = moments[-1]
    book = ruling(now.seen, view.hand)
    doubtful = {one.punto for one in view.won if not one.sure}
    told = tuple(_of_hand(now, book, doubtful, lang)) if book is not None else ()
    return (*told, *_of_game(now.seen, view, lang))


def _of_hand(now: Moment, book: HandRulings, doubtful: Collection[str], lang: Lang) -> Iterator[str]:
    """The punti that are won, declarations, the stop and what it costs. Of the ``doubtful`` punti no cards are named, and until
    the hand is over, which says how sure it is who won them, only "perhaps"."""
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
        sure = sentence(pot.phase.replace("-", " ")) not in doubtful
        named = cards if sure else 0
        text = _("{player} takes the {punto} with {group}.") if named else _("{player} takes the {punto}.")
        text = text if sure or state.hand is None else _("Perhaps {player} takes the {punto}.")
        group = phrases.group(named, lang) if named else ""
        yield text.format(player=pot.winner, punto=phrases.punto(pot.phase, lang), group=group)
        yield from (f"{sentence(why)}." for why in (words.ties(pot, lang, cited=False) if sure else ()))
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
    yield from won_aloud(view)


def announcements(
    before: State, event: Event, after: State, lang: Lang, sure: bool = True
) -> Iterator[AnnouncementView]:  # fmt: skip
    """What fills the TV's screen: 55 at a comparison, a stoppata di mano, a declaration that all pay for, and who has won."""
    _, table = catalogue(lang).gettext, after.table
    was, book = (ruling(state, len(before.hands) + 1) for state in (before, after))
    if book is not None and not book.void and not book.stated:
        for pot in book.pots[len(was.pots) if was is not None else 0 :]:
            if pot.how == "shown" and pot.winner is not None and (pot.ranking[0].cards, pot.ranking[0].score) == BEST_THREE:
                takes = phrases.sum_of(table, pot.prize + pot.bets, lang)
                beneath = f"{phrases.punto_title(pot.phase, lang)}: {takes}"
                yield AnnouncementView("rare", _("55: seven, six and ace"), (pot.winner,), beneath=(beneath,))
        if len(after.hands) > len(before.hands):
            yield from _rare(book, table, lang)
    best = winner(after)
    net = after.balances[table.names.index(best)] if best is not None else 0
    yield from won(winner(before), best, _("The winner"), (phrases.signed_sum(table, net, lang),) if net else ())


def _rare(book: HandRulings, table: Table, lang: Lang) -> Iterator[AnnouncementView]:
    """What is rare in a hand that is over, with what it brings."""
    _, title, winner = catalogue(lang).gettext, "", ""
    stop = book.stoppata
    if stop is not None and stop.winner == book.mano and not any(n for name, n in stop.laid.items() if name != book.mano):
        title, winner = _("Stoppata di mano"), book.mano
    elif book.payments and book.payments[0].cause in _DECLARED:
        title, winner = _(_DECLARED[book.payments[0].cause]), book.payments[0].to
    taken = sum(paid.amount for paid in book.payments if paid.to == winner)
    if title:
        beneath = _("Takes {sum}").format(sum=phrases.sum_of(table, taken, lang))
        yield AnnouncementView("rare", title, (winner,), beneath=(beneath,) if taken else ())


BEST_THREE = 3, 55
"""Cards of the best group without figures, and what they are worth: seven, six and ace of a suit (rule 1)."""
_DECLARED: Final[dict[str, str]] = {"four_kings": N_("Four Re"), "misera": N_("Misera")}


def goes_with(before: Moment, now: Moment) -> bool:
    """All that one player lays without a break is one step of the moviola; players who pass one after another are one, too."""
    if isinstance(before.event, Lay) and isinstance(now.event, Lay):
        return before.event.by == now.event.by
    return isinstance(before.event, Passo) and isinstance(now.event, Passo)


def step_said(step: Sequence[Moment], shown: Any, lang: Lang) -> str:
    """A step of the moviola as a sentence."""
    _ = catalogue(lang).gettext
    event = step[-1].event
    match event:
        case Hand():
            return _("Everybody pays the misera")
        case Lay(by=by):
            cards = [card for moment in step for card in moment.event.cards]
            said = _("{player} lays {cards}").format(player=short(by), cards=phrases.numbers(cards, lang))
            return said if step[-1].seen.hand is not None else said + _(": stops!")
        case Passo():
            names = dict.fromkeys(short(moment.event.by) for moment in step)
            say = catalogue(lang).ngettext("{players} passes", "{players} pass", len(names))
            return str(say.format(players=listed(list(names), lang)))
    return shown.happened[-1] if shown.happened else ""


def sense(before: State, event: Event, after: State) -> Hashable:
    """A value that is equal for lines with the same effect: the punto, the change of each balance, the number that was wanted,
    the lays that are taken back, the dealer of the hand that begins."""
    hand = before.hand
    money = tuple([now - was for was, now in zip(before.balances, after.balances, strict=True)])
    punto = hand.betting.phase if hand is not None and hand.betting is not None else None
    match event:
        case Void():
            return None
        case Giro():
            return after.last_hand
        case Show() | Muck():
            return punto  # several show at once: the one told last decides it, and means no more by it
        case Back() if hand is not None:
            return hand.lays[-event.lays :]
    if hand is None:
        return money, after.table.names[after.hand.dealer] if after.hand is not None else None
    return punto, hand.iteration, hand.wants, money
