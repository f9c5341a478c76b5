"""What can be said to have happened next, a tap each, the likeliest first: how a game is kept by thumb. Pure.

All that is offered is made of `legal_acts`: what the rules forbid is never on a button."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.decks.italian import KINDS
from companion.games.betting.pages import likely_acts
from companion.games.stoppa import words
from companion.games.stoppa.pages import betting as bets
from companion.games.stoppa.pages import laying, phrases
from companion.games.stoppa.pages.waiting import still_to_show, waits_for
from companion.games.stoppa.rules import State, check, legal_acts, log, waiting
from companion.games.stoppa.rules.log import Event
from companion.games.stoppa.rules.state import Hand
from companion.games.stoppa.rules.stoppata import forced_lay
from companion.pages import sets
from companion.pages.phone import Amounts, Choice, Doer, Field, More, Next, Offer
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.text import short


def offers(state: State, lang: Lang, *, just_over: bool = False, perhaps: Sequence[int] = ()) -> Next:
    """What may come next in this game. To make a hand void that has just ended, its last line is taken back, too."""
    legal = legal_acts(state)
    if state.hand is None:
        return _between(state, legal, lang, void=just_over and not state.hands[-1].void)
    return _in_hand(state, state.hand, legal, lang)


def _between(state: State, legal: Sequence[Event], lang: Lang, *, void: bool) -> Next:
    _ = catalogue(lang).gettext
    found: tuple[Offer, ...] = ()
    if not state.over:
        dealer = short(state.table.names[state.dealer])
        found = (Offer(_("New hand: {dealer} deals").format(dealer=dealer), (log.Hand(), log.Piccolo())),)
    return Next(title=waits_for(state, lang), offers=found, more=tuple(_rare(state, legal, lang)), void=void)


def _rare(state: State, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """Between hands."""
    _ = catalogue(lang).gettext
    next_dealer = state.table.names[state.dealer]
    others = [event for event in legal if isinstance(event, log.Hand) and event.dealer not in (None, next_dealer)]
    if others:
        dealing = tuple(Offer(str(event.dealer), (event, log.Piccolo())) for event in others)
        yield More(key="dealer", label=_("Somebody else deals"), offers=dealing)
    if state.ended is not None:
        left = (bets.show_of(state, state.ended, name, legal, lang) for name in state.table.names)
        picks = tuple(pick for pick in left if pick is not None)
        if picks:
            label = _("Show more cards") if state.ended.ending == "grosso" else _("Show cards left in hand")
            yield More(key="left", label=label, picks=picks)
    yield from _calling(state, legal, lang)
    if not state.over:
        yield _setting(state, lang)
        yield More(key="close", label=_("Close the game"), offers=(Offer(_("Close the game"), (log.Close(),)),))


def _setting(state: State, lang: Lang) -> More:
    """Everybody's balance, to be set by hand. All must be given, as only together they add up to 0."""
    table = state.table
    event = log.Set(standing=dict(zip(table.names, state.balances, strict=True)))
    fields = []
    for name, now in event.standing.items():
        choices = tuple(Choice(sum, phrases.signed_sum(table, sum, lang)) for sum in dict.fromkeys((now, 0)))
        typed = Amounts(label=short(name), event=event, key=name, likely=(), least=-log.MOST, most=log.MOST, points=table.points)
        fields.append(Field(key=name, label=short(name), choices=choices, amounts=typed, within=("standing",)))
    why = ""
    if state.carried:
        said = catalogue(lang).gettext("{sum} lie on the table for the next hand: the balances come to {total} in all.")
        total = phrases.signed_sum(table, -state.carried, lang)
        why = said.format(sum=phrases.sum_of(table, state.carried, lang), total=total)
    return sets.form(event, fields, lang, only_changed=False, total=-state.carried, why=why)


def _calling(state: State, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """The call of the giro; called again it changes nothing."""
    calls = [event for event in legal if isinstance(event, log.Giro)]
    if calls and not state.last_hand:
        offers = tuple(Offer(short(event.by), (event,)) for event in calls)
        yield More(key="giro", label=catalogue(lang).gettext("Call the giro"), offers=offers)


def _in_hand(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Next:
    _ = catalogue(lang).gettext
    turn, betting = waiting(state), hand.betting
    assert isinstance(turn, Turn)
    found: tuple[Offer, ...] = ()
    doers: tuple[Doer, ...] = ()
    rows: tuple[Doer, ...] = ()
    more: list[More] = []
    match turn.step:
        case "bet" if betting is not None:
            doers = bets.speakers(state, hand, betting, legal, lang)
            found = bets.together_offers(state, hand, betting, lang)
        case "show" if betting is not None:
            doers = bets.showers(state, hand, betting, legal, lang)
            found = bets.conceding(state, hand, lang)
        case "piccolo" | "grosso":
            event: Event = log.Piccolo() if turn.step == "piccolo" else log.Grosso()
            step = f"piccolo-{hand.iteration + 1}" if turn.step == "piccolo" else "grosso"
            found = (Offer(_("On to the {punto}").format(punto=words.punto(step)), (event,)),)
        case "end":
            found = (Offer(_("End of the hand"), (log.End(),)), *laying.declarations(legal, lang))
        case "lay" if state.in_last_hand:
            found = (Offer(_("End of the hand"), (log.End(),)),)
        case "lay":
            doers = () if hand.wants else laying.opener(state, hand, legal, lang)
            rows = laying.rows(state, hand, legal, lang) if hand.wants else ()
            more += laying.declaring(legal, lang)
            more += laying.several(state, hand, legal, lang)
            more += laying.skipping(state, hand, lang)
            more += laying.taking_back(state, hand, legal, lang)
    more += _showing_more(state, hand, legal, lang) if turn.step not in ("bet", "show") else ()
    more += _calling(state, legal, lang)
    likely = turn.step not in ("bet", "show")
    return Next(title=waits_for(state, lang), offers=found, likely=likely, doers=doers, rows=rows, more=tuple(more), void=True)


def _showing_more(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """Cards added to a comparison that is decided, or shown after a declaration."""
    picks = tuple(
        pick for name in state.table.names if (pick := bets.show_of(state, hand, name, legal, lang)) is not None
    )
    if picks:
        yield More(key="shown", label=catalogue(lang).gettext("Show more cards"), picks=picks)


def by_itself(state: State, event: Event) -> Event | None:
    """The lay that the rules force after another one, and the `end` of a hand in which nothing more can happen; None while cards
    can still be shown at its last comparison. A player's last card is never laid so: it is the stop, which pays (rule 15)."""
    if state.hand is not None:
        if isinstance(event, log.Lay) and (forced := forced_lay(state.table, state.hand)) is not None:
            seat, card = forced
            stops = state.hand.laid[seat].bit_count() + 1 == state.table.size
            return None if stops else log.Lay(by=state.table.names[seat], cards=(KINDS[card],), forced=True)
        betting = state.hand.betting
        if not state.in_last_hand or betting is None or betting.phase != "grosso" or betting.comparing or not betting.decided:
            return None
    return log.End() if check(state, log.End()) is None else None


def order(state: State) -> tuple[str, ...]:
    """The players in the hand in progress, mano first; empty between hands."""
    if state.hand is None:
        return ()
    table = state.table
    return tuple(table.names[seat] for seat in table.round_from(table.after(state.hand.dealer)))


def bridge(state: State) -> tuple[Event, ...]:
    """At a comparison where somebody has shown, all others concede: no cards need be made up for that."""
    hand = state.hand
    if hand is None or hand.betting is None or not any(hand.betting.shown):
        return ()
    return tuple(log.Muck(by=state.table.names[seat]) for seat in still_to_show(hand))


def whole_acts(state: State, done: Event, lang: Lang) -> tuple[Offer, ...]:
    """What the player who has ``done`` this could have said or declared instead; cards have a form of their own."""
    if isinstance(done, log.Declare):
        return tuple(laying.declarations(legal_acts(state), lang))
    by = getattr(done, "by", None)
    doer = next((one for one in offers(state, lang).doers if one.name == by), None)
    if doer is None or not isinstance(done, log.Passo | log.Vedo | log.Punto | log.Rilancio | log.Muck):
        return ()
    return (*doer.offers, *likely_acts(doer))
