"""A hand told step by step: what was said, bet, changed and shown, and what followed from it at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from companion.decks.italian import NAMES, Kind
from companion.games.betting.telling import BettingTelling
from companion.games.stoper import rules, words
from companion.games.stoper.rules import log
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.state import HandRulings, Irregularity, State
from companion.table.language import N_, Lang, catalogue
from companion.table.money import exact
from companion.table.setting import set_said
from companion.table.text import perhaps

_STEPS: Final[dict[type, str]] = {
    log.Deal: N_("{by} is dealt {cards}"),
    log.Apro: N_("{by} opens with {sum}"),
    log.Busso: N_("{by} says busso"),
    log.Punto: N_("{by} bets {sum}"),
    log.Vedo: N_("{by} sees"),
    log.Rilancio: N_("{by} raises to {sum}"),
    log.Passo: N_("{by} passes"),
    log.Show: N_("{by} shows {cards}"),
    log.Muck: N_("{by} concedes without showing"),
    log.Chips: N_("{by} buys chips for {sum}"),
    log.Void: N_("the hand is void"),
}
_BLINDS: Final = (
    N_("{by} opens blind: buio, {sum}"), N_("{by} raises blind: controbuio, {sum}"), N_("{by} raises blind: over, {sum}"),
)  # fmt: skip


def _order(state: State) -> tuple[str, ...]:
    """Who takes part, First first."""
    assert state.hand is not None
    return tuple([state.table.names[seat] for seat in state.hand.order])


def act_said(before: State, event: Event, after: State, lang: Lang) -> str:
    """What an event was; "" for one that tells nothing."""
    _, ngettext = catalogue(lang).gettext, catalogue(lang).ngettext
    hand, cards = before.hand, getattr(event, "cards", ())
    said = _STEPS.get(type(event), "")
    amount = getattr(event, "to", getattr(event, "amount", 0))
    match event:
        case log.Set():
            return set_said(words.stands(event, lang), event, lang)
        case log.Buio() if hand is not None and after.hand is not None:
            said, amount = _BLINDS[hand.blinds], after.hand.high
        case log.Parola() | log.Passo() if hand is not None and hand.phase != "final" and not hand.high:
            said = N_("{by} passes the word")
        case log.Parola():
            said = N_("{by} says parola")
        case log.Vedo() if hand is not None and after.hand is not None and not after.stacks[before.table.names.index(event.by)]:
            said = N_("{by} sees, all-in")
        case log.Cambio(n=0):
            said = N_("{by} is served")
        case log.Cambio(n=n, discards=discards):
            changed = str(ngettext("{by} changes {n} card", "{by} changes {n} cards", n).format(by=event.by, n=n))
            return changed + (f" ({_cards(discards, lang)})" if discards else "")
        case log.Deal(faces=faces):
            said, cards = said if faces else "", faces
    if not said:
        return ""
    by = getattr(event, "by", getattr(event, "to", ""))
    return _(said).format(by=by, sum=exact(amount, lang) if isinstance(amount, int) else "", cards=_cards(cards, lang))


def _cards(kinds: tuple[Kind, ...] | int | None, lang: Lang) -> str:
    if not isinstance(kinds, tuple):
        return ""
    return ", ".join(NAMES[kind].it if lang == "it" else NAMES[kind].en for kind in kinds)


def _news(was: HandRulings, now: HandRulings, after: State, lang: Lang, doubtful: Collection[Any] = ()) -> list[str]:
    """What the hand came to by this event: what went back, pots, what stays, mistakes that came to light; and what of that is
    ``doubtful``."""
    said = list(words.results(now, lang, doubtful)) if (was.pots, was.unassigned) != (now.pots, now.unassigned) else []
    return said + mistakes(was, now, lang, doubtful)


def mistakes(was: HandRulings | None, now: HandRulings, lang: Lang, doubtful: Collection[Irregularity] = ()) -> list[str]:
    """The mistakes that came to light, and which of them are ``doubtful``. ``was``: the rulings of the hand before this event,
    None before it was begun."""
    before = len(was.irregularities) if was is not None else 0
    return [perhaps(words.irregularity(one, lang), sure=one not in doubtful) for one in now.irregularities[before:]]


TELLING = BettingTelling(rules, act_said, _news, _order, words.rulings)
