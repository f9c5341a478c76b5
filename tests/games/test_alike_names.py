"""Names are compared as people read them: one way of writing accents; and where only blanks or accents differ, that is said."""

from __future__ import annotations

import unicodedata

import pytest
from click.testing import CliRunner

from companion import cli
from companion.games import read_lines
from companion.line.tablefile import parse_table_file
from companion.table.log import composed

STU = """{"e":"game","v":1,"game":"stu","players":["Anna","Niccolò"],"stake":200,"currency":"EUR","dealer":"DEALER"}
{"e":"hand"}
{"e":"sto","by":"Anna"}
{"e":"sto","by":"SAID"}
{"e":"reveal","by":"Anna","card":"7"}
{"e":"reveal","by":"Niccolò","card":"5"}
{"e":"end"}
"""
STOPPA = """{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Niccolò"],"misera":600,"small":100,\
"currency":"EUR","dealer":"DEALER"}
{"e":"hand"}
{"e":"piccolo"}
{"e":"punto","by":"Anna","to":50}
{"e":"passo","by":"Bruno"}
{"e":"passo","by":"Carla"}
{"e":"passo","by":"SAID"}
"""
STOPER = """{"e":"game","v":1,"game":"stoper","players":["Anna","Bruno","Carla","Niccolò"],"mode":"cash","stacks":5000,\
"currency":"EUR","dealer":"DEALER"}
{"e":"hand","cip":50,"invito":50}
{"e":"apro","by":"Anna","to":200}
{"e":"passo","by":"Bruno"}
{"e":"passo","by":"Carla"}
{"e":"passo","by":"SAID"}
"""
LOGS = {"stu": STU, "stoppa": STOPPA, "stoper": STOPER}
NFD = unicodedata.normalize("NFD", "Niccolò")


def log(game: str, said: str, dealer: str = "Niccolò") -> str:
    return LOGS[game].replace("SAID", said).replace("DEALER", dealer)


def rule(text: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli.main, ["rule", "-"], input=text)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.parametrize("game", LOGS)
@pytest.mark.parametrize("said", [
    pytest.param(NFD, id="NFD"),
    pytest.param("Niccolo\\u0300", id="an accent by its number"),
    pytest.param("Niccol\\u00f2", id="a letter by its number"),
])  # fmt: skip
def test_a_name_is_the_same_however_its_accent_is_written(game: str, said: str) -> None:
    wanted = rule(log(game, "Niccolò"))
    assert wanted[0] == 0, wanted
    assert rule(log(game, said, said)) == wanted
    assert rule(unicodedata.normalize("NFD", log(game, said))) == wanted
    assert read_lines(log(game, said).encode()) == read_lines(log(game, "Niccolò").encode())


@pytest.mark.parametrize("game", LOGS)
@pytest.mark.parametrize("said", ["Niccolo", "Niccolò ", " Niccolò", "NICCOLÒ", "Niccolò\u200b"])
def test_where_only_blanks_accents_or_capitals_differ_it_is_said(game: str, said: str) -> None:
    for text, line in ((log(game, said), None), (log(game, "Niccolò", said), 1)):
        status, out, why = rule(text)
        assert (status, out) == (2, "")
        assert f"line {line or ''}" in why
        assert "“Niccolò” does: the two differ in blanks, accents or capitals alone" in why
    assert "differ" not in rule(log(game, "Piero"))[2]


def test_a_table_file_is_read_in_the_same_way() -> None:
    table = """{"v":1,"image_size":[1280,720],"corners":[[300,100],[1000,100],[1000,600],[300,600]],
     "players":[{"name":"Anna","place":[500,200]},{"name":"NAME","place":[700,500]}],"stake":100,"currency":"EUR","dealer":"DEALER"}"""
    found = parse_table_file(table.replace("NAME", NFD).replace("DEALER", "Niccolò"))
    assert found.first.players == ("Anna", "Niccolò")
    assert [seat.name for seat in found.table.players] == ["Anna", "Niccolò"]


@pytest.mark.parametrize("text", ['{"by":"\\\\u0300"}', '{"by":"\\u0041"}', '{"by":"Bruno"}'])
def test_what_is_no_accent_stays_as_it_is(text: str) -> None:
    assert composed(text) == text
