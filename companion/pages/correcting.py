"""What a correction has changed in what the TV had shown. Pure; of any game.

A log changes in five ways that are not corrections: something happens next; what was recorded becomes surer; earlier lines of
the hand in progress are found out later; something is told late, and put in before what came next, or before a void by which the
camera alone had ended the hand; and a ruling so far that was shown as not sure becomes another, as when the first of somebody's
cards is seen before the rest. A correction is announced only where a ruling, or what somebody has, has changed. What is put in
before what was told, and comes to the same as if it were told next, is no correction: a penalty that a second phone has sent
while the first one ended the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.pages.moments import Moment, follow
from companion.pages.protocol import Pages
from companion.pages.view import RulingView, SumView, View, ViewSettings
from companion.table.errors import Illegal
from companion.table.game import Rules
from companion.table.language import Lang, catalogue
from companion.table.log import Event, Line, tag
from companion.table.text import signed


def corrected(
    rules: Rules, pages: Pages, was: Sequence[Moment], now: Sequence[Moment], lang: Lang, settings: ViewSettings
) -> tuple[str, ...]:
    """What has been corrected from ``was`` to ``now``, two versions of one game: a part for each player, such as "Anna −2 → −1";
    empty where nothing has. They are compared at the point up to which both tell the same events, so later events do not
    count."""
    place = _same_place(rules, was, now)
    if place is None:
        return ()
    while place < len(now) and now[place - 1].run is not None:
        place += 1  # where lines stand in for an outcome, it is told when the hand is over
    told, tells = (pages.view(one, lang, settings) for one in (was, now[:place]))
    found = _changed(rules, pages, was, now[:place], told, tells)
    if found and (after := _told_next(rules, pages, was, now[:place])):
        same = pages.view(after, lang, settings)
        if same.ruling is not None and not _sums(same.ruling, tells.ruling) and not _has(same, tells):
            return ()
    return found


def _changed(
    rules: Rules, pages: Pages, was: Sequence[Moment], now: Sequence[Moment], told: View, tells: View
) -> tuple[str, ...]:
    """As `corrected`, of two versions that tell as far; ``told``, ``tells``: the views of them."""
    one, other = told.ruling, tells.ruling
    if other is not None and other.void and tag(now[-1].event) == "void" and (one is None or not one.void):
        return ()  # the hand that was told of is void, and that is what is said
    if one is not None and (not (one.final or one.sure) or (one.void and one.confidence is not None and one.confidence < 1)):
        return ()  # nobody has said that it was void: what it comes to is told for the first time
    if one is not None and (other is None or (one.hand, one.about) == (other.hand, other.about)):
        found = _came_to(one, other, told, tells, pots=pages.pots)
        if found or other is None:
            return found if told.hand == tells.hand else ()
    if not _as_settled(rules, was[-1], now[-1], told, tells):
        return ()
    found = _has(told, tells)
    return () if found and _told_late(rules, was, now) else found


def _told_next(rules: Rules, pages: Pages, was: Sequence[Moment], now: Sequence[Moment]) -> tuple[Moment, ...]:
    """The moments that ``was`` had come to, with what ``now`` has put in before some of them told after them; empty where it has
    not only put in something, or that cannot come there."""
    same = _first_other([_events(moment) for moment in was], [_events(moment) for moment in now])
    left, put_in = list(was[same:]), list[Line]()
    for moment in now[same:]:
        if left and _events(moment) == _events(left[0]):
            left.pop(0)
        else:
            put_in += moment.lines
    if left or not put_in:
        return ()
    try:
        return (*was, *follow(rules, pages, put_in, was[-1]))
    except Illegal:
        return ()


def corrected_hand(rules: Rules, was: Sequence[Moment], now: Sequence[Moment]) -> int:
    """The number of the hand in which two versions of one game begin to differ; between two hands that of the one before; 0
    before the first."""
    first = _first_other([_events(moment) for moment in was], [_events(moment) for moment in now])
    moment = was[first] if first < len(was) else now[first]
    return rules.hands(moment.seen) + rules.in_hand(moment.seen)


def read_out(parts: Sequence[str], hand: int, lang: Lang) -> str:
    """A correction as a sentence that is said aloud. ``parts``: what `corrected` has found; ``hand``: its number, 0 for none."""
    _ = catalogue(lang).gettext
    became = _("{before}, now {after}")
    changes = [became.format(before=before, after=after) for before, _arrow, after in (part.partition(" → ") for part in parts)]
    title = _("Hand {n} corrected").format(n=hand) if hand else _("Corrected")
    return f"{title}: {'; '.join(changes)}."


def _first_other(old: Sequence[tuple[Event, ...]], new: Sequence[tuple[Event, ...]]) -> int:
    """How many moments two versions have in common, before any that differ."""
    return next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))


def _same_place(rules: Rules, was: Sequence[Moment], now: Sequence[Moment]) -> int | None:
    """How many of the moments ``now`` tell as far as ``was`` did; None where they only go on from there."""
    old, new = [_events(moment) for moment in was], [_events(moment) for moment in now]
    same = _first_other(old, new)
    if same == len(old) or not same or not new[same - 1 :]:
        return None
    # After what was changed the old telling goes on as before, and the new one perhaps further.
    longest, place = 0, 0
    for end in range(same, len(new) + 1):
        length = 0
        while length < min(len(old), end) - same and old[-1 - length] == new[end - 1 - length]:
            length += 1
        if length > longest:
            longest, place = length, end
    if longest:
        return place
    if rules.in_hand(was[-1].seen):
        return min(len(old), len(new))
    stands = rules.hands(was[-1].seen)
    over = (at for at in range(same, len(new)) if not rules.in_hand(now[at].seen) and rules.hands(now[at].seen) == stands)
    return next(over, len(new) - 1) + 1


def _events(moment: Moment) -> tuple[Event, ...]:
    return tuple(line.event for line in moment.lines)


def _came_to(one: RulingView, other: RulingView | None, told: View, tells: View, *, pots: bool) -> tuple[str, ...]:
    """Who has another sum by the ruling. Of two rulings on a hand that is over, in a game with ``pots``, it is compared what
    everybody has: one says what was taken of the pot, another, as the table stated it, what was won or lost by it."""
    if not pots or other is None or not (one.final and other.final):
        return _sums(one, other)
    stated = [any(paid.cause == "stated" for paid in ruling.payments) for ruling in (one, other)]
    return _has(told, tells) or (_sums(one, other) if stated[0] == stated[1] else ())


def _sums(one: RulingView, other: RulingView | None) -> tuple[str, ...]:
    """Who pays or gains another sum. What is ruled besides while a hand is in progress was not told before."""
    was, now = ({row.player: row for row in ruling.sums} if ruling is not None else {} for ruling in (one, other))
    found = []
    for player in dict.fromkeys((*was, *now)):
        before, after = (row.delta if row is not None else 0 for row in (was.get(player), now.get(player)))
        more = not one.final and not one.about and abs(after) >= abs(before) and after * before >= 0
        if before != after and not more:
            found.append(f"{player} {_sum_text(was.get(player))} → {_sum_text(now.get(player))}")
    return tuple(found)


def _sum_text(row: SumView | None) -> str:
    return (row.amount or signed(row.delta)) if row is not None and row.delta else "0"


def _has(told: View, tells: View) -> tuple[str, ...]:
    old = {seat.name: seat.has for seat in told.seats}
    return tuple(
        f"{seat.name}: {old[seat.name]} → {seat.has}" for seat in tells.seats if old.get(seat.name, seat.has) != seat.has
    )


def _told_late(rules: Rules, was: Sequence[Moment], now: Sequence[Moment]) -> bool:
    """Whether all hands that were over still come to the same, and the rest is of the hand in progress, or was only put in."""
    over = [[rules.ruling(at.seen, n + 1) for n in range(rules.hands(at.seen))] for at in (was[-1], now[-1])]
    if over[0] != over[1]:
        return False
    old, new = [_events(moment) for moment in was], [_events(moment) for moment in now]
    first = _first_other(old, new)
    in_progress = first < len(was) and rules.in_hand(was[first].seen) and rules.hands(was[first].seen) == len(over[0])
    rest = iter(new[first:])
    return in_progress or all(any(events == other for other in rest) for events in old[first:])


def _as_settled(rules: Rules, was: Moment, now: Moment, told: View, tells: View) -> bool:
    """Whether what everybody has differs by what was told before alone: both between hands, or in a hand that has come to the
    same so far."""
    playing = rules.in_hand(was.seen), rules.in_hand(now.seen)
    come_to = (view.ruling.sums if view.ruling is not None else None for view in (told, tells))
    return playing == (False, False) or (playing == (True, True) and next(come_to) == next(come_to))
