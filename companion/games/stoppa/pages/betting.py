"""The betting on a punto and its comparison, by thumb: who says what, for how much, and what they show. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.games.stoppa import words
from companion.games.stoppa.pages.waiting import still_to_show
from companion.games.stoppa.rules import State, apply, log
from companion.games.stoppa.rules.cards import INDEX
from companion.games.stoppa.rules.declarations import TRIO
from companion.games.stoppa.rules.log import MOST, Event
from companion.games.stoppa.rules.state import Betting, Hand, Seat
from companion.pages.phone import Amounts, Doer, Offer, Pick
from companion.table.language import Lang, catalogue
from companion.table.money import Sum
from companion.table.play import possible
from companion.table.text import short

AMOUNT_BUTTONS = 5
"""Amounts that have a button of their own. With "any other" they fill two rows."""


def speakers(state: State, hand: Hand, betting: Betting, legal: Sequence[Event], lang: Lang) -> tuple[Doer, ...]:
    """The players who can say something now, the one in turn first. Where a later one speaks, those between have passed."""
    found: list[Doer] = []
    for seat in betting.todo:
        name = state.table.names[seat]
        said = [event for event in legal if isinstance(event, _WORDS) and event.by == name]
        if said:
            offers = tuple(_word(state, betting, seat, event, lang) for event in said if not isinstance(event, _BETS))
            bet = next((event for event in said if isinstance(event, _BETS)), None)
            amounts = _amounts(state, betting, bet, lang) if bet is not None else None
            found.append(Doer(name=name, offers=offers[::-1], amounts=amounts, now=not found))
    return tuple(found)


_BETS = log.Punto | log.Rilancio
_WORDS = log.Passo | log.Vedo | log.Punto | log.Rilancio


def _word(state: State, betting: Betting, seat: Seat, event: Event, lang: Lang) -> Offer:
    _ = catalogue(lang).gettext
    name = short(state.table.names[seat])
    if isinstance(event, log.Passo):
        return Offer(_("{player} passes").format(player=name), (event,))
    more = words.amount(betting.high - betting.totals[seat], lang, points=state.table.points)
    return Offer(_("{player} sees (+{sum})").format(player=name, sum=more), (event,))


def _amounts(state: State, betting: Betting, least: log.Punto | log.Rilancio, lang: Lang) -> Amounts:
    """``least``: the smallest bet or raise."""
    _ = catalogue(lang).gettext
    table, name = state.table, short(least.by)
    label = _("{player} raises to") if isinstance(least, log.Rilancio) else _("{player} bets")
    found = dict.fromkeys(amount for amount in _thought_of(state, betting) if least.to <= amount <= MOST)
    likely = tuple(Sum(amount, words.amount(amount, lang, points=table.points)) for amount in found)[:AMOUNT_BUTTONS]
    return Amounts(
        label=label.format(player=name), event=least, key="to", likely=likely, least=least.to, most=MOST, points=table.points,
        unit=table.misera, units=_("= {n} misere"),
    )  # fmt: skip


def _thought_of(state: State, betting: Betting) -> Iterable[int]:
    """Amounts that people say, the likeliest first: twice the bet that stands, the last ones, and some by what is played for."""
    table, high = state.table, betting.high
    if high:
        yield 2 * high
    yield from state.bets
    if table.house.bet_min > 1:
        yield table.house.bet_min
    yield from (high + many * table.small for many in (1, 2))
    yield from sorted(high + amount for amount in (table.misera, betting.prize, 5 * table.small, 10 * table.small))


def together_offers(state: State, hand: Hand, betting: Betting, lang: Lang) -> tuple[Offer, ...]:
    """What all the others do, in one tap: nobody bets, and the next punto, which must follow; all others pass."""
    _ = catalogue(lang).gettext
    names, todo = state.table.names, betting.todo
    if betting.high:
        return (Offer(_("All others pass"), (log.Passo(by=names[todo[-1]]),)),) if len(todo) > 1 else ()
    last = [seat for seat in todo if seat != hand.dealer]
    if hand.dealer not in todo or len(last) < 2:
        return ()
    passed: Event = log.Passo(by=names[last[-1]])
    more = hand.iteration < len(state.table.deals)
    then: tuple[Event, ...] = () if betting.phase == "grosso" else (log.Piccolo() if more else log.Grosso(),)
    if not then or not possible(apply, state, (passed, *then)):
        return (Offer(_("Nobody bets"), (passed,)),)
    punto = words.punto(f"piccolo-{hand.iteration + 1}" if more else "grosso")
    return (Offer(_("Nobody bets: on to the {punto}").format(punto=punto), (passed, *then)),)


def showers(state: State, hand: Hand, betting: Betting, legal: Sequence[Event], lang: Lang) -> tuple[Doer, ...]:
    """The players who can show or concede now: first those who must, then those who may add cards."""
    _ = catalogue(lang).gettext
    due, found = still_to_show(hand), list[Doer]()
    for seat in sorted(betting.still_in(), key=lambda seat: seat not in due):
        name = state.table.names[seat]
        pick = show_of(state, hand, name, legal, lang)
        mucks = tuple(event for event in legal if isinstance(event, log.Muck) and event.by == name)
        offers = tuple(Offer(_("{player}: concedes").format(player=short(name)), (muck,)) for muck in mucks)
        if not any(betting.shown) and seat in due:  # all others concede
            others = tuple(log.Muck(by=state.table.names[other]) for other in due if other != seat)
            offers = (*offers, Offer(_("{player} takes it unseen").format(player=short(name)), others))
        if pick is not None or offers:
            found.append(Doer(name=name, offers=offers, pick=pick, now=seat in due and not found))
    return tuple(found)


def show_of(state: State, hand: Hand, name: str, legal: Sequence[Event], lang: Lang) -> Pick | None:
    """The cards that this player can show now; None where they can show none. ``hand``: in progress, or just over."""
    table, seat = state.table, state.table.names.index(name)
    betting, known, room, shown = hand.betting, hand.known[seat], table.size, 0
    if hand.stated is not None:  # only the number of cards left is known, with some of them
        room = table.size - hand.stated[seat]
    if betting is None:
        return None
    if state.hand is not None and not hand.declared and not hand.begun:
        shown = betting.shown[seat]
        if betting.phase != "grosso":
            known &= hand.dealt_in[hand.iteration - 1]
            room = table.deals[hand.iteration - 1]
    legal_kinds = [event.cards[0] for event in legal if isinstance(event, log.Show) and event.by == name]
    kinds = tuple(kind for kind in legal_kinds if not shown >> INDEX[kind] & 1)
    if not kinds or not room:
        return None
    most = min(TRIO, room - shown.bit_count()) if betting.comparing and not betting.decided else room
    if hand.declared:
        most = 1  # each can be; all of them together might contradict the declaration
    likely = tuple(kind for kind in kinds if known >> INDEX[kind] & 1)
    label, event = catalogue(lang).gettext("{player} shows").format(player=short(name)), log.Show(by=name, cards=())
    others = room if hand.stated is not None else room - known.bit_count()
    return Pick(label=label, event=event, kinds=kinds, most=most, known=likely, room=others, named=True)


def conceding(state: State, hand: Hand, lang: Lang) -> tuple[Offer, ...]:
    """All who have not shown concede to those who have."""
    due = still_to_show(hand)
    if hand.betting is None or not any(hand.betting.shown) or len(due) < 2:
        return ()
    label = catalogue(lang).gettext("All others concede")
    return (Offer(label, tuple(log.Muck(by=state.table.names[seat]) for seat in due)),)
