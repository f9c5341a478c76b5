"""Random games, for what must hold in every one of them. Each card is in the log as it was dealt: the camera saw too much."""

import random

from hypothesis import strategies as st

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import EventProbabilities, Settings, seated
from companion.games.stu.rules import apply, begin, check
from companion.games.stu.rules.log import HouseRules, Set, Standing
from companion.table.log import Line

WILD = EventProbabilities(penalty=0.1, void=0.1, exposed=0.2, wrong_dealer=0.1, matto=0.1, split=0.2, close=0.05, mistake=0.3)


def with_sets(lines: tuple[Line, ...], seed: int) -> tuple[Line, ...]:
    """The log with some lines between hands that set how it stands, as far as it can have gone on after them."""
    chance, state, found = random.Random(seed), begin(lines[0].event), [lines[0]]
    for line in lines[1:]:
        if state.hand is None and not state.won and chance.random() < 0.4:
            standing = {name: Standing(n := chance.randrange(6), n > 2 and chance.random() < 0.5) for name in state.table.names
                        if chance.random() < 0.5}  # fmt: skip
            event = Set(standing=standing, ricompere=chance.choice((None, 0, 2)))
            if check(state, event) is None:
                state = apply(state, event)
                found.append(Line(event))
        if check(state, line.event) is not None:
            break
        state = apply(state, line.event)
        found.append(line)
    return tuple(found)


@st.composite
def evenings(draw: st.DrawFn, most: int = 9, *, sets: bool = False) -> tuple[Line, ...]:
    """The log of a few hands of 2 to `most` players, of any edition and house rules, with mistakes and incidents; with ``sets``
    it is also set how it stands."""
    rules = HouseRules(
        salta_on_dealer=draw(st.sampled_from(["deck", "stop"])),
        backward_run=draw(st.sampled_from(["choice", "forced"])),
        two_matti_lowest=draw(st.sampled_from(["others", "matti"])),
    )
    settings = Settings(
        players=seated(draw(st.integers(2, most))),
        edition=draw(st.sampled_from(["booklet", "piazza-2010"])),
        house_rules=rules,
        dealing=draw(st.sampled_from(["at-once", "one-by-one"])),
        pedine=draw(st.sampled_from([1, 3])),
        event_probabilities=WILD,
    )
    lines = simulate(settings, hands=draw(st.integers(1, 5)), seed=draw(st.integers(0, 2**32)))
    return with_sets(lines, draw(st.integers(0, 2**32))) if sets else lines
