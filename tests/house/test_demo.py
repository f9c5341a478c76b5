"""`companion demo` as a newcomer starts it: the address first, the page while it plays, a clean end."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.request import urlopen

import pytest
import recorded_looks
from recorded_looks import CLIPS

from companion.assets import asset
from companion.games import stu
from companion.games.stoper.rules import log as stoper
from companion.games.stoppa.rules import log as stoppa
from companion.games.stu.rules.log import read_lines
from companion.line import follow as line_follow
from companion.line.prompter import Prompter
from companion.line.tablefile import read_table_file
from companion.table.log import Line, tag, write_lines
from companion.table.sure import SURE_FROM
from workshop.bench.stoper.scoring import played as stoper_hands
from workshop.bench.stoppa.scoring import played

pytestmark = pytest.mark.slow


SHORT = """
from itertools import islice
import recorded_looks
from companion.eyes import source
whole = source.pictures
source.pictures = lambda *source: islice(whole(*source), 20)
recorded_looks.main()
"""
"""The program, with a clip cut off after its beginning."""


@contextmanager
def demo(*options: str, program: tuple[str, ...] = (recorded_looks.__file__,)) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-u", *program, "demo", "--port", "0", *options]
    beside = {**os.environ, "PYTHONPATH": str(Path(recorded_looks.__file__).parent)}
    with subprocess.Popen(command, env=beside, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def address(process: "subprocess.Popen[str]") -> str:
    """What the first line says."""
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://127\.0\.0\.1:\d+", line)
    assert found, (line, process.stderr.read() if process.stderr else "")
    return found[0]


def played_out(process: "subprocess.Popen[str]") -> None:
    """Until the clip is over."""
    assert process.stdout is not None
    assert any("The clip is over" in line for line in process.stdout)


def game(url: str) -> dict[str, object]:
    with urlopen(f"{url}/api/game") as answer:
        view: dict[str, object] = json.load(answer)
    return view


def test_the_whole_clip_is_played_and_the_page_stays() -> None:
    with demo("--pace", "0") as process:
        url = address(process)
        played_out(process)
        view = game(url)
        with urlopen(f"{url}/api/log") as answer:
            log = answer.read()
        with urlopen(f"{url}/live.jpg") as answer:
            assert answer.read(2) == b"\xff\xd8"
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=300)
    assert [seat["name"] for seat in view["seats"]] == [  # type: ignore[attr-defined]
        player.name for player in read_table_file(asset("datasets/demo/table.json")).table.players
    ]
    true = stu.replay(read_lines((asset("datasets/demo") / "log.jsonl").read_bytes()))
    assert [hand.payments for hand in stu.replay(read_lines(log)).hands] == [hand.payments for hand in true.hands]
    assert (process.returncode, rest.strip().splitlines()[-1], errors) == (0, "Stopped.", "")


def by_the_program(name: str) -> bytes:
    """What the page says of a game once its clip is over, by the trained networks."""
    with demo("--game", name, "--pace", "0", program=("-m", "companion")) as process:
        url = address(process)
        played_out(process)
        with urlopen(f"{url}/api/log") as answer:
            log: bytes = answer.read()
    return log


@cache
def logs(name: str) -> tuple[tuple[Line, ...], ...]:
    """Every log that the same line makes, one after the other, of what the networks found in the clip's pictures, which are not
    read again."""
    clip = recorded_looks.DemoClip(name)
    words = clip.table.game.rules.LOG.read_lines(clip.path.with_name("told.jsonl").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_follow, "see", lambda *_: recorded_looks.seen(name))
        return tuple(step.log for step in line_follow.follow((), clip.table, lambda _: (), hear=Prompter(words)) if step.changed)


def from_the_record(name: str) -> bytes:
    """The last of them."""
    return write_lines(logs(name)[-1])


LogOf = Callable[[str], bytes]
EITHER = pytest.mark.parametrize("log_of", [from_the_record, pytest.param(by_the_program, marks=pytest.mark.networks)])


@EITHER
def test_the_hand_of_stoppa_in_its_clip_is_ruled_right(log_of: LogOf) -> None:
    (seen,) = played(stoppa.read_lines(log_of("stoppa")))
    (true,) = played(stoppa.read_lines((asset("datasets/demo/stoppa") / "log.jsonl").read_bytes()))
    assert seen.over
    assert seen.payments == true.payments
    assert [player for _, player in seen.laid] == [player for _, player in true.laid]


@EITHER
def test_the_hand_of_stoper_in_its_clip_is_paid_right(log_of: LogOf) -> None:
    (seen,) = stoper_hands(stoper.read_lines(log_of("stoper")))
    (true,) = stoper_hands(stoper.read_lines((asset("datasets/demo/stoper") / "log.jsonl").read_bytes()))
    assert seen.over
    assert seen.payments == true.payments
    assert seen.changed == true.changed
    assert set(seen.shown) <= set(true.shown), "a hand that could not be read is not told"


def shown(log: tuple[Line, ...]) -> list[tuple[str, frozenset[str], float]]:
    """Who has shown which cards, and how sure that is."""
    shows = [line for line in log if tag(line.event) == "show"]
    return [(line.event.by, frozenset(line.event.cards), line.confidence or 0.0) for line in shows]


@pytest.mark.parametrize("name", ["stoppa", "stoper"])
def test_a_clean_clip_ends_sure_and_nothing_misread_was_ever_sure(name: str) -> None:
    """Filomena's 38 of the punto grosso were 25, without a doubt, as long as two of her three cards had been found."""
    read_lines = recorded_looks.DemoClip(name).table.game.rules.LOG.read_lines
    true = shown(tuple(read_lines((asset("datasets/demo") / name / "log.jsonl").read_bytes())))
    for log in logs(name):
        assert {(by, cards) for by, cards, sure in shown(log) if sure >= SURE_FROM} <= {(by, cards) for by, cards, _ in true}
    assert [(by, cards) for by, cards, _ in shown(logs(name)[-1])] == [(by, cards) for by, cards, _ in true]
    assert [line.confidence for line in logs(name)[-1] if tag(line.event) == "end"][-1] >= SURE_FROM


def test_ctrl_c_in_the_middle_of_the_clip_is_a_clean_end() -> None:
    with demo() as process:
        url = address(process)
        with urlopen(url) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.parametrize("name", ["stu", *(pytest.param(name, marks=pytest.mark.thorough) for name in CLIPS if name != "stu")])
def test_exit_after_ends_it(name: str) -> None:
    with demo("--game", name, "--pace", "0", "--exit-after", "0", program=("-c", SHORT)) as process:
        address(process)
        rest, errors = process.communicate(timeout=300)
    assert (process.returncode, rest.strip().splitlines()[-1], errors) == (0, "Stopped.", "")
