"""The benches of games with cards in the hand: clips of their own, which nothing was trained or tuned on."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from companion.assets import asset
from companion.table.log import tag
from workshop.bench.filming import key_of, prepare_clip, smallest_card
from workshop.bench.recipe import Bench, ClipRecipe, read_bench
from workshop.dataset.recipe import read_recipe

HELD = ("bench-stoppa", "bench-stoper")
SMALL = ClipRecipe(
    name="small", level="easy", seed=7, players=4, hands=1, size=(320, 180), fps=5, tempo=1, life="easy", surface="wood",
    cloth=3000, shape="rect", game="stoppa",
)  # fmt: skip


def bench_of(name: str) -> Bench:
    return read_bench(asset(f"datasets/{name}.yaml"))


@pytest.fixture(scope="module", params=HELD)
def bench(request: pytest.FixtureRequest) -> Bench:
    return bench_of(request.param)


def test_nothing_of_it_was_trained_or_tuned_on(bench: Bench) -> None:
    benches = [bench_of(name) for name in ("bench", "bench-2", "fitting", "lifts", *HELD)]
    others = [clip for other in benches if other.game != bench.game for clip in other.clips]
    recipes = [read_recipe(path) for path in sorted(asset("datasets").glob("*.yaml")) if b"\nstyles:" in path.read_bytes()]
    for field in ("name", "seed", "style", "cloth"):
        own = [value for clip in bench.clips if (value := getattr(clip, field)) is not None]
        assert len(set(own)) == len(own)
        assert not set(own) & {getattr(clip, field) for clip in others}
    assert min(clip.cloth for clip in bench.clips) >= max(recipe.surfaces[1] for recipe in recipes)
    assert min(clip.style for clip in bench.clips if clip.style) >= max(recipe.styles[1] for recipe in recipes)


def test_every_clip_keeps_to_what_its_difficulty_means(bench: Bench) -> None:
    for clip in bench.clips[::5]:
        low, high = bench.levels[clip.level].card
        assert low <= smallest_card(prepare_clip(clip)) <= high, clip.name


@pytest.mark.parametrize("game", ["stoppa", "stoper"])
def test_scans_make_another_clip(game: str) -> None:
    of_game = msgspec.structs.replace(SMALL, game=game)
    other = msgspec.structs.replace(of_game, scans="napoletane")
    assert key_of(other, prepare_clip(other)) != key_of(of_game, prepare_clip(of_game))


def test_of_stoper_there_are_twenty_clips_in_three_levels_drawn_and_of_scans() -> None:
    bench = bench_of("bench-stoper")
    for level, clips, scans in (("easy", 7, 3), ("medium", 7, 3), ("hard", 6, 2)):
        chosen = bench.chosen(level)
        assert (len(chosen), sum(clip.scans is not None for clip in chosen)) == (clips, scans)
        assert {clip.players for clip in chosen} == {4, 5, 6}
        assert sum(clip.hands for clip in chosen) == 5 * clips
    assert sum(clip.trouble != "none" for clip in bench.chosen("hard")) == 3
    assert sum(clip.mistakes for clip in bench.clips) == 4


def test_in_the_clips_of_stoper_there_is_enough_to_see() -> None:
    counts = Counter(tag(line.event) for clip in bench_of("bench-stoper").clips for line in clip.played())
    assert counts["show"] >= 100
    assert counts["cambio"] >= 150
    assert counts["passo"] >= 150
    assert min(counts["muck"], counts["chips"]) >= 10
