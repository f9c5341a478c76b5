"""From what everybody has seen of Stoppa to what a page for spectators shows, in one language. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.decks.italian_words import card_view
from companion.games.stoppa.pages import phrases
from companion.games.stoppa.pages.centre import Centre, WonView, centre, won_views
from companion.games.stoppa.pages.public import OnTable, UnsureLines
from companion.games.stoppa.pages.waiting import still_to_show
from companion.games.stoppa.rules import State, log, ruling, waiting
from companion.games.stoppa.rules.cards import INDEX, Mask, cards_in, mask_of, number_of
from companion.games.stoppa.rules.declarations import best_cards, best_group
from companion.games.stoppa.rules.report import on_table
from companion.games.stoppa.rules.state import Hand, Irregularity, Seat
from companion.games.stoppa.telling import act_said, mistakes
from companion.pages.moments import Moment
from companion.pages.view import AccountView, BettingSeat, CardView, Role, View
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import Sum


class StoppaSeat(BettingSeat, frozen=True, kw_only=True):
    """One player, in seat order (anticlockwise). ``has``: their balance.

    ``held``: how many cards they hold, as far as dealt and not laid; ``bet``: for the punto in play.
    """

    held: int


class StoppaView(View, frozen=True, kw_only=True):
    """`View.status` is ``no_game``, ``in_play``, ``hand_in_progress`` or ``won``, when the game is over. ``centre``: what lies in
    the middle in a hand; ``won``: the punti of the hand on the table; ``last_hand``: the hand is the last of a called giro."""

    seats: tuple[StoppaSeat, ...]
    centre: Centre | None = None
    won: tuple[WonView, ...] = ()
    last_hand: bool = False


def seat(now: Moment, seat: Seat, lang: Lang, unsure: UnsureLines) -> dict[str, Any]:
    """See `companion.games.betting.pages.BettingPages.seat`."""
    state, table = now.seen, now.seen.table
    laid: OnTable | None = now.laid
    hand = laid.hand if laid is not None else None
    dealer = hand.dealer if hand is not None else state.dealer
    betting = hand.betting if hand is not None and state.hand is not None else None
    bets = betting if betting is not None and not betting.decided else None
    bet = bets.totals[seat] if bets is not None else 0
    open_cards = lies_open(table.names, hand, seat) if hand is not None else 0
    compared = hand is not None and hand.ending != "stop" and not hand.declared
    return {
        "in_play": True,
        "in_hand": state.hand is not None,
        "dealer": seat == dealer and not state.over,
        "has": phrases.signed_sum(table, state.balances[seat], lang),
        "cards": _card_views(open_cards, lang, compared=compared),
        "held": _held(state, hand, seat) if hand is not None else 0,
        "bet": phrases.sum_of(table, bet, lang) if bet else "",
        "passed": bets is not None and bool(bets.out >> seat & 1),
        "score": best_group(open_cards)[1] if open_cards and compared else 0,
        "doubtful": bool(open_cards) and table.names[seat] in unsure.players,
    }


def also(now: Moment, lang: Lang, unsure: UnsureLines) -> dict[str, Any]:
    """See `companion.games.betting.pages.BettingPages.also`."""
    state, laid = now.seen, now.laid
    return {
        "accounts": accounts(state, lang),
        "centre": centre(state, laid, lang, unsure),
        "won": won_views(state.table, laid, lang, unsure),
        "last_hand": state.in_last_hand,
    }


def lies_open(names: tuple[str, ...], hand: Hand, seat: Seat) -> Mask:
    """The cards that lie open before a player: at a comparison, of a declared hand, and of those left when the stoppata is
    over, as far as they were shown; none where nobody has told what was laid."""
    if hand.stated is not None:
        return 0
    if hand.declared:
        return hand.known[seat] if any(one.player == names[seat] for one in hand.declared) else 0
    if hand.ending == "stop":
        return hand.known[seat] & ~hand.laid[seat]
    return hand.betting.shown[seat] if hand.betting is not None and not hand.begun else 0


def _card_views(cards: Mask, lang: Lang, *, compared: bool) -> tuple[CardView, ...]:
    """The cards as they are drawn: at a comparison the group first, and of many cards nothing else; or by their numbers."""
    if not compared:
        return tuple(card_view(card, lang) for card in sorted(cards_in(cards), key=number_of))
    best = best_cards(cards) if cards else 0
    others = cards_in(cards & ~best) if cards.bit_count() <= _MAX_LYING else ()
    return tuple(card_view(card, lang) for card in (*phrases.dearest_first(best), *others))


_MAX_LYING = 3
"""Cards of a comparison that are drawn, at most; of more, the group alone."""


def _held(state: State, hand: Hand, seat: Seat) -> int:
    """Cards that a player holds: those dealt less those laid; 0 once the hand has been thrown together."""
    if state.hand is None and hand.ending != "stop":
        return 0
    return sum(state.table.deals[: hand.iteration]) - hand.many_laid(seat)


def roles(state: State) -> dict[Seat, Role]:
    """Seat → what they are about to do."""
    hand, names = state.hand, state.table.names
    if hand is None:
        return {}
    match waiting(state):
        case Turn("bet", str(who)):
            return {names.index(who): "bets"}
        case Turn("show"):
            return dict.fromkeys(still_to_show(hand), "shows")
        case Turn("lay", str(who)):
            return {names.index(who): "lays" if hand.wants else "opens"}
    return {}


def won_before(state: State) -> Mapping[str, int] | None:
    """See `companion.pages.protocol.ForEverybody.won_before`: all balances begin at 0 again."""
    return dict(zip(state.table.names, state.balances, strict=True)) if state.over or not on_table(state) else None


def accounts(state: State, lang: Lang) -> tuple[AccountView, ...]:
    """What a game that is over came to for everybody, the largest win first; empty while it goes on."""
    if not state.over:
        return ()
    table = state.table
    rows = sorted(zip(state.balances, table.names, strict=True), key=lambda row: -row[0])
    return tuple(
        AccountView(name, Sum(0, ""), net=Sum(balance, phrases.signed_sum(table, balance, lang))) for balance, name in rows
    )


def happened(before: State, now: Moment, lang: Lang, doubtful: Collection[Irregularity] = ()) -> list[str]:
    """See `companion.games.betting.pages.BettingPages.happened`."""
    said = [_done(before, now, lang)]
    n = len(before.hands) + (before.hand is not None)
    was, book = (ruling(state, n) for state in (before, now.seen))
    if was is not None and book is not None and not book.void:
        said += mistakes(was, book, lang, doubtful)
    return [one for one in said if one]


def _done(before: State, now: Moment, lang: Lang) -> str:
    """What an event was, short enough for one line of the screen; "" for one that tells nothing."""
    _ = catalogue(lang).gettext
    match now.event:
        case log.Hand() if now.seen.hand is not None:
            dealer = now.seen.table.names[now.seen.hand.dealer]
            return _("Hand {n}: {dealer} has the deck").format(n=now.seen.hand.n, dealer=dealer)
        case log.Show(by=by, cards=cards) if before.hand is not None and not before.hand.declared:
            group = phrases.group(mask_of(INDEX[card] for card in cards), lang)
            return _("{player} shows {group}").format(player=by, group=group)
        case log.Lay(by=by, cards=cards) if len(cards) > 1:
            return _("{player} lays {cards}").format(player=by, cards=phrases.numbers(cards, lang))
    return act_said(before, now.event, now.seen, lang)
