"""The bots of Stoper: legal by the rules themselves, sensible, and the same by the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
from stoper_play import HOUSES

from companion.decks.italian_sets import INDEX, mask_of
from companion.games import stoper
from companion.games.stoper.bots import PLAIN, Settings, seated, simulate
from companion.games.stoper.bots.styles import kept, strength
from companion.table.log import tag


def mask(*kinds: str) -> int:
    return mask_of(INDEX[kind] for kind in kinds)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("mode", ["cash", "torneo"])
def test_evenings_under_every_house_rule_come_to_their_end(house: stoper.log.HouseRules, mode: stoper.log.Mode) -> None:
    for players in (4, 5, 6):
        table = Settings(players=seated(players), house_rules=house, mode=mode)
        state = stoper.replay(simulate(table, hands=300 if mode == "torneo" else 8, seed=players))
        ended = stoper.report(state)
        assert ended.status == ("won" if mode == "torneo" else "over")
        assert sum(player.stack for player in ended.players) + ended.carried.pot == state.brought


def test_an_evening_has_something_of_everything() -> None:
    tags, seen = Counter[str](), Counter[str | None]()
    for seed in range(12):
        lines = simulate(Settings(players=seated(6), mode="cash" if seed % 2 else "torneo"), hands=40, seed=seed)
        tags.update(tag(line.event) for line in lines)
        seen.update("join" for line in lines if isinstance(line.event, stoper.log.Hand) and line.event.join)
        for hand in stoper.report(stoper.replay(lines)).hands:
            seen.update(pot.how for pot in hand.pots)
            seen.update(one.kind for one in hand.irregularities)
            seen.update([hand.unassigned, hand.level, *("returned" for _ in hand.returned)])
            seen.update(["side pots"] if len(hand.pots) > 1 else [])
    # No player says how it stands: the table does.
    assert set(tags) == {event.__struct_config__.tag for event in stoper.log.Event.__args__} - {"end", "set"}
    assert {
        "shown", "alone", "wrong_dealer", "no_opening", "parola", "donna", "cavallo", "re", "returned", "side pots", "join",
    } <= set(seen)  # fmt: skip


def test_plain_evenings_are_played_without_mistakes() -> None:
    for seed in range(6):
        lines = simulate(Settings(players=seated(5), event_probabilities=PLAIN), hands=15, seed=seed)
        assert not any(hand.irregularities or hand.void for hand in stoper.report(stoper.replay(lines)).hands)


def test_better_hands_are_stronger() -> None:
    hands = [mask("denari-3", "coppe-4", "spade-5"), mask("denari-10", "coppe-4", "spade-5"),
             mask("denari-10", "denari-9", "spade-5"), mask("spade-1", "coppe-1", "spade-10"),
             mask("spade-1", "coppe-1", "bastoni-1")]  # fmt: skip
    assert sorted(hands, key=strength) == hands
    assert strength(hands[-1]) == 1


def test_a_bot_keeps_what_is_good_together() -> None:
    assert kept(mask("denari-10", "denari-9", "denari-7")) == mask("denari-10", "denari-9", "denari-7")
    assert kept(mask("coppe-1", "spade-1", "spade-10")) == mask("coppe-1", "spade-1", "spade-10")
    assert kept(mask("coppe-1", "spade-1", "spade-5")) == mask("coppe-1", "spade-1")
    assert kept(mask("coppe-10", "coppe-4", "spade-5")) == mask("coppe-10", "coppe-4")
    assert kept(mask("denari-1", "coppe-4", "spade-9")) == mask("denari-1", "spade-9")
    assert kept(mask("denari-3", "coppe-4", "spade-9")) == mask("spade-9")


@pytest.mark.parametrize("mode", ["cash", "torneo"])
def test_bots_begin_with_a_hundred_cip(mode: stoper.log.Mode) -> None:
    first = simulate(Settings(players=seated(4), mode=mode, cip=50), hands=1, seed=0)[0].event
    assert (first.mode, first.stacks) == (mode, 5000)
