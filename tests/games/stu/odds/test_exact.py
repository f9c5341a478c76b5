"""The Monte Carlo odds against every deal and every decision of small decks, played by the engine."""

from __future__ import annotations

import math
from random import Random

import pytest
from exact import NAMES, SmallTable, exact_odds

from companion.decks.stu import KINDS
from companion.games.stu.odds import odds
from companion.games.stu.rules import log
from companion.games.stu.rules.log import HouseRules

SAMPLES = 20_000


def agree(table: SmallTable) -> None:
    """Every chance lies within five standard errors of the exact one."""
    pays, deltas = exact_odds(table)
    found = odds(table.view(), samples=SAMPLES, seed=1)
    assert sum(pays) > 0
    for position, player in enumerate(found.players):
        close(player.pays, pays[position], found.effective)
        for delta in set(player.deltas) | set(deltas[position]):
            close(player.deltas.get(delta, 0.0), deltas[position].get(delta, 0.0), found.effective)


def close(found: float, exact: float, effective: float) -> None:
    error = math.sqrt(max(exact * (1 - exact), 1 / effective) / effective)
    assert abs(found - exact) <= 5 * error, f"{found:.4f} is not {exact:.4f} ± {error:.4f}"


STOP = HouseRules(salta_on_dealer="stop")
FORCED = HouseRules(backward_run="forced")
MATTI = HouseRules(two_matti_lowest="matti")

TABLES = {
    "two matti between two": SmallTable(("matto", "matto", "3", "9"), (3, 3)),
    "two matti, the matti pay": SmallTable(("matto", "matto", "3", "9", "8"), (3, 3, 3), MATTI),
    "two matti, the others pay": SmallTable(("matto", "matto", "3", "9", "8"), (3, 3, 3)),
    "one matto": SmallTable(("matto", "2", "6", "10", "cucco"), (3, 3, 3)),
    "a gnaffata of the last pedina": SmallTable(("gnao", "gnao", "2", "5", "8"), (1, 1, 1)),
    "two players, a gnaffata wins": SmallTable(("gnao", "gnao", "2", "5"), (1, 1)),
    "a backward run by choice": SmallTable(("gnao", "1", "4", "6", "9"), (2, 2, 2)),
    "a forced backward run": SmallTable(("gnao", "1", "4", "6", "9"), (2, 2, 2), FORCED),
    "a run of four players into trumps": SmallTable(("gnao", "salta", "1", "bragon", "2"), (2, 1, 2, 1), FORCED),
    "a nulla against the taverna": SmallTable(("nulla", "nulla", "taverna", "5", "8"), (2, 2, 2)),
    "a bbummata": SmallTable(("bragon", "bragon", "3", "4", "7"), (1, 2, 2)),
    "a salta at the dealer, deck": SmallTable(("salta", "salta", "1", "6", "9"), (2, 2, 2)),
    "a salta at the dealer, stop": SmallTable(("salta", "salta", "1", "6", "9"), (2, 2, 2), STOP),
    "one fresh card left": SmallTable(("salta", "2", "6", "9"), (2, 2, 2)),
    "no fresh card left": SmallTable(("salta", "2", "6"), (2, 2, 2)),
    "the cards put under come up again": SmallTable(("salta", "2", "6"), (2, 2, 2), buried=False),
    "the card of one who left comes up again": SmallTable(("gnao", "4", "5", "6"), (1, 1, 1, 2), buried=False),
    "ties": SmallTable(("3", "3", "5", "5", "9", "9"), (2, 2, 2)),
}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES.keys())
def test_from_the_deal(table: SmallTable) -> None:
    agree(table)


def by(name: str) -> dict[str, str]:
    return {"by": name}


A, B, C, D = NAMES
STORIES = {
    "one has stayed": ((3, 3, 3), (log.Sto(by=A),)),
    "asked, no answer yet": ((3, 3, 3), (log.Passo(by=A),)),
    "exchanged": ((3, 3, 3), (log.Passo(by=A), log.Swap(with_=B))),
    "exchanged, and kept": ((3, 3, 3), (log.Passo(by=A), log.Swap(with_=B), log.Sto(by=B))),
    "exchanged twice": ((3, 3, 3), (log.Passo(by=A), log.Swap(with_=B), log.Passo(by=B), log.Swap(with_=C))),
    "the dealer must draw": ((3, 3, 3), (log.Sto(by=A), log.Sto(by=B), log.Passo(by=C))),
    "the dealer has drawn": ((3, 3, 3), (log.Sto(by=A), log.Sto(by=B), log.Draw(by=C))),
    "a backward offer awaits its answer": (
        (3, 3, 3), (log.Sto(by=A), log.Passo(by=B), log.Reveal(by=C, card="gnao")),
    ),
    "a backward exchange": (
        (3, 3, 3, 3),
        (log.Sto(by=A), log.Sto(by=B), log.Passo(by=C), log.Reveal(by=D, card="gnao"), log.Swap(with_=B)),
    ),
    "a taverna refused": ((3, 3, 3), (log.Passo(by=A), log.Reveal(by=B, card="taverna"))),
    "a taverna ceded": ((3, 3, 3), (log.Passo(by=A), log.Taverna(by=B))),
    "a taverna ceded, and the run is on it": (
        (3, 3, 3), (log.Passo(by=A), log.Taverna(by=B), log.Passo(by=B), log.Reveal(by=C, card="gnao")),
    ),
    "past a salta": ((3, 3, 3), (log.Passo(by=A), log.Reveal(by=B, card="salta"))),
    "past a dealer's salta": ((3, 3, 3), (log.Sto(by=A), log.Passo(by=B), log.Reveal(by=C, card="salta"))),
    "the first shows": ((3, 3, 3), (log.Passo(by=A), log.Swap(with_=B), log.Sto(by=C), log.Reveal(by=A, card="6"))),
}  # fmt: skip


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_in_the_middle(story: tuple[tuple[int, ...], tuple[log.Event, ...]]) -> None:
    pedine, events = story
    shown = {event.card for event in events if isinstance(event, log.Reveal)}
    shown |= {"taverna" for event in events if isinstance(event, log.Taverna)}
    cards = {"nulla", "2", "6", "9", "gnao", "salta"} | shown
    agree(SmallTable(tuple(kind for kind in KINDS if kind in cards), pedine).happen(*events))


@pytest.mark.slow
@pytest.mark.parametrize("seed", [
    pytest.param(seed, marks=[pytest.mark.thorough] if seed in (0, 9, 11) or seed > 11 else []) for seed in range(40)
])  # fmt: skip
def test_random_small_decks(seed: int) -> None:
    rng = Random(seed)
    players = rng.choice((2, 3, 3, 4))
    unseen = tuple(rng.sample(KINDS * 2, players + rng.choice((0, 1, 2, 3))))
    house = HouseRules(
        salta_on_dealer=rng.choice(("deck", "stop")),
        backward_run=rng.choice(("choice", "forced")),
        two_matti_lowest=rng.choice(("others", "matti")),
    )
    agree(SmallTable(unseen, tuple(rng.choice((1, 2, 3)) for _ in range(players)), house))
