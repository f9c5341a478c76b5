"""Cuculo is Lu Stù except for what it changes: the rulings that differ, and that all else comes from Lu Stù."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from cuculo import CUCULO, Begin

from companion.cli import main
from companion.games import GAMES
from companion.games.stu.rules import log
from companion.table.log import Event
from workshop.choreography.play import direct
from workshop.games import workshop_of

NAMES = ("Anna", "Bruno", "Carla")


@pytest.fixture(autouse=True)
def in_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, CUCULO.id, CUCULO)


def after(of: type[log.Game], *events: Event) -> object:
    house = log.HouseRules(salta_on_dealer="stop") if of is Begin else log.HouseRules()
    state = CUCULO.rules.begin(log.new_game(NAMES, 100, "Carla", of=of, house_rules=house))
    for event in events:
        state = CUCULO.rules.apply(state, event)
    return state


def shown(*cards: str) -> list[Event]:
    return [log.Hand(), *(log.Reveal(by=name, card=card) for name, card in zip(NAMES, cards, strict=True)), log.End()]


def test_everybody_begins_with_two_pedine() -> None:
    assert (after(Begin).pedine, after(log.Game).pedine) == ((2, 2, 2), (3, 3, 3))


@pytest.mark.parametrize(
    ("of", "paid"),
    [
        (Begin, [("Anna", -1, "matto"), ("Bruno", -1, "matto"), ("Carla", -1, "lowest")]),
        (log.Game, [("Anna", 1, "two_matti"), ("Bruno", 1, "two_matti"), ("Carla", -1, "lowest")]),
    ],
)
def test_two_matti_gain_nothing(of: type[log.Game], paid: list) -> None:
    (ruling,) = after(of, *shown("matto", "matto", "5")).hands
    assert [(one.player, one.delta, one.cause) for one in ruling.payments] == paid


@pytest.mark.parametrize(("of", "waits"), [(Begin, "show"), (log.Game, "draw")])
def test_a_salta_past_the_dealer_leaves_the_card_where_it_is(of: type[log.Game], waits: str) -> None:
    asked = (log.Hand(), log.Sto(by="Anna"), log.Passo(by="Bruno"), log.Reveal(by="Carla", card="salta"))
    state = after(of, *asked)
    assert CUCULO.rules.waiting(state).step == ("decide" if waits == "show" else waits)


def test_all_who_are_out_come_back_with_two() -> None:
    state = after(Begin, *shown("2", "5", "6"), *shown("2", "5", "6"))
    assert state.pedine == (0, 2, 2)
    assert CUCULO.rules.apply(state, log.Rebuy(by="Anna")).pedine == (2, 2, 2)


def test_bots_play_it_and_it_can_be_filmed(tmp_path: Path) -> None:
    path = tmp_path / "cuculo.jsonl"
    arguments = ["simulate", "--game", "cuculo", "--players", "4", "--hands", "6", "--plain", "--log", str(path)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    assert json.loads(path.read_text().splitlines()[0])["game"] == "cuculo"
    ruled = json.loads(CliRunner().invoke(main, ["rule", "--json", str(path)]).stdout)
    assert all(player["pedine"] <= 2 for player in ruled["players"])
    lines = CUCULO.rules.LOG.read_lines(path.read_bytes())
    assert direct(lines, seed=1).duration > 10
    assert workshop_of("cuculo").title == "Cuculo"


def test_it_is_small() -> None:
    assert len((Path(__file__).parent / "cuculo.py").read_text().splitlines()) <= 100
    toy = [*(Path(__file__).parent / "toy_with_eyes").glob("*.py"), Path(__file__).parent / "test_toy_with_eyes.py"]
    assert sum(len(path.read_text().splitlines()) for path in toy) <= 900
