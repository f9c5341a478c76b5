"""From what everybody has seen of Stoper to what a page for spectators shows, in one language. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.decks.italian_sets import INDEX, cards_in
from companion.decks.italian_words import card_view
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.centre import Centre, centre
from companion.games.stoper.pages.public import UnsureLines
from companion.games.stoper.pages.rulings import balances, left_over, money_known
from companion.games.stoper.pages.score import dealer, places
from companion.games.stoper.pages.waiting import still_to_show
from companion.games.stoper.rules import State, log, waiting
from companion.games.stoper.rules.cards import mask_of
from companion.games.stoper.rules.joining import price
from companion.games.stoper.rules.report import in_play, ruling
from companion.games.stoper.rules.state import Hand, Irregularity, Seat
from companion.games.stoper.telling import act_said, mistakes
from companion.games.stoper.words import signed
from companion.pages.moments import Moment
from companion.pages.view import AccountView, BettingSeat, CardView, Role, ShareView, View
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import Sum, money


class StoperSeat(BettingSeat, frozen=True, kw_only=True):
    """One player, in seat order (clockwise). ``has``: their stack; ``bet``: their total of the phase.

    ``blind``: what their blind is called, "" for none; ``changed``: how many cards they have changed, None before;
    ``changed_doubtful``: shown and not sure; ``all_in``: they are in the hand with nothing left; ``aside``: they do not take part
    in the hand.
    """

    blind: str = ""
    changed: int | None = None
    changed_doubtful: bool = False
    all_in: bool = False
    aside: bool = False


class StoperView(View, frozen=True, kw_only=True):
    """`View.status` is ``no_game``, ``in_play``, ``hand_in_progress`` or ``won``, when the game is over. ``centre``: what lies in
    the middle in a hand; ``mode``: "cash" or "torneo"."""

    seats: tuple[StoperSeat, ...]
    centre: Centre | None = None
    mode: str = ""


def seat(now: Moment, seat: Seat, lang: Lang, unsure: UnsureLines) -> dict[str, Any]:
    """See `companion.games.betting.pages.BettingPages.seat`."""
    state: State = now.seen
    laid: Hand | None = now.laid
    table, hand, name = state.table, state.hand, state.table.names[seat]
    live = hand is not None and bool(hand.live >> seat & 1)
    total = hand.totals[seat] if hand is not None else 0
    cards = laid.known[seat].shown if laid is not None else 0
    doubtful = name in unsure.changed
    changed = _changed(hand, seat) if hand is not None and (live or doubtful) else None
    return {
        "in_play": bool(in_play(state) >> seat & 1) or table.mode == "cash",
        "in_hand": live,
        "dealer": seat == (laid.dealer if laid is not None and not state.over else dealer(state)),
        "has": money(state.stacks[seat], lang),
        "cards": open_cards(cards, state, lang),
        "bet": money(total, lang) if total else "",
        "passed": hand is not None and seat in hand.order and not live,
        "score": phrases.score(cards, table.house) if cards else 0,
        "blind": _blind(hand, seat) if hand is not None and hand.high else "",
        "doubtful": bool(cards) and name in unsure.shown,
        "changed": changed,
        "changed_doubtful": changed is not None and doubtful,
        "all_in": live and not state.stacks[seat],
        "aside": hand is not None and seat not in hand.order,
    }


def also(now: Moment, lang: Lang, unsure: UnsureLines) -> dict[str, Any]:
    """See `companion.games.betting.pages.BettingPages.also`."""
    state: State = now.seen
    return {
        "settlement": placed(state, lang),
        "accounts": accounts(state, lang),
        "centre": centre(state, lang, unsure),
        "mode": state.table.mode,
    }


def open_cards(cards: int, state: State, lang: Lang) -> tuple[CardView, ...]:
    """Cards that lie open as they are drawn: those that make the score first, the dearest before the others."""
    if not cards:
        return ()
    counts = phrases.counted(cards, state.table.house)
    return tuple(card_view(card, lang) for card in (*counts, *(card for card in cards_in(cards) if card not in counts)))


def _blind(hand: Hand, seat: Seat) -> str:
    """What the blind is called that this player made in the phase that goes on."""
    blinds = hand.order[: hand.blinds] if hand.phase in ("blind", "opening") else ()
    return phrases.BLINDS[blinds.index(seat)] if seat in blinds else ""


def _changed(hand: Hand, seat: Seat) -> int | None:
    changed = hand.known[seat].changed
    return changed if changed >= 0 else None


def roles(state: State) -> dict[Seat, Role]:
    """Seat → what they are about to do."""
    hand, wait = state.hand, waiting(state)
    if hand is None or not isinstance(wait, Turn):
        return {}
    if wait.who is None:
        return dict.fromkeys(still_to_show(hand), "shows")
    return {state.table.names.index(wait.who): "changes" if wait.step == "cambio" else "bets"}


def placed(state: State, lang: Lang) -> tuple[ShareView, ...]:
    """The places of all players in a tournament that is over; empty while it goes on."""
    if not state.over or state.table.mode == "cash":
        return ()
    say = catalogue(lang).gettext("place {n}")
    ranks = sorted(places(state).items(), key=lambda one: one[1])
    return tuple(ShareView(name, Sum(place, say.format(n=place))) for name, place in ranks)


def won_before(state: State) -> Mapping[str, int] | None:
    """See `companion.pages.protocol.ForEverybody.won_before`: for cash everybody keeps their chips; a tournament begins again."""
    if state.table.mode == "torneo":
        return {}
    known = money_known(state) and not left_over(state)
    return dict(zip(state.table.names, balances(state), strict=True)) if known else None


def accounts(state: State, lang: Lang) -> tuple[AccountView, ...]:
    """What a game for cash that is over came to for everybody, the largest win first, then for the pot, where something was left
    in it; empty while it goes on. Where the table has said that there are more or fewer chips than were brought, nobody can know
    the sums, and the rows have none."""
    if not state.over or state.table.mode == "torneo":
        return ()
    if not money_known(state):
        return tuple(AccountView(name, Sum(0, "")) for name in state.table.names)
    rows = sorted(zip(balances(state), state.table.names, strict=True), key=lambda row: -row[0])
    if left := left_over(state):
        rows.append((left, catalogue(lang).gettext("the pot")))
    return tuple(
        AccountView(
            name, Sum(0, ""), net=Sum(net, signed(net, lang) if net else money(0, lang)), person=at < len(state.table.names)
        )
        for at, (net, name) in enumerate(rows)
    )


def happened(before: State, now: Moment, lang: Lang, doubtful: Collection[Irregularity] = ()) -> list[str]:
    """See `companion.games.betting.pages.BettingPages.happened`."""
    said = [_done(before, now, lang), *_joining(before, now, lang)]
    n = len(before.hands) + (before.hand is not None or isinstance(now.event, log.Hand))
    was, book = (ruling(state, n) for state in (before, now.seen))
    if book is not None and not book.void:
        said += mistakes(was, book, lang, doubtful)
    return [one for one in said if one]


def _joining(before: State, now: Moment, lang: Lang) -> list[str]:
    """Who comes into a pot of others with this hand, and what that costs them."""
    if not isinstance(now.event, log.Hand):
        return []
    said = catalogue(lang).gettext("{player} joins for {sum}")
    names = before.table.names
    return [said.format(player=name, sum=money(price(before, names.index(name)), lang)) for name in now.event.join]


def _done(before: State, now: Moment, lang: Lang) -> str:
    """What an event was, short enough for one line of the screen; "" for one that tells nothing."""
    _ = catalogue(lang).gettext
    match now.event:
        case log.Hand() if now.laid is not None:
            hand: Hand = now.laid
            return _("Hand {n}: {dealer} has the deck").format(n=hand.n, dealer=now.seen.table.names[hand.dealer])
        case log.Show(by=by, cards=cards):
            told = phrases.hand(mask_of(INDEX[card] for card in cards), now.seen.table.house, lang)
            return _("{player} shows {hand}").format(player=by, hand=told)
    return act_said(before, now.event, now.seen, lang)
