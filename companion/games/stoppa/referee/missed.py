"""Cards that were laid and that nobody saw: what must have come before a card that does not fit (rule 10)."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa import rules
from companion.games.stoppa.referee.fans import aces_of
from companion.games.stoppa.referee.history import COSTS, History, log_of
from companion.games.stoppa.referee.turns import turn_odds
from companion.games.stoppa.rules.cards import ACE, INDEX, Mask, cards_in, kinds_in, mask_of
from companion.games.stoppa.rules.declarations import best_group
from companion.games.stoppa.rules.log import Grosso, Lay, Piccolo, Show
from companion.games.stoppa.rules.state import to_lay
from companion.table.log import Line
from companion.table.play import state_after

C = COSTS
PRUNE_BELOW = 8.0
"""Natural logarithm of odds: ways that are this much less likely than the best one are not tried."""


def missed(one: History, numbers: set[int], t: float, most: int) -> list[History]:
    """The histories with at most ``most`` cards laid that nobody saw, after which a card of one of these numbers fits."""
    starts, found = [one], list[History]()
    for _ in range(most):
        starts = [more for start in starts for more in one_missed(start, t, max(numbers))]
        best = max((start.weight for start in starts), default=0.0)
        starts = [start for start in starts if start.weight > best - PRUNE_BELOW]
        found += [start for start in starts if _fits(start, numbers)]
    return found


def _fits(one: History, numbers: set[int]) -> bool:
    hand = one.state.hand
    return hand is not None and (not hand.wants or hand.wants in numbers)


def one_missed(one: History, t: float, below: int = 10) -> Iterator[History]:
    """The history with one more card laid that nobody saw: the wanted number by anybody, or one that opens a sequence."""
    hand = one.state.hand
    if hand is None:
        return
    cost = C.hidden if one.hole else C.missed
    if hand.wants:
        turns = turn_odds(one.state, hand, one.held)
        ways = [(seat, hand.wants, log_of(odds)) for seat, odds in enumerate(turns)]
    else:
        opener = to_lay(one.state.table, hand)
        ways = [(opener, number, -math.log(max(below - 1, 1))) for number in range(1, below)]
    for seat, number, whose in ways:
        card = one.unseen_of(number, seat)
        if card is not None:
            more = aces_of(one, hand, seat) & ~(1 << card) if number == ACE else 0
            event = Lay(by=one.name(seat), cards=(KINDS[card], *kinds_in(more)))
            found = one.after([event], cost + whose, t)
            if found is not None:
                noted = 0 if hand.wants else omissions(found) - omissions(one)
                yield replace(found.costing(noted * C.omitted), read=(*found.read, (card, ())))


def omissions(one: History) -> int:
    """Wanted cards of the hand that were not laid, as far as they have come to light."""
    hand = one.state.hand if one.state.hand is not None else one.state.ended
    return sum(noted.kind == "omitted" for noted in hand.irregularities) if hand is not None else 0


# A face that lay open at a comparison and was not seen: it is known later, as the player lays the card in the stoppata.
#
# Nobody keeps back a card that would make their group better, and hardly anybody shows fewer cards than they were dealt.


ONE_OF = 0.9
"""Probability that a card was missed at a punto piccolo, where fewer were seen than were dealt: hardly anybody shows fewer."""
KNOWN_PROBABILITY = 0.8
"""Probability that a card was missed at the punto grosso, where the player is known to have another card of the suit: it would
have made the group better."""
UNSEEN = {1: 0.6, 2: 0.9}
"""Number of cards shown at the punto grosso → that probability, where no other card of the player is known: of ten cards at
least three are of one suit. Of 1042 hands shown in simulated evenings 3 had two cards, and 507 three; of fifty cards one is
missed."""
HIDDEN, FEW, MOST = 0.06, 3, 3
"""Probability that a player who has shown at most ``FEW`` cards has shown up to ``MOST`` more that nobody saw and that change who
is paid, where their unknown cards may be such. In a filmed clip a bottle hid two of five."""
SUITS = tuple(1023 << shift for shift in (0, 10, 20, 30))
MOST_LIKELY = 0.95
"""Probability, at most, of all ways together in which cards may have been missed."""


def with_faces_missed(one: History) -> Iterator[History]:
    """The history, and those in which somebody has shown more cards: cards known to be theirs, or cards that may be theirs and
    with which another player is paid. Together they are as likely as the history was."""
    told = list(_with_more(one))
    total = sum(odd for _, odd in told)
    scale = min(1.0, MOST_LIKELY / total) if total else 1.0
    yield one.costing(math.log(1.0 - total * scale))
    for found, odd in told:
        yield found.costing(math.log(odd * scale))


def _with_more(one: History) -> Iterator[tuple[History, float]]:
    """Each history with more cards shown, which are the player's or with which another is paid, and the probability that these
    were missed."""
    if one.before is None:
        return
    paid = rules.outcome(one.state)
    owned, dealt_in = _owned(one)
    free = one.state.table.deck
    for known in owned:
        free &= ~known
    iteration, grosso, deals = 0, False, one.state.table.deals
    for at, line in enumerate(one.lines):
        event = line.event
        iteration += isinstance(event, Piccolo)
        grosso = grosso or isinstance(event, Grosso)
        if isinstance(event, Lay):
            return
        if not isinstance(event, Show):
            continue
        shown = mask_of(INDEX[kind] for kind in event.cards)
        seat = one.state.table.names.index(event.by)
        mine, unknown = owned[seat], one.state.table.size - owned[seat].bit_count()
        dark = free if unknown else 0
        suits = sum(suit for suit in SUITS if shown & suit)
        more = mine & suits & ~shown if grosso else 0
        if more and more.bit_count() <= MOST:
            ways, odds = [shown | more], KNOWN_PROBABILITY
        elif grosso:
            odds = UNSEEN.get(shown.bit_count(), 0.0)
            ways = [shown | 1 << card for card in cards_in(dark & suits & ~shown)] if odds else []
        elif len(event.cards) < deals[iteration - 1]:
            may_be = (mine | dark) & ~shown & ~_of_others(dealt_in, iteration)
            ways, odds = [shown | 1 << card for card in cards_in(may_be)], ONE_OF
        else:
            continue
        told = [found for cards in ways if (found := _if_better(one, at, event, cards)) is not None]
        others = [found for found in told if rules.outcome(found.state) != paid]
        yield from ((found, odds / len(ways)) for found in (told if more else others))
        left = HIDDEN - len(others) * odds / max(len(ways), 1)
        if grosso and len(event.cards) <= FEW and left > 0:
            hidden = _hidden(one, at, event, shown | more, dark & suits, free.bit_count(), unknown, paid)
            if hidden is not None:
                yield hidden[0], min(left, HIDDEN * hidden[1])


def _hidden(
    one: History, at: int, event: Show, own: Mask, dark: Mask, free: int, unknown: int, paid: Hashable
) -> tuple[History, float] | None:
    """The history with the fewest more cards with which another is paid, and the odds that the player had such cards, 1 at most;
    None where there are none.

    ``own``: cards that are theirs; ``dark``: those that may be, of the suits that they have shown; ``unknown``: the number of
    their cards that are not known, among ``free`` ones.
    """
    most = min(MOST, unknown)
    further = [own | mask_of(cards) for count in range(1, most + 1) for cards in combinations(cards_in(dark), count)]
    ways = sorted(further, key=best_group)
    first = bisect_left(ways, True, key=lambda cards: (found := _if_better(one, at, event, cards)) is not None
                        and rules.outcome(found.state) != paid)  # fmt: skip
    if first == len(ways):
        return None
    chance = _chance(own, dark, best_group(ways[first]), free, unknown)
    found = _if_better(one, at, event, min(ways[first:], key=Mask.bit_count))
    return (found, min(chance / max(1.0 - chance, 1e-9), 1.0)) if found is not None else None


@lru_cache(maxsize=256)
def _chance(own: Mask, dark: Mask, enough: tuple[int, int], free: int, unknown: int) -> float:
    """The probability that ``unknown`` cards, out of ``free`` ones with the ``dark`` among them, make a group of ``enough`` with
    a player's ``own``. The suits are counted apart and added up, 1 at most."""
    found = 0.0
    for suit in SUITS:
        cards = cards_in(dark & suit)
        for count in range(1, min(len(cards), unknown) + 1):
            ways = sum(best_group(own | mask_of(some)) >= enough for some in combinations(cards, count))
            found += ways * math.comb(free - len(cards), unknown - count) / math.comb(free, unknown)
    return min(found, 1.0)


def _if_better(one: History, at: int, event: Show, shown: Mask) -> History | None:
    """The history with all these cards shown in this line, if that makes the group better."""
    if best_group(shown) <= best_group(mask_of(INDEX[kind] for kind in event.cards)):
        return None
    return _shown_more(one, at, Show(by=event.by, cards=tuple(KINDS[card] for card in cards_in(shown))))


def _of_others(dealt_in: tuple[Mask, ...], iteration: int) -> Mask:
    """The cards that were shown for other punti piccoli than this: they were not dealt for it."""
    found = 0
    for number, cards in enumerate(dealt_in, start=1):
        found |= cards if number != iteration else 0
    return found


def _owned(one: History) -> tuple[tuple[Mask, ...], tuple[Mask, ...]]:
    """Per seat, the cards known to be theirs; per iteration, those known to be of it."""
    hand = one.state.ended
    return (hand.known, hand.dealt_in) if hand is not None else ((0,) * len(one.state.table.names), ())


def _shown_more(one: History, at: int, event: Show) -> History | None:
    assert one.before is not None
    lines = tuple(Line(event, line.t) if number == at else line for number, line in enumerate(one.lines))
    state = state_after(rules.apply, one.before, (line.event for line in lines))
    return replace(one, state=state, lines=lines) if state is not None else None
