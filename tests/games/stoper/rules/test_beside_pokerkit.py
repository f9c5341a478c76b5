"""Side pots beside pokerkit's: the same stacks, antes and bets, and everybody ends with the same chips.

A game of pokerkit is played at random through one street; its acts are told to Stoper as an opening. Then the same ranking of
those still in decides the pots of both.
"""

from __future__ import annotations

import random
from collections import Counter
from importlib.util import find_spec
from typing import Any

import pytest

from companion.games import stoper
from companion.games.stoper.rules import log

pytestmark = pytest.mark.skipif(find_spec("pokerkit") is None, reason="needs pokerkit: extra bench")

NAMES = ("Ada", "Bice", "Ciro", "Dora", "Elsa", "Fabio")
CIP = 20
BEST_FIRST = (
    ("denari-1", "spade-1", "coppe-1"), ("bastoni-10", "bastoni-9", "bastoni-8"), ("denari-10", "denari-9", "denari-7"),
    ("spade-10", "spade-9", "spade-5"), ("coppe-10", "coppe-7", "bastoni-5"), ("coppe-5", "denari-4", "spade-3"),
)  # fmt: skip
AUTOMATIONS = ("ANTE_POSTING", "BET_COLLECTION", "HOLE_DEALING", "HAND_KILLING", "CHIPS_PUSHING", "CHIPS_PULLING")


def dealt(stacks: tuple[int, ...]) -> Any:
    """A hand of no-limit hold'em with an ante and no blinds."""
    import pokerkit  # here, as it takes most of a second, which each worker would take for its list of tests

    automations = tuple(getattr(pokerkit.Automation, name) for name in AUTOMATIONS)
    return pokerkit.NoLimitTexasHoldem.create_state(automations, True, CIP, (0, 0), CIP, stacks, len(stacks))


def chosen(table: Any, chance: random.Random) -> tuple[str, int]:
    """An act at random, done: what it is in Stoper, and its amount."""
    bet = max(table.bets)
    acts = ["call", "call"] if bet else ["check"]
    acts += ["fold"] if bet else []
    acts += ["raise", "raise"] if table.can_complete_bet_or_raise_to() else []
    act, amount = chance.choice(acts), 0
    if act == "fold":
        table.fold()
        return "passo", 0
    if act == "raise":
        least, most = table.min_completion_betting_or_raising_to_amount, table.max_completion_betting_or_raising_to_amount
        amount = chance.choice((least, most, chance.randint(least, most)))
        table.complete_bet_or_raise_to(amount)
        return "rilancio" if bet else "apro", amount
    table.check_or_call()
    return ("vedo" if bet else "parola"), 0


def told(act: str, name: str, amount: int) -> log.Event:
    kinds: dict[str, Any] = {"passo": log.Passo, "vedo": log.Vedo, "parola": log.Parola}
    if act in kinds:
        return kinds[act](by=name)
    return (log.Apro if act == "apro" else log.Rilancio)(by=name, to=amount)


def ended(state: stoper.State, ranking: list[str]) -> stoper.State:
    """The hand played to its end without another bet, the best hand first."""
    while state.hand is not None:
        hand = state.hand
        if hand.phase == "exchange":
            state = stoper.apply(state, log.Cambio(by=state.table.names[hand.todo[0]], n=0))
        elif hand.todo:
            state = stoper.apply(state, log.Busso(by=state.table.names[hand.todo[0]]))
        else:
            for name in ranking:
                if state.hand is not None and hand.live >> state.table.names.index(name) & 1:
                    state = stoper.apply(state, log.Show(by=name, cards=BEST_FIRST[ranking.index(name)]))
    return state


def won_at_pokerkit(table: Any, names: tuple[str, ...], ranking: list[str]) -> dict[str, int]:
    """Everybody's chips, when each pot goes to the best of those entitled."""
    stacks = dict(zip(names, table.stacks, strict=True))
    for pot in table.pots:
        best = min((names[at] for at in pot.player_indices), key=ranking.index)
        stacks[best] += pot.raked_amount + pot.unraked_amount
    return stacks


def test_everybody_ends_with_the_same_chips() -> None:
    chance, pots = random.Random(5), Counter[int]()
    for seed in range(400):
        players = chance.choice((4, 5, 6))
        names = NAMES[:players]
        stacks = tuple(chance.choice((7, 20, 35, 60, 90, 150, 400)) for _ in names)
        table = dealt(stacks)
        first = stoper.new_game(names, dict(zip(names, stacks, strict=True)), names[-1], house_rules=log.HouseRules(bet_min=1))
        state = stoper.apply(stoper.begin(first), log.Hand(cip=CIP, invito=0))
        while table.street_index == 0 and table.actor_index is not None:
            name = names[table.actor_index]
            assert isinstance(state.hand, stoper.Hand)
            assert state.table.names[state.hand.todo[0]] == name, seed
            act, amount = chosen(table, chance)
            state = stoper.apply(state, told(act, name, amount))
        ranking = list(names)
        chance.shuffle(ranking)
        state = ended(state, ranking)
        if state.hands[-1].unassigned is None:
            assert dict(zip(names, state.stacks, strict=True)) == won_at_pokerkit(table, names, ranking), seed
            pots[len(state.hands[-1].pots)] += 1
    assert min(pots[count] for count in (1, 2, 3, 4)) > 10
