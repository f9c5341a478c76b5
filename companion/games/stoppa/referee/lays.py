"""What a card put on the pile can mean: whose it is, whether its face was misread, what was missed before it (rules 10 to 14)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa.referee.fans import known_of, unseen_with
from companion.games.stoppa.referee.history import BEAM_LIMITS, COSTS, MIN_PLACE_PROBABILITY, History, log_of
from companion.games.stoppa.referee.missed import PRUNE_BELOW, missed, omissions
from companion.games.stoppa.referee.readings import done, readings, share_of, shares_of, ways_to_name
from companion.games.stoppa.referee.turns import may_begin_lower, turn_odds
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, Mask, cards_in, mask_of, number_of
from companion.games.stoppa.rules.known import elsewhere
from companion.games.stoppa.rules.log import Back, Lay
from companion.games.stoppa.rules.state import Hand, Seat, to_lay
from companion.games.stoppa.sightings import Laid, Odds, PlaceOdds, TakenBack

C = COSTS
MIN_PLAIN_LOG = math.log(0.02)
"""Least logarithm of a probability with which a sighting is explained as it is: a likelier one needs no missed card."""
MIN_REREAD_LOG_PROBABILITY = math.log(0.2)
"""Logarithm of the probability that a face, and a place, must have for an earlier card to be read again
(`companion.games.stoppa.referee.readings`)."""
MISSED, MISSED_IN_HOLE = 2, 5
"""Cards in a row, at most, that may have been missed: in view, and while nothing could be seen."""
SAME_NEIGHBOUR_LOG_PROBABILITY = math.log(0.3)
"""Logarithm of the probability that a player's card seems to come from a neighbour's place, where an earlier one did. In two of
15 filmed clips an arm that reached out between two places was taken for the other player's all evening: 16 of the 18 cards in 937
for which that happened."""
MAX_TOGETHER = 3
"""Ways, at most, to name cards of one number that are put down together."""
MAX_TAKEN = 3
"""Lays, at most, that are taken back where it is not known which."""


def put(one: History, hand: Hand, cards: Sequence[Laid], t: float, least: float = -math.inf) -> Iterator[History]:
    """Cards put down in one motion: as the rules have it, with cards before them that were missed, or nothing at all. Histories
    with a weight below ``least`` are not looked for."""
    first = readings(one, hand, cards[0])
    plain = one.weight + MIN_PLAIN_LOG * len(cards) + first[0].cost
    direct = list(_by_anybody(one, hand, cards, t, min(least, plain)))
    yield from direct
    least = _least(least, direct)
    if one.hole or max((found.weight for found in direct), default=-math.inf) < plain:
        likely = max(C.unread, first[0].cost + MIN_PLAIN_LOG)
        numbers = {reading.number for reading in first if reading.cost > likely} or set(range(1, 11))
        most = MISSED_IN_HOLE if one.hole else MISSED
        for start in missed(one, numbers, t, most):
            if start.state.hand is not None and start.weight >= least:
                yield from _by_anybody(start, start.state.hand, cards, t, least)
        top = number_of(hand.top) if hand.wants else 10
        if min(numbers) <= top:
            yield from _after_a_back(one, hand, cards, t, least)
        if hand.wants and max(numbers) > hand.wants and one.weight + C.skipped >= least:
            yield from _by_anybody(one.costing(C.skipped), hand, cards, t, least, skipped=True)
    costs = _nothing(hand, cards)
    yield replace(one.costing(sum(costs)), baffled=one.baffled or C.unexplained in costs)


def _least(least: float, found: Sequence[History]) -> float:
    """The least weight of a history worth looking for once these ways are ``found``."""
    return max([least, *(one.weight - BEAM_LIMITS.given_up for one in found)])


def _nothing(hand: Hand, cards: Sequence[Laid]) -> list[float]:
    """Logarithms of the probabilities that what was seen was cards that lay on the pile already, or nothing at all."""
    return [max(log_of(_on(hand.on_pile, seen)) + C.twice, _none_laid(seen)) for seen in cards]


def _on(pile: Mask, seen: Laid) -> float:
    """The probability that this is the card of a ``pile`` that it looks like; 0 where it looks like none."""
    return next((p for kind, p in seen.alternatives[:1] if pile >> INDEX[kind] & 1), 0.0)


def _none_laid(seen: Laid) -> float:
    """Logarithm of the odds that no card was laid: the probability that its kinds leave over (1 less their sum), divided
    by how many numbers they have."""
    left = 1 - sum(p for _, p in seen.alternatives)
    numbers = len({number_of(INDEX[kind]) for kind, _ in seen.alternatives})
    return max(log_of(left / numbers), C.unexplained) if numbers else C.unexplained


def after_the_end(pile: Mask, cards: Sequence[Laid]) -> float:
    """Logarithm of the probability that a card seems to be laid though the stoppata is over: it lies there already, was left in a
    hand, or is none, and a hand gathers the pile."""
    return sum(max(log_of(_on(pile, seen)) + C.twice, _gathered(seen), C.after) for seen in cards)


def _gathered(seen: Laid) -> float:
    """Logarithm of the probability that what was seen is a hand that gathers the cards: it brings nothing that could be read."""
    return C.gathered + log_of(1 - max(shares_of(seen.alternatives)))


def _by_anybody(
    one: History, hand: Hand, cards: Sequence[Laid], t: float, least: float, *, skipped: bool = False
) -> Iterator[History]:
    """The cards laid by each player who may have, one way and another, unless that is of a weight below ``least``.

    The first of several may be one that lies there, seen once more: who laid it says nothing about the others.
    """
    if len(cards) > 1 and (again := _again(hand, cards[0], ())) is not None and one.weight + again >= least:
        yield from _by_anybody(one.costing(again), hand, cards[1:], t, least, skipped=skipped)
    opener = to_lay(one.state.table, hand) if not hand.wants else None
    turns = turn_odds(one.state, hand, one.held) if hand.wants else ()
    places, count = cards[0].places, len(one.state.table.names)
    seats = range(count) if opener is None else (opener,)
    seemed, best = _seemed(places), -math.inf
    for at, seat in sorted(((_whose(one, places, seat, seemed), seat) for seat in seats), reverse=True):
        if at < best - PRUNE_BELOW:
            break
        for found in _by(one, hand, seat, cards, t, least - at, skipped):
            first = _first_laid(found, one)
            whose = log_of(turns[seat]) if turns and first == hand.wants else C.aces - math.log(2) if turns else 0.0
            if opener is not None and may_begin_lower(one.state, hand, known_of(one, hand, seat) & ~hand.laid[seat], first):
                whose += C.lower
            noted = 0 if turns else omissions(found) - omissions(one)  # the odds of the turns have those of mistakes in them
            laid = replace(found.costing(at + whose + noted * C.omitted), hole=False, taken_for=_taken_for(one, seat, seemed))
            best = max(best, laid.weight - one.weight)
            yield laid


def _first_laid(found: History, before: History) -> int:
    event = found.lines[len(before.lines)].event if len(found.lines) > len(before.lines) else None
    return number_of(INDEX[event.cards[0]]) if isinstance(event, Lay) else 0


def _seemed(places: PlaceOdds) -> Seat | None:
    """From which place it seems to come."""
    return max(places, key=lambda place: place[1], default=(None, 0.0))[0]


def _whose(one: History, places: PlaceOdds, seat: Seat, seemed: Seat | None) -> float:
    """As `seat_cost`, but a place that was taken for a neighbour's before may be so again."""
    cost = seat_cost(places, seat, len(one.state.table.names))
    return max(cost, SAME_NEIGHBOUR_LOG_PROBABILITY) if (seat, seemed) in one.taken_for else cost


def _taken_for(one: History, seat: Seat, seemed: Seat | None) -> frozenset[tuple[Seat, Seat]]:
    """The pairs of neighbours whose places have been taken for one another, with this card of ``seat``."""
    count = len(one.state.table.names)
    if seemed is None or (seat - seemed) % count not in (1, count - 1):
        return one.taken_for
    return one.taken_for | {(seat, seemed)}


def seat_cost(places: PlaceOdds, seat: Seat, seats: int) -> float:
    """Logarithm of the probability that the hand came from this player's place."""
    odds = dict(places)
    rest = max(1.0 - sum(odds.values()), 0.0) / max(seats - len(odds), 1)
    return math.log(max(odds.get(seat, rest), MIN_PLACE_PROBABILITY))


def _by(
    one: History, hand: Hand, seat: Seat, cards: Sequence[Laid], t: float, least: float, skipped: bool,
    last: int | None = None,
) -> Iterator[History]:
    """The cards laid by this player: all at once where they are of one number, or one after the other. Those after the first and
    up to ``last`` (an index; None: all) may be others seen once more."""
    likely = seat_cost(cards[0].places, seat, len(one.state.table.names)) > MIN_REREAD_LOG_PROBABILITY
    if len(cards) > 1:
        at_once = [
            found for number in range(1, 11) if _may_lie(one, hand, number, skipped)
            for chosen, cost in _of_number(one, hand, seat, cards, number)
            for found in _together(one, hand, seat, cards, chosen, cost, t, least, likely=likely)
        ]  # fmt: skip
        yield from at_once
        least = _least(least, at_once)
        for at in range(1, len(cards) if last is None else last):
            if (again := _again(hand, cards[at], cards[:at])) is not None and one.weight + again >= least:
                yield from _by(one.costing(again), hand, seat, (*cards[:at], *cards[at + 1 :]), t, least, skipped, at)
    for reading in readings(one, hand, cards[0]):
        if not _may_lie(one, hand, reading.number, skipped):
            continue
        for card, cost in ways_to_name(one, hand, seat, cards[0], reading):
            for found in _together(one, hand, seat, cards[:1], (card,), cost, t, least, likely=likely,
                                   guess=reading.card is None, skipped=skipped):  # fmt: skip
                now = found.state.hand
                if not cards[1:]:
                    yield found
                elif now is None or found.weight + C.apart < least:
                    continue
                elif now.wants or seat == to_lay(found.state.table, now):
                    yield from _by(found.costing(C.apart), now, seat, cards[1:], t, least, skipped=False)


def _may_lie(one: History, hand: Hand, number: int, skipped: bool) -> bool:
    """Whether a card of this number may be laid now by a player who has it (rules 10, 12 and 14). The rules decide the rest."""
    if not hand.wants or number == hand.wants:
        return True
    if skipped:
        return number > hand.wants
    return number == 1 and (number_of(hand.top) == 1 or one.state.table.house.three_aces_anytime)


def _again(hand: Hand, seen: Laid, others: Sequence[Laid]) -> float | None:
    """Logarithm of the probability that this is no card, or one of the ``others`` or of the pile seen once more; None where it is
    another card."""
    likely = {other.alternatives[0][0] for other in others if other.alternatives}
    mass = sum(p for kind, p in seen.alternatives[:1] if kind in likely or hand.on_pile >> INDEX[kind] & 1)
    cost = max(log_of(mass) + C.twice, _none_laid(seen))
    return cost if cost > C.unexplained else None


def _of_number(
    one: History, hand: Hand, seat: Seat, cards: Sequence[Laid], number: int
) -> list[tuple[tuple[Card, ...], float]]:  # fmt: skip
    """The cards of one number that these may be, with the logarithm of the probability, the likeliest first; empty where they
    cannot all be of it.

    Among the ways to name them that agree in what is known of the players' hands, only the likeliest is given.
    """
    left = cards_in(OF_NUMBER[number] & one.state.table.deck & ~hand.on_pile)
    own = hand.known[seat] | (one.held[seat] if one.held else 0) | _elsewhere(one, seat)
    best: dict[Mask, tuple[tuple[Card, ...], float]] = {}
    costs = [_named(seen.alternatives) for seen in cards]
    for chosen in permutations(left, len(cards)):
        cost = sum(named[card] for named, card in zip(costs, chosen, strict=True))
        known = mask_of(chosen) & own
        if known not in best or cost > best[known][1]:
            best[known] = chosen, cost
    return sorted(best.values(), key=lambda way: -way[1])[:MAX_TOGETHER]


@lru_cache(maxsize=1024)  # asked for again and again, for each of the histories
def _named(alternatives: Odds) -> tuple[float, ...]:
    """Per card, the logarithm of the probability that a card which looks so is this one: its suit may be misread."""
    if not alternatives:
        return (-math.log(len(KINDS) / 4),) * len(KINDS)
    odds, shares = dict(alternatives), shares_of(alternatives)
    return tuple(
        max(log_of(odds.get(kind, 0.0)), log_of(shares[number_of(card)]) + C.suit, C.unread) for card, kind in enumerate(KINDS)
    )


def _together(
    one: History, hand: Hand, seat: Seat, seen: Sequence[Laid], cards: tuple[Card, ...], cost: float, t: float, least: float, *,
    likely: bool, guess: bool = False, skipped: bool = False,
) -> Iterator[History]:  # fmt: skip
    """The cards that were seen laid, alone and with those that must have been put down with them unseen."""
    plainly = min(share_of(look, number_of(cards[0])) for look in seen)
    for more, less in unseen_with(one, hand, seat, mask_of(cards), plainly):
        if not more or one.weight + cost + less >= least:
            yield from _laid(one, seat, seen, cards, cost + less, t, least, likely=likely, guess=guess, skipped=skipped,
                             more=more)  # fmt: skip


def _laid(
    one: History, seat: Seat, seen: Sequence[Laid], cards: tuple[Card, ...], cost: float, t: float, least: float, *,
    likely: bool, guess: bool = False, skipped: bool = False, more: tuple[Card, ...] = (),
) -> Iterator[History]:  # fmt: skip
    event = Lay(by=one.name(seat), cards=tuple(KINDS[card] for card in (*cards, *more)), skipped=skipped)
    ways = tuple(done(one, [event], cost, t, reread=likely and cost > MIN_REREAD_LOG_PROBABILITY, least=least))
    if not ways and len(cards) == 1 and not guess and not more and _elsewhere(one, seat) >> cards[0] & 1:  # one was misread
        other = one.unseen_of(number_of(cards[0]), seat)
        if other is not None and other != cards[0]:
            yield from _laid(one, seat, seen, (other,), cost + C.suit, t, least, likely=False, guess=True, skipped=skipped)
    taken = tuple((look.episode, card) for look, card in zip(seen, cards, strict=True))
    read = tuple((card, look.alternatives) for look, card in zip(seen, cards, strict=True))
    for found in ways:
        yield replace(found, episodes=(*found.episodes, *taken), read=(*found.read, *read))


def _elsewhere(one: History, seat: Seat) -> Mask:
    """The cards known to be other players'."""
    hand = one.state.hand
    return elsewhere(hand, seat) if hand is not None else 0


def _after_a_back(one: History, hand: Hand, cards: Sequence[Laid], t: float, least: float) -> Iterator[History]:
    """The card on top was taken back unseen before these were laid."""
    if hand.lays and one.weight + C.back >= least:
        start = one.after([Back(lays=1)], C.back, t)
        if start is not None and start.state.hand is not None:
            yield from _by_anybody(start, start.state.hand, cards, t, least)


def taken_back(one: History, hand: Hand, seen: TakenBack) -> Iterator[History]:
    """Cards went back from the pile to a place; or nothing of the kind."""
    yield one.costing(max(log_of(1 - seen.probability), C.unexplained))
    cards = dict(one.episodes)
    if seen.top is None:
        counts = [len(hand.lays)]
    elif seen.top in cards:
        bit = 1 << cards[seen.top]
        at = [number for number, lay in enumerate(hand.lays) if lay.cards & bit]
        counts = [len(hand.lays) - 1 - at[-1]] if at else []
    else:
        counts = list(range(1, min(len(hand.lays), MAX_TAKEN) + 1))
    for lays in counts:
        if lays > 0:
            whose = seat_cost(seen.places, hand.lays[-1].seat, len(one.state.table.names))
            found = one.after([Back(lays=lays)], log_of(seen.probability) + whose - math.log(len(counts)), seen.t)
            if found is not None:
                yield found
