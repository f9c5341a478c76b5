"""What is said for how much, by thumb: words, openings, bets and raises, chips bought. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from companion.games.stoper.rules import State, log, phases
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.engine import apply
from companion.games.stoper.rules.log import MOST, Event
from companion.games.stoper.rules.state import Hand
from companion.pages.phone import Amounts, Doer, More, Offer
from companion.table.language import N_, Lang, catalogue
from companion.table.money import Sum, money
from companion.table.play import possible
from companion.table.text import short

AMOUNT_BUTTONS = 4
"""Amounts that have a button of their own. With "all-in" and "any other" they fill two rows."""
_BETS = log.Apro | log.Punto | log.Rilancio
_BLINDS: Final = (
    N_("{player}: buio ({sum})"), N_("{player}: controbuio ({sum})"), N_("{player}: over ({sum})"),
)  # fmt: skip
_LABELS: Final[dict[type, str]] = {
    log.Apro: N_("{player} opens with"), log.Punto: N_("{player} bets"), log.Rilancio: N_("{player} raises to"),
}  # fmt: skip
OVER: Final = N_("By what was seen, {player} has {sum}. A larger bet means that an earlier hand went differently.")
_ORDER: Final = (log.Vedo, log.Busso, log.Parola, log.Passo, log.Buio)
"""The likeliest word first."""


def speaker(state: State, hand: Hand, legal: Sequence[Event], lang: Lang, perhaps: Sequence[int] = ()) -> Doer:
    """Whose word it is, and what they can say. Leaving before a bet is not among it: see `leaving`. ``perhaps``: see
    `companion.pages.protocol.Pages.offers`."""
    name = state.table.names[hand.todo[0]]
    said = [event for event in legal if isinstance(event, _ORDER) and event.by == name]
    if not hand.high:  # before an opening it is the same as parola; in the final phase it is asked twice
        said = [event for event in said if not isinstance(event, log.Passo)]
    said.sort(key=lambda event: _ORDER.index(type(event)))
    bet = next((event for event in legal if isinstance(event, _BETS) and event.by == name), None)
    more = perhaps[hand.todo[0]] if perhaps else 0
    amounts = _amounts(state, hand, bet, lang, more) if bet is not None else None
    return Doer(name=name, offers=tuple(_word(state, hand, event, lang) for event in said), amounts=amounts, now=True)


def _word(state: State, hand: Hand, event: Event, lang: Lang) -> Offer:
    _ = catalogue(lang).gettext
    seat = hand.todo[0]
    player, stack = short(state.table.names[seat]), state.stacks[seat]
    match event:
        case log.Vedo():
            more = min(hand.high - hand.totals[seat], stack)
            said = _("{player} sees all-in (+{sum})") if more == stack else _("{player} sees (+{sum})")
            return Offer(said.format(player=player, sum=money(more, lang)), (event,))
        case log.Buio():
            found = phases.next_blind(state, hand)
            assert found is not None, "a blind is legal"
            message = _BLINDS[hand.blinds]
            return Offer(_(message).format(player=player, sum=money(found[1], lang)), (event,))
        case log.Parola() if hand.phase != "final":
            said = _("{player} passes the word")
        case log.Parola():
            said = _("{player}: parola")
        case log.Busso() if hand.blind_open:
            said = _("{player} does not raise")
        case log.Busso():
            said = _("{player}: busso")
        case _:
            said = _("{player} passes")
    return Offer(said.format(player=player), (event,))


def _amounts(state: State, hand: Hand, least: log.Apro | log.Punto | log.Rilancio, lang: Lang, more: int) -> Amounts:
    """``least``: the smallest opening, bet or raise. ``more``: chips (minor units) that the player may have beside those that are
    known."""
    _ = catalogue(lang).gettext
    seat, player = hand.todo[0], short(least.by)
    stack = state.stacks[seat] + hand.totals[seat]
    most = min(stack, MOST)
    all_in = _("{player} all-in: {sum}").format(player=player, sum=money(most, lang)) if most == stack else ""
    rounded = (_to_chips(state, amount) for amount in _thought_of(state, hand, seat, least.to))
    found = dict.fromkeys(amount for amount in rounded if least.to <= amount < most)
    likely = [Sum(amount, money(amount, lang)) for amount in found][:AMOUNT_BUTTONS]
    if all_in:
        likely.append(Sum(most, _("all-in {sum}").format(sum=money(most, lang))))
    message = _LABELS[type(least)]
    return Amounts(
        label=_(message).format(player=player), event=least, key="to", likely=tuple(likely), least=least.to,
        most=most, below=_below(state, hand, least, lang), all_in=all_in, perhaps=min(stack + more, MOST) if more else 0,
        over=_(OVER).format(player=player, sum=money(stack, lang)) if more else "",
    )  # fmt: skip


def _below(state: State, hand: Hand, least: log.Apro | log.Punto | log.Rilancio, lang: Lang) -> str:
    """Why it cannot be less, with the rule."""
    _ = catalogue(lang).gettext
    if isinstance(least, log.Rilancio):
        return _("A raise is more than {sum} (rule 10)").format(sum=money(hand.high, lang))
    if hand.before.parola and hand.phase != "final":
        said = _("After parola an opening is at least the pot, {sum}; or all-in (rule 11)")
    elif hand.phase != "final":
        said = _("An opening is at least {sum}; or all-in (rule 6)")
    else:
        said = _("A bet is at least {sum}; or all-in (rule 10)")
    return said.format(sum=money(smallest(state, hand), lang))


def _thought_of(state: State, hand: Hand, seat: int, least: int) -> Iterable[int]:
    """Totals that people say, the likeliest first: the smallest, twice that, half the pot and the pot."""
    high, pot = hand.high, hand.pot
    if not high:
        yield from sorted((least, 2 * least, pot // 2, pot))
        return
    owed = min(high - hand.totals[seat], state.stacks[seat])
    yield high + smallest(state, hand) if not hand.before.parola else 2 * high
    yield from sorted((2 * high, 3 * high, high + (pot + owed) // 2, high + pot + owed))


def chip(state: State) -> int:
    """What the smallest chip is worth: as the table has said, or the cip."""
    usual = state.table.usual
    return (usual.chip if usual is not None else None) or state.cip or 1


def _to_chips(state: State, amount: int) -> int:
    """The amount in whole chips, at least one of them."""
    one = chip(state)
    return max((amount + one // 2) // one, 1) * one


def together(state: State, hand: Hand, lang: Lang) -> Iterator[Offer]:
    """What all players still to speak say, in one tap: nobody opens, all others pass, all knock, all say parola."""
    _ = catalogue(lang).gettext
    names = [state.table.names[seat] for seat in hand.todo]
    said: list[tuple[str, type[log.Passo | log.Parola | log.Busso]]] = []
    if hand.blind_open and hand.todo[0] == hand.blind_raiser:
        return
    if hand.high:
        said = [(_("All others pass"), log.Passo)]
    elif hand.phase != "final":
        said = [(_("Nobody opens"), log.Parola)]
    else:
        said = [(_("All: busso"), log.Busso), (_("All: parola"), log.Parola)]
    for label, word in said:
        events = tuple(word(by=name) for name in names)
        if len(events) > 1 and possible(apply, state, events):
            yield Offer(label, events)


def leaving(hand: Hand, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """Leaving the hand before anybody has bet: it is asked twice (rule 9)."""
    for event in legal:
        if isinstance(event, log.Passo) and hand.phase == "final" and not hand.high:
            label = catalogue(lang).gettext("{player} leaves the hand").format(player=short(event.by))
            yield More(key="leave", label=label, offers=(Offer(label, (event,)),))


def exchange(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Doer:
    """Whose exchange it is: two cards, one, or none."""
    _ = catalogue(lang).gettext
    name = state.table.names[hand.todo[0]]
    said = (_("{player}: served"), _("{player}: 1 card"), _("{player}: 2 cards"))
    changes = sorted((event for event in legal if isinstance(event, log.Cambio)), key=lambda event: -event.n)
    offers = tuple(Offer(said[event.n].format(player=short(name)), (event,)) for event in changes)
    return Doer(name=name, offers=offers, now=True)


def buying(state: State, lang: Lang) -> tuple[Amounts, ...]:
    """Chips to buy for each player, the smallest stack first."""
    _ = catalogue(lang).gettext
    buy_in = state.table.buy_in or 100 * max(state.cip, 1)
    likely = tuple(Sum(amount, money(amount, lang)) for amount in (buy_in, buy_in // 2, 2 * buy_in) if 1 <= amount <= MOST)
    return tuple(
        Amounts(
            label=_("{player} buys chips for").format(player=short(state.table.names[seat])),
            event=log.Chips(by=state.table.names[seat], amount=1), key="amount", likely=likely, least=1, most=MOST,
        )
        for seat in sorted(range(len(state.stacks)), key=state.stacks.__getitem__)
    )  # fmt: skip
