"""Table log → script: what people do at the table, act by act, as the rules engine follows the log.

The engine knows after every line which physical card (token) each player holds. The script gives each token a card of the deck,
so that the face that is shown late is the one that was dealt early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from companion.decks.stu import COPIES, KINDS
from companion.games.stu.rules import GameError, Illegal, State, apply, begin
from companion.games.stu.rules import Hand as HandState
from companion.games.stu.rules import log as tl
from companion.table.errors import ScriptError
from companion.table.log import Line
from workshop.choreography.acts import Act, Note, Over
from workshop.choreography.stu.acts import Ask, DrawCard, Exchange, Leave, Pedine, Show, Stay

MAX_PLAYERS = 20


@dataclass(frozen=True, slots=True)
class HandScript:
    """One hand and what follows it until the next.

    ``line``: index of its ``hand`` line. ``order``: seats in the order of play, the dealer last. ``cards``: seat → id of the
    card dealt to it. ``deals``: seat → index of its ``deal`` line, where there is one. ``deck``: ids of the cards that are
    played with.
    """

    line: int
    dealer: int
    order: tuple[int, ...]
    cards: dict[int, str]
    deals: dict[int, int]
    deck: tuple[str, ...]
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """A whole log. ``pedine``: how many each seat shows when the clip begins. ``before``: acts before the first hand."""

    lines: tuple[Line, ...]
    game: tl.Game
    pedine: tuple[int, ...]
    before: tuple[Act, ...]
    hands: tuple[HandScript, ...]
    final_dealer: int


def card_id(kind: str, copy: int) -> str:
    """The id of one of the 40 cards: ``gnao.0``, ``gnao.1``."""
    return f"{kind}.{copy}"


def kind_of(card: str) -> str:
    """The kind of a card id."""
    return card.rpartition(".")[0]


def read_script(lines: Sequence[Line], rng: Random) -> Script:
    """The script of a log. ``rng`` picks the faces of cards that nobody ever sees.

    Raises:
        ScriptError: no game line first, too many players, or a line that cannot have happened.
    """
    if not lines or not isinstance(lines[0].event, tl.Game):
        raise ScriptError("line 1: no game line: expected a table log that begins with one (companion simulate writes such logs)")
    game = lines[0].event
    if len(game.players) > MAX_PLAYERS:
        raise ScriptError(f"line 1: {len(game.players)} players: a clip shows 2 to {MAX_PLAYERS}; take a log with fewer")
    try:
        state = begin(game)
    except GameError as error:
        raise ScriptError(str(error.at(1))) from None
    opening = _shown(state)
    before: list[Act] = []
    hands: list[_Open] = []
    for index, line in enumerate(lines[1:], start=1):
        try:
            after = apply(state, line.event)
        except Illegal as error:
            raise ScriptError(str(error.at(index + 1))) from None
        if isinstance(line.event, tl.Hand) and after.hand is not None and state.hand is None:
            hands.append(_Open(index, after.hand, after.matti))
            state = after
            continue
        if hands and hands[-1].running:
            hands[-1].follow(index, line.event, state, after)
        else:
            (hands[-1].acts if hands else before).extend(_between(index, line.event, state, after))
        state = after
    parts = tuple(opened.close(rng) for opened in hands)
    dealer = state.hand.dealer if state.hand else state.next_dealer()
    return Script(tuple(lines), game, opening, tuple(before), parts, dealer)


def _shown(state: State) -> tuple[int, ...]:
    return tuple(0 if player.virgin else player.pedine for player in state.players)


def _pedine(before: State, after: State, announced: bool) -> Iterator[Act]:
    for seat, (old, new) in enumerate(zip(_shown(before), _shown(after), strict=True)):
        if old != new:
            yield Pedine(None, seat, new, announced)


def _between(index: int, event: tl.Event, before: State, after: State) -> Iterator[Act]:
    yield from _pedine(before, after, announced=True)
    yield Note(index)


class _Open:
    """A hand that is still being read: its acts name cards by their tokens until all faces are known."""

    def __init__(self, index: int, hand: HandState, matti: int) -> None:
        self.line = index
        self.order = hand.order
        self.dealer = hand.dealer
        self.matti = matti
        self.dealt = dict(zip(hand.order, hand.holds, strict=True))
        self.deals: dict[int, int] = {}
        self.acts: list[Act] = []
        self.faces: dict[int, str] = {}
        self.running = True

    def follow(self, index: int, event: tl.Event, before: State, after: State) -> None:
        """Add the acts of this line."""
        old, new = before.hand, after.hand
        if old is None:
            return
        self.acts.extend(self._done(index, event, before, old, new))
        if isinstance(event, tl.End) and new is None:
            self._at_last(old)
        self.acts.extend(_pedine(before, after, announced=not isinstance(event, tl.End | tl.Void)))
        if new is None:
            self.running = False
            ended = isinstance(event, tl.End | tl.Void)
            self.acts.append(Over(index if ended else None, isinstance(event, tl.Void)))
            return
        self.faces.update({token: face for token, face in enumerate(new.faces) if face is not None})
        self.acts.extend(
            Leave(None, self.order[position], str(old.holds[position]))
            for position in old.positions()
            if not new.still_in(position)
        )
        ask = new.asking
        if ask is not None and ask != old.asking and not isinstance(event, tl.Passo):
            self.acts.append(Ask(None, self.order[ask.asker], self.order[ask.asked], ask.back))

    def _done(
        self, index: int, event: tl.Event, before: State, old: HandState, new: HandState | None
    ) -> Iterator[Act]:
        names = before.table.names
        match event:
            case tl.Deal():
                self.deals[names.index(event.to)] = index
            case tl.Sto():
                seat = names.index(event.by)
                yield from self._stays_before(seat, old)
                yield Stay(index, seat)
            case tl.Passo():
                seat = names.index(event.by)
                yield from self._stays_before(seat, old)
                if new is not None and new.drawing >= 0 and old.drawing < 0:
                    yield Ask(index, seat, None)
                elif new is not None and new.asking is not None and new.asking != old.asking:
                    yield Ask(index, seat, self.order[new.asking.asked], new.asking.back)
                else:
                    yield Note(index)
            case tl.Swap() | tl.Taverna():
                ask = old.asking
                assert ask is not None
                given, taken = str(old.holds[ask.asker]), str(old.holds[ask.asked])
                if isinstance(event, tl.Taverna):
                    self.faces[old.holds[ask.asked]] = "taverna"
                    yield Show(None, self.order[ask.asked], taken, answer=True)
                yield Exchange(index, self.order[ask.asker], self.order[ask.asked], given, taken)
            case tl.Draw():
                seat = names.index(event.by)
                position = self.order.index(seat)
                if old.drawing < 0:
                    yield from self._stays_before(seat, old)
                if new is not None:
                    yield DrawCard(index, seat, str(old.holds[position]), str(new.holds[position]))
            case tl.Reveal():
                seat = names.index(event.by)
                position = self.order.index(seat)
                self.faces[old.holds[position]] = event.card
                asked = old.asking is not None and old.asking.asked == position
                yield Show(index, seat, str(old.holds[position]), asked)
            case tl.End() | tl.Void():
                pass
            case _:
                yield Note(index)

    def _stays_before(self, seat: int, old: HandState) -> Iterator[Act]:
        """Those whose turn was before this player's have stayed: a log need not say `sto`."""
        for position in range(max(old.turn, 0), self.order.index(seat)):
            if old.still_in(position):
                yield Stay(None, self.order[position])

    def _at_last(self, old: HandState) -> None:
        """The end of the showdown: those who have not spoken have stayed, before the first card was shown; then all show."""
        showdown = len(self.acts)
        while showdown and isinstance(self.acts[showdown - 1], Show | Pedine) and not getattr(
            self.acts[showdown - 1], "answer", False
        ):
            showdown -= 1
        stays = [Stay(None, self.order[p]) for p in old.positions() if p >= old.turn]
        self.acts[showdown:showdown] = stays
        # A face known from its deal needs no reveal in the log; at the table everybody turns their card.
        self.acts += [
            Show(None, self.order[p], str(old.holds[p]), answer=False)
            for p in old.positions()
            if not old.is_shown(old.holds[p])
        ]

    def close(self, rng: Random) -> HandScript:
        """The finished hand, with ids of real cards in place of tokens."""
        deck = [card_id(kind, copy) for kind in KINDS for copy in range(self.matti if kind == "matto" else COPIES)]
        free = deck.copy()
        rng.shuffle(free)
        ids: dict[str, str] = {}
        for token, face in self.faces.items():
            card = next(card for card in free if kind_of(card) == face)
            free.remove(card)
            ids[str(token)] = card
        for name in (*map(str, self.dealt.values()), *(t for act in self.acts for t in _tokens(act))):
            if name not in ids:
                ids[name] = free.pop()
        acts = tuple(_named(act, ids) for act in self.acts)
        cards = {seat: ids[str(token)] for seat, token in self.dealt.items()}
        return HandScript(self.line, self.dealer, self.order, cards, self.deals, tuple(deck), acts)


def _tokens(act: Act) -> tuple[str, ...]:
    match act:
        case Exchange():
            return act.given, act.taken
        case DrawCard():
            return act.old, act.new
        case Show() | Leave():
            return (act.card,)
    return ()


def _named(act: Act, ids: dict[str, str]) -> Act:
    match act:
        case Exchange():
            return replace(act, given=ids[act.given], taken=ids[act.taken])
        case DrawCard():
            return replace(act, old=ids[act.old], new=ids[act.new])
        case Show() | Leave():
            return replace(act, card=ids[act.card])
    return act
