"""What the command line does with every game that ships: its logs and schema, logs made up by bots, and one line for whatever
cannot be. What a game's hands come to in words is in `test_contract_told.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import run
from first_lines import agreed_in, first_line_of

from companion.games import GAMES, replay_log
from companion.table.language import LANGS

FOUR = {
    "stu": '{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla","Dino"],"stake":200,'
           '"currency":"EUR","dealer":"Dino"',
    "stoppa": '{"e":"game","v":1,"game":"stoppa","players":["Anna","Bruno","Carla","Dino"],"misera":600,"small":100,'
              '"currency":"EUR","dealer":"Dino"',
    "stoper": '{"e":"game","v":1,"game":"stoper","players":["Ada","Bice","Ciro","Dora"],"mode":"cash","stacks":1000,'
              '"currency":"EUR","dealer":"Ada"',
}
"""The first line of a log of four, of games whose lines below are of these four; its brace is open for further keys."""
FIRST = {id: FOUR.get(id) or first_line_of(id).removesuffix("}") for id in GAMES}
"""The same of every game."""
BOTS = {id: game.simulation for id, game in GAMES.items() if game.simulation is not None}
STATUSES = {"stu": ("in_play", "won"), "stoppa": ("over",), "stoper": ("over", "won")}
"""How a game of six hands may end, of games that say it in their report."""
HAND = '{"e":"hand"}'
STAKED = '{"e":"hand","cip":50,"invito":50}'


def people_of(game: str) -> list[str]:
    """Who plays in the first line of this game."""
    return list(agreed_in(game)["players"])


def by(e: str, name: str, **keys: object) -> str:
    return json.dumps({"e": e, "by": name, **keys})


@pytest.mark.parametrize(
    ("game", "lines", "said"),
    [
        ("stu", [HAND, by("passo", "Anna"), by("passo", "Anna")],
         "line 4: Anna acts too soon (rule 11); expected swap with Bruno, or a trump revealed by Bruno"),
        ("stu", [HAND, '{"e":"piccolo"}'], "line 3: `e`: Invalid value 'piccolo'"),
        ("stu", [HAND, '{"e":"passo"}'], "line 3: Object missing required field `by`"),
        ("stoppa", [HAND, *['{"e":"piccolo"}'] * 4, '{"e":"grosso"}', by("lay", "Anna", cards=["denari-5"]),
                    by("lay", "Bruno", cards=["denari-7"])],
         "line 9: wanted 6, laid 7 (rule 10); expected a 6, or `skipped` where the table went on without one"),
        ("stoppa", [HAND, by("reveal", "Anna", card="7")], "line 3: `e`: Invalid value 'reveal'"),
        ("stoppa", [HAND, '{"e":"piccolo"}', by("punto", "Anna")], "line 4: Object missing required field `to`"),
        ("stoppa", [HAND, '{"e":"piccolo"}', by("punto", "Anna", to=True)], "line 4: `to`: Expected `int`, got `bool`"),
        ("stoppa", [HAND, '{"e":"piccolo"}', by("punto", "Anna", to=1_000_000_001)],
         "line 4: `to`: Expected `int` <= 1000000000"),
        ("stoper", [STAKED, by("apro", "Bice", to=49)],
         "line 3: 49 is too little, and Bice has more chips (rule 10); expected 50 or more"),
        ("stoper", [STAKED, by("apro", "Ciro", to=49)],
         "line 3: Ciro acts out of turn (rule 9); expected buio, apro or parola by Bice"),
        ("stoper", [STAKED, by("cambio", "Bice", n=3)], "line 3: `n`: Invalid enum value 3"),
        ("stoper", [STAKED, by("cambio", "Bice", n=True)], "line 3: `n`: Expected `int`, got `bool`"),
        ("stoper", [STAKED, '{"e":"piccolo"}'], "line 3: `e`: Invalid value 'piccolo'"),
        ("stoper", [STAKED, by("apro", "Bice")], "line 3: Object missing required field `to`"),
        ("stoper", [STAKED, by("apro", "Bice", to=1_000_000_001)], "line 3: `to`: Expected `int` <= 1000000000"),
        ("stoper", ['{"e":"hand","cip":0,"invito":0}'], "line 2: `cip`: Expected `int` >= 1"),
        ("stoper", ['{"e":"hand","cip":50,"invito":50,"deck":40}'], "line 2: `deck`: Invalid enum value 40"),
        ("stoper", [STAKED, by("show", "Bice", cards=["denari-11"])],
         r"line 3: `cards[0]`: Expected `str` matching regex '^(denari|coppe|spade|bastoni)-([1-9]|10)(?!\\n)$'"),
    ],
)  # fmt: skip
def test_what_cannot_have_happened_is_one_line(tmp_path: Path, game: str, lines: list[str], said: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text("\n".join([FIRST[game] + "}", *lines]))
    refused = run("rule", str(path), "--json")
    assert (refused.exit_code, refused.stdout, refused.stderr) == (2, "", f"{said}\n")


@pytest.mark.parametrize(
    ("game", "key"),
    [
        ("stu", '"house_rules":{"backward_run":"no"}'), ("stu", '"stake":0'),
        ("stu", '"edition":"2011"'), ("stu", '"standing":{"Anna":{"pedine":-1,"virgin":true}}'),
        ("stoppa", '"house_rules":{"passes":"final"}'), ("stoppa", '"house_rules":{"pass":"never"}'),
        ("stoppa", '"house_rules":{"bet_min":0}'), ("stoppa", '"house_rules":{"declaration_price":1000000001}'),
        ("stoppa", '"house_rules":{"cards_per_misera":4}'), ("stoppa", '"removed":"denari-10"'),
        ("stoppa", '"standing":{"Anna":0}'), ("stoppa", '"hands_before":-1'),
        ("stoppa", '"standing":{"Anna":1,"Bruno":0,"Carla":0,"Dino":0}'),
        ("stoper", '"house_rules":{"false_openings":"noted"}'), ("stoper", '"house_rules":{"false_opening":"never"}'),
        ("stoper", '"house_rules":{"bet_min":0}'), ("stoper", '"house_rules":{"bet_min":1000000001}'),
        ("stoper", '"house_rules":{"dealer_pays":"yes"}'), ("stoper", '"standing":{"level":"re","pot":100}'),
        ("stoper", '"standing":{"level":"asso","pot":100,"paid":{},"parola":false,"said":[]}'),
        ("stoper", '"standing":{"level":"re","pot":-1,"paid":{},"parola":false,"said":[]}'),
        ("stoper", '"standing":{"level":"re","pot":10,"paid":{"Ada":-1},"parola":false,"said":[]}'),
        ("stoper",
         '"standing":{"level":"re","pot":10,"paid":{},"parola":false,"said":[]},"house_rules":{"carry_join":"always"}'),
        *(("stoper", f'"stacks":{stacks}')
          for stacks in ("-1", '{"Ada":-1,"Bice":1,"Ciro":1,"Dora":1}', "true", "1000000001", '"100"', "1.5")),
    ],
)  # fmt: skip
def test_what_cannot_be_agreed_is_an_error_of_the_first_line(tmp_path: Path, game: str, key: str) -> None:
    path = tmp_path / "bad.jsonl"
    agreed = json.loads(FIRST[game] + "}")
    path.write_text(json.dumps(agreed | json.loads(f"{{{key}}}")) + "\n")
    refused = run("rule", str(path))
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert refused.stderr.startswith("line 1: `stacks" if key.startswith('"stacks"') else "line 1: ")


@pytest.mark.parametrize("game", GAMES)
def test_its_schema_is_printed(game: str) -> None:
    schema = json.loads(run("schema", "--game", game).output)
    assert schema["title"] == f"{GAMES[game].title} table log, one line"


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        *(("stu", ("--players", players)) for players in ("2", "5", "39")),
        *(("stoppa", ("--players", players, "--stake", "500")) for players in ("3", "4", "5", "6")),
        *(("stoper", ("--players", players, "--stake", "50", "--mode", mode))
          for players in ("4", "5", "6") for mode in ("cash", "torneo")),
        *((id, ("--players", str(players)))
          for id, bots in BOTS.items() if id not in STATUSES for players in sorted({*bots.players})),
    ],
)  # fmt: skip
def test_bots_write_a_log_that_can_be_ruled_the_same_for_the_same_seed(tmp_path: Path, game: str, asked: tuple[str, ...]) -> None:
    path, again = tmp_path / "game.jsonl", tmp_path / "again.jsonl"
    for one in (path, again):
        made = run("simulate", "--game", game, *asked, "--hands", "6", "--seed", "4", "--log", str(one))
        assert (made.exit_code, made.output) == (0, "")
    assert path.read_bytes() == again.read_bytes()
    plain = json.loads(run("rule", str(path), "--json").output)
    played = GAMES[game].rules.hands(replay_log(path.read_bytes())[1])
    assert 1 <= played <= 6
    if game in STATUSES:
        assert len(plain["hands"]) == played
        assert plain["status"] in STATUSES[game]
        assert sum(player.get("balance", 0) for player in plain["players"]) == 0
    story = json.loads(run("rule", str(path), "--story", "--json").output)["story"]
    assert [hand["n"] for hand in story] == list(range(1, played + 1))
    assert {lang for hand in story for step in hand["steps"] for lang in step["says"]} == set(LANGS)


@pytest.mark.parametrize(
    ("game", "arguments", "said"),
    [
        ("stu", ["--players", "1"], "1 player cannot play Lu Stù: expected 2 to 39"),
        ("stu", ["--players", "40"], "40 players cannot play Lu Stù: expected 2 to 39"),
        ("stu", ["--names", "Anna"], "1 player (rule 2); expected 2 to 39"),
        ("stu", ["--mode", "torneo"], "--mode is of Stoper alone: leave it out with --game stu"),
        ("stu", ["--house-rule", "jolly=yes"], "no house rule 'jolly'"),
        ("stu", ["--house-rule", "backward_run=no"], "Invalid enum value 'no'"),
        ("stoppa", ["--players", "7"], "7 players cannot play Stoppa: expected 3 to 6"),
        ("stoppa", ["--names", "Anna,Bruno"], "2 players cannot play Stoppa: expected 3 to 6"),
        ("stoppa", ["--pedine", "4"], "--pedine is of Lu Stù alone: leave it out with --game stoppa"),
        ("stoppa", ["--edition", "booklet"], "--edition is of Lu Stù alone"),
        ("stoppa", ["--mode", "torneo"], "--mode is of Stoper alone: leave it out with --game stoppa"),
        ("stoppa", ["--stake", "1"], "a punto grosso of 0, not greater than a punto piccolo"),
        ("stoppa", ["--house-rule", "backward_run=forced"], "no house rule 'backward_run'"),
        ("stoppa", ["--house-rule", "pass=never"], "Invalid enum value 'never'"),
        ("stoper", ["--players", "7"], "7 players cannot play Stoper: expected 4 to 6"),
        ("stoper", ["--names", "Ada,Bice"], "2 players cannot play Stoper: expected 4 to 6"),
        ("stoper", ["--pedine", "4"], "--pedine is of Lu Stù alone"),
        ("stoper", ["--house-rule", "pass=checks"], "no house rule 'pass'"),
        ("stoper", ["--house-rule", "carry_join=never"], "Invalid enum value 'never'"),
        *((game, ["--names", "Anna,Bruno,Carla,Anna"], "two players have the same name") for game in FOUR),
        *((id, ["--names", ",".join([*people_of(id)[:-1], people_of(id)[0]])], "name") for id in BOTS if id not in FOUR),
        *((id, ["--names", ",".join([*people_of(id)[:-1], ""])], "empty name") for id in BOTS),
        *((id, ["--names", ",".join(people_of(id)), "--players", "99"], f"{len(people_of(id))} names") for id in BOTS),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_is_one_line(tmp_path: Path, game: str, arguments: list[str], said: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("kept")
    refused = run("simulate", "--game", game, "--log", str(path), *arguments)
    assert (refused.exit_code, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert said in refused.stderr
    assert path.read_text() == "kept"


@pytest.mark.parametrize("game", FIRST)
def test_a_game_without_pages_is_not_shown_and_says_so_in_a_line(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text(FIRST[game] + "}\n")
    monkeypatch.setitem(GAMES[game].__dict__, "has_pages", False)
    refused = run("serve", str(path))
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert refused.stderr == f"{path}: {game} is not shown yet: companion rule says what its log comes to\n"


@pytest.mark.parametrize("game", [id for id in FIRST if GAMES[id].has_eyes])
def test_a_table_of_it_can_be_watched(tmp_path: Path, game: str) -> None:
    table, film = tmp_path / "TABLE.json", tmp_path / "gone.mp4"
    agreed = json.loads(FIRST[game] + "}")
    del agreed["e"]
    places = zip(agreed["players"], ([50, 95], [95, 50], [50, 5], [5, 50]), strict=False)
    table.write_text(json.dumps(agreed | {
        "image_size": [640, 480], "corners": [[0, 0], [100, 0], [100, 100], [0, 100]],
        "players": [{"name": name, "place": at} for name, at in places],
    }))  # fmt: skip
    watched = run("watch", str(film), "--table", str(table), "--log", str(tmp_path / "x.jsonl"))
    assert (watched.exit_code, watched.stderr.count("\n")) == (2, 1)
    assert str(film) in watched.stderr, "only the film is missing"
