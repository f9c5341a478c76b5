"""The bench of Stoppa: its clips are what the issue asks for, its phone tells no card, and its scores say what differs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.games.stoppa.rules import log
from companion.games.stoppa.rules.log import new_game
from companion.games.stoppa.sightings import Dealt
from companion.table.log import Line
from workshop.bench.betting.report import by_level, markdown
from workshop.bench.betting.run import playable, run_without_pictures
from workshop.bench.betting.scoring import Counted
from workshop.bench.latency import LogVersion
from workshop.bench.recipe import Bench, ClipRecipe, read_bench
from workshop.bench.stoppa.measured import STOPPA, by_phone

SMALL = ClipRecipe(
    name="small", level="easy", seed=7, players=4, hands=1, size=(320, 180), fps=5, tempo=1, life="easy", surface="wood",
    cloth=3000, shape="rect", game="stoppa",
)  # fmt: skip
PATH = "datasets/bench-stoppa.yaml"


@pytest.fixture(scope="module")
def bench() -> Bench:
    return read_bench(asset(PATH))


def test_there_are_thirty_clips_in_three_levels_drawn_and_of_scans(bench: Bench) -> None:
    assert len(bench.clips) == 30
    for level in ("easy", "medium", "hard"):
        clips = bench.chosen(level)
        assert (len(clips), sum(clip.scans is not None for clip in clips)) == (10, 4)
        assert {clip.players for clip in clips} == {3, 4, 5, 6}
        assert sum(clip.hands for clip in clips) == 30
    assert sum(clip.trouble != "none" for clip in bench.chosen("hard")) == 5


def test_clips_with_scans_are_left_out_where_there_are_none(bench: Bench, tmp_path: Path) -> None:
    assert len(playable(bench.clips, None)) == 18
    assert playable(bench.clips, tmp_path) == bench.clips
    told = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(asset(PATH)), "--clip", "stoppa-easy-03"])
    assert told.exit_code == 2
    assert "--scans" in told.stderr
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("clip", "says"),
    [
        ({"players": 7}, "3 to 6 players"),
        ({"game": "stoper", "players": 3}, "clips of Stoper have 4 to 6 players"),
        ({"lifts": 0.5}, "neither lifts"),
        ({"game": "stu", "scans": "napoletane"}, "not of Lu Stù"),
    ],
    ids=["seven players", "three at Stoper", "lifts", "scans of another game"],
)
def test_a_recipe_that_cannot_be_is_refused(bench: Bench, tmp_path: Path, clip: dict[str, object], says: str) -> None:
    (tmp_path / "b.yaml").write_bytes(msgspec.yaml.encode(Bench("", bench.levels, (msgspec.structs.replace(SMALL, **clip),))))
    told = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(tmp_path / "b.yaml")])
    assert told.exit_code == 2
    assert says in told.stderr


NAMES = ("Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio")
TRUE = tuple(
    Line(event, float(t), 0.99 if isinstance(event, log.Annul) else None)
    for t, event in enumerate((
        new_game(NAMES, 600, 100, "Fabio"),
        log.Hand(), log.Piccolo(), log.Punto(by="Anna", to=50), log.Vedo(by="Bruno"),
        log.Show(by="Anna", cards=("denari-1", "denari-7", "coppe-2")), log.Muck(by="Bruno"),
        log.Piccolo(), log.Grosso(), log.Lay(by="Anna", cards=("denari-1",)), log.Lay(by="Anna", cards=("coppe-2",)),
        log.Lay(by="Dino", cards=("spade-3",)), log.Annul(),
    ))
)  # fmt: skip


def changed(at: int, *events: log.Event) -> tuple[Line, ...]:
    """The true log with other events in place of the one at this index."""
    return (*TRUE[:at], *(Line(event, TRUE[at].t) for event in events), *TRUE[at + 1 :])


@pytest.mark.parametrize(
    ("seen", "right", "laid", "causes"),
    [
        (TRUE, True, (3, 3, 3), ()),
        (changed(11, log.Lay(by="Elsa", cards=("spade-3",))), True, (3, 3, 2), ()),
        (changed(11), True, (3, 2, 2), ()),
        (changed(6, log.Show(by="Bruno", cards=("spade-1", "spade-7", "spade-4"))), False, (3, 3, 3), ("punto to another",)),
        (changed(3, log.Punto(by="Anna", to=40)), False, (3, 3, 3), ("another amount",)),
        (TRUE[:-1], False, (3, 3, 3), ("not ended",)),
        (changed(12, log.Void()), False, (3, 3, 3), ("punto not decided", "void")),
        (TRUE[:1], False, (3, 0, 0), ("hand not seen",)),
    ],
    ids=["the truth", "a card from another", "a card missed", "another winner", "another bet", "no end", "void", "nothing"],
)  # fmt: skip
def test_a_hand_is_right_when_all_its_money_is(
    seen: tuple[Line, ...], right: bool, laid: tuple[int, int, int], causes: tuple[str, ...]
) -> None:
    (hand,) = STOPPA.score(TRUE, [LogVersion(99.0, seen)]).hands
    assert hand.right == right
    assert hand.counted == {"laid": Counted(*laid)}
    assert hand.causes == causes


def test_a_hand_taken_back_counts_what_stands() -> None:
    again = (*TRUE[:11], Line(log.Back(lays=1), 10.5), Line(log.Lay(by="Anna", cards=("coppe-2",)), 10.6), *TRUE[11:])
    (hand,) = STOPPA.score(again, [LogVersion(99.0, TRUE)]).hands
    assert (hand.right, hand.counted["laid"]) == (True, Counted(3, 3, 3))


def test_the_phone_tells_words_and_amounts_and_no_card() -> None:
    declared = (*TRUE[:9], Line(log.Declare(by="Bruno", what="misera", cards=("spade-1",)), 9.0), Line(log.End(), 10.0))
    told = by_phone(declared)
    assert [type(line.event).__name__ for line in told] == ["Punto", "Vedo", "Muck", "Grosso", "Declare"]  # the end is seen
    assert not any(getattr(line.event, "cards", ()) for line in told)


def test_a_punto_whose_cards_nobody_saw_dealt_is_begun_by_phone() -> None:
    """The eyes see the first packets alone, then nothing for a while."""
    passed = [log.Passo(by=name) for name in NAMES[:-1]]
    bets = log.Punto(by="Anna", to=50), log.Vedo(by="Bruno")
    said = [log.Hand(), log.Piccolo(), *passed, log.Piccolo(), *bets]
    truth = (TRUE[0], *(Line(event, 10.0 + t) for t, event in enumerate(said)))
    looks = [(t / 2, None, [Dealt(t / 2, t - 2)] if 2 <= t < 8 else []) for t in range(80)]
    versions, told, words = STOPPA.versions_by_phone(TRUE[0].event, looks, truth)
    assert (told, words) == (7, 7)
    assert [line.event for line in versions[-1].log[1:]] == said


def test_eyes_that_see_everything_find_every_card_and_the_report_says_so(bench: Bench) -> None:
    results = [run_without_pictures(STOPPA, msgspec.structs.replace(SMALL, seed=seed, name=f"small-{seed}")) for seed in (7, 8)]
    found = by_level(results)["easy"]
    assert found.recall["laid"].share == 1
    assert found.sure_and_wrong.hits == 0
    text = markdown(STOPPA, bench, results, "companion evaluate game")
    assert "2 of the bench's 30 clips, 2 hands." in text
    assert "| laid cards found with the right player | 99 % | 100.0 % (" in text
    assert "28 clips were left out" in text


@pytest.mark.parametrize("name", ["stoppa-easy-02", "stoppa-medium-04"])
def test_with_eyes_that_see_everything_a_thumb_that_is_late_costs_no_hand(bench: Bench, name: str) -> None:
    (clip,) = bench.chosen(None, None, (name,))
    hands = run_without_pictures(STOPPA, clip).score.hands
    assert [hand.differences for hand in hands if not hand.right] == []
