"""What the program and the workshop expect of every game that has bots: simulation, referee, film and bench."""

from __future__ import annotations

import msgspec
import pytest
from any_game import check_renamed
from cuculo import CUCULO
from rules_only import BARE
from toy_with_eyes import BASSA

from companion.games import GAMES, Game
from companion.games.simulation import Evening
from companion.table.errors import CompanionError, ScriptError, SimulatorError
from companion.table.log import Line, tag
from companion.table.play import replay
from workshop.bench.recipe import ClipRecipe
from workshop.choreography.play import direct
from workshop.games import GameWorkshop, workshop_of

BESIDE = {game.id: game for game in (CUCULO, BASSA, BARE)}
CLIP = ClipRecipe(
    name="small", level="easy", seed=7, players=4, hands=1, size=(320, 180), fps=5, tempo=1, life="easy", surface="wood",
    cloth=3000, shape="rect",
)  # fmt: skip


@pytest.fixture(params=[id for id, game in {**GAMES, **BESIDE}.items() if game.simulation is not None])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    for id, one in BESIDE.items():
        monkeypatch.setitem(GAMES, id, one)
    return GAMES[request.param]


@pytest.fixture
def filmed(game: Game) -> None:
    """Skips a test for a game for which no workshop is written yet."""
    if type(workshop_of(game.id)) is GameWorkshop:
        pytest.skip(f"{game.id} has bots and no workshop yet")


def played(game: Game, seed: int, hands: int = 3, *, plain: bool = True, count: int | None = None) -> tuple[Line, ...]:
    bots = game.simulation
    assert bots is not None
    house = bots.house_rules() if bots.house_rules is not None else None
    return bots.simulate(Evening(bots.seated(count or bots.usual), hands, seed, 100, house, plain))


# The bots.


def test_the_same_seed_plays_the_same_game(game: Game) -> None:
    assert played(game, 3) == played(game, 3) != played(game, 4)


@pytest.mark.parametrize("plain", [True, False])
def test_what_bots_play_is_a_log_that_the_rules_accept(game: Game, plain: bool) -> None:
    for count in {*game.simulation.players, game.simulation.usual}:
        lines = played(game, count, 4, plain=plain, count=min(count, 12))
        rules = game.rules
        state = replay(rules.begin, rules.apply, enumerate(lines, start=1), getattr(rules, "at_line", None))
        assert not rules.in_hand(state)
        assert 0 < sum(tag(line.event) == "hand" for line in lines) <= 4
        assert rules.names(state) == game.simulation.seated(min(count, 12))


def test_giving_every_player_another_name_changes_nothing_else_however_many_play(game: Game) -> None:
    for count in range(game.simulation.players[0], min(game.simulation.players[1], 6) + 1):
        lines = played(game, count, 12, plain=False, count=count)
        rules, state, told = game.rules, None, []
        for line in lines:
            state = rules.begin(line.event) if state is None else rules.apply(state, line.event)
            told.append((line.event, state))
        names = rules.names(state)
        check_renamed(rules, told, dict(zip(names, ("Zoë", names[0], "日本", "Bè", "E", names[1]), strict=False)))


def test_who_cannot_sit_down_is_told_how_many_can(game: Game) -> None:
    fewest, most = game.simulation.players
    for count in (fewest - 1, most + 1):
        with pytest.raises(SimulatorError, match=f"expected {fewest} to {most}"):
            game.simulation.seated(count)


def test_options_of_its_own_have_a_sentence_and_a_default_that_they_allow(game: Game) -> None:
    for option in game.simulation.options:
        assert option.help.endswith((".", "]"))
        assert not option.choices or option.default in option.choices
        assert option.range is None or option.default is None or option.range[0] <= option.default <= option.range[1]
        assert option.read is None or option.read(option.default)


# The referee.


@pytest.mark.usefixtures("filmed")
def test_what_perfect_eyes_see_is_ruled_right_and_nothing_is_sure_and_wrong(game: Game) -> None:
    if game.id in BESIDE and game is not BASSA:
        pytest.skip("its streams are those of the game that it is a variant of")
    evenings, figures = workshop_of(game.id).streams(3, "none", 2)
    verdicts = [verdict for evening in evenings for verdict in evening]
    assert [verdict.right for verdict in verdicts] == [True] * len(verdicts)
    found = msgspec.to_builtins(figures(verdicts))
    assert (found["hands"], found["right"], found["sure_but_wrong"]) == (3, 1.0, 0.0)


def test_a_game_with_eyes_says_what_its_sightings_are_called_on_disk(game: Game) -> None:
    if not game.has_eyes:
        pytest.skip(f"{game.id} has bots and no eyes yet")
    assert game.sighting_model is not None
    assert {"Cleared", "Shown", "Unseen", "CameraMoved"} <= game.sighting_model.TAGS.keys()
    assert len({*game.sighting_model.TAGS.values()}) == len(game.sighting_model.TAGS)


# The film.


@pytest.mark.usefixtures("filmed")
def test_the_same_seed_directs_the_same_film_and_every_line_has_its_time(game: Game) -> None:
    lines = played(game, 5, 1)
    one, other = (direct(lines, seed=2, level="easy") for _ in range(2))
    assert (one.duration, one.events) == (other.duration, other.events)
    assert len(one.events) == len(lines)
    assert 0 <= min(one.events) <= max(one.events) <= one.duration
    assert [seat.name for seat in one.plan.seats] == list(game.rules.names(game.rules.begin(lines[0].event)))


@pytest.mark.usefixtures("filmed")
def test_lifts_are_refused_where_nobody_lifts_a_card(game: Game) -> None:
    lines, possible = played(game, 5, 1), workshop_of(game.id).clip_variants
    if possible:
        assert direct(lines, seed=2, lifts=1.0).duration > 0
    else:
        with pytest.raises(ScriptError, match=f"no lifts in {game.title}"):
            direct(lines, seed=2, lifts=1.0)


# The bench.


@pytest.mark.usefixtures("filmed")
def test_a_clip_of_the_bench_is_played_by_its_seed(game: Game) -> None:
    clip = msgspec.structs.replace(CLIP, game=game.id)
    assert workshop_of(game.id).clip_fault(clip) is None
    assert clip.played() == clip.played() != msgspec.structs.replace(clip, seed=8).played()
    assert sum(tag(line.event) == "hand" for line in clip.played()) == 1


@pytest.mark.usefixtures("filmed")
def test_a_clip_that_cannot_be_is_said_to_be_at_fault(game: Game) -> None:
    own = workshop_of(game.id)
    clip = msgspec.structs.replace(CLIP, game=game.id)
    fewest, most = own.clip_players
    faults = [("players", most + 1, f"{fewest} to {most} players")]
    faults += [] if own.clip_variants else [("lifts", 0.5, "neither lifts")]
    faults += [] if own.clip_scans else [("scans", "napoletane", "scans 'napoletane'")]
    for field, value, says in faults:
        assert says in (own.clip_fault(msgspec.structs.replace(clip, **{field: value})) or "")


def test_what_a_game_has_not_is_refused_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from toy import HIGH_CARD

    monkeypatch.setitem(GAMES, HIGH_CARD.id, HIGH_CARD)
    with pytest.raises(CompanionError, match="highcard has no streams of sightings yet"):
        workshop_of("highcard").streams(1, "none", 0)
    with pytest.raises(CompanionError, match="highcard has no bench yet"):
        workshop_of("highcard").clip_log(CLIP)
