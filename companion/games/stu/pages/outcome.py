"""Only the outcome: who paid how many pedine in a hand, when nobody can tell the rest.

The table log has no line for that: who pays is worked out from what was played. So the plainest legal hand with this outcome is
looked for; its lines stand for the outcome, and are marked as seen by nobody.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from companion.decks.stu import KINDS, RANK, Kind, as_kind
from companion.games.stu.rules import Hand, State, apply, check, reasons, ruling
from companion.games.stu.rules.faces import copies
from companion.games.stu.rules.log import End, Event, Passo, Penalty, Reveal, Swap, Void
from companion.games.stu.rules.state import NOBODY, Irregularity, Payment
from companion.games.stu.rules.trumps import TRUMPS
from companion.table.errors import Illegal
from companion.table.language import Lang

MOST_TRIED = 4000
"""Acts that are tried before an outcome is taken to be impossible. That takes seconds at most, at a large table."""

MOST_PAID = 3

no_such = reasons.NO_SUCH_OUTCOME
in_money = False


def most(state: State) -> int:
    """The most pedine that a player can be said to have paid in one hand."""
    return MOST_PAID


def comes_to(before: State, after: State) -> dict[str, int]:
    """Player → pedine paid (negative: gained) in the hand that was begun after ``before``; only those for whom it is not 0."""
    found: Counter[str] = Counter()
    hand = ruling(after, len(before.hands) + 1)
    for payment in hand.payments if hand is not None else ():
        found[payment.player] -= payment.delta
    return {player: paid for player, paid in found.items() if paid}


def stated(before: State, told: Sequence[Event], paid: Mapping[str, int], faces: Mapping[str, str]) -> tuple[Event, ...] | None:
    """The plainest hand, from its opening line to its end, in which exactly this is paid; None where the rules allow none.

    ``before``: the state before the hand. ``told``: its lines so far; they are kept as far as that can be, the first and
    penalties in any case. ``faces``: player → kind that they are known to have shown in the end, used where that is possible.
    The hand has no irregularity but those of its lines so far: what was made up accuses nobody.

    Raises:
        Illegal: a penalty that was told is not counted in it, or is all that would be paid; nobody pays, or somebody more than
            they have, or the dealer two.
    """
    wanted = {player: pedine for player, pedine in paid.items() if pedine}
    shown = {player: as_kind(face) for player, face in faces.items()}
    allowed = frozenset[Irregularity]()
    penalties = _penalties(told)
    for player, many in penalties.items():
        if wanted.get(player, 0) < many:
            raise Illegal(reasons.PENALTY_UNCOUNTED, rule=24, expected=f"{player}: {many} or more", player=player, number=many)
    for begun, so_far in _beginnings(before, told):
        allowed |= {*begun.hand.irregularities} if begun.hand is not None else frozenset()
        for known in (shown, {}) if shown else (shown,):
            search = _Search(before, wanted, known, allowed)
            if (found := search.play(begun, ())) is not None:
                return (*so_far, *found)
    if penalties and wanted == penalties:
        player = next(iter(penalties))
        raise Illegal(reasons.PENALTY_ALONE, rule=24, expected="who paid for the hand", player=player)
    if not wanted:
        raise Illegal(reasons.NOBODY_PAYS, rule=8, expected="who paid, or a void hand")
    for player, many in wanted.items():
        if many > (had := before.pedine[before.table.names.index(player)] if player in before.table.names else 0):
            raise Illegal(reasons.MORE_THAN_LEFT, rule=18, expected=f"{had} at most", player=player, number=had)
    begun = apply(before, told[0])
    dealer = before.table.names[begun.hand.dealer] if begun.hand is not None else ""
    if wanted.get(dealer, 0) > 1 + penalties.get(dealer, 0):
        raise Illegal(reasons.DEALER_PAYS_MORE, rule=6, expected=f"{dealer}: 1", player=dealer)
    return None


def _penalties(told: Sequence[Event]) -> dict[str, int]:
    """Player → pedine that penalties have cost in the hand so far."""
    acts = itertools.takewhile(lambda event: not isinstance(event, End | Void), told)
    return dict(Counter(event.player for event in acts if isinstance(event, Penalty)))


def _beginnings(before: State, told: Sequence[Event]) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """The game after all lines that were ``told`` of the hand, as far as they follow; without the cards shown in the end; after
    its first line and penalties alone. With those lines; only where the hand goes on after them."""
    acts = tuple(itertools.takewhile(lambda event: not isinstance(event, End | Void), told))
    played = len(acts)
    while played > 1 and isinstance(acts[played - 1], Reveal):
        played -= 1
    opening = (told[0], *(event for event in told[1:] if isinstance(event, Penalty)))
    for events in dict.fromkeys((acts, acts[:played], opening)):
        state = before
        for at, event in enumerate(events):
            if check(state, event) is not None:
                events = events[:at]
                break
            state = apply(state, event)
        if events and state.hand is not None:
            yield state, events


def meant(before: State, event: Event, after: State) -> Hashable:
    """Whom the line answers, and whom it asks: the positions."""
    return tuple(state.hand.asking if state.hand is not None else None for state in (before, after))


def alone(event: Event) -> bool:
    """A card that is shown, a penalty."""
    return isinstance(event, Penalty | Reveal)


def untold(told: State, over: State) -> State:
    """``over``, the game after a hand whose outcome alone is known, without what nobody told. Penalties, and what was paid before
    the first line that was made up, keep their reasons; the rest is stated, a sum for each player."""
    at, begun = len(told.hands), told.hand
    assert begun is not None, "the line that stands in is of a hand"
    hand = over.hands[at]
    known = begun.payments + tuple(paid for paid in hand.payments[len(begun.payments) :] if paid.cause == "penalty")
    rest: Counter[str] = Counter()
    for sign, payments in ((1, hand.payments), (-1, known)):
        for paid in payments:
            rest[paid.player] += sign * paid.delta
    names = over.table.names
    stated = tuple(Payment(name, rest[name], "stated", 0) for name in names if rest[name])
    payments = () if hand.void else known + stated
    out = begun.out + tuple(name for name in names if name in hand.out and name not in begun.out)
    hand = replace(hand, payments=payments, out=out, irregularities=begun.irregularities, stated=not hand.void)
    return replace(over, hands=(*over.hands[:at], hand, *over.hands[at + 1 :]))


def given(before: State, over: State, lang: Lang) -> tuple[str, ...]:
    """Nothing is given to anybody beside the numbers that people tell."""
    return ()


def laid(laid: Hand | None, event: Event | None, state: State) -> Hand | None:
    """The cards as they lay when the last line of the hand was told, with those that were told to have been shown since."""
    if laid is None or not isinstance(event, Reveal):
        return laid
    position = laid.places[state.table.names.index(event.by)]
    if position == NOBODY or not laid.still_in(position):
        return laid
    token = laid.holds[position]
    return replace(laid, faces=(*laid.faces[:token], event.card, *laid.faces[token + 1 :]))


class _Search:
    """A search, depth first: the showdown once it can account for what is left to pay, until then one more player who pays on the
    spot."""

    def __init__(
        self, before: State, wanted: Mapping[str, int], faces: Mapping[str, Kind], allowed: Collection[Irregularity]
    ) -> None:
        self.before, self.wanted, self.faces, self.allowed = before, wanted, faces, allowed
        self.left = MOST_TRIED

    def play(self, state: State, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
        """The events with those that lead to the outcome after them."""
        hand = state.hand
        if hand is None:  # a final won outright
            return events if self._is_it(state) else None
        due = Counter(self.wanted)
        due.subtract(comes_to(self.before, state))
        if any(pedine < 0 for pedine in due.values()):
            return None
        if hand.asking is None and hand.drawing == NOBODY and sum(due.values()) <= 2:
            for shown in self._showdowns(state, hand, +due):
                found = self._tried(state, events, (*shown, End()))
                if found is not None and self._is_it(found[0]):
                    return found[1]
        for act in _acts(state, hand, +due):
            if (tried := self._tried(state, events, act)) is not None and (done := self.play(*tried)) is not None:
                return done
        return None

    def _is_it(self, state: State) -> bool:
        """Whether the hand is over, with the outcome that is wanted and no mistake that nobody told."""
        over = state.hand is None and comes_to(self.before, state) == self.wanted
        return over and {*state.hands[len(self.before.hands)].irregularities} <= {*self.allowed}

    def _tried(self, state: State, events: tuple[Event, ...], more: tuple[Event, ...]) -> tuple[State, tuple[Event, ...]] | None:
        self.left -= 1
        if self.left < 0:
            return None
        try:
            for event in more:
                if state.hand is None:
                    break
                state = apply(state, event)
                events = (*events, event)
        except Illegal:
            return None
        return state, events

    def _showdowns(self, state: State, hand: Hand, due: Counter[str]) -> Iterator[tuple[Event, ...]]:
        """Faces for all still in, after which the lowest card pays for one player, and the Matto for another."""
        names = [state.table.names[hand.order[position]] for position in hand.positions()]
        known = {name: face for name, position in zip(names, hand.positions(), strict=True) if (face := hand.face_of(position))}
        pool = Counter({kind: copies(hand, kind) - hand.faces.count(kind) for kind in KINDS})
        if not due or any(pedine > 1 for pedine in due.values()) or any(name not in names for name in due):
            return
        for lowest in due:
            mad = next((name for name in due if name != lowest), None)
            fixed = {name: face for name, face in {**self.faces, **known}.items() if name in names}
            if mad is not None:
                if known.get(mad, "matto") != "matto" or "matto" in [face for name, face in fixed.items() if name != mad]:
                    continue
                fixed[mad] = "matto"
            if (faces := _dealt(names, fixed, lowest, known, pool)) is not None:
                yield tuple(Reveal(by=name, card=face) for name, face in faces.items())


def _acts(state: State, hand: Hand, due: Counter[str]) -> Iterator[tuple[Event, ...]]:
    """What makes somebody pay on the spot, the plainest first; and answers that do not, where one is awaited."""
    names = state.table.names
    refusals: tuple[Kind, ...] = ("bragon", "gnao", "salta")
    if hand.asking is not None:
        asked = names[hand.order[hand.asking.asked]]
        if due[names[hand.order[hand.asking.asker]]]:
            yield from ((Reveal(by=asked, card=kind),) for kind in refusals)
        yield (Swap(with_=asked),)
        return
    for position in hand.positions():
        name = names[hand.order[position]]
        back = position == hand.back
        asked_at = hand.before(position) if back else hand.after(position)
        if due[name] and (back or position >= hand.turn) and 0 <= asked_at < len(hand.order):
            asked = names[hand.order[asked_at]]
            yield from ((Passo(by=name), Reveal(by=asked, card=kind)) for kind in refusals)


def _dealt(
    names: list[str], fixed: Mapping[str, Kind], lowest: str, known: Mapping[str, Kind], pool: Counter[Kind]
) -> dict[str, Kind] | None:
    """A face for everybody, of those left in the ``pool``, so that one player has the lowest that is not a Matto; None: none."""
    for face in (fixed[lowest],) if lowest in fixed else [kind for kind in _PLAIN if kind not in TRUMPS]:
        left = pool.copy()
        left.subtract(kind for name, kind in {**fixed, lowest: face}.items() if name not in known)
        others = [kind for kind in _PLAIN if RANK[kind] > RANK[face] for _ in range(left[kind])]
        free = [name for name in names if name != lowest and name not in fixed]
        if face == "matto" or min(left.values()) < 0 or len(others) < len(free):
            continue
        if any(RANK[kind] <= RANK[face] and kind != "matto" for name, kind in fixed.items() if name != lowest):
            continue
        given = dict(zip(free, _spread(others, len(free)), strict=True))
        return {name: given.get(name) or (face if name == lowest else fixed[name]) for name in names}
    return None


_PLAIN: tuple[Kind, ...] = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "1", "nulla", "secchia", "mascherone", "leone", *TRUMPS)
"""The kinds that a made-up hand is given, the plainest first."""


def _spread(kinds: list[Kind], many: int) -> list[Kind]:
    """``many`` of the kinds, different ones first."""
    seen: Counter[Kind] = Counter()
    ranked: list[tuple[int, int, Kind]] = []
    for kind in kinds:
        seen[kind] += 1
        ranked.append((seen[kind], len(ranked), kind))
    return [kind for _, _, kind in sorted(ranked)[:many]]
