"""The bench of Stoper: its clips are what the issue asks for, its phone tells no card, and its scores say what differs."""

from __future__ import annotations

import msgspec
import pytest
from click.testing import CliRunner

from companion.assets import asset
from companion.cli import main
from companion.games.stoper.rules import log
from companion.games.stoper.rules.log import new_game
from companion.table.log import Line
from workshop.bench.betting.report import by_level, markdown
from workshop.bench.betting.run import THUMB_SECONDS, run_without_pictures
from workshop.bench.betting.scoring import Counted
from workshop.bench.latency import LogVersion
from workshop.bench.recipe import Bench, ClipRecipe, read_bench
from workshop.bench.stoper.measured import STOPER
from workshop.streams.stoper.truth import told

SMALL = ClipRecipe(
    name="small", level="easy", seed=7, players=4, hands=2, size=(320, 180), fps=5, tempo=1, life="easy", surface="wood",
    cloth=3000, shape="rect", game="stoper",
)  # fmt: skip
PATH = "datasets/bench-stoper.yaml"


@pytest.fixture(scope="module")
def bench() -> Bench:
    return read_bench(asset(PATH))


def test_there_are_twenty_clips_in_three_levels_drawn_and_of_scans(bench: Bench) -> None:
    assert len(bench.clips) == 20
    counts = {level: len(bench.chosen(level)) for level in ("easy", "medium", "hard")}
    assert counts == {"easy": 7, "medium": 7, "hard": 6}
    assert sum(clip.scans is not None for clip in bench.clips) == 8
    assert {clip.players for clip in bench.clips} == {4, 5, 6}


NAMES = ("Ada", "Bice", "Ciro", "Dora")
SHOWN, BETTER = ("denari-7", "denari-6", "coppe-5"), ("bastoni-7", "bastoni-6", "bastoni-5")
TRUE = tuple(
    Line(event, float(t))
    for t, event in enumerate((
        new_game(NAMES, 10000, "Dora"), log.Hand(cip=50, invito=50),
        log.Apro(by="Ada", to=200), log.Vedo(by="Bice"), log.Passo(by="Ciro"), log.Passo(by="Dora"),
        log.Cambio(by="Ada", n=1), log.Cambio(by="Bice", n=2), log.Busso(by="Ada"), log.Busso(by="Bice"),
        log.Show(by="Ada", cards=SHOWN), log.Show(by="Bice", cards=BETTER), log.End(),
    ))
)  # fmt: skip


def changed(at: int, *events: log.Event) -> tuple[Line, ...]:
    """The true log with other events in place of the one at this index."""
    return (*TRUE[:at], *(Line(event, TRUE[at].t) for event in events), *TRUE[at + 1 :])


@pytest.mark.parametrize(
    ("seen", "right", "exchanges", "showdowns", "shown", "causes"),
    [
        (TRUE, True, (2, 2, 2), (1, 1, 1), (6, 6, 6), ()),
        (changed(6, log.Cambio(by="Ada", n=2)), True, (2, 2, 1), (1, 1, 1), (6, 6, 6), ()),
        (changed(7, log.Cambio(by="Bice", n=0)), True, (2, 1, 1), (1, 1, 1), (6, 6, 6), ()),
        (
            changed(11, log.Show(by="Bice", cards=("bastoni-7", "bastoni-6", "bastoni-8"))),
            True, (2, 2, 2), (1, 1, 0), (6, 6, 5), (),
        ),
        (
            changed(11, log.Show(by="Bice", cards=("coppe-7", "spade-6", "bastoni-5"))),
            False, (2, 2, 2), (1, 1, 0), (6, 6, 4), ("card misread", "pot to another"),
        ),
        (changed(11, log.Muck(by="Bice")), False, (2, 2, 2), (1, 1, 0), (6, 3, 3), ("hand not seen open", "pot to another")),
        (changed(2, log.Apro(by="Ada", to=300)), False, (2, 2, 2), (1, 1, 0), (6, 6, 6), ("another amount",)),
        (TRUE[:-2], False, (2, 2, 2), (1, 1, 0), (6, 3, 3), ("hand not seen open", "other pots", "not ended")),
        (TRUE[:1], False, (2, 0, 0), (1, 0, 0), (6, 0, 0), ("hand not seen",)),
    ],
    ids=[
        "the truth", "another number changed", "an exchange missed", "a card misread", "another winner", "a hand not seen open",
        "another bet", "no end", "nothing",
    ],
)  # fmt: skip
def test_a_hand_is_right_when_all_its_money_is(
    seen: tuple[Line, ...], right: bool, exchanges: tuple[int, int, int], showdowns: tuple[int, int, int],
    shown: tuple[int, int, int], causes: tuple[str, ...],
) -> None:  # fmt: skip
    (hand,) = STOPER.score(TRUE, [LogVersion(99.0, seen)]).hands
    assert hand.right == right
    assert hand.counted == {
        "exchanges": Counted(*exchanges), "showdowns": Counted(*showdowns), "shown": Counted(*shown),
    }  # fmt: skip
    assert hand.causes == causes


def test_the_phone_tells_words_and_amounts_and_neither_a_face_nor_a_card_changed() -> None:
    words = [type(line.event).__name__ for line in told(TRUE)]
    assert words == ["Hand", "Apro", "Vedo", "Passo", "Passo", "Busso", "Busso"]


def test_eyes_that_see_everything_find_every_card_and_the_report_says_so(bench: Bench) -> None:
    results = [run_without_pictures(STOPER, msgspec.structs.replace(SMALL, seed=seed, name=f"small-{seed}")) for seed in (7, 8)]
    found = by_level(results)["easy"]
    assert found.right.share == found.recall["showdowns"].share == found.recall["exchanges"].share == 1
    text = markdown(STOPER, bench, results, "companion evaluate game")
    assert "# What the whole line rules in Stoper" in text
    assert "2 of the bench's 20 clips, 4 hands." in text
    assert "| exchanges counted right | 97 % | 100.0 % (" in text


def test_the_command_measures_the_bench_and_takes_it_alone() -> None:
    run = CliRunner().invoke
    arguments = ["evaluate", "game", "--bench", str(asset(PATH)), "--clip", "stoper-easy-01", "--without-pictures", "--json"]
    done = run(main, arguments)
    assert done.exit_code == 0, done.output
    assert msgspec.json.decode(done.stdout)["easy"]["recall"]["showdowns"]["of"] > 0
    together = run(main, [*arguments[:4], "--bench", str(asset("datasets/bench.yaml")), "--clips", "1"])
    assert (together.exit_code, "a bench of Stoper goes alone" in together.stderr) == (2, True)


def test_a_ruling_is_late_by_the_time_from_the_last_card_or_word_and_a_word_takes_a_thumb() -> None:
    """Bice's hand is the last thing shown, at 11 s; Dora's passo at 5 s is told a second later."""
    versions = [LogVersion(0.0, TRUE[:1]), LogVersion(11.2, TRUE[:-2]), LogVersion(12.5, TRUE)]
    (hand,) = STOPER.score(TRUE, versions).hands
    assert hand.latency == pytest.approx(1.5)
    (wrong,) = STOPER.score(TRUE, [LogVersion(12.5, TRUE[:-2])]).hands
    assert wrong.latency is None
    won = (*TRUE[:3], *(Line(log.Passo(by=name), float(t)) for t, name in enumerate(("Bice", "Ciro", "Dora"), 3)))
    (hand,) = STOPER.score(won, [LogVersion(0.0, TRUE[:1]), LogVersion(6.75, won)]).hands
    assert (hand.right, hand.latency) == (True, pytest.approx(6.75 - 5.0 - THUMB_SECONDS))


def test_without_pictures_there_is_no_real_time() -> None:
    said = CliRunner().invoke(main, ["evaluate", "game", "--bench", str(asset(PATH)), "--without-pictures", "--real-time"])
    assert said.exit_code == 2
    assert "no picture is looked at" in said.output
