"""How a hand ends: its cards are gathered, or all of them have been seen. Where few faces were not seen, all are tried."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator

from msgspec.structs import replace

from companion.decks.stu import KINDS, Kind, as_kind
from companion.games.stu import rules
from companion.games.stu.referee.costs import COSTS
from companion.games.stu.referee.explain import refusals
from companion.games.stu.referee.history import History
from companion.games.stu.referee.moves import position_of
from companion.games.stu.rules import State
from companion.games.stu.rules.faces import copies
from companion.games.stu.rules.log import End, Reveal, Void
from companion.games.stu.rules.state import NOBODY, Hand
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.sightings import Shown
from companion.referee.beam import prune, rule
from companion.referee.values import DEFAULT_LIMITS, Fact, HandReports
from companion.table.log import Line
from companion.table.play import state_after
from companion.table.sure import SURE_FROM

GUESSED_FACES = 2
"""Faces that may be missing at the end of a hand, at most: every kind is tried for each. With more the hand cannot be ruled."""
GUESSED_HISTORIES = 8
"""Histories, the likeliest, in which that is done: each missing face multiplies them by twenty."""
MAX_ENDINGS = 1000
"""Beam width for a hand that is over."""
AT_ONCE = frozenset({"gnao", "bragon"})
"""Kinds that cost somebody a pedina in mid-hand, and so perhaps the rest of the hand."""


def ended(beam: tuple[History, ...], t: float) -> tuple[History, ...]:
    """The histories with the hand ended at ``t`` seconds; for faces that were never seen, every kind is tried.

    Where too many faces are missing the hand ends void: there is nothing to rule on. Histories with the same payments are kept
    apart, as they may differ in cards that somebody can be asked about.
    """
    over = [_over(one, t) for one in beam]
    seen = [one for one in over if one]
    unseen = [one for one, end in zip(beam, over, strict=True) if not end][:GUESSED_HISTORIES]
    found = [*seen, *(end for one in unseen for end in _end(one, t, GUESSED_FACES))]
    found = sorted(found, key=lambda one: -one.weight)[:MAX_ENDINGS]
    return tuple(one for one in found if one.weight > found[0].weight - DEFAULT_LIMITS.prune_below)


def over_if_seen(beam: tuple[History, ...]) -> tuple[History, ...]:
    """The histories ended at once if everybody's card has been seen in the likeliest one: no need to wait for the clearing. So it
    is where only those are missing that never will be seen, if somebody must be asked for them."""
    if not beam or beam[0].state.hand is None or beam[0].exchange_expected:
        return beam
    if beam[0].after([End()], 0.0, beam[0].acted) is not None:
        return ended(beam, beam[0].acted)
    if not _others_have_shown(beam[0], beam[0].state.hand):
        return beam
    over = ended(beam, beam[0].acted)
    return over if rule(over).probability < SURE_FROM else beam


def _others_have_shown(one: History, hand: Hand) -> bool:
    """Whether in the showdown only the cards are missing of players to whom none was seen to be dealt, though one was to each of
    the others: they are hidden, or outside the picture, and their faces will not be seen either. Where no camera saw the deal
    nothing is concluded."""
    missing = [position for position in hand.positions() if hand.face_of(position) is None]
    dealt = {position for position in hand.positions() if hand.order[position] in one.dealt}
    never = dealt == set(hand.positions()) - set(missing)
    return one.showing and never and 0 < len(missing) <= GUESSED_FACES and 2 * len(missing) <= len(hand.positions())


def _over(one: History, t: float) -> History | None:
    """The history with its ``end``; None while a face is missing. An expected exchange that was never seen counts against it."""
    return one.after([End()], COSTS.unpaid if one.exchange_expected else 0.0, t)


def _end(one: History, t: float, guesses: int) -> Iterator[History]:
    hand = one.state.hand
    if hand is None:
        yield one
        return
    over = _over(one, t)
    if over:
        yield over
        return
    unseen = [position for position in hand.positions() if hand.face_of(position) is None]
    if not unseen or len(unseen) > guesses:
        void = one.after([Void(reason="cards not seen")], math.log(1e-6), t)
        if void:
            yield void
        return
    name = one.player(unseen[0])
    left = {kind: copies(hand, kind) - hand.faces.count(kind) for kind in KINDS}
    for kind in [kind for kind in KINDS if left[kind] > 0]:
        chance = math.log(left[kind] / sum(left.values()))
        guess = one.after([Reveal(by=name, card=kind)], chance + COSTS.faceless, t)
        if guess:
            yield from _end(guess, t, guesses)


def missing(before: State, lines: tuple[Line, ...]) -> tuple[int, ...]:
    """The places whose cards nobody has seen, where the hand ended void for that reason; else none."""
    *played, last = lines
    if not isinstance(last.event, Void):
        return ()
    state = state_after(rules.apply, before, (line.event for line in played))
    hand = state.hand if state is not None else None
    return tuple(hand.order[p] for p in hand.positions() if hand.face_of(p) is None) if hand is not None else ()


def about_missing(place: int, t: float) -> tuple[Fact, tuple[str, ...]]:
    """The fact of which card lay in this place, with every kind as a possible answer."""
    return Fact(f"card:{place}", "card", (place,), t), KINDS


def with_answers(beam: tuple[History, ...], reports: HandReports, before: State) -> tuple[History, ...]:
    """The histories with the faces that the eyes never saw, as somebody has answered. A trump that nobody saw when it was shown
    may have refused a passo; histories in which such a card cannot have lain there are given up, unless that leaves none."""
    faces = []
    for question, choice in reports.answers:
        kind, _, place = question.partition(":")[2].partition(":")
        if kind == "card" and "@" not in place and choice in KINDS:
            faces.append((int(place), as_kind(choice)))
    for seat, face in sorted(faces, key=lambda told: not is_trump(told[1])):
        beam = tuple(way for one in beam for way in _with_face(one, seat, face, reports, before)) or beam
    return tuple(one for one in prune(beam) if isinstance(one, History)) if faces and beam else beam


def _with_face(one: History, seat: int, kind: Kind, reports: HandReports, before: State) -> tuple[History, ...]:
    hand = one.state.hand
    position = hand.order.index(seat) if hand is not None and seat in hand.order else NOBODY
    if hand is None or position == NOBODY or not hand.still_in(position):
        return (one,)
    if (known := hand.face_of(position)) is not None:
        return (one,) if known == kind else ()
    t = reports.cleared if reports.cleared is not None else one.acted
    reveal = Reveal(by=one.state.table.names[seat], card=kind)
    ways = [one.after([reveal], 0.0, t)]
    if is_trump(kind):
        ways += _refused(one, seat, reveal, before)
    return tuple(way for way in ways if way is not None)


def _refused(one: History, seat: int, reveal: Reveal, before: State) -> Iterator[History]:
    """The history with this card shown at some point of it to refuse a passo, and all else as it is."""
    state = before
    for index, line in enumerate((*one.lines, None)):
        hand = state.hand
        if hand is not None and (position := position_of(hand, seat)) is not None:
            now = one.acted if line is None or line.t is None else line.t
            start = replace(one, state=state, lines=one.lines[:index], weight=0.0, acted=now)
            for way in refusals(start, hand, position, reveal, now):
                rest: History | None = way
                for later in one.lines[index:]:
                    rest = rest.after([later.event], 0.0, later.t or 0.0) if rest is not None else None
                if rest is not None:
                    yield replace(one, state=rest.state, lines=rest.lines, weight=one.weight + way.weight)
        if line is not None:
            state = rules.apply(state, line.event)


def situation(state: State, reports: HandReports, beam: tuple[History, ...]) -> Hashable:
    """What the play of the hand depends on: of the pedine only who has any, unless somebody may have lost one in mid-hand."""
    alternatives = {kind for seen in reports.sightings if isinstance(seen, Shown) for kind, _ in seen.alternatives}
    paid = any(due.by or due.cause == "penalty" for one in beam for due in rules.outcome(one.state))
    whole = paid or bool(alternatives & AT_ONCE)
    pedine = state.pedine if whole else tuple(count > 0 for count in state.pedine)
    return state.table, pedine, state.next_dealer(), state.matti, state.ricompere_open, state.won


