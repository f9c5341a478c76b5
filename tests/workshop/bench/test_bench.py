"""The frozen bench is what the issue asks for; clips are kept by their recipe, results by all that they depend on."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.games.stu.rules.log import Hand
from workshop.bench import keys, watching
from workshop.bench.filming import film_clip, key_of, prepare_clip, recipe_bytes, smallest_card
from workshop.bench.recipe import BadBench, Bench, ClipRecipe, LevelRecipe, read_bench
from workshop.bench.stu.run import run_clip, run_without_pictures
from workshop.dataset.recipe import read_recipe

SMALL = ClipRecipe(
    name="small", level="easy", seed=7, players=3, hands=1, size=(320, 180), fps=5, tempo=4, life="easy", surface="wood",
    cloth=3000, shape="rect",
)  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Bench:
    return read_bench(asset("datasets/bench.yaml"))


@pytest.mark.slow
def test_there_are_enough_clips_and_hands_of_each_difficulty(bench: Bench) -> None:
    hands = dict.fromkeys(("easy", "medium", "hard"), 0)
    for clip in bench.clips:
        hands[clip.level] += sum(isinstance(line.event, Hand) for line in prepare_clip(clip).timeline.lines)
    assert len(bench.clips) >= 60
    assert min(hands.values()) >= 100
    assert sum(hands.values()) >= 300


@pytest.mark.slow
def test_every_clip_keeps_to_what_its_difficulty_means(bench: Bench) -> None:
    for clip in bench.clips:
        low, high = bench.levels[clip.level].card
        assert low <= smallest_card(prepare_clip(clip)) <= high, clip.name


def test_nothing_of_the_bench_was_trained_or_tuned_on(bench: Bench) -> None:
    recipes = [read_recipe(asset(f"datasets/{name}.yaml")) for name in ("train", "clips", "val", "easy", "hard", "far", "game")]
    assert min(clip.cloth for clip in bench.clips) >= max(recipe.surfaces[1] for recipe in recipes)
    assert min(clip.style or 0 for clip in bench.clips) >= max(recipe.styles[1] for recipe in recipes)
    assert len({clip.seed for clip in bench.clips}) == len(bench.clips)


def test_nothing_of_the_second_bench_is_of_the_first_or_was_trained_or_tuned_on(bench: Bench) -> None:
    second = read_bench(asset("datasets/bench-2.yaml"))
    others = [*bench.clips, *(clip for name in ("fitting", "lifts") for clip in read_bench(asset(f"datasets/{name}.yaml")).clips)]
    recipes = [read_recipe(path) for path in sorted(asset("datasets").glob("*.yaml")) if b"\nstyles:" in path.read_bytes()]
    assert len(recipes) > 5
    for field in ("name", "seed", "style", "cloth"):
        assert not {getattr(clip, field) for clip in second.clips} & {getattr(clip, field) for clip in others}
        assert len({getattr(clip, field) for clip in second.clips}) == len(second.clips)
    assert min(clip.cloth for clip in second.clips) >= max(recipe.surfaces[1] for recipe in recipes)
    assert min(clip.style or 0 for clip in second.clips) >= max(recipe.styles[1] for recipe in recipes)
    for level in second.levels:
        chosen = second.chosen(level)
        assert len(chosen) == 20
        assert any(clip.lifts for clip in chosen)


@pytest.mark.parametrize(
    ("name", "frozen"),
    [("bench", "a354ff0e88ee475e"), ("bench-2", "135007cb1d5f61d1"), ("lifts", "8038f229d7dfb5c2"),
     ("bench-stoppa", "846efc6255669316"), ("bench-stoper", "856beb355351e15b")],
)  # fmt: skip
def test_a_frozen_list_is_never_changed(name: str, frozen: str) -> None:
    clips = read_bench(asset(f"datasets/{name}.yaml")).clips
    assert hashlib.sha256(b"".join(map(recipe_bytes, clips))).hexdigest()[:16] == frozen


def test_two_benches_are_told_side_by_side(tmp_path: Path) -> None:
    paths = []
    for name, seed in (("one", 7), ("two", 8)):
        clip = msgspec.structs.replace(SMALL, seed=seed, name=f"small-{name}")
        level = LevelRecipe(about="small", players=(2, 9), width=(64, 999), card=(1, 99), fps=(5, 30), tempo=(1, 4), life="easy",
                            looks=("drawn",))  # fmt: skip
        paths.append(tmp_path / f"{name}.yaml")
        paths[-1].write_bytes(msgspec.yaml.encode(Bench(f"the bench {name}", {"easy": level}, (clip,))))
    arguments = ["evaluate", "game", "--without-pictures", *(f"--bench={path}" for path in paths)]
    said = CliRunner().invoke(main, [*arguments, "--report", str(tmp_path / "GAME.md")])
    assert said.exit_code == 0, said.output
    text = (tmp_path / "GAME.md").read_text()
    assert "| figure | clips | target | `one` | `two` |" in text
    assert "| exchanges found, recall | easy | 99 % | " in text
    assert text.index("# Bench `one`") < text.index("The bench one.") < text.index("# Bench `two`") < text.index("The bench two.")
    figures = msgspec.json.decode(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert {name: list(levels) for name, levels in figures.items()} == {"one": ["easy"], "two": ["easy"]}


@pytest.mark.networks
def test_everybody_who_lifts_their_card_to_look_has_exchanged_with_nobody(tmp_path: Path) -> None:
    (clip,) = read_bench(asset("datasets/lifts.yaml")).chosen(names=["lift-medium-02"])
    result = run_clip(clip, tmp_path, asset("models").resolve())
    assert all(hand.right for hand in result.score.hands)
    assert all(hand.exchanges_seen == hand.exchanges_found and hand.draws_seen == hand.draws_found for hand in result.score.hands)
    assert result.score.invented == ()


@pytest.mark.parametrize(
    "change", [{"lifts": 1}, {"seed": 8}, {"fps": 10}, {"cloth": 3001}, {"style": 3100}, {"tempo": 3.5}, {"hands": 2}]
)
def test_another_recipe_is_another_clip(change: dict[str, float]) -> None:
    other = msgspec.structs.replace(SMALL, **change)
    assert key_of(other, prepare_clip(other)) != key_of(SMALL, prepare_clip(SMALL))
    assert key_of(SMALL, prepare_clip(SMALL)) == key_of(SMALL, prepare_clip(SMALL))


@pytest.mark.networks
def test_a_run_that_was_stopped_goes_on_where_it_stood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clip is filmed once and looked at once; only what the referee's part is of is done again."""
    models = asset("models").resolve()
    looked: list[str] = []
    real = watching.look_through
    monkeypatch.setattr(watching, "look_through", lambda *given: looked.append("small") or real(*given))
    first = film_clip(SMALL, tmp_path)
    written = first.clip.stat().st_mtime_ns
    result = run_clip(SMALL, tmp_path, models)
    again = run_clip(SMALL, tmp_path, models)
    assert again == result
    assert looked == ["small"]
    monkeypatch.setattr(keys, "ruling_key", lambda game: "another")
    assert run_clip(SMALL, tmp_path, models).score == result.score
    assert looked == ["small"]
    assert first.clip.stat().st_mtime_ns == written
    assert [path.name for path in tmp_path.iterdir()] == [first.folder.name]


@pytest.mark.slow
def test_a_damaged_result_is_worked_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = film_clip(SMALL, tmp_path).folder
    monkeypatch.setattr(watching, "look_through", lambda *_: watching.Footage((320, 180), (), 0.0))
    models = asset("models").resolve()
    result = run_clip(SMALL, tmp_path, models)
    (kept,) = folder.glob("result-*.json")
    kept.write_text("{")
    assert run_clip(SMALL, tmp_path, models) == result


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_a_game_seen_without_pictures_is_ruled_right(seed: int) -> None:
    """Simulated eyes over the same choreography: who is asked nothing rules it right, and says so."""
    result = run_without_pictures(msgspec.structs.replace(SMALL, seed=seed, tempo=1.2, hands=2))
    assert [hand.right for hand in result.score.hands] == [True, True]
    assert result.score.invented == ()
    assert result.questions <= 1


@pytest.mark.networks
def test_three_small_clips_go_through_the_whole_bench(bench: Bench, tmp_path: Path) -> None:
    """One clip of each difficulty as large as a phone's preview, with one hand: filmed, watched, ruled and reported."""
    small = {"hands": 1, "size": (640, 360), "fps": 10.0, "players": 2, "tempo": 2.5, "trouble": "none", "style": None}
    clips = tuple(msgspec.structs.replace(clip, **small) for clip in bench.chosen(count=1))
    levels = {
        name: msgspec.structs.replace(level, players=(2, 12), width=(64, 1920), fps=(5, 30), tempo=(1, 3))
        for name, level in bench.levels.items()
    }
    path = tmp_path / "bench.yaml"
    path.write_bytes(msgspec.yaml.encode(msgspec.structs.replace(bench, clips=clips, levels=levels)))
    arguments = ["evaluate", "game", "--bench", str(path), "--cache", str(tmp_path / "cache"), "--json"]
    first = CliRunner().invoke(main, [*arguments, "--report", str(tmp_path / "GAME.md")])
    assert first.exit_code == 0, first.output
    figures = msgspec.json.decode(first.stdout)
    assert list(figures) == ["easy", "medium", "hard"]
    assert [found["right"]["of"] for found in figures.values()] == [1, 1, 1]
    assert all(found["right_asked"]["hits"] >= found["right"]["hits"] for found in figures.values())
    assert "## Easy: 1 clips, 1 hands" in (tmp_path / "GAME.md").read_text()
    again = CliRunner().invoke(main, arguments)
    assert again.stdout == first.stdout
    with_holes = ["evaluate", "holes", "--bench", str(path), "--cache", str(tmp_path / "cache"), "--clip", clips[0].name]
    holed = CliRunner().invoke(main, [*with_holes, "--report", str(tmp_path / "HOLES.md")])
    assert holed.exit_code == 0, holed.output
    assert holed.stdout == (tmp_path / "HOLES.md").read_text()
    assert all(f"| {cause}, 3 s | " in holed.stdout for cause in ("cut", "frozen", "dark", "killed"))
    assert f"{clips[0].name}: 0 rulings wrong and sure" in holed.stderr


def test_clips_come_one_of_each_level_in_turn(bench: Bench) -> None:
    assert [clip.name for clip in bench.chosen(count=1)] == ["easy-01", "medium-01", "hard-01"]
    assert [clip.level for clip in bench.chosen()[:6]] == ["easy", "medium", "hard"] * 2
    assert [clip.name for clip in bench.chosen("hard", 2)] == ["hard-01", "hard-02"]
    assert [clip.name for clip in bench.chosen("hard", 2, skip=5)] == ["hard-06", "hard-07"]
    assert {*bench.chosen(count=7), *bench.chosen(skip=7)} == set(bench.clips)  # pieces of a bench are the whole of it
    with pytest.raises(BadBench, match="no clip of level easy after the first 99"):
        bench.chosen("easy", skip=99)
    with pytest.raises(BadBench, match="no clip is called hard-99"):
        bench.chosen(names=["hard-99"])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("players: 3", "players: 9"), ("surface: felt", "surface: silk"), ("look: bright", "look: dim"),
        ("size: [1280, 720]", "size: [1281, 720]"), ("name: easy-02", "name: easy-01"), ("fps: 15", "fps: fast"),
    ],
)  # fmt: skip
def test_a_bench_with_a_fault_is_refused_in_one_line(written: str, said: str, tmp_path: Path) -> None:
    text = asset("datasets/bench.yaml").read_text()
    assert written in text
    path = tmp_path / "bench.yaml"
    path.write_text(text.replace(written, said, 1))
    result = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(path), "--cache", str(tmp_path / "cache")])
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "bench.yaml" in result.stderr
    assert not (tmp_path / "cache").exists()
