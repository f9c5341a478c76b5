"""Small tables, all of them: every deal of a cut-down deck and every decision, by the engine and by a plain second procedure.

The counts are the engine's perft: they stand in `every_hand.json`, and change only when a rule does.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from naive import Card, NaiveHand
from stu_play import HOUSES

from companion.decks.stu import RANK, Kind
from companion.games import stu
from companion.games.stu.rules import log
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import State

COUNTS = Path(__file__).parent / "every_hand.json"
NAMES = ("Anna", "Bruno", "Carla", "Dino")

TABLES: dict[str, tuple[int, int, tuple[Kind, ...]]] = {
    "2 players, 2 pedine": (2, 2, ("matto", "matto", "nulla", "3", "taverna", "gnao", "salta", "bragon", "cucco")),
    "2 players, 1 pedina": (2, 1, ("matto", "matto", "nulla", "3", "taverna", "gnao", "salta", "bragon", "cucco")),
    "3 players, 1 pedina": (3, 1, ("matto", "nulla", "taverna", "gnao", "salta", "bragon")),
    "3 players, 3 pedine": (3, 3, ("matto", "matto", "nulla", "taverna", "gnao", "salta")),
    "4 players, 2 pedine": (4, 2, ("nulla", "3", "5", "taverna", "gnao", "salta")),
    "4 players, 1 pedina": (4, 1, ("matto", "3", "gnao", "gnao", "bragon", "taverna")),
}


def every_choice(play: Callable[[Callable[[], bool]], None]) -> Iterator[None]:
    """Run ``play`` once for every way of answering the questions that it asks."""
    answers: list[bool] = []
    while True:
        asked = iter(answers)
        taken: list[bool] = []

        def choose(asked: Iterator[bool] = asked, taken: list[bool] = taken) -> bool:
            taken.append(next(asked, False))
            return taken[-1]

        play(choose)
        yield
        while taken and taken[-1]:
            taken.pop()
        if not taken:
            return
        answers = [*taken[:-1], True]


def play_by_engine(state: State, kinds: tuple[Kind, ...], choose: Callable[[], bool]) -> State:
    """A hand with these cards from the top of the deck, every question answered by ``choose``."""
    state = stu.apply(state, log.Hand())
    while (hand := state.hand) is not None:
        cards = [kinds[token] if token >= 0 else None for token in hand.holds]
        names = [state.table.names[seat] for seat in hand.order]
        event: log.Event
        if (ask := hand.asking) is not None:
            card, name = cards[ask.asked], names[ask.asked]
            assert card is not None
            if RANK[card] <= 10 or (ask.back and must_hand_back(hand, ask.asker, ask.asked)):
                event = log.Swap(with_=name)
            elif card == "taverna" and not ask.back and choose():
                event = log.Taverna(by=name)
            else:
                event = log.Reveal(by=name, card=card)
        elif hand.drawing >= 0:
            event = log.Draw(by=names[hand.drawing])
        elif hand.back >= 0:
            event = (log.Passo if choose() else log.Sto)(by=names[hand.back])
        elif hand.turn < len(names):
            event = (log.Passo if choose() else log.Sto)(by=names[hand.turn])
        else:
            unseen = [position for position in hand.positions() if hand.face_of(position) is None]
            card = cards[unseen[0]] if unseen else None
            event = log.Reveal(by=names[unseen[0]], card=card) if card is not None else log.End()
        state = stu.apply(state, event)
    return state


def count(table: str, house: log.HouseRules) -> dict[str, int]:
    players, pedine, deck = TABLES[table]
    names = NAMES[:players]
    standing = {name: log.Standing(pedine, False) for name in names}
    opening = stu.begin(log.new_game(names, 100, names[-1], house_rules=house, standing=standing))
    counted: Counter[str] = Counter()
    for kinds in sorted(set(itertools.permutations(deck, players + 2))):

        def play(choose: Callable[[], bool], kinds: tuple[Kind, ...] = kinds) -> None:
            asked: list[bool] = []

            def remember() -> bool:
                asked.append(choose())
                return asked[-1]

            state = play_by_engine(opening, kinds, remember)
            again = iter(asked)
            cards = [Card(kind) for kind in kinds]
            naive = NaiveHand(
                list(cards[:players]), cards[players:], [pedine] * players,
                house.salta_on_dealer, house.backward_run, house.two_matti_lowest, lambda: next(again),
            ).play()  # fmt: skip
            paid = [(names.index(entry.player), entry.delta, entry.cause) for entry in state.hands[-1].payments]
            assert paid == naive, kinds
            assert next(again, None) is None, "the engine asked more than there is to decide"
            counted["hands"] += 1
            counted.update(f"{entry.cause}, {entry.player}" for entry in state.hands[-1].payments)
            counted["out"] += len(state.hands[-1].out)
            counted[state.status] += 1

        for _ in every_choice(play):
            pass
    return dict(sorted(counted.items()))


def label(house: log.HouseRules) -> str:
    return f"{house.salta_on_dealer}, {house.backward_run}, {house.two_matti_lowest}"


SMALL = [table for table in TABLES if not table.startswith("4")]
LARGE = ["4 players, 2 pedine", "3 players, 3 pedine"]
"""As many hands as in all others together."""


@pytest.mark.parametrize("table", SMALL)
def test_every_hand(table: str) -> None:
    assert count(table, log.HouseRules()) == committed(table, log.HouseRules())


PAIRED = [HOUSES[number] for number in (0, 3, 5, 6)]
"""Any two house rules, in every way that they can go together."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "house"),
    [
        pytest.param(table, house, id=f"{table}; {label(house)}",
                     marks=[pytest.mark.thorough] if table in LARGE or house not in PAIRED else [])
        for table in TABLES for house in HOUSES if not (table in SMALL and house == log.HouseRules())
    ],
)  # fmt: skip
def test_every_hand_by_every_other_house_rule(table: str, house: log.HouseRules) -> None:
    assert count(table, house) == committed(table, house)


def committed(table: str, house: log.HouseRules) -> dict[str, int]:
    counts: dict[str, dict[str, int]] = json.loads(COUNTS.read_text("utf-8"))
    return counts[f"{table}; {label(house)}"]
