"""The stoppata by thumb: a tap for each card that is laid, and what is rarer: several at once, a number skipped, lays taken back,
declarations. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.decks.italian import KINDS
from companion.decks.italian_words import card, number
from companion.games.stoppa.rules import State, check, log
from companion.games.stoppa.rules.cards import cards_in, kinds_in, number_of
from companion.games.stoppa.rules.log import Event, What
from companion.games.stoppa.rules.state import Hand, to_lay
from companion.pages.phone import Doer, More, Offer, Pick
from companion.table.language import N_, Lang, catalogue
from companion.table.text import sentence, short

MOST_BACK = 20
"""Lays that can be taken back at once, at most."""

_DECLARES: dict[What, str] = {
    "four_kings": N_("{player}: four Re"),
    "misera": N_("{player}: misera, no figure"),
    "no_stoppata": N_("{player}: a hand that does not stop"),
}


def opener(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> tuple[Doer, ...]:
    """The player who opens a sequence, with any card, or with several."""
    name = state.table.names[to_lay(state.table, hand)]
    label = catalogue(lang).gettext("{player} opens with").format(player=short(name))
    pick = _pick(name, [event for event in legal if isinstance(event, log.Lay)], label)
    return (Doer(name=name, pick=pick, now=True),)


def rows(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> tuple[Doer, ...]:
    """Everybody in the order of play, with the cards that they can lay on the open sequence; the player who laid last may go
    on."""
    found = []
    for seat in state.table.round_from(state.table.after(hand.dealer)):
        name = state.table.names[seat]
        lays = [event for event in legal if isinstance(event, log.Lay) and event.by == name]
        lays.sort(key=lambda event: (_number(event.cards[0]) != hand.wants, len(event.cards), KINDS.index(event.cards[0])))
        found.append(Doer(name=name, offers=tuple(_offers(lays, hand, lang)), now=seat == hand.last))
    return tuple(found)


def _offers(lays: Sequence[log.Lay], hand: Hand, lang: Lang) -> Iterator[Offer]:
    _ = catalogue(lang).gettext
    for event in lays:
        kind = event.cards[0]
        if len(event.cards) == 1:
            yield Offer(_("{player} lays {cards}").format(player=short(event.by), cards=card(kind, lang)), (event,), kind)
        elif _number(kind) == hand.wants:
            yield Offer(_("all {n}").format(n=len(event.cards)), (event,))


def _number(kind: str) -> int:
    return number_of(KINDS.index(kind))


def _pick(name: str, lays: Sequence[log.Lay], label: str, *, skipped: bool = False) -> Pick:
    kinds = tuple(event.cards[0] for event in lays if len(event.cards) == 1)
    groups = tuple(event.cards for event in lays if len(event.cards) > 1)
    most = max((len(group) for group in groups), default=1)
    return Pick(label=label, event=log.Lay(by=name, cards=(), skipped=skipped), kinds=kinds, most=most, groups=groups)


def several(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """Several cards at once on the open sequence: aces, or all of a number."""
    lays = [event for event in legal if isinstance(event, log.Lay) and len(event.cards) > 1] if hand.wants else []
    picks = []
    for name, of in groupby(lays, key=lambda event: event.by):
        groups = [event.cards for event in of]
        kinds = tuple(kind for kind in KINDS if any(kind in group for group in groups))
        label = catalogue(lang).gettext("{player} lays").format(player=short(name))
        lay = log.Lay(by=name, cards=())
        picks.append(Pick(label=label, event=lay, kinds=kinds, least=2, most=4, groups=tuple(groups)))
    if picks:
        yield More(key="several", label=catalogue(lang).gettext("Several cards at once"), picks=tuple(picks))


def skipping(state: State, hand: Hand, lang: Lang) -> Iterator[More]:
    """The wanted number does not come, and the table goes on with a higher one."""
    _ = catalogue(lang).gettext
    if not hand.wants:
        return
    higher = [card for card in cards_in(state.table.deck & ~hand.on_pile) if number_of(card) > hand.wants]
    picks = []
    for name in state.table.names:
        lays = [log.Lay(by=name, cards=(KINDS[card],), skipped=True) for card in higher]
        lays = [event for event in lays if check(state, event) is None]
        if lays:
            picks.append(_pick(name, lays, _("{player} lays").format(player=short(name)), skipped=True))
    if picks:
        label = _("The {number} does not come").format(number=number(hand.wants, lang))
        yield More(key="skip", label=label, picks=tuple(picks))


def taking_back(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """The last lays are taken back, or the stoppata is left out: all agree. Due while they choose what becomes of a mistake."""
    _ = catalogue(lang).gettext
    due = _just_omitted(state, hand)
    found = []
    for event in legal:
        if isinstance(event, log.Back) and event.lays <= MOST_BACK:
            laid = hand.lays[-event.lays]
            cards = ", ".join(card(kind, lang) for kind in kinds_in(laid.cards))
            since = _("from {player}’s {cards} on").format(player=short(state.table.names[laid.seat]), cards=cards)
            many = str(catalogue(lang).ngettext("the last lay", "the last {n} lays", event.lays).format(n=event.lays))
            found.append(Offer(sentence(f"{many}: {since}"), (event,)))
    if found:
        yield More(key="back", label=_("Take lays back"), offers=tuple(found), due=due)
    annuls = tuple(Offer(_("All agree: no stoppata"), (event,)) for event in legal if isinstance(event, log.Annul))
    if annuls:
        yield More(key="annul", label=_("No stoppata in this hand"), offers=annuls, due=due)


def _just_omitted(state: State, hand: Hand) -> bool:
    """Whether the last lay, or the one before, which it may follow by force, has brought to light that somebody held back a
    wanted card (rule 16): it went past a card known of them, or showed it."""
    shown = [KINDS[at] for laid in hand.lays[-2:] for at in cards_in(laid.cards)]
    return any(noted.line is not None and (noted.line >= state.line - 1 or noted.card in shown) for noted in hand.irregularities)


def declaring(legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """What somebody can declare before the first card."""
    offers = tuple(declarations(legal, lang))
    if offers:
        yield More(key="declare", label=catalogue(lang).gettext("Somebody declares"), offers=offers, due=True)


def declarations(legal: Sequence[Event], lang: Lang) -> Iterator[Offer]:
    """Every declaration that can be, a tap each."""
    _ = catalogue(lang).gettext
    for what, message in _DECLARES.items():
        for event in legal:
            if isinstance(event, log.Declare) and event.what == what:
                yield Offer(_(message).format(player=short(event.by)), (event,))
