"""Only the outcome of a stoppata: how many cards everybody had left, when nobody can tell who laid what.

The table log has no line for that: what is paid is worked out from the cards that were laid. So the plainest legal stoppata with
this outcome is looked for; its lines stand for the outcome, and are marked as seen by nobody. The punti stay as they are known:
words and amounts are told, and their lines can be changed. Whose the punto is that is played for is never made up: it must be
told first. One that the table has not come to, or has passed over without a bet, is the dealer's (rules 7, 8): that is said
before somebody agrees to it (`given`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa import words
from companion.games.stoppa.pages.public import OnTable
from companion.games.stoppa.pages.rulings import not_told
from companion.games.stoppa.rules import State, apply, reasons, ruling
from companion.games.stoppa.rules.cards import INDEX, OF_NUMBER, Card, Mask, cards_in
from companion.games.stoppa.rules.known import cards_of, elsewhere, learn
from companion.games.stoppa.rules.log import Annul, Back, Declare, End, Event, Grosso, Lay, Piccolo, Show, Void
from companion.games.stoppa.rules.state import NOBODY, Hand, Seat, to_lay
from companion.games.stoppa.rules.stoppata import next_number
from companion.table.errors import Illegal
from companion.table.language import Lang
from companion.table.seats import seat_of

_ORDERS = tuple((*range(first, 11), *range(1, first)) for first in range(1, 11))
"""Orders of the ten numbers: a sequence is opened with the first number in the order that is possible."""
MOST_TRIED = 500
"""Lays that are tried in each of these orders before an outcome is taken to be impossible."""

no_such = reasons.NO_SUCH_OUTCOME
in_money = False


def most(state: State) -> int:
    """The most cards that a player can be said to have had left: all that were dealt."""
    return state.table.size


def comes_to(before: State, after: State) -> dict[str, int]:
    """Player → cards left in the hand that was begun after ``before``, once its stoppata has begun; players without cards are
    left out."""
    found = ruling(after, len(before.hands) + 1)
    if found is None or found.stoppata is None or found.stoppata.annulled:
        return {}
    size = before.table.size
    return {player: size - laid for player, laid in found.stoppata.laid.items() if laid < size}


def stated(before: State, told: Sequence[Event], paid: Mapping[str, int], faces: Mapping[str, str]) -> tuple[Event, ...] | None:
    """The plainest hand that begins with the lines ``told``, up to its stoppata, and leaves exactly these numbers of cards; None
    where the rules allow none. ``paid``: player → cards left; the player without any stops.

    ``before``: the state before the hand. ``faces`` are not used: the lines ``told`` have what was shown at the punti, and the
    cards left that were shown in the end. Nobody lays one of those.

    Raises:
        Illegal: a punto is played for, and nobody has told whose it is; not exactly one player stops, or nobody can.
    """
    names, size = before.table.names, before.table.size
    left = [paid.get(name, 0) for name in names]
    if set(paid) - set(names) or max(left) > size:
        return None
    if before.last_hand and before.last_hand == before.counted + 1:
        raise Illegal(reasons.NO_STOPPATA_IN_LAST, rule=18, expected="who takes the punti")
    if (stopped := [name for name, many in zip(names, left, strict=True) if not many])[1:]:
        raise Illegal(reasons.SEVERAL_STOP, rule=15, expected="how many cards all but one had left", first=stopped[0],
                      second=stopped[1])  # fmt: skip
    if not stopped:
        raise Illegal(reasons.NOBODY_STOPS, rule=15, expected="who had no cards left")
    at_stoppata = _at_the_stoppata(before, told)
    if at_stoppata is None:
        return None
    state, events = at_stoppata
    shown = _shown_in_the_end(told)
    try:
        known = _with_cards_left(state, shown)
    except Illegal:
        return None
    kept = sum(1 << INDEX[kind] for kind in {kind for show in shown for kind in show.cards})
    laid = tuple(size - many for many in left)
    ways = [way for begun in ((known, state) if shown else (state,)) for way in _after_lays(begun, events, told, laid, kept)]
    ways.sort(key=lambda way: -len(way[1]))  # what was told stays, and then at best no card that was left should have been laid
    for on, so_far in ways:
        for numbers, by_turns in product(_ORDERS, (True, False)):
            search = _Search(laid, left.index(0), numbers, kept, by_turns)
            if (found := search.play(on, so_far)) is not None:
                return (*found, *shown)
    return None


def _after_lays(
    state: State, events: tuple[Event, ...], told: Sequence[Event], laid: Sequence[int], kept: Mask
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """The game at the stoppata with ``events``, and after each of the lays that were ``told``, as far as they follow and nobody
    has put down more than ``laid`` (seat → number of cards in all), or a card that was ``kept``."""
    on, so_far = state, events
    yield on, so_far
    for event in told:
        if not isinstance(event, Lay):
            continue
        try:
            on = apply(on, event)
        except Illegal:
            return
        hand = on.hand or on.ended
        if hand is None or hand.on_pile & kept or any(map(_more, hand.laid, laid)):
            return
        so_far = (*so_far, event)
        yield on, so_far


def _more(cards: Mask, most: int) -> bool:
    return cards.bit_count() > most


def _shown_in_the_end(told: Sequence[Event]) -> tuple[Show, ...]:
    """Cards left that were shown once the stoppata was over."""
    begun = next((at for at, event in enumerate(told) if isinstance(event, _AFTER_THE_PUNTI)), len(told))
    return tuple(event for event in told[begun:] if isinstance(event, Show))


def _with_cards_left(state: State, shown: Sequence[Show]) -> State:
    """The game at the stoppata, with cards that were shown when it was over known to be in those players' hands.

    Raises:
        Illegal: the cards cannot be theirs.
    """
    for show in shown:
        assert state.hand is not None
        hand = learn(state.table, state.hand, seat_of(state.table.names, show.by), cards_of(state.table, show.cards))
        state = replace(state, hand=hand)
    return state


def meant(before: State, event: Event, after: State) -> Hashable:
    """In which punto or sequence of the stoppata the line stands, and which number was wanted there."""
    hand = before.hand
    return None if hand is None else (hand.betting.phase if hand.betting is not None else None, hand.iteration, hand.wants)


def alone(event: Event) -> bool:
    """Cards that are shown."""
    return isinstance(event, Show)


def untold(told: State, over: State) -> State:
    """``over``, the game after a hand whose outcome alone is known, without what nobody told. How many cards everybody laid is
    kept, and what it costs follows from that; which cards they were is not, nor why a punto is somebody's that was not decided
    before."""
    at, begun = len(told.hands), told.hand
    assert begun is not None, "the line that stands in is of a hand"
    book = over.hands[at]
    pots = book.pots and (*begun.pots, *(replace(pot, how="stated", ranking=()) for pot in book.pots[len(begun.pots) :]))
    book = replace(book, pots=pots, irregularities=begun.irregularities, stated=not book.void)
    over = replace(over, hands=(*over.hands[:at], book, *over.hands[at + 1 :]))
    ended = over.ended
    if ended is None:
        return over
    stated = tuple(map(ended.many_laid, range(len(ended.laid))))
    ended = replace(
        begun, pots=pots, declared=ended.declared, payments=ended.payments, iteration=ended.iteration, begun=ended.begun,
        last=NOBODY, wants=0, top=-1, lays=(), laid=(0,) * len(stated), passed=((),) * len(stated), ending=ended.ending,
        winner=ended.winner, stated=stated,
    )  # fmt: skip
    return replace(over, ended=ended)


def given(before: State, over: State, lang: Lang) -> tuple[str, ...]:
    """Who has punti that nobody has entered: the dealer, where no bet was."""
    book = ruling(over, len(before.hands) + 1)
    return tuple(not_told(book, over.table, lang)) if book is not None and not book.void else ()


def laid(laid: OnTable | None, event: Event | None, state: State) -> OnTable | None:
    """The hand as it is known once it is over, with the cards that won the punti that were said."""
    if laid is None or state.ended is None:
        return laid
    return OnTable(state.ended, (*laid.won, *[0] * (len(state.ended.pots) - len(laid.won))))


_AFTER_THE_PUNTI = Lay | Declare | Annul | Back | End | Void


def _at_the_stoppata(before: State, told: Sequence[Event]) -> tuple[State, tuple[Event, ...]] | None:
    """The hand up to the end of the punto grosso, with rounds that are missing put in. None where they cannot follow.

    Raises:
        Illegal: a punto is in play, and nobody has told whose it is. Once the stoppata was told to have begun, players who had
            still to speak have passed.
    """
    state, events, begun = before, list[Event](), False
    try:
        for event in told:
            if isinstance(event, _AFTER_THE_PUNTI):
                begun = isinstance(event, Lay | Declare | Annul)
                break
            state = apply(state, event)
            events.append(event)
        if not begun:
            _check_told(state)
        while (hand := state.hand) is not None and (hand.betting is None or hand.betting.phase != "grosso"):
            more: Event = Piccolo() if hand.iteration < len(state.table.deals) else Grosso()
            state = apply(state, more)
            events.append(more)
    except Illegal as error:
        if error.code in (reasons.PUNTO_UNTOLD.code, reasons.PUNTO_OPEN.code):
            raise
        return None
    return (state, tuple(events)) if state.hand is not None else None


def _check_told(state: State) -> None:
    """Whose the punto in play is must have been told: also that nobody bets on it, by which it is the dealer's.

    Raises:
        Illegal: it was not.
    """
    betting = state.hand.betting if state.hand is not None else None
    if betting is not None and not betting.decided:
        punto = words.punto(betting.phase)
        if betting.high:
            raise Illegal(reasons.PUNTO_UNTOLD, expected=f"who takes the {punto}, then the outcome", punto=punto)
        raise Illegal(reasons.PUNTO_OPEN, expected=f"who takes the {punto} or that nobody bets, then the outcome", punto=punto)


@dataclass
class _Search:
    """A search, depth first, one card after the other; no mistake is made up. ``laid``: seat → number of cards in all;
    ``numbers``: a sequence is opened with the first of these that is possible; ``kept``: cards that nobody lays; ``by_turns``:
    the player who laid last goes on, then the next in turn, else the one who has most to lay."""

    laid: tuple[int, ...]
    winner: Seat
    numbers: tuple[int, ...]
    kept: Mask = 0
    by_turns: bool = True
    tried: int = 0

    def play(self, state: State, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
        """The events with those that lead to the outcome after them."""
        hand, ended = state.hand, state.ended
        if hand is None:
            right = ended is not None and tuple(cards.bit_count() for cards in ended.laid) == self.laid
            return (*events, End()) if right else None
        for seat, card in self._ways(state, hand):
            self.tried += 1
            if self.tried > MOST_TRIED:
                return None
            lay = Lay(by=state.table.names[seat], cards=(KINDS[card],))
            try:
                then = apply(state, lay)
            except Illegal:
                continue
            if _irregular(then) == _irregular(state) and (found := self.play(then, (*events, lay))) is not None:
                return found
        return None

    def _ways(self, state: State, hand: Hand) -> Iterator[tuple[Seat, Card]]:
        """Who may lay which card next, the plainest first. A player who has let a number go by has no card of it."""
        table = state.table
        due = [wanted - cards.bit_count() for wanted, cards in zip(self.laid, hand.laid, strict=True)]
        seats = table.round_from(hand.last) if hand.wants else (to_lay(table, hand),)
        for seat in seats if self.by_turns else sorted(seats, key=lambda seat: -due[seat]):
            own = hand.known[seat] & ~hand.laid[seat] & ~self.kept
            for number in (hand.wants,) if hand.wants else self.numbers:
                free = OF_NUMBER[number] & table.deck & ~hand.on_pile & ~self.kept
                for gone_by in hand.passed[seat]:
                    free &= ~gone_by.cards
                card = next(iter(cards_in(free & own) or cards_in(free & ~elsewhere(hand, seat))), None)
                if card is None or not self._may(due, seat, known=bool(own >> card & 1), own=own.bit_count()):
                    continue
                closes = not next_number(table.deck, hand.on_pile | 1 << card, number)
                if not closes or due[seat] > 1 or sum(due) == 1:  # the player who closes a sequence opens the next
                    yield seat, card

    def _may(self, due: Sequence[int], seat: Seat, *, known: bool, own: int) -> bool:
        """Whether this player has cards to lay: the winner has the last one of all, and keeps none that is known to be theirs."""
        if seat != self.winner:
            return due[seat] > 0
        return due[seat] > (1 if sum(due) > due[seat] else 0) and (known or due[seat] > own)


def _irregular(state: State) -> int:
    hand = state.hand if state.hand is not None else state.ended
    return len(hand.irregularities) if hand is not None else 0
