"""Every stoppata of small decks, and many of whole ones, beside the naive procedure: what can be laid, what is wanted, whose turn
it is, which wanted cards were left out, who stops."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace
from stoppa_naive import Card, Table
from stoppa_play import game_line

from companion.decks.italian import KINDS
from companion.games import stoppa
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.cards import INDEX, cards_in, mask_of
from companion.games.stoppa.rules.log import HouseRules
from companion.games.stoppa.rules.state import State

SUITS = ("denari", "coppe", "spade", "bastoni")


def kind(card: Card) -> str:
    return f"{card[1]}-{card[0]}"


def before_the_stoppata(house: HouseRules, deck: list[Card], size: int, players: int = 3) -> State:
    """A hand with just these cards, whose punto grosso is the dealer's; the mano sits first."""
    first = game_line(players, house)
    first = replace(first, dealer=first.players[-1])
    state = stoppa.begin(first)
    table = replace(state.table, deck=mask_of(INDEX[kind(card)] for card in deck), size=size)
    state = replace(state, table=table)
    for event in (log.Hand(), *[log.Piccolo()] * len(table.deals), log.Grosso()):
        state = stoppa.apply(state, event)
    return state


def compare(state: State, naive: Table) -> None:
    """The engine and the naive procedure say the same of a stoppata that goes on."""
    assert state.hand is not None
    report: Any = stoppa.report(state).to_dict()["table"]
    assert report["turn"] == state.table.names[naive.turn]
    assert report["wants"] == naive.wanted
    assert report["top"] == (kind(naive.top) if naive.wanted is not None and naive.top is not None else None)
    hands = [{kind(card) for card in hand} for hand in naive.hands]
    possible = set()
    for event in stoppa.legal_acts(state):
        if isinstance(event, log.Lay):
            hand = hands[state.table.names.index(event.by)]
            if set(event.cards) <= hand and not (_thrown(naive, event) and _may_not_throw(hand, event)):
                possible.add((event.by, frozenset(event.cards)))
    assert possible == {(state.table.names[who], frozenset(map(kind, cards))) for who, cards in naive.lays()}


def compare_ended(state: State, naive: Table, first_line: int) -> None:
    """And of one that is over, once everybody has shown what is left."""
    assert naive.winner is not None
    for player, hand in enumerate(naive.hands):
        if hand:
            state = stoppa.apply(state, log.Show(by=state.table.names[player], cards=tuple(map(kind, hand))))
    ended = state.hands[-1]
    assert ended.stoppata is not None
    assert ended.stoppata.winner == state.table.names[naive.winner]
    assert list(ended.stoppata.laid.values()) == [len(laid) for laid in naive.laid]
    noted = sorted((one.player, one.line) for one in ended.irregularities if one.kind == "omitted")
    assert noted == sorted((state.table.names[who], first_line + lay) for who, lay in naive.mistakes)
    owed = {state.table.names[player]: len(hand) // 2 * 600 for player, hand in enumerate(naive.hands) if len(hand) > 1}
    assert {paid.payer: paid.amount for paid in ended.payments} == owed


def _thrown(naive: Table, lay: log.Lay) -> bool:
    """Whether these are aces put down whatever is wanted."""
    on_ace = naive.top is not None and naive.top[0] == 1
    return naive.wanted is not None and not on_ace and lay.cards[0].endswith("-1")


def _may_not_throw(hand: set[str], lay: log.Lay) -> bool:
    """What the engine cannot know of unseen cards: a Re, or one more ace, in the hand of a player who throws aces."""
    return any(card.endswith("-10") or (card.endswith("-1") and card not in lay.cards) for card in hand)


def walk(state: State, naive: Table, first_line: int) -> int:
    """Go through everything that can follow; how many lays that was."""
    if naive.winner is not None:
        compare_ended(state, naive, first_line)
        return 0
    compare(state, naive)
    count = 0
    for player, cards in list(naive.lays()):
        after = naive.copy()
        after.lay(player, cards)
        lay = log.Lay(by=state.table.names[player], cards=tuple(map(kind, cards)))
        count += 1 + walk(stoppa.apply(state, lay), after, first_line)
    return count


DECKS = {
    "aces and twos": [(1, "denari"), (1, "coppe"), (2, "denari"), (2, "coppe"), (3, "denari"), (3, "coppe")],
    "a number in between is out": [(1, "denari"), (4, "denari"), (4, "coppe"), (7, "denari"), (7, "coppe"), (9, "denari")],
    "three of each": [(1, "denari"), (1, "coppe"), (1, "spade"), (10, "denari"), (10, "coppe"), (10, "spade")],
}


@pytest.mark.parametrize("at_once", ["deck", "left"])
@pytest.mark.parametrize("deck", DECKS)
def test_every_stoppata_of_a_small_deck(deck: str, at_once: str) -> None:
    cards, total = DECKS[deck], 0
    house = HouseRules(all_at_once=at_once)  # type: ignore[arg-type]
    state = before_the_stoppata(house, cards, 2)
    for first in combinations(cards, 2):
        rest = [card for card in cards if card not in first]
        for second in combinations(rest, 2):
            third = [card for card in rest if card not in second]
            naive = Table([[*first], [*second], third], cards, {"all_at_once": at_once})
            total += walk(state, naive, state.line + 1)
    assert total > 500


@pytest.mark.parametrize("seed", range(4))
def test_every_stoppata_of_nine_cards_with_aces_thrown(seed: int) -> None:
    chance = random.Random(seed)
    cards = [(1, suit) for suit in SUITS] + [(number, suit) for number in (5, 6) for suit in SUITS[:2]] + [(10, "denari")]
    state = before_the_stoppata(HouseRules(three_aces_anytime=True), cards, 3)
    dealt = [(1, suit) for suit in SUITS[:3]]  # the mano could throw three aces, if not for what is dealt with them
    rest = [card for card in cards if card not in dealt]
    chance.shuffle(rest)
    hands = [dealt, rest[:3], rest[3:]]
    order = hands if seed % 2 else [hands[1], hands[0], hands[2]]
    assert walk(state, Table([[*hand] for hand in order], cards, {"three_aces_anytime": True}), state.line + 1) > 20


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_stoppate_of_whole_decks_played_with_mistakes(players: int) -> None:
    for seed in range(8):
        chance = random.Random(seed)
        house = HouseRules(three_aces_anytime=bool(seed % 2), all_at_once="left" if seed % 3 else "deck")
        first = replace(game_line(players, house), dealer=game_line(players).players[-1])
        state = stoppa.begin(first)
        deck = [(card % 10 + 1, KINDS[card].partition("-")[0]) for card in cards_in(state.table.deck)]
        for event in (log.Hand(), *[log.Piccolo()] * len(state.table.deals), log.Grosso()):
            state = stoppa.apply(state, event)
        pack = chance.sample(deck, len(deck))
        size = state.table.size
        rules: dict[str, object] = {"three_aces_anytime": house.three_aces_anytime, "all_at_once": house.all_at_once}
        naive = Table([pack[at * size : (at + 1) * size] for at in range(players)], deck, rules)
        first_line = state.line + 1
        while naive.winner is None and (lays := list(naive.lays())):
            compare(state, naive)
            player, cards = chance.choice(lays)
            naive.lay(player, cards)
            state = stoppa.apply(state, log.Lay(by=state.table.names[player], cards=tuple(map(kind, cards))))
        assert naive.winner is not None, "somebody has the wanted card: all are dealt"
        compare_ended(state, naive, first_line)
