"""Garbage of every kind into `companion rule`: one clear line that names the line, exit 2, nothing on standard output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from stu_play import real_game

from companion.cli import main
from companion.games import stu
from companion.games.stu.rules import log
from companion.table.log import Line, encode_line, game_id, write_lines

GAME = b'{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla"],"stake":100,"currency":"EUR","dealer":"Carla"}'
HAND = b'{"e":"hand"}'


def rule(tmp_path: Path, data: bytes, *options: str) -> Result:
    path = tmp_path / "game.jsonl"
    path.write_bytes(data)
    return CliRunner().invoke(main, ["rule", str(path), *options])


def game_with(**keys: Any) -> bytes:
    return json.dumps({**json.loads(GAME), **keys}).encode()


def without(key: str) -> bytes:
    return json.dumps({name: value for name, value in json.loads(GAME).items() if name != key}).encode()


GARBAGE: dict[str, tuple[int, bytes]] = {
    "empty file": (1, b""),
    "empty lines only": (1, b"\n\r\n\n"),
    "no game line": (1, HAND + b"\n" + HAND),
    "no game line after empty lines": (1, b"\n\n" + HAND),
    "game line too late": (1, HAND + b"\n" + GAME),
    "second game line": (3, GAME + b"\n" + HAND + b"\n" + GAME),
    "byte order mark": (1, b"\xef\xbb\xbf" + GAME),
    "UTF-16": (1, GAME.decode().encode("utf-16")),
    "Latin-1": (2, GAME + b"\n" + '{"e":"sto","by":"Nicolò"}'.encode("latin-1")),
    "bad UTF-8 in an unknown key": (2, GAME + b'\n{"e":"hand","note":"\xff"}'),
    "truncated": (3, GAME + b"\n" + HAND + b'\n{"e":"passo","by":"An'),
    "not JSON": (2, GAME + b"\nhello"),
    "NaN": (2, GAME + b'\n{"e":"hand","x":NaN}'),
    "Infinity as a share": (3, GAME + b"\n" + HAND + b'\n{"e":"taverna","by":"Anna","share":Infinity}'),
    "an array": (2, GAME + b"\n[]"),
    "a number": (2, GAME + b"\n17"),
    "null": (2, GAME + b"\nnull"),
    "two objects on a line": (2, GAME + b"\n" + HAND + HAND),
    "unknown event": (2, GAME + b'\n{"e":"flip"}'),
    "no event": (2, GAME + b'\n{"by":"Anna"}'),
    "event is a number": (2, GAME + b'\n{"e":7}'),
    "deep nesting": (2, GAME + b'\n{"e":"hand","x":' + b"[" * 200_000),
    "deep objects": (2, GAME + b'\n{"e":"hand","x":' + b'{"x":' * 200_000),
    "a megabyte of name": (3, GAME + b"\n" + HAND + b'\n{"e":"sto","by":"' + b"x" * 1_000_000 + b'"}'),
    "a megabyte of digits": (1, GAME.replace(b"100", b"1" * 1_000_000)),
    "odd letters": (3, GAME + b"\n" + HAND + b'\n{"e":"sto","by":"a\\n\\u0000\\u2028\\u202eb\\u0007"}'),
    "lone surrogate": (3, GAME + b"\n" + HAND + b'\n{"e":"sto","by":"\\ud800"}'),
    "missing key": (3, GAME + b"\n" + HAND + b'\n{"e":"sto"}'),
    "null for a name": (3, GAME + b"\n" + HAND + b'\n{"e":"sto","by":null}'),
    "null for a key that may be left out": (2, GAME + b'\n{"e":"hand","dealer":null}'),
    "no such card": (3, GAME + b"\n" + HAND + b'\n{"e":"reveal","by":"Anna","card":"11"}'),
    "card as a number": (3, GAME + b"\n" + HAND + b'\n{"e":"reveal","by":"Anna","card":5}'),
    "share as text": (3, GAME + b"\n" + HAND + b'\n{"e":"taverna","by":"Anna","share":"0.5"}'),
    "share with a billion decimals": (4, GAME + b"\n" + HAND + b'\n{"e":"passo","by":"Anna"}'
                                      b'\n{"e":"taverna","by":"Bruno","share":1e-999999999}'),
    "partner's share as text": (2, GAME + b'\n{"e":"rebuy","by":"Anna","partners":[{"name":"x","share":"1"}]}'),
    "split as text": (2, GAME + b'\n{"e":"split","shares":{"Anna":"1","Bruno":0}}'),
    "true is no number": (1, game_with(v=True)),
    "true as a stake": (1, game_with(stake=True)),
    "a stake with decimals": (1, game_with(stake=100.5)),
    "stake of nothing": (1, game_with(stake=0)),
    "stake too high": (1, game_with(stake=10**9 + 1)),
    "another version": (1, game_with(v=2)),
    "another game": (1, game_with(game="stoppa")),
    "another edition": (1, game_with(edition="1998")),
    "another house rule": (1, game_with(house_rules={"backward_run": "maybe"})),
    "house rules null": (1, game_with(house_rules=None)),
    "players as text": (1, game_with(players="Anna")),
    "a player without a name": (1, game_with(players=["Anna", None])),
    "standing of a stranger": (1, game_with(standing={"Zoe": {"pedine": 3, "virgin": True}})),
    "negative pedine": (1, game_with(standing={"Anna": {"pedine": -1, "virgin": False}})),
    "nobody has a pedina": (1, game_with(standing={n: {"pedine": 0, "virgin": False} for n in ("Anna", "Bruno", "Carla")})),
    "a billion ricompere": (1, game_with(ricompere=10**9)),
    "one Matto too many": (2, GAME + b'\n{"e":"matto","in_deck":3}'),
    "Matto as a truth": (2, GAME + b'\n{"e":"matto","in_deck":true}'),
    **{f"game without {key}": (1, without(key)) for key in json.loads(GAME) if key != "e"},
}


@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_one_line_and_exit_2(tmp_path: Path, name: str) -> None:
    line, data = GARBAGE[name]
    result = rule(tmp_path, data, "--json")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"line {line}: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 500
    assert result.stderr[:-1].isprintable()


def test_no_such_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["rule", str(tmp_path / "none.jsonl")])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("break_", [b"\r\n", b"\n\n", b"\n \t\r\n"], ids=["CRLF", "empty lines", "blank lines"])
def test_line_breaks_that_are_accepted(tmp_path: Path, break_: bytes) -> None:
    lines = [GAME, HAND, *(b'{"e":"reveal","by":"%b","card":"5"}' % who for who in (b"Anna", b"Bruno")), b'{"e":"end"}']
    result = rule(tmp_path, break_.join(lines), "--json")
    count = 5 if break_ == b"\r\n" else 9
    assert result.stderr.startswith(f"line {count}: the card of Carla has not been seen")


def test_unknown_keys_are_ignored_and_stamps_kept() -> None:
    odd = b'{"by":"Anna","e":"sto","e2":[1,{"x":null}],"t":"soon","confidence":7}'
    assert log.decode_line(odd) == Line(log.Sto(by="Anna"))
    stamped = log.decode_line(b'{"e":"sto","by":"Anna","t":3.5,"confidence":0.25}')
    assert stamped == Line(log.Sto(by="Anna"), 3.5, 0.25)
    assert log.decode_line(encode_line(stamped)) == stamped


UNKNOWN: dict[str, bytes] = {
    "a number beyond doubles": b"1e999",
    "a huge integer": b"-" + b"7" * 5_000,
    "no decimal at all": b"1e-999999999",
    "deep nesting": b"[" * 800 + b"]" * 800,
    "deep objects": b'{"e":' * 800 + b"null" + b"}" * 800,
    "null": b"null",
    "a share as text": b'[{"share":"1"}]',
}


@pytest.mark.parametrize("held", UNKNOWN)
@pytest.mark.parametrize("line", [
    b'{"e":"taverna","by":"Bruno"', b'{"e":"rebuy","by":"Anna","partners":[{"name":"Zia","share":0.5,"x":1e999}]',
    b'{"e":"split","shares":{"Anna":0.5,"Bruno":0.5}', b'{"e":"hand"', b'{"e":"draw","by":"Carla"',
])  # fmt: skip
def test_unknown_keys_may_hold_anything(line: bytes, held: str) -> None:
    assert log.decode_line(line + b',"x":' + UNKNOWN[held] + b"}") == log.decode_line(line + b"}")
    assert log.decode_line(line + b',"x":null,"y":' + UNKNOWN[held] + b"}") == log.decode_line(line + b"}")


@pytest.mark.parametrize("held", UNKNOWN)
def test_a_game_says_which_it_is_beside_unknown_keys(held: str) -> None:
    assert game_id(GAME[:-1] + b',"x":' + UNKNOWN[held] + b"}\n" + HAND) == "stu"


def test_standard_input_is_a_log_too(tmp_path: Path) -> None:
    shown = ((b"Anna", b"4"), (b"Bruno", b"5"), (b"Carla", b"6"))
    lines = [GAME, HAND, *(b'{"e":"reveal","by":"%b","card":"%b"}' % each for each in shown), b'{"e":"end"}']
    for options in ([], ["--json", "--story"]):
        read = CliRunner().invoke(main, ["rule", "-", *options], input=b"\n".join(lines))
        assert (read.exit_code, read.stdout) == (0, rule(tmp_path, b"\n".join(lines), *options).stdout)
    refused = CliRunner().invoke(main, ["rule", "-"], input=HAND)
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", rule(tmp_path, HAND).stderr)


def test_ten_thousand_hands(tmp_path: Path) -> None:
    hand = [HAND, *(b'{"e":"reveal","by":"%b","card":"5"}' % who for who in (b"Anna", b"Bruno")), b'{"e":"void"}']
    result = rule(tmp_path, b"\n".join([GAME, *hand * 10_000]), "--json")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["hands"]) == 10_000
    result = rule(tmp_path, b"\n".join([GAME, *hand * 10_000, b'{"e":"void"}']), "--json")
    assert (result.exit_code, result.stderr[:13]) == (2, "line 40002: v")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 50), data=st.data())
def test_a_damaged_log_is_read_or_refused_with_its_line(seed: int, data: st.DataObject) -> None:
    """Bytes changed, lines lost, doubled or swapped, values replaced: no other exception than one that names the line."""
    lines = write_lines(Line(event) for event in real_game(seed, 4, hands=2)).splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    damage = data.draw(st.sampled_from(["byte", "lose", "double", "swap", "value"]))
    if damage == "byte":
        place = data.draw(st.integers(0, len(lines[at]) - 1))
        lines[at] = lines[at][:place] + bytes([data.draw(st.integers(0, 255))]) + lines[at][place + 1 :]
    elif damage == "lose":
        del lines[at]
    elif damage == "double":
        lines.insert(at, lines[at])
    elif damage == "swap":
        lines[at], lines[at - 1] = lines[at - 1], lines[at]
    else:
        event = json.loads(lines[at])
        key = data.draw(st.sampled_from(sorted(event)))
        event[key] = data.draw(st.sampled_from([None, True, -1, 0.5, 10**30, "", "Anna", [], {}, [[]], {"P0": 1}]))
        lines[at] = json.dumps(event).encode()
    error = refusal(b"\n".join(lines))
    assert error is None or 1 <= (error.line or 0) <= len(lines) + 1


def refusal(data: bytes) -> stu.GameError | None:
    try:
        stu.report(stu.replay_log(data))
    except stu.GameError as error:
        return error
    return None
