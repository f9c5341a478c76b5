"""Only the outcome of a stoppata: the hand that is made up for it comes to just this, and accuses nobody."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.decks.italian import KINDS
from companion.games.stoppa.bots import PLAIN, Settings, seated, simulate
from companion.games.stoppa.pages.outcome import comes_to, most, stated
from companion.games.stoppa.rules import State, apply, begin
from companion.games.stoppa.rules.log import (
    End,
    Event,
    Grosso,
    Hand,
    Lay,
    Muck,
    Passo,
    Piccolo,
    Punto,
    Rilancio,
    Show,
    Vedo,
    Void,
    new_game,
)
from companion.table.errors import Illegal

SIZE = {3: 13, 4: 10, 5: 8, 6: 6}


def game(players: int) -> State:
    names = seated(players)
    return begin(new_game(names, 600, 100, names[-1], removed="denari-10" if players == 3 else None))


def after(state: State, events: tuple[Event, ...]) -> State:
    for event in events:
        state = apply(state, event)
    return state


@settings(max_examples=150, deadline=None)
@given(st.integers(3, 6), st.randoms(use_true_random=False))
def test_whatever_is_left_in_the_hands_a_stoppata_is_found_that_leaves_it(players: int, rng: Random) -> None:
    """Except one in which the mano has laid nothing: they open the first sequence."""
    before, names = game(players), seated(players)
    left = {name: rng.randint(1, SIZE[players] - (name == names[0])) for name in names}
    del left[rng.choice(names)]
    found = stated(before, (Hand(),), left, {})
    assert found is not None
    over = after(before, found)
    assert comes_to(before, over) == left
    assert not over.hands[-1].irregularities


@pytest.mark.parametrize("seed", range(24))
def test_a_card_left_that_was_shown_is_laid_by_nobody(seed: int) -> None:
    """This holds for any card left that was not laid, and not shown at the punti."""
    lines = [line.event for line in simulate(Settings(players=seated(3 + seed % 3), event_probabilities=PLAIN), hands=1,
                                             seed=seed)]
    before = begin(lines[0])
    left = comes_to(before, after(before, tuple(lines[1:])))
    laid = next((at for at, event in enumerate(lines) if isinstance(event, Lay)), len(lines))
    if not left or stated(before, tuple(lines[1:laid]), left, {}) is None:
        return
    known = {kind for event in lines if isinstance(event, Lay | Show) for kind in event.cards}
    kinds = [kind for at, kind in enumerate(KINDS) if before.table.deck >> at & 1 and kind not in known]
    if not kinds:
        return
    show = Show(by=next(iter(left)), cards=(Random(seed).choice(kinds),))
    found = stated(before, (*lines[1:laid], End(), show), left, {})
    assert found is not None
    assert found[-2:] == (End(), show)
    over = after(before, found)
    assert comes_to(before, over) == left
    assert not {one.kind for one in over.hands[-1].irregularities} & {"undeclared"}


@settings(max_examples=20, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10_000))
def test_the_punti_stay_as_they_were_told(players: int, seed: int) -> None:
    """Also with cards that were shown at them: nobody lays another's."""
    lines = [line.event for line in simulate(Settings(players=seated(players), event_probabilities=PLAIN), hands=1, seed=seed)]
    before = begin(lines[0])
    true = after(before, tuple(lines[1:]))
    left = comes_to(before, true)
    if not left:  # somebody has declared
        return
    first = next(at for at, event in enumerate(lines) if isinstance(event, Lay))
    found = stated(before, tuple(lines[1 : first + 3]), left, {})
    if found is None:
        return
    made = after(before, found)
    assert (made.hands[-1].pots, made.hands[-1].payments) == (true.hands[-1].pots, true.hands[-1].payments)
    assert made.balances == true.balances


def test_with_cards_shown_at_the_punti_a_stoppata_is_mostly_found() -> None:
    found = 0
    for seed in range(40):
        lines = [line.event for line in simulate(Settings(players=seated(4), event_probabilities=PLAIN), hands=1, seed=seed)]
        before = begin(lines[0])
        left = comes_to(before, after(before, tuple(lines[1:])))
        found += not left or stated(before, tuple(lines[1:]), left, {}) is not None
    assert found >= 38


@pytest.mark.parametrize("left", [
    {}, {"Bruno": 4}, {"Bruno": 4, "Carla": 3}, {"Anna": 1, "Bruno": 4, "Carla": 3, "Dino": 2},
    {"Anna": 10, "Bruno": 4, "Carla": 3}, {"Bruno": 11, "Carla": 3, "Dino": 2}, {"Bruno": 4, "Carla": 3, "Zeno": 2},
], ids=str)  # fmt: skip
def test_an_outcome_that_cannot_be_is_not_found(left: dict[str, int]) -> None:
    """Two who have no card left, or nobody; a mano who has laid nothing; more cards than were dealt; a stranger."""
    stopped = 4 - len(left)
    if "Zeno" in left or stopped == 1:
        assert stated(game(4), (Hand(),), left, {}) is None
    else:
        with pytest.raises(Illegal, match="only one player can have stopped" if stopped else "one player must have stopped"):
            stated(game(4), (Hand(),), left, {})


def test_the_last_hand_of_a_called_giro_has_no_outcome_of_a_stoppata() -> None:
    with pytest.raises(Illegal, match="the last hand of a called giro has no stoppata"):
        stated(replace(game(4), last_hand=1), (Hand(),), {"Bruno": 4, "Carla": 3, "Dino": 2}, {})


BETS = (Hand(), Piccolo(), Punto(by="Anna", to=50), Vedo(by="Bruno"), Passo(by="Carla"), Passo(by="Dino"))
LEFT = {"Anna": 2, "Bruno": 5, "Dino": 3}


SHOWN = Show(by="Anna", cards=("denari-7",))
GROSSO = (Hand(), *[Piccolo()] * 4, Grosso())
UNTOLD = {
    "a bet, the rest silent": BETS[:3],
    "two in, the rest silent": BETS[:4],
    "nobody has shown": BETS,
    "one has shown": (*BETS, SHOWN),
    "a void hand": (*BETS, Void()),
    "the grosso, two in": (*GROSSO, *BETS[2:4]),
    "the grosso, one has shown": (*GROSSO, *BETS[2:], SHOWN),
}


@pytest.mark.parametrize("told", UNTOLD.values(), ids=[*UNTOLD])
def test_whose_a_punto_is_on_which_somebody_has_bet_must_be_told_first(told: tuple[Event, ...]) -> None:
    """Neither the one player who has shown nor the one who has bet is given it: nobody has named them. Then the outcome is
    taken."""
    with pytest.raises(Illegal, match=f"bet on the punto {'grosso' if Grosso() in told else 'piccolo 1'}"):
        stated(game(4), told, LEFT, {})
    begun = tuple(event for event in told if not isinstance(event, Void))
    before = game(4)
    state = after(before, begun)
    hand = state.hand
    assert hand is not None
    assert hand.betting is not None
    rest: list[Event] = []
    if "Bruno" in {event.by for event in begun if isinstance(event, Vedo)}:
        rest.append(Muck(by="Bruno"))
        rest += [] if SHOWN in begun else [SHOWN]
    else:
        rest.append(Passo(by="Dino"))
    found = stated(before, (*begun, *rest), LEFT, {})
    assert found is not None
    assert [event for event in found if isinstance(event, Muck | Passo | Show)] == [
        event for event in (*begun, *rest) if isinstance(event, Muck | Passo | Show)
    ]


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10_000), st.integers(2, 40))
def test_no_word_and_no_concession_is_made_up(players: int, seed: int, many: int) -> None:
    """Wherever a hand is left: the punto in play goes to nobody but who was told to have it."""
    lines = [line.event for line in simulate(Settings(players=seated(players), event_probabilities=PLAIN), hands=1, seed=seed)]
    before, told = begin(lines[0]), tuple(lines[1 : many + 1])
    left = comes_to(before, after(before, tuple(lines[1:])))
    try:
        found = stated(before, told, left, {}) if left else None
    except Illegal:
        hand = after(before, told).hand
        assert hand is not None
        assert hand.betting is not None
        assert not hand.betting.decided
        return
    words = (Passo, Punto, Vedo, Rilancio, Muck, Show)
    if found is not None:
        assert {event for event in found if isinstance(event, words)} <= {*told}


def test_what_was_laid_so_far_counts_for_nothing_but_the_numbers_that_it_leaves() -> None:
    before = game(4)
    begun = (Hand(), *[Piccolo()] * 4, Grosso(), Lay(by="Anna", cards=("coppe-5",)), Lay(by="Carla", cards=("coppe-6",)))
    assert comes_to(before, after(before, begun)) == {"Anna": 9, "Bruno": 10, "Carla": 9, "Dino": 10}
    found = stated(before, begun, LEFT, {})
    assert found is not None
    assert comes_to(before, after(before, found)) == LEFT
    assert comes_to(before, before) == {}


def test_no_more_cards_can_be_left_than_were_dealt() -> None:
    assert [most(game(players)) for players in SIZE] == list(SIZE.values())
