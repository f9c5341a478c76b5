"""What can be said to have happened next, a tap each, the likeliest first: how a game is kept by thumb. Pure.

All that is offered is made of `legal_acts`: what the rules forbid is never on a button."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.betting.pages import likely_acts
from companion.games.stoper.pages import beginning, betting, showing
from companion.games.stoper.pages.waiting import still_to_show, waits_for
from companion.games.stoper.rules import State, check, legal_acts, log, waiting
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.state import Hand
from companion.pages.phone import More, Next, Offer
from companion.table.game import Turn
from companion.table.language import Lang, catalogue


def offers(state: State, lang: Lang, *, just_over: bool = False, perhaps: Sequence[int] = ()) -> Next:
    """What may come next in this game. A hand that is over by itself cannot be made void any more; its last line can be taken
    back. ``perhaps``: see `companion.pages.protocol.Pages.offers`."""
    legal = legal_acts(state)
    if state.hand is not None:
        return _in_hand(state, state.hand, legal, lang, perhaps)
    found = () if state.over else tuple(beginning.beginnings(state, lang))
    return Next(title=waits_for(state, lang), offers=found, more=tuple(_between(state, legal, lang)))


def _between(state: State, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    if not state.over:
        yield from beginning.rarer(state, lang)
    if state.ended is not None:
        yield from showing.turned_up(state, state.ended, legal, lang)
        yield from showing.kept(state, state.ended, lang)
    if not state.over:
        close = catalogue(lang).gettext("Close the game")
        yield More(key="close", label=close, offers=(Offer(close, (log.Close(),)),))


def _in_hand(state: State, hand: Hand, legal: Sequence[Event], lang: Lang, perhaps: Sequence[int]) -> Next:
    found: tuple[Offer, ...] = ()
    more: list[More] = []
    match waiting(state):
        case Turn("show"):
            doers = showing.showers(state, hand, legal, lang)
            found = tuple(showing.conceding(state, hand, lang))
        case Turn("cambio"):
            doers = (betting.exchange(state, hand, legal, lang),)
            more += showing.discards(state, hand, lang)
        case _:
            doers = (betting.speaker(state, hand, legal, lang, perhaps),)
            found = tuple(betting.together(state, hand, lang))
            more += betting.leaving(hand, legal, lang)
    more += showing.turned_up(state, hand, legal, lang)
    more += showing.kept(state, hand, lang)
    return Next(title=waits_for(state, lang), offers=found, likely=False, doers=doers, more=tuple(more), void=True)


def by_itself(state: State, event: Event) -> Event | None:
    """The `end` of a hand that is over by itself."""
    return log.End() if check(state, log.End()) is None else None


def order(state: State) -> tuple[str, ...]:
    """The players in the hand in progress, in turn from First; empty between hands."""
    if state.hand is None:
        return ()
    return tuple(state.table.names[seat] for seat in state.hand.order)


def bridge(state: State) -> tuple[Event, ...]:
    """The plainest act of the player whom the table waits for: passes the word, passes, knocks, is served, concedes."""
    hand, turn = state.hand, waiting(state)
    if hand is None or not isinstance(turn, Turn):
        return ()
    match turn.step, turn.who:
        case "show", _:
            due = still_to_show(hand)
            shown = any(known.shown for known in hand.known)
            return tuple(log.Muck(by=state.table.names[seat]) for seat in due) if shown else ()
        case "cambio", str(who):
            return (log.Cambio(by=who, n=0),)
        case "open" | "blind", str(who) if not hand.high:
            return (log.Parola(by=who),)
        case "speak" | "raise", str(who):
            return (log.Busso(by=who),)
        case _, str(who):
            return (log.Passo(by=who),)
    return ()


def whole_acts(state: State, done: Event, lang: Lang) -> tuple[Offer, ...]:
    """What the player who has ``done`` this could have said or changed instead; cards have a form of their own."""
    by = getattr(done, "by", None)
    if isinstance(done, log.Show | log.Muck) or state.hand is None:
        return ()
    found = offers(state, lang)
    doer = next((one for one in found.doers if one.name == by), None)
    if doer is None:
        return ()
    leaves = tuple(offer for one in found.more if one.key == "leave" for offer in one.offers)
    return (*doer.offers, *likely_acts(doer), *leaves)
