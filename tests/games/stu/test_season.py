"""What an evening of Lu Stù comes to in the season: small evenings with known sums."""

import pytest
import season_told
from hypothesis import given
from hypothesis import strategies as st
from season_told import check_figures, of

from companion.games.stu import rules
from companion.games.stu.bots.evening import simulate
from companion.games.stu.bots.settings import EventProbabilities, Settings, seated
from companion.games.stu.pages import PAGES
from companion.games.stu.pages.season import SEASON
from companion.games.stu.rules.log import read_lines
from companion.pages.season import Between, EveningFigures, told_of
from companion.table.log import Line
from companion.table.sure import SURE_FROM

GAME = '{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla"],"stake":200,"currency":"EUR","dealer":"Carla"%s}'
THREE = GAME % ""
ON_THE_BRINK = GAME % (
    ',"standing":{"Anna":{"pedine":1,"virgin":false},"Bruno":{"pedine":3,"virgin":%s},"Carla":{"pedine":0,"virgin":false}}'
)
SURE, UNSURE = '{"e":"end","confidence":0.99}', '{"e":"end","confidence":0.7}'


def shown(end: str = SURE, **cards: str) -> tuple[str, ...]:
    """A hand in which everybody stays and shows this."""
    stay = [f'{{"e":"sto","by":"{name}"}}' for name in cards]
    return ('{"e":"hand"}', *stay, *(f'{{"e":"reveal","by":"{name}","card":"{card}"}}' for name, card in cards.items()), end)


GNAFFATA = (
    '{"e":"hand"}', '{"e":"passo","by":"Anna"}', '{"e":"reveal","by":"Bruno","card":"gnao"}', '{"e":"passo","by":"Carla"}',
    '{"e":"draw","by":"Carla"}', '{"e":"reveal","by":"Anna","card":"3"}', '{"e":"reveal","by":"Carla","card":"7"}', SURE,
)  # fmt: skip
"""Anna is gnaffed by Bruno, and has the lowest card, too."""
LOWEST = shown(Bruno="9", Carla="2", Anna="8")
"""The second hand, dealt by Anna: Carla pays."""
LOWEST_TWO = shown(Carla="8", Anna="2", Bruno="9")
"""The third hand, dealt by Bruno: Anna pays."""
VOID = ('{"e":"hand"}', '{"e":"void"}')


def told(*log: str, ended: bool = False) -> EveningFigures:
    lines = read_lines("\n".join(log).encode())
    rules.replay(lines)
    return season_told.told("stu", lines, ended=ended)


EVENINGS: dict[str, tuple[tuple[str, ...], dict[str, list[int | None]]]] = {
    "a gnaffata and the lowest card": (
        (THREE, *GNAFFATA),
        {"lost": [2, 0, 0], "took": [1, 0, 0], "gave": [0, 1, 0], "virgin": [0, 1, 1], "worst": [2, 0, 0], "net": [None] * 3},
    ),
    "two hands are added up": (
        (THREE, *GNAFFATA, *LOWEST),
        {"lost": [2, 0, 1], "took": [1, 0, 0], "gave": [0, 1, 0], "virgin": [0, 2, 1], "worst": [2, 0, 1]},
    ),
    "a void hand counts for nothing": ((THREE, *VOID, *GNAFFATA, *VOID), {"lost": [2, 0, 0], "virgin": [0, 1, 1]}),
    "a hand that was made void takes its payments back": (
        (THREE, *GNAFFATA[:3], '{"e":"void"}'), {"lost": [0, 0, 0], "gave": [0, 0, 0], "virgin": [0, 0, 0]}
    ),
    "a hand in progress does not count yet": ((THREE, *GNAFFATA[:-1]), {"lost": [0, 0, 0], "virgin": [0, 0, 0]}),
    "a penalty after a hand belongs to it": (
        (GAME % ',"edition":"piazza-2010"', *shown(Anna="8", Bruno="9", Carla="2"), '{"e":"penalty","player":"Bruno"}'),
        {"lost": [0, 1, 1], "virgin": [1, 0, 0]},
    ),
    "who comes back puts in the price": (
        (ON_THE_BRINK % "true", '{"e":"rebuy","by":"Carla"}', *shown(Anna="8", Bruno="9", Carla="2")),
        {"lost": [0, 0, 1], "ricompere": [0, 0, 1], "virgin": [0, 1, 0], "net": [None] * 3},
    ),
    "the money of a game that is over": (
        (ON_THE_BRINK % "false", *shown(Bruno="9", Anna="2")),
        {"lost": [1, 0, 0], "paid": [200, 200, 200], "got": [0, 600, 0], "net": [-200, 400, -200]},
    ),
    "with a ricompera the pot is larger": (
        (ON_THE_BRINK % "true", '{"e":"rebuy","by":"Carla"}', '{"e":"close"}', *shown(Anna="2", Bruno="9", Carla="8"),
         *shown(Carla="2", Bruno="9"), *shown(Bruno="9", Carla="2"), *shown(Carla="2", Bruno="9")),
        {"paid": [200, 200, 600], "got": [0, 1000, 0], "net": [-200, 800, -600], "ricompere": [0, 0, 1]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("log", "figures"), EVENINGS.values(), ids=EVENINGS)
def test_an_evening_comes_to(log: tuple[str, ...], figures: dict[str, list[int | None]]) -> None:
    check_figures(told(*log), figures)


def test_who_gnaffed_whom_is_told() -> None:
    assert told(THREE, *GNAFFATA).between == (Between("gnaffata", "Bruno", "Anna", 1),)


def test_hands_and_what_everybody_had_after_each() -> None:
    found = told(THREE, *GNAFFATA, *VOID, *LOWEST)
    assert (found.hands, found.over, found.counts) == (2, False, True)
    assert [player.stood for player in found.players] == [(3, 1, 1), (3, 3, 3), (3, 3, 2)]


@pytest.mark.parametrize(
    ("log", "counts"),
    [
        pytest.param((THREE,), False, id="nobody has played yet"),
        pytest.param((THREE, *VOID), False, id="only void hands"),
        pytest.param((THREE, *GNAFFATA[:4]), False, id="the first hand is in progress"),
        pytest.param((THREE, *GNAFFATA), True, id="a hand"),
    ],
)
def test_an_evening_counts_from_its_first_hand_on(log: tuple[str, ...], counts: bool) -> None:
    assert told(*log).counts is counts


def test_an_evening_won_unless_somebody_comes_back_is_won_once_another_has_begun() -> None:
    log = (ON_THE_BRINK % "true", *shown(Bruno="9", Anna="2"))
    now, later = told(*log), told(*log, ended=True)
    assert (now.over, [player.won for player in now.players], of(now, "net")) == (False, [False] * 3, [None] * 3)
    assert (later.over, [player.won for player in later.players]) == (True, [False, True, False])
    assert of(later, "net") == [-200, 400, -200]


def test_hands_that_nobody_has_confirmed_are_counted_and_said() -> None:
    found = told(THREE, *GNAFFATA, *shown(UNSURE, Bruno="9", Carla="2", Anna="8"))
    assert found.sure == (0.99, 0.7)
    assert (found.unsure(SURE_FROM), of(found, "lost")) == (1, [2, 0, 1])


def test_the_funniest_figures_are_told_in_both_languages() -> None:
    found = told(THREE, *GNAFFATA, *LOWEST)
    assert SEASON.highlights(found, "it") == ("Bruno: vergine per 2 mani", "Anna: 2 pedine in una mano sola")
    assert SEASON.highlights(found, "en")[0] == "Bruno: virgin for 2 hands"
    both = told(THREE, *shown(Anna="8", Bruno="9", Carla="2"), *LOWEST)
    assert [SEASON.highlights(both, lang)[0] for lang in ("it", "en")] == [
        "Anna: vergine per 2 mani, e Bruno lo stesso", "Anna: virgin for 2 hands, and Bruno the same",
    ]  # fmt: skip
    twice = told(GAME % ',"standing":{"Anna":{"pedine":9,"virgin":false}}', *GNAFFATA, *VOID, *LOWEST, *LOWEST_TWO, *GNAFFATA)
    assert SEASON.highlights(twice, "it")[0] == "Bruno ha gnaffato Anna 2 volte"


@given(st.integers(2, 8), st.integers(1, 12), st.integers(0, 2**32))
def test_of_any_evening_the_sums_agree(players: int, hands: int, seed: int) -> None:
    settings = Settings(players=seated(players), event_probabilities=EventProbabilities(void=0.1, penalty=0.1),
                        edition="piazza-2010")
    lines = simulate(settings, hands=hands, seed=seed)
    found = told_of(rules, PAGES, lines, ended=True)
    assert found is not None
    state = rules.replay(lines)
    paid = [payment for hand in state.hands if not hand.void for payment in hand.payments]
    assert sum(player.figures["lost"] for player in found.players) == sum(one.delta < 0 for one in paid)
    assert sum(player.figures["gave"] for player in found.players) == sum(player.figures["took"] for player in found.players)
    assert sum(one.count for one in found.between if one.what == "gnaffata") == sum(one.cause == "gnaffata" for one in paid)
    assert found.hands == sum(not hand.void for hand in state.hands) == len(found.sure)
    assert all(len(player.stood) == found.hands + 1 for player in found.players)
    if found.over:
        assert sum(player.figures["net"] for player in found.players) == 0  # what one wins, others have put in
        assert sum(player.won for player in found.players) == 1


@given(st.integers(2, 6), st.integers(0, 2**32))
def test_a_hand_in_progress_changes_nothing(players: int, seed: int) -> None:
    lines: tuple[Line, ...] = simulate(Settings(players=seated(players)), hands=3, seed=seed)
    begun = [at for at, line in enumerate(lines) if line.event.__struct_config__.tag == "hand"]
    last = begun[-1]
    whole = told_of(rules, PAGES, lines[:last], ended=False)
    for upto in range(last + 1, len(lines)):
        if rules.replay(lines[:upto]).hand is not None:
            assert told_of(rules, PAGES, lines[:upto], ended=False) == whole
