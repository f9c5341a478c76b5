"""Whatever stands in a file that somebody hands in, it is taken, or refused in one line that says why: never a traceback.

Deck files have their own tests (`tests/decks/test_deckfile.py`), damaged ledgers too (`tests/ledger/test_faults.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import click
import pytest
import reference
from any_game import played_by_bots
from click.testing import CliRunner, Result
from damage import damaged
from first_lines import agreed_in
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import cli
from companion.assets import asset
from companion.dashboard.archive import take_in
from companion.files import write_whole
from companion.games import GAMES, Game, log_format
from companion.games.stoper import bots as stoper
from companion.games.stoppa import bots as stoppa
from companion.games.stu import bots as stu
from companion.ledger import Ledger
from companion.line.tablefile import read_table_file
from companion.table.errors import CompanionError, GameError
from companion.table.log import Line, write_lines
from workshop.dataset.recipe import read_recipe


def any_log(game: Game) -> bytes:
    """A log of three hands of any game; where it has no bots, its first line alone."""
    agreed = agreed_in(game.id)
    if game.simulation is None:
        return write_lines([Line(game.rules.LOG.event(agreed))])
    return write_lines(played_by_bots(game, agreed["players"], hands=3, seed=1))


OWN_LOGS = {
    "stu": write_lines(stu.simulate(stu.Settings(players=("Anna", "Bruno", "Carla", "Dino")), hands=2, seed=1)),
    "stoppa": write_lines(stoppa.simulate(stoppa.Settings(players=stoppa.seated(4), faces=True), hands=1, seed=1)),
    "stoper": write_lines(stoper.simulate(stoper.Settings(players=stoper.seated(4)), hands=2, seed=1)),
}
"""Logs that are rich in what can be damaged, of games that have them."""
LOGS = {id: OWN_LOGS[id] if id in OWN_LOGS else any_log(game) for id, game in GAMES.items()}
LONGEST = 700
"""Characters of a refusal, at most, besides the file's name."""
many = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def one_line(result: Result) -> None:
    """The command has done its work, or says in one line why not."""
    if result.exit_code == 0:
        return
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    assert result.stderr[:-1].isprintable()
    assert len(result.stderr) < LONGEST


def test_the_logs_that_are_damaged_are_whole_before() -> None:
    for log in LOGS.values():
        assert CliRunner().invoke(cli.main, ["rule", "-"], input=log).exit_code == 0


@many
@given(data=st.data(), game=st.sampled_from(sorted(LOGS)), option=st.sampled_from([[], ["--json"], ["--lang", "en"]]))
def test_a_damaged_log_is_ruled_on_or_refused_with_its_line(data: st.DataObject, game: str, option: list[str]) -> None:
    result = CliRunner().invoke(cli.main, ["rule", "-", *option], input=data.draw(damaged(LOGS[game])))
    one_line(result)
    if result.exit_code:
        assert result.stderr.startswith("line ")


@many
@given(data=st.data(), game=st.sampled_from(["stu", "stoppa"]))
def test_a_damaged_log_is_taken_into_the_ledger_or_refused_and_what_was_there_stays(data: st.DataObject, game: str) -> None:
    with Ledger.in_memory(log_format) as ledger:
        kept = take_in(ledger, LOGS["stu"], "a")
        before = ledger.lines(kept)
        with contextlib.suppress(GameError):
            take_in(ledger, data.draw(damaged(LOGS[game])), "b")
        assert ledger.lines(kept) == before
        assert [entry.id for entry in ledger.games()][-1:] == [kept]


def table_of(game: str) -> bytes:
    first = json.loads(LOGS[game].splitlines()[0])
    plain = {key: value for key, value in first.items() if key not in ("e", "v")}
    places = [{"name": name, "place": [300 + 90 * at, 300 + 40 * at]} for at, name in enumerate(first["players"])]
    corners = [[210, 120], [1070, 118], [1240, 690], [40, 694]]
    return json.dumps({**plain, "v": 1, "image_size": [1280, 720], "corners": corners, "players": places}, indent=1).encode()


READ: dict[str, tuple[Callable[[Path], object], bytes]] = {
    **{f"TABLE.json of {id}": (read_table_file, table_of(id)) for id, game in GAMES.items() if game.has_eyes},
    **{f"{name}.yaml": (read_recipe, (asset("datasets") / f"{name}.yaml").read_bytes()) for name in ("train", "val-hard")},
}


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.pass_obj
def reads(read: Callable[[Path], object], path: Path) -> None:
    """A command that reads one file."""
    read(path)


@pytest.fixture
def house() -> click.Group:
    """The program's group, where its errors become one line, around the command above."""
    group = cli.House("companion")
    group.get_command = lambda ctx, name: reads  # type: ignore[method-assign]
    return group


@pytest.mark.parametrize("kind", READ)
def test_a_damaged_file_is_read_or_refused_in_one_line_that_names_it(kind: str, house: click.Group, tmp_path: Path) -> None:
    read, whole = READ[kind]
    path = tmp_path / "given"

    def tried(data: bytes) -> Result:
        path.write_bytes(data)
        return CliRunner().invoke(house, ["reads", str(path)], obj=read)

    assert tried(whole).exit_code == 0

    @many
    @given(damaged(whole))
    def whatever_is_wrong(data: bytes) -> None:
        result = tried(data)
        one_line(result)
        assert result.exit_code == 0 or result.stderr.startswith(f"{path}: ")

    whatever_is_wrong()


@pytest.mark.parametrize("what", ["folder", "pipe", "device", "endless", "missing"])
@pytest.mark.parametrize("kind", ["TABLE.json of stu", "train.yaml"])
def test_what_is_no_file_is_refused_at_once(kind: str, what: str, house: click.Group, tmp_path: Path) -> None:
    path = no_file(what, tmp_path)
    result = CliRunner().invoke(house, ["reads", str(path)], obj=READ[kind][0])
    assert result.exit_code == 2
    one_line(result)
    assert result.stderr.startswith(f"{path}: ")


def no_file(what: str, folder: Path) -> Path:
    """A path at which no file lies that can be read to its end."""
    path = folder / "odd"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "circle":
        path.symlink_to(path)
    return {"device": Path("/dev/null"), "endless": Path("/dev/zero")}.get(what, path)


ODD_LEDGERS = {
    "pipe": "is a pipe or a device", "device": "is a pipe or a device", "endless": "is a pipe or a device",
    "circle": "links that lead in circles",
}  # fmt: skip


@pytest.mark.parametrize("what", ODD_LEDGERS)
@pytest.mark.parametrize("words", ["export --ledger HERE", "serve --port 0 --ledger HERE", "serve --game 1 --ledger HERE",
                                   "backup --ledger HERE new", "salvage HERE new"])  # fmt: skip
def test_what_can_keep_nothing_is_no_ledger_and_nobody_is_told_to_delete_it(words: str, what: str, tmp_path: Path) -> None:
    path = no_file(what, tmp_path)
    result = CliRunner().invoke(cli.main, words.replace("HERE", str(path)).replace("new", str(tmp_path / "new")).split())
    assert result.exit_code == 2
    one_line(result)
    assert ODD_LEDGERS[what] in result.stderr or (words.startswith("salvage") and what == "circle")
    assert "delete" not in result.stderr


def test_what_is_written_never_takes_the_place_of_a_pipe_or_a_device(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a pipe or a device"):
        write_whole(tmp_path / "pipe", b"a log")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    assert (tmp_path / "pipe").is_fifo()


NUMBER_TYPES = click.types.IntParamType, click.types.FloatParamType
NUMBERS = ["nan", "inf", "-inf", "1e999", "-1", "0", "9" * 30, "9" * 5000, "", " ", "0x10", "1_0", "1,5", "٣", "\0", "--", "None"]


@pytest.mark.parametrize("given_text", NUMBERS, ids=lambda text: ascii(text[:8]))
def test_a_number_among_the_options_is_a_number_within_its_bounds(given_text: str) -> None:
    asked = 0
    for path, command in reference.commands():
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, NUMBER_TYPES):
                asked += 1
                try:
                    found = option.type.convert(given_text, option, click.Context(command))
                except click.BadParameter:
                    continue
                assert abs(found) < float("inf"), f"{path} {option.opts}: {given_text} is taken for {found}"
    assert asked > 30


def test_a_refusal_is_short_and_says_first_and_last_what_it_says(house: click.Group) -> None:
    def fails(path: Path) -> None:
        raise CompanionError(f"{path}: " + "x\x1b\n" * 100_000 + ": expected something else")

    said = CliRunner().invoke(house, ["reads", "here"], obj=fails).stderr
    assert said.startswith("here: x x ")
    assert said.endswith(": expected something else\n")
    assert len(said) < LONGEST
    assert said[:-1].isprintable()
