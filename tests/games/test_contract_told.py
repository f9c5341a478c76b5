"""What the command line says of a log of each game, in words, as JSON and step by step; and the table that its bots sit down at.

A new game adds what it says to `SAID`, and a table to `ASKED`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from commands import run


def agreed(game: str, players: str, **keys: object) -> str:
    """The first line of a log."""
    return json.dumps({"e": "game", "v": 1, "game": game, "players": players.split(), **keys, "currency": "EUR"})


def by(e: str, *names: str, **keys: object) -> list[str]:
    return [json.dumps({"e": e, "by": name, **keys}) for name in names]


@dataclass(frozen=True)
class Said:
    """A ``log`` with an empty line, and what is said of it: pieces of its ruling in ``english`` and ``italian`` and of
    its ``story``; the ``keys`` of its report in their order, some ``values`` of it, and the ``irregularities`` of its first hand;
    some values of each hand of the story (``hands``)."""

    log: list[str]
    english: list[str]
    italian: list[str]
    story: list[str]
    keys: list[str]
    values: dict[str, Any]
    hands: list[dict[str, Any]]
    irregularities: list[dict[str, Any]] = field(default_factory=list)


SAID = {
    "stu": Said(
        log=[
            agreed("stu", "Anna Bruno Carla", stake=200, dealer="Carla"),
            '{"e":"hand"}', *by("passo", "Anna"), "", '{"e":"swap","with":"Bruno"}', *by("passo", "Bruno"),
            *by("reveal", "Carla", card="gnao"), '{"e":"swap","with":"Anna"}', *by("reveal", "Anna", card="4"),
            *by("reveal", "Bruno", card="7"), '{"e":"end"}',
        ],
        english=["Bruno takes a gnaffata from Carla: one pedina (rule 14)",
                 "Anna has the lowest card, the 4: one pedina (rule 8)", "pot €6.00; ricompera open at €4.00"],
        italian=["Bruno «pij na gnaffat» da Carla: una pedina (regola 14)", "montepremi 6,00 €; ricompera aperta a 4,00 €"],
        story=["  Anna passes with the 4 to Bruno.\n  Anna and Bruno exchange: Anna gives the 4 and gets the 7.",
               "  Carla shows the Gnao, “Gnaff, cart’arrit”. Bruno takes a gnaffata from Carla: one pedina (rule 14).",
               "  The cards are shown. Anna has the lowest card, the 4: one pedina (rule 8)."],
        keys=["hands", "players", "virgins", "ricompera", "pot", "dealer", "status", "winner", "settlement"],
        values={"ricompera": {"open": True, "price": 400, "count": 0}, "pot": 600, "dealer": "Anna", "status": "in_play"},
        hands=[{"n": 1, "dealer": "Carla"}],
    ),
    "stoppa": Said(
        log=[
            agreed("stoppa", "Anna Bruno Carla Dino", misera=600, small=100, dealer="Dino"),
            '{"e":"hand"}', *['{"e":"piccolo"}'] * 4, '{"e":"grosso"}', "", *by("lay", "Anna", cards=["denari-5"]),
            *by("lay", "Carla", cards=["denari-6"]), '{"e":"annul"}', *by("show", "Bruno", cards=["coppe-6"]),
        ],
        english=["nobody bets on the punto grosso: the dealer, Dino, takes it: €20.00 (rule 8)",
                 "irregular: Bruno held the Six of cups and did not lay it, line 10 (rule 16)",
                 "Dino: +€18.00", "giro 1, hand 1 of 4"],
        italian=["Bruno non ha calato la carta voluta: aveva Sei di coppe, riga 10 (regola 16)", "Anna: −6,00 €"],
        story=["  Punto piccolo 1 is dealt.\n  Punto piccolo 2 is dealt. Nobody bets on the punto piccolo 1: the dealer, Dino",
               "  Anna lays Five of coins.",
               "  Bruno shows Six of cups. Bruno held the Six of cups and did not lay it (rule 16)."],
        keys=["game", "hands", "players", "table", "giro", "dealer", "status"],
        values={"dealer": "Anna", "giro": {"n": 1, "hand": 1, "of": 4, "called": False, "last": None}, "status": "in_play"},
        irregularities=[{"kind": "omitted", "player": "Bruno", "card": "coppe-6", "line": 10}],
        hands=[{"n": 1, "order": ["Anna", "Bruno", "Carla", "Dino"]}],
    ),
    "stoper": Said(
        log=[
            agreed("stoper", "Ada Bice Ciro Dora", mode="cash", stacks=1000, dealer="Ada"),
            '{"e":"hand","cip":50,"invito":50}', *by("apro", "Bice", to=200), *by("vedo", "Ciro"), "",
            *by("passo", "Dora", "Ada"), *by("cambio", "Bice", n=1), *by("cambio", "Ciro", n=0), *by("busso", "Bice", "Ciro"),
            *by("show", "Bice", cards=["denari-10", "denari-9", "spade-7"]), *by("muck", "Ciro"),
            '{"e":"hand","dealer":"Ciro"}', *by("buio", "Dora"),
        ],
        english=["Hand 1, dealt by Ada\n  Bice takes the pot with 20: €8.00 (rule 14)\n  Ada −€1.00, Bice +€5.00",
                 "  irregular: Ciro dealt out of turn (rule 2)", "on the table: €8.00"],
        italian=["  Bice prende il piatto con 20: 8,00 € (regola 14)"],
        story=["  Bice opens with €2.00.\n  Ciro sees.\n  Dora passes.",
               "  Bice changes 1 card.\n  Ciro is served.\n  Bice says busso.",
               "  Ciro concedes without showing. Bice takes the pot with 20: €8.00 (rule 14).\n",
               "  Dora opens blind: buio, €4.00."],
        keys=["game", "hands", "players", "carried", "table", "dealer", "status", "winner"],
        values={"table": {"phase": "blind", "turn": "Ada", "highest": 400, "pot": 800}},
        irregularities=[],
        hands=[{"n": 1, "dealer": "Ada", "order": ["Bice", "Ciro", "Dora", "Ada"]},
               {"n": 2, "dealer": "Ciro", "order": ["Dora", "Ada", "Bice", "Ciro"]}],
    ),
}  # fmt: skip

PLAYERS = ["Zoë", "Bè", "日本", "E"]
ASKED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "stu": (
        ("--stake=250", "--edition=piazza-2010", "--hands=1", "--pedine=5", "--styles=odds"),
        {"stake": 250, "edition": "piazza-2010", "house_rules": {"backward_run": "forced", "salta_on_dealer": "stop"},
         "standing": {name: {"pedine": 5, "virgin": True} for name in PLAYERS}},
    ),
    "stoppa": (
        ("--stake=500",),
        {"misera": 500, "house_rules": {"pass": "checks", "bet_min": 5, "three_aces_anytime": True, "stoppata_unit": 50}},
    ),
    "stoper": (
        ("--stake=50", "--mode=torneo"),
        {"mode": "torneo", "stacks": 5000, "house_rules": {"dealer_pays": False, "bet_min": 5, "false_opening": "forfeit"}},
    ),
}  # fmt: skip
"""Options of `companion simulate`, and what its first line says then: the house rules among it are asked for, too."""


@pytest.fixture(params=SAID)
def said(request: pytest.FixtureRequest) -> Said:
    return SAID[request.param]


@pytest.fixture
def log(tmp_path: Path, said: Said) -> str:
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(said.log))
    return str(path)


def test_a_log_is_ruled_on_in_words(log: str, said: Said) -> None:
    for arguments, pieces in ((("--lang", "en"), said.english), ((), said.italian)):
        told = run("rule", log, *arguments).output
        assert [piece for piece in pieces if piece not in told] == []


def test_a_log_is_ruled_on_as_json(log: str, said: Said) -> None:
    report = json.loads(run("rule", log, "--json").output)
    assert list(report) == said.keys
    assert {key: report[key] for key in said.values} == said.values
    assert report["hands"][0]["irregularities"] == said.irregularities


def test_a_log_is_told_step_by_step(log: str, said: Said) -> None:
    told = run("rule", log, "--story", "--lang", "en").output
    assert [piece for piece in said.story if piece not in told] == []
    story = json.loads(run("rule", log, "--story", "--json").output)["story"]
    assert [{key: hand[key] for key in keys} for hand, keys in zip(story, said.hands, strict=True)] == said.hands


@pytest.mark.parametrize("game", ASKED)
def test_the_table_is_as_asked(tmp_path: Path, game: str) -> None:
    path, (options, first) = tmp_path / "game.jsonl", ASKED[game]
    house = [f"--house-rule={name}={str(value).lower()}" for name, value in first["house_rules"].items()]
    table = ("--game", game, "--names", ", ".join(PLAYERS), "--plain")
    made = run("simulate", "--log", str(path), *table, *options, *house)
    assert (made.exit_code, made.output) == (0, "")
    line = json.loads(path.read_text("utf-8").splitlines()[0])
    assert {key: line[key] for key in ("players", *first)} == {"players": PLAYERS, **first}
    report = json.loads(run("rule", str(path), "--json").output)
    assert [one for hand in report["hands"] for one in hand["irregularities"]] == [], "plain"
