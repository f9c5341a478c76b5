"""Random games, for what must hold in every one of them. Each card is in the log as it was dealt: the camera saw too much."""

from hypothesis import strategies as st

from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import Rarities, Settings, seated
from companion.games.stu.rules.log import HouseRules
from companion.table.log import Line

WILD = Rarities(penalty=0.1, void=0.1, exposed=0.2, wrong_dealer=0.1, matto=0.1, split=0.2, close=0.05, mistake=0.3)


@st.composite
def evenings(draw: st.DrawFn, most: int = 9) -> tuple[Line, ...]:
    """The log of a few hands of 2 to `most` players, of any edition and house rules, with mistakes and incidents."""
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
        rarities=WILD,
    )
    return simulate(settings, hands=draw(st.integers(1, 5)), seed=draw(st.integers(0, 2**32)))
