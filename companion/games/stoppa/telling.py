"""A hand told step by step: what was said, bet, shown and laid, and what followed from it at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from companion.decks import italian_words
from companion.decks.italian import Kind
from companion.games.betting.telling import BettingTelling
from companion.games.stoppa import rules, words
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.log import Event
from companion.games.stoppa.rules.state import HandRulings, Irregularity, State
from companion.table.language import N_, Lang, catalogue
from companion.table.setting import set_said
from companion.table.text import perhaps

_STEPS: Final[dict[type, str]] = {
    log.Piccolo: N_("{punto} is dealt"),
    log.Grosso: N_("the punto grosso is played for"),
    log.Deal: N_("{by} is dealt {cards}"),
    log.Punto: N_("{by} bets {sum}"),
    log.Vedo: N_("{by} sees"),
    log.Rilancio: N_("{by} raises to {sum}"),
    log.Passo: N_("{by} passes"),
    log.Show: N_("{by} shows {cards}"),
    log.Muck: N_("{by} concedes without showing"),
    log.Lay: N_("{by} lays {cards}"),
    log.Annul: N_("all agree: no stoppata in this hand"),
    log.Giro: N_("{by} calls the giro"),
    log.Void: N_("the hand is void"),
}


def _order(state: State) -> tuple[str, ...]:
    """Who plays, mano first."""
    assert state.hand is not None
    table = state.table
    return tuple([table.names[seat] for seat in table.round_from(table.after(state.hand.dealer))])


def act_said(before: State, event: Event, after: State, lang: Lang) -> str:
    """What an event was, without what followed from it; "" for one that tells nothing."""
    _ = catalogue(lang).gettext
    match event:
        case log.Declare(by=by, what=what):
            return words.declared(by, what, lang)
        case log.Back(lays=lays):
            return str(catalogue(lang).ngettext("{n} lay is taken back", "{n} lays are taken back", lays).format(n=lays))
        case log.End() | log.Close() | log.Hand():
            return ""
        case log.Set():
            return set_said(words.stands(event, lang, points=after.table.points), event, lang)
        case log.Lay(by=by, cards=cards, skipped=True) if before.hand is not None and before.hand.wants:
            said = _("{by} lays {cards}, past the {number} that nobody laid")
            return said.format(by=by, cards=_cards(cards, lang), number=italian_words.number(before.hand.wants, lang))
        case log.Lay(by=by, cards=cards, forced=True):
            return _("{by} has to lay {cards} (rule 10)").format(by=by, cards=_cards(cards, lang))
        case log.Deal(to=to, faces=faces):
            return _(_STEPS[log.Deal]).format(by=to, cards=_cards(faces, lang)) if faces else ""
    sum = words.amount(getattr(event, "to", 0), lang, points=after.table.points)
    phase = after.hand.betting.phase if after.hand is not None and after.hand.betting is not None else "grosso"
    return _(_STEPS[type(event)]).format(
        by=getattr(event, "by", ""), sum=sum, cards=_cards(getattr(event, "cards", ()), lang),
        punto=words.punto(phase),
    )  # fmt: skip


def _cards(kinds: tuple[Kind, ...], lang: Lang) -> str:
    return ", ".join(italian_words.card(kind, lang) for kind in kinds)


def _news(was: HandRulings, now: HandRulings, after: State, lang: Lang, doubtful: Collection[Any] = ()) -> list[str]:
    """What the hand came to by this event: a punto decided, payments, mistakes that came to light; and what of that is
    ``doubtful``."""
    _, points = catalogue(lang).gettext, after.table.points
    news = [pot for pot in now.pots if pot not in was.pots]
    said = [perhaps(words.pot(pot, lang, points=points), sure=pot not in doubtful) for pot in news]
    if now.stoppata is not None and now.stoppata.winner is not None and was.stoppata != now.stoppata:
        said.append(_("{player} stops: the stoppata is over").format(player=now.stoppata.winner))
    said += [words.payment(paid, lang, points=points) for paid in now.payments if paid not in was.payments]
    return said + mistakes(was, now, lang, doubtful)


def mistakes(was: HandRulings, now: HandRulings, lang: Lang, doubtful: Collection[Irregularity] = ()) -> list[str]:
    """The mistakes that came to light, and which of them are ``doubtful``."""
    found = now.irregularities[len(was.irregularities) :]
    return [perhaps(words.irregularity(one, lang, where=False), sure=one not in doubtful) for one in found]


TELLING = BettingTelling(rules, act_said, _news, _order, words.rulings)
