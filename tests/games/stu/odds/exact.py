"""The same odds by brute force: every deal of a small deck, every decision, played by the engine itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from msgspec.structs import replace

from companion.decks.stu import KINDS, Kind
from companion.games.stu.odds import Heard, PublicHand, listen, public_hand
from companion.games.stu.odds.habits import NO_CARD, SLIP_PROBABILITY, chance_of_sto
from companion.games.stu.rules import apply, begin, log
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import NOBODY, Hand, State
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.steps import FIRST_TRUMP, STEP

NAMES = ("Anna", "Bruno", "Carla", "Dino")


class SmallTable:
    """A hand with all cards known except ``unseen``. The known ones lie under the deck, or (not ``buried``) out of the way."""

    def __init__(self, unseen: tuple[Kind, ...], pedine: tuple[int, ...], house: log.HouseRules | None = None, *,
                 buried: bool = True) -> None:
        names = NAMES[: len(pedine)]
        standing = {name: log.Standing(many, False) for name, many in zip(names, pedine, strict=True)}
        state = begin(log.new_game(names, 100, names[-1], house_rules=house, standing=standing))
        state = apply(state, log.Hand())
        assert state.hand is not None
        seen = Counter(KINDS * 2)
        seen.subtract(unseen)
        players = len(pedine)
        faces = (None,) * players + tuple(seen.elements())
        self.state = replace(
            state,
            hand=replace(
                state.hand,
                faces=faces,
                suspicions=((),) * len(faces),
                under=tuple(range(players, len(faces))) if buried else (),
                fresh=len(unseen) - players,
            ),
        )
        every_known = sum(1 << token for token in range(players, len(faces)))
        self.heard = Heard(gave=(NOBODY,) * players, seen=every_known)

    def happen(self, *events: Event) -> SmallTable:
        for event in events:
            before, self.state = self.state, apply(self.state, event)
            self.heard = listen(self.heard, before, self.state, event)
        return self

    def view(self) -> PublicHand:
        view = public_hand(self.state, self.heard)
        assert view is not None
        return view


Outcome = tuple[tuple[int, ...], tuple[bool, ...]]
"""Change of pedine and whether the showdown made them pay, per position."""


def exact_odds(table: SmallTable) -> tuple[list[float], list[dict[int, float]]]:
    """Per position: the chance of paying at the showdown, and of each change of pedine."""
    hand = table.state.hand
    assert hand is not None
    unseen = Counter(KINDS * 2)
    unseen.subtract(kind for kind in hand.faces if kind is not None)
    hidden = tuple(token for token, kind in enumerate(hand.faces) if kind is None)
    outcomes: dict[Outcome, float] = defaultdict(float)
    whole = 0.0
    for faces, ways in _deals(unseen, len(hidden) + min(2, hand.fresh)):
        kinds = list(hand.faces)
        for token, kind in zip(hidden, faces, strict=False):
            kinds[token] = kind
        weight = ways * _likelihood(table.heard, kinds, len(hand.order))
        state = replace(table.state, hand=replace(hand, faces=tuple(kinds)))
        whole += weight
        given = tuple(None if t == NOBODY else kinds[t] for t in table.heard.gave)
        for outcome, chance in _play(state, given, faces[len(hidden) :], len(hand.payments)):
            outcomes[outcome] += weight * chance
    players = range(len(hand.order))
    pays = [sum(w for (_, paid), w in outcomes.items() if paid[p]) / whole for p in players]
    deltas: list[dict[int, float]] = [defaultdict(float) for _ in players]
    for (changes, _), weight in outcomes.items():
        for p in players:
            deltas[p][changes[p]] += weight / whole
    return pays, deltas


def _deals(unseen: Counter[str], length: int) -> Iterator[tuple[tuple[Kind, ...], int]]:
    """Every sequence of kinds, with the number of ways to deal it."""
    if length == 0:
        yield (), 1
        return
    for kind, many in unseen.items():
        if many > 0:
            rest = unseen - Counter([kind])
            for others, ways in _deals(rest, length - 1):
                yield (kind, *others), ways * many  # type: ignore[misc]


def _likelihood(heard: Heard, kinds: list[Kind | None], players: int) -> float:
    stays = chance_of_sto(players)
    weight = 1.0
    for act in heard.acts:
        own, given = kinds[act.token], NO_CARD if act.given < 0 else STEP[kinds[act.given]]  # type: ignore[index]
        chance = float(stays[STEP[own], given])  # type: ignore[index]
        weight *= chance if act.stayed else 1 - chance
    for token, kind in enumerate(kinds):
        if heard.yielded >> token & 1 and token not in _seen(heard) and STEP[kind] >= FIRST_TRUMP:  # type: ignore[index]
            weight *= SLIP_PROBABILITY
    return weight


def _seen(heard: Heard) -> set[int]:
    return {token for token in range(64) if heard.seen >> token & 1}


def _play(state: State, given: tuple[Kind | None, ...], deck: tuple[Kind, ...], due_before: int
          ) -> Iterator[tuple[Outcome, float]]:
    """Every way the hand can go from here, with its chance. ``due_before``: how many payments had fallen due already."""
    hand = state.hand
    if hand is None:
        yield _outcome(state, due_before), 1.0
    elif hand.early:
        yield from _play(_show_down(state, hand), given, deck, due_before)
    elif hand.asking is not None:
        ask = hand.asking
        face = hand.faces[hand.holds[ask.asked]]
        name = _name(state, ask.asked)
        assert face is not None
        if is_trump(face) and not (ask.back and must_hand_back(hand, ask.asker, ask.asked)):
            yield from _play(apply(state, log.Reveal(by=name, card=face)), given, deck, due_before)
        else:
            after = list(given)
            after[ask.asker], after[ask.asked] = hand.faces[hand.holds[ask.asker]], face
            yield from _play(apply(state, log.Swap(with_=name)), tuple(after), deck, due_before)
    elif hand.drawing != NOBODY:
        yield from _play(*_draw(state, hand, given, deck), due_before)
    elif hand.back != NOBODY:
        yield from _decide(state, hand, hand.back, given, deck, due_before)
    elif hand.turn < len(hand.order):
        yield from _decide(state, hand, hand.turn, given, deck, due_before)
    else:
        yield from _play(_show_down(state, hand), given, deck, due_before)


def _decide(state: State, hand: Hand, position: int, given: tuple[Kind | None, ...], deck: tuple[Kind, ...], due_before: int
            ) -> Iterator[tuple[Outcome, float]]:
    own, gave = hand.faces[hand.holds[position]], given[position]
    assert own is not None
    chance = float(chance_of_sto(len(hand.order))[STEP[own], NO_CARD if gave is None else STEP[gave]])
    if position != hand.dealer_position and position != hand.back and hand.after(position) == len(hand.order):
        chance = 1.0
    for event, share in ((log.Sto(by=_name(state, position)), chance), (log.Passo(by=_name(state, position)), 1 - chance)):
        if share:
            for outcome, part in _play(apply(state, event), given, deck, due_before):
                yield outcome, share * part


def _draw(state: State, hand: Hand, given: tuple[Kind | None, ...], deck: tuple[Kind, ...]
          ) -> tuple[State, tuple[Kind | None, ...], tuple[Kind, ...]]:
    card = deck[0] if hand.fresh else None
    after = (*given[: hand.drawing], None, *given[hand.drawing + 1 :])
    return apply(state, log.Draw(by=_name(state, hand.drawing), card=card)), after, deck[1:] if hand.fresh else deck


def _show_down(state: State, hand: Hand) -> State:
    for position in hand.positions():
        face = hand.face_of(position)
        assert face is not None
        state = apply(state, log.Reveal(by=_name(state, position), card=face))
    return apply(state, log.End())


def _outcome(state: State, due_before: int) -> Outcome:
    payments = state.hands[-1].payments[due_before:]
    order = state.table.names
    changes = tuple(sum(p.delta for p in payments if p.player == name) for name in order)
    paid = tuple(
        any(p.cause in ("lowest", "matto", "taverna_for_nulla") and p.player == name for p in payments) for name in order
    )
    return changes, paid


def _name(state: State, position: int) -> str:
    assert state.hand is not None
    return state.table.names[state.hand.order[position]]
