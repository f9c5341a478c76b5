"""The cards by thumb: the showdown, hands turned up early or shown late, discards that were seen. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

from msgspec.structs import replace

from companion.decks.italian_sets import kinds_in, mask_of
from companion.games.stoper.pages.waiting import still_to_show
from companion.games.stoper.rules import State, log
from companion.games.stoper.rules.cards import HAND, Mask, cards_in
from companion.games.stoper.rules.engine import apply
from companion.games.stoper.rules.known import agree
from companion.games.stoper.rules.log import Event
from companion.games.stoper.rules.state import Hand, Seat
from companion.pages.phone import Doer, More, Offer, Pick
from companion.table.language import Lang, catalogue
from companion.table.play import possible
from companion.table.text import short

MOST_GROUPS = 800
"""Hands of three cards that the form lists, at most, where some of a player's cards are known; where there are more, it takes any
three cards, and the rules refuse what cannot be."""


def showers(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> tuple[Doer, ...]:
    """The players who must still show or concede, in turn."""
    _ = catalogue(lang).gettext
    found: list[Doer] = []
    for seat in still_to_show(hand):
        name = state.table.names[seat]
        mucks = (event for event in legal if isinstance(event, log.Muck) and event.by == name)
        offers = tuple(Offer(_("{player}: concedes").format(player=short(name)), (muck,)) for muck in mucks)
        found.append(Doer(name=name, offers=offers, pick=shows(state, hand, seat, lang), now=not found))
    return tuple(found)


def shows(state: State, hand: Hand, seat: Seat, lang: Lang) -> Pick:
    """The three cards that this player shows. ``hand``: in progress, or just over."""
    name, known = state.table.names[seat], hand.known[seat]
    free = _not_elsewhere(hand, seat) & ~known.discards
    likely = (known.dealt & ~known.discards) | known.received
    groups = None
    if known.dealt | known.received and comb(free.bit_count(), HAND) <= 10 * MOST_GROUPS:
        fitting = (mask_of(three) for three in combinations(cards_in(free), HAND))
        masks = [three for three in fitting if agree(replace(known, shown=three))]
        groups = tuple(kinds_in(three) for three in masks) if len(masks) <= MOST_GROUPS else None
    label = catalogue(lang).gettext("{player} shows").format(player=short(name))
    return Pick(
        label=label, event=log.Show(by=name, cards=()), kinds=kinds_in(free), least=HAND, most=HAND, groups=groups,
        known=kinds_in(likely), deck=kinds_in(hand.deck), named=True,
    )  # fmt: skip


def _not_elsewhere(hand: Hand, seat: Seat) -> Mask:
    """The cards of the deck that nobody else is known to have had."""
    free = hand.deck
    for other, known in enumerate(hand.known):
        if other != seat:
            free &= ~known.cards
    return free


def conceding(state: State, hand: Hand, lang: Lang) -> Iterator[Offer]:
    """All who have not shown concede to those who have."""
    events = tuple(log.Muck(by=state.table.names[seat]) for seat in still_to_show(hand))
    if len(events) > 1 and possible(apply, state, events):
        yield Offer(catalogue(lang).gettext("All others concede"), events)


def turned_up(state: State, hand: Hand, legal: Sequence[Event], lang: Lang) -> Iterator[More]:
    """Cards laid open outside a showdown: by a player who is all-in, before it; by anybody who was in to the end, once the hand
    is over."""
    if hand.phase == "showdown" and state.hand is not None:
        return
    names = dict.fromkeys(event.by for event in legal if isinstance(event, log.Show))
    seats = [seat for seat in map(state.table.names.index, names) if not hand.known[seat].shown]
    if seats:
        _ = catalogue(lang).gettext
        label = _("Cards turned up") if state.hand is not None else _("Cards shown after the hand")
        yield More(key="shown", label=label, picks=tuple(shows(state, hand, seat, lang) for seat in seats))


def kept(state: State, hand: Hand, lang: Lang) -> Iterator[More]:
    """Discards that a player who has shown lays open, too, as proof of what they opened with (rule 6). ``hand``: in progress, or
    just over."""
    _ = catalogue(lang).gettext
    picks = []
    for seat, known in enumerate(hand.known):
        name = state.table.names[seat]
        if known.shown and known.changed > 0 and not known.discards and seat not in hand.conceded:
            free = _not_elsewhere(hand, seat) & ~known.shown
            if known.dealt.bit_count() == HAND:
                free &= known.dealt
            label = _("{player} throws {n}").format(player=short(name), n=known.changed)
            event = log.Show(by=name, cards=kinds_in(known.shown), discards=())
            picks.append(Pick(label=label, event=event, kinds=kinds_in(free), key="discards", least=known.changed,
                              most=known.changed, deck=kinds_in(hand.deck)))  # fmt: skip
    if picks:
        yield More(key="kept", label=_("Discards that were seen"), picks=tuple(picks))


def discards(state: State, hand: Hand, lang: Lang) -> Iterator[More]:
    """Cards thrown away whose faces were seen; they may prove what their player opened with (rule 6)."""
    _ = catalogue(lang).gettext
    seat = hand.todo[0]
    name, known = state.table.names[seat], hand.known[seat]
    free = _not_elsewhere(hand, seat)
    if known.dealt_count == HAND and known.dealt.bit_count() == HAND:
        free &= known.dealt
    picks = tuple(
        Pick(
            label=_("{player} throws {n}").format(player=short(name), n=n), event=log.Cambio(by=name, n=n, discards=()),
            kinds=kinds_in(free), key="discards", least=n, most=n, known=kinds_in(known.dealt), deck=kinds_in(hand.deck),
            room=HAND - known.dealt.bit_count(),
        )
        for n in (1, 2)
    )  # fmt: skip
    yield More(key="discards", label=_("Discards that were seen"), picks=picks)
