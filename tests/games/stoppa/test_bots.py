"""The bots of Stoppa: legal by the rules themselves, sensible, and the same by the same seed."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace
from stoppa_play import HOUSES

from companion.decks.italian import KINDS
from companion.games import stoppa
from companion.games.stoppa.bots import PLAIN, Settings, seated, simulate
from companion.games.stoppa.bots.styles import opening, strength
from companion.games.stoppa.rules.cards import INDEX, kinds_in, mask_of
from companion.games.stoppa.rules.report import report
from companion.games.stoppa.rules.stoppata import forced_lay
from companion.table.log import tag


def mask(*kinds: str) -> int:
    return mask_of(INDEX[kind] for kind in kinds)


@pytest.mark.parametrize("house", HOUSES)
def test_evenings_under_every_house_rule_come_to_their_end(house: stoppa.log.HouseRules) -> None:
    for players in (3, 4, 5, 6):
        lines = simulate(Settings(players=seated(players), house_rules=house), hands=4, seed=players)
        ended = stoppa.report(stoppa.replay(lines))
        assert ended.status == "over"
        assert sum(player.balance for player in ended.players) == 0


def test_an_evening_has_something_of_everything() -> None:
    tags, seen = Counter[str](), Counter[str]()
    for seed in range(12):
        lines = simulate(Settings(players=seated(4)), hands=12, seed=seed)
        tags.update(tag(line.event) for line in lines)
        for hand in report(stoppa.replay(lines)).hands:
            seen.update(pot.how for pot in hand.pots)
            seen.update(one.kind for one in hand.irregularities)
            seen.update(one.cause for one in hand.payments)
    assert {"punto", "vedo", "rilancio", "passo", "show", "muck", "declare", "lay", "back", "annul", "giro", "void"} <= set(tags)
    assert {"shown", "alone", "dealer", "omitted", "stoppata", "misera"} <= set(seen)


def test_plain_evenings_are_played_without_mistakes() -> None:
    for seed in range(6):
        lines = simulate(Settings(players=seated(5), event_probabilities=PLAIN), hands=6, seed=seed)
        ended = stoppa.report(stoppa.replay(lines))
        assert not any(hand.irregularities or hand.void for hand in ended.hands)
        assert all(hand.stoppata is None or not hand.stoppata.annulled for hand in ended.hands)


def test_what_is_forced_is_what_players_who_make_no_mistake_lay() -> None:
    """They know all their cards; `forced_lay` knows only those that were named."""
    forced = 0
    for seed, players in enumerate((3, 4, 4, 5, 6)):
        lines = simulate(Settings(players=seated(players), event_probabilities=PLAIN), hands=8, seed=seed)
        state = stoppa.begin(lines[0].event)
        for line in lines[1:]:
            found = forced_lay(state.table, state.hand) if state.hand is not None else None
            if found is not None:
                lay = stoppa.log.Lay(by=state.table.names[found[0]], cards=(KINDS[found[1]],))
                assert line.event == lay
                forced += 1
                assert stoppa.apply(state, replace(lay, forced=True)).hand == stoppa.apply(state, lay).hand
            state = stoppa.apply(state, line.event)
    assert forced > 50


def test_better_groups_are_stronger() -> None:
    hands = [mask("denari-2", "coppe-3", "spade-4"), mask("denari-7", "coppe-3", "spade-4"),
             mask("denari-2", "denari-8", "spade-4"), mask("denari-7", "denari-6", "spade-4"),
             mask("denari-8", "denari-9", "denari-10"), mask("denari-7", "denari-6", "denari-1")]  # fmt: skip
    assert sorted(hands, key=strength) == hands
    assert strength(hands[-1]) == 1


def test_a_bot_opens_where_it_can_go_on_longest() -> None:
    table = stoppa.begin(stoppa.new_game(seated(4), 600, 100, "Dino")).table
    assert kinds_in(opening(table, 0, mask("denari-2", "coppe-5", "spade-6", "spade-7"))) == ("coppe-5",)
    assert kinds_in(opening(table, 0, mask("denari-1", "coppe-1", "spade-6"))) == ("denari-1", "coppe-1")
    assert kinds_in(opening(table, 0, mask("denari-3", "denari-10"))) == ("denari-10",)
