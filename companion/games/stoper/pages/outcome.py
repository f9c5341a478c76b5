"""Only the outcome of a hand: which chips everybody has after it, when nobody can tell the rest.

The table log has no line for that: what a hand comes to is worked out from what was bet and shown. So the plainest legal hand
with this outcome is looked for: the bets that are known, as far as they fit, then bets and concessions that stand for the rest
and are marked as said by nobody. No card is made up: among players who concede, the order in which they do decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import permutations

from msgspec.structs import replace

from companion.decks.italian_sets import INDEX, mask_of
from companion.games.stoper.pages.waiting import still_to_show
from companion.games.stoper.rules import State, apply, reasons, ruling, waiting
from companion.games.stoper.rules.betting import smallest
from companion.games.stoper.rules.log import (
    Apro,
    Busso,
    Cambio,
    End,
    Event,
    Muck,
    Parola,
    Passo,
    Punto,
    Rilancio,
    Show,
    Vedo,
)
from companion.games.stoper.rules.state import Hand, Seat
from companion.table.errors import Illegal
from companion.table.game import Turn
from companion.table.language import Lang
from companion.table.money import Minor
from companion.table.seats import put

MOST_TRIED = 3000
"""Words that are tried after each known line before an outcome is taken to be impossible from there."""

no_such = reasons.NO_SUCH_OUTCOME
in_money = True


def most(state: State) -> int:
    """The most chips, in minor units, that anybody can have after the hand: all of them, with the pot that was carried."""
    return sum(state.stacks) + state.carried.pot


def comes_to(before: State, after: State) -> dict[str, int]:
    """Player → chips, in minor units, after the hand that was begun after ``before``, as far as it has come; players without
    chips are left out."""
    found = dict(zip(before.table.names, before.stacks, strict=True))
    hand = ruling(after, len(before.hands) + 1)
    if after.hand is not None and len(after.hands) == len(before.hands):
        found = dict(zip(after.table.names, after.stacks, strict=True))
    for paid in hand.payments if hand is not None else ():
        found[paid.player] += paid.delta
    return {player: stack for player, stack in found.items() if stack}


def stated(before: State, told: Sequence[Event], paid: Mapping[str, int], faces: Mapping[str, str]) -> tuple[Event, ...] | None:
    """The plainest hand that begins with the lines ``told``, as far as they fit, and after which everybody has exactly these
    chips; None where the rules allow none. ``paid``: player → chips in minor units; players without chips are left out.

    ``before``: the state before the hand. ``faces`` are not used: cards that were shown are among the lines ``told``.

    Raises:
        Illegal: the chips are more than there are; or nobody has some of them, so a pot stays, and the log does not say which
            players said parola and play for it.
    """
    names = before.table.names
    stacks = tuple([paid.get(name, 0) for name in names])
    left = most(before) - sum(stacks)
    if set(paid) - set(names):
        return None
    if left < 0:
        raise Illegal(reasons.MORE_THAN_ALL, expected=f"{most(before)} at most in all", sum=Minor(sum(stacks)),
                      total=Minor(most(before)))  # fmt: skip
    states = [before]
    for event in told:
        if isinstance(event, End):
            break
        try:
            states.append(apply(states[-1], event))
        except Illegal:
            break
        if states[-1].hand is None:
            break
    for length in range(len(states) - 1, 0, -1):
        for plain in (True, False) if not left else (True,):
            found = _Search(stacks, awarded=not left, plain=plain).play(states[length], tuple(told[:length]))
            if found is not None:
                return found
    if left:
        raise Illegal(reasons.PAROLA_UNTOLD, rule=11, expected="who says parola, or who takes the pot")
    return None


def meant(before: State, event: Event, after: State) -> Hashable:
    """In which round of the hand the line stands."""
    return before.hand.phase if before.hand is not None else None


def alone(event: Event) -> bool:
    """Cards that are shown."""
    return isinstance(event, Show)


def untold(told: State, over: State) -> State:
    """``over``, the game after a hand whose outcome alone is known, without what nobody told. By how much every stack has
    changed, and whether the pot stays, is kept; who bet what, who could win which pot and with which cards is not."""
    at, begun = len(told.hands), told.hand
    assert begun is not None, "the line that stands in is of a hand"
    book = over.hands[at]
    book = replace(book, opened=None if book.void else begun.opened, pots=(), returned=(), irregularities=begun.irregularities,
                   stated=not book.void)  # fmt: skip
    over = replace(over, hands=(*over.hands[:at], book, *over.hands[at + 1 :]))
    return over if over.ended is None else replace(over, ended=_shown_later(over, over.ended, begun))


def given(before: State, over: State, lang: Lang) -> tuple[str, ...]:
    """Nothing is given to anybody beside the numbers that people tell."""
    return ()


def laid(laid: Hand | None, event: Event | None, state: State) -> Hand | None:
    """The hand as it lay when its last line was told, with the cards that were told to have been shown since."""
    if laid is None or not isinstance(event, Show):
        return laid
    seat = state.table.names.index(event.by)
    shown = replace(laid.known[seat], shown=mask_of(INDEX[card] for card in event.cards))
    return replace(laid, known=put(laid.known, seat, shown))


def _shown_later(over: State, ended: Hand, begun: Hand) -> Hand:
    """The hand that is over, for cards that are shown after it. They prove a false opening only where it is known how many cards
    were changed."""
    opened = begun.opened
    if opened is not None and begun.known[over.table.names.index(opened.by)].changed < 0:
        opened = None
    return replace(begun, phase="showdown", todo=(), live=ended.live, conceded=ended.conceded, opened=opened)


class _Search:
    """A search, depth first: each player in turn says the plainest word with which the chips can still end as wanted.

    ``stacks``: per seat, chips after the hand. ``awarded``: the pot is somebody's, else it stays. ``plain``: players who have
    lost chips have won no pot. They can have won one only where somebody was all-in."""

    def __init__(self, stacks: tuple[int, ...], *, awarded: bool, plain: bool) -> None:
        self.stacks, self.awarded, self.plain, self.left = stacks, awarded, plain, MOST_TRIED

    def play(self, state: State, events: tuple[Event, ...]) -> tuple[Event, ...] | None:
        """The events with those that lead to the outcome after them."""
        hand, turn = state.hand, waiting(state)
        if hand is None:
            return (*events, End()) if state.stacks == self.stacks else None
        if not isinstance(turn, Turn) or not self._can_be(state, hand):
            return None
        ways = self._concessions(state, hand) if turn.who is None else self._words(state, hand, turn)
        for way in ways:
            self.left -= 1
            if self.left < 0:
                return None
            here = state
            try:
                for event in way:
                    here = apply(here, event)
            except Illegal:
                continue
            if (found := self.play(here, (*events, *way))) is not None:
                return found
        return None

    def _can_be(self, state: State, hand: Hand) -> bool:
        """Whether the chips can still end as wanted. They cannot where a player who has passed has not the wanted stack already,
        where a player who loses has put in more than they lose (``plain``), or where somebody has bet and the pot should stay."""
        if hand.high and not self.awarded:
            return False
        for seat, (now, then) in enumerate(zip(state.stacks, self.stacks, strict=True)):
            if now != then and not hand.live >> seat & 1:
                return False
            if now < then < hand.stacks_before[seat] and self.plain:
                return False
        return True

    def _words(self, state: State, hand: Hand, turn: Turn) -> Iterator[tuple[Event, ...]]:
        """What the player in turn may say, the word likeliest to lead there first. No parola is made up after the exchange:
        nobody would have told whose the pot is that stays."""
        who, seat = str(turn.who), hand.todo[0]
        if turn.step == "cambio":
            yield (Cambio(by=who, n=0),)
            return
        owed = any(hand.live >> other & 1 and state.stacks[other] > self.stacks[other] for other in hand.order)
        stays = state.stacks[seat] != self.stacks[seat]
        bets = self._bets(state, hand, turn) if self.awarded else ()
        if hand.high and turn.step != "raise":
            yield from () if stays else ((Passo(by=who),),)
            yield (Vedo(by=who),)
            yield from bets
            return
        word = Parola(by=who) if turn.step in ("open", "blind") else Busso(by=who)
        first = stays and (owed or isinstance(word, Parola))
        yield from bets if first else ()
        yield (word,)
        yield from () if first else bets
        yield from ((Passo(by=who),),) if turn.step == "speak" and not stays else ()

    def _bets(self, state: State, hand: Hand, turn: Turn) -> Iterator[tuple[Event, ...]]:
        for to in self._totals(state, hand, hand.todo[0]):
            kind = Rilancio if hand.high else Punto if turn.step == "speak" else Apro
            yield (kind(by=str(turn.who), to=to),)

    def _totals(self, state: State, hand: Hand, seat: Seat) -> list[int]:
        """The totals of the phase that a bet may have, the lowest first: what one of the losers loses, or all the chips of a
        player. With any other total nobody would lose exactly what they lose."""
        found = {smallest(state, hand)} if not hand.high else set()
        for other in hand.order:
            in_before = hand.sums[other] - hand.totals[other]
            for left in (self.stacks[other], 0):
                if (sums := hand.sums[other] + state.stacks[other] - left) > in_before:
                    found.add(sums - (hand.sums[seat] - hand.totals[seat]))
        all_in = state.stacks[seat] + hand.totals[seat]
        return sorted({min(to, all_in) for to in found if to > hand.high and min(to, all_in) > hand.high})

    def _concessions(self, state: State, hand: Hand) -> Iterator[tuple[Event, ...]]:
        """The orders in which players who have not shown may concede, those who win less first. Where nobody has shown the last
        one need not."""
        due = sorted(still_to_show(hand), key=lambda seat: self.stacks[seat] - state.stacks[seat])
        shown = any(known.shown for known in hand.known)
        for order in permutations(due):
            yield tuple(Muck(by=state.table.names[seat]) for seat in (order if shown else order[:-1]))
