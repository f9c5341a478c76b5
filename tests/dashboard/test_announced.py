"""What fills the TV's screen: who is out, who has paid to come back, who has won; and nobody else."""

from __future__ import annotations

import json
from typing import Any

import pytest
import stoper_cases
from evenings import evenings
from hypothesis import given, settings
from test_corrected import STOPPA_LAID, STU_GAME, stoper, stoppa, stu

from companion.dashboard import Settings
from companion.dashboard.feed import Feed, Snapshot, replayed
from companion.games import GAMES, game_of_log, log_format
from companion.games.stu.rules.log import Rebuy
from companion.ledger import Ledger
from companion.pages.view import View
from companion.table.log import Line

Events = list[dict[str, Any]]


def view(first: dict[str, Any], *events: dict[str, Any], lang: str = "it") -> View:
    log = GAMES[first["game"]].rules.LOG.read_lines("\n".join(map(json.dumps, (first, *events))).encode())
    game = game_of_log(log)
    return Snapshot(1, 1, game, replayed(game, log), Settings()).view(lang)  # type: ignore[arg-type]


def said(first: dict[str, Any], *events: dict[str, Any]) -> list[tuple[str, ...]]:
    return [(one.kind, one.title, *one.names) for one in view(first, *events).announced]


def with_pedine(**pedine: int) -> dict[str, Any]:
    standing = {name: {"pedine": left, "virgin": False} for name, left in pedine.items()}
    return {**STU_GAME, "standing": standing}


ONE_LEFT = with_pedine(Anna=1, Bruno=0, Carla=1)
ALL_GONE = stu("hand\nreveal Anna matto\nreveal Carla 5\nend")
"""Anna is left with the Matto, which makes Carla pay, too."""


def test_rule_21_is_no_ricompera() -> None:
    """All come back, and nobody has paid for it; nor has anybody who pays the last pedina gone out."""
    assert said(ONE_LEFT, *ALL_GONE) == [("restart", "Nessuno ha più pedine", "Rientrano tutti,", "niente più ricompere")]
    assert view(ONE_LEFT, *ALL_GONE).status == "restarted"


def test_rule_21_is_called_by_the_voice() -> None:
    game = GAMES["stu"]
    log = game.rules.LOG.read_lines("\n".join(map(json.dumps, (ONE_LEFT, *ALL_GONE))).encode())
    moments = replayed(game, log)
    calls = game.pages.calls(moments, Snapshot(1, 1, game, moments, Settings()).view("it"), "it")
    assert calls[-1] == "Nessuno ha più pedine: rientrano tutti, e niente più ricompere."


GONE = stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend")


def test_who_pays_the_last_pedina_is_out_and_who_pays_a_ricompera_is_back() -> None:
    first = {**with_pedine(Anna=1), "dealer": "Carla"}
    out = ("out", "Va «su saupr»", "Anna")
    assert said(first, *GONE) == [out]
    assert said(first, *GONE, *stu("rebuy Anna")) == [out, ("back", "Ricompera", "Anna")]
    assert said(first, *GONE, *stu("hand\npenalty Carla")) == [out], "for a page that has missed the version before"
    assert said(first, *GONE, *stu("hand\nvoid\nhand")) == []


def test_a_penalty_can_send_somebody_out() -> None:
    assert said(with_pedine(Bruno=1), *stu("hand\nreveal Anna 2\nreveal Bruno 5\nreveal Carla 6\nend\npenalty Bruno")) == [
        ("out", "Va «su saupr»", "Bruno")
    ]


def test_where_the_table_says_how_it_stands_nobody_goes_out_or_comes_back() -> None:
    standing = {"Anna": {"pedine": 0, "virgin": False}, "Bruno": {"pedine": 2, "virgin": False}}
    assert said(with_pedine(Bruno=0), {"e": "set", "standing": standing}) == []
    torneo = stoper_cases.first_line("players=4 mode=torneo stacks=100")
    assert said(torneo, {"e": "set", "stacks": {"Ada": 0, "Bice": 200}}) == []


def test_a_win_is_announced_once_it_stands() -> None:
    two = {**STU_GAME, "players": ["Anna", "Bruno"], "dealer": "Bruno", "standing": {"Anna": {"pedine": 1, "virgin": False}}}
    told = stu("hand\nreveal Anna 2\nreveal Bruno 5\nend")
    assert said(two, *told) == [("out", "Va «su saupr»", "Anna")], "somebody may come back"
    assert said(two, *told, {"e": "close"}) == [("out", "Va «su saupr»", "Anna"), ("won", "Ha vinto", "Bruno")]


@pytest.mark.parametrize("e", ["end", "reveal"])
def test_what_is_only_believed_is_not_announced(e: str) -> None:
    told = [{**event, **({"confidence": 0.6} if event["e"] == e else {})} for event in ALL_GONE]
    unsure = said(ONE_LEFT, *told)
    assert unsure == ([] if e == "end" else said(ONE_LEFT, *ALL_GONE)), "the end of a hand says how sure all of it is"
    assert said(ONE_LEFT, *told, *stu("hand")) == unsure


def test_at_stoppa_nobody_is_out_and_who_has_won_most_is_announced() -> None:
    hand = stoppa(STOPPA_LAID)
    first = {"e": "game", "v": 1, "game": "stoppa", "players": ["Anna", "Bruno", "Carla", "Dino"], "misera": 600, "small": 100,
             "currency": "EUR", "dealer": "Dino"}  # fmt: skip
    assert said(first, *hand, {"e": "end"}) == []
    assert said(first, *hand, {"e": "end"}, {"e": "close"}) == [("won", "Ha vinto", "Dino")]


def test_out_of_a_tournament_of_stoper() -> None:
    first = stoper_cases.first_line("players=4 mode=torneo stacks=100")
    shows = "show Bice d10 d9 d8\nshow Ciro c10 c9 c7\nshow Dora s7 s6 s5\nshow Ada b7 b6 b5"
    hand = stoper(f"hand\nserviti Bice Ciro Dora Ada\n{shows}")
    assert said(first, *hand) == [("out", "Fuori dal gioco", "Ada", "Ciro", "Dora"), ("won", "Ha vinto", "Bice")]


@settings(max_examples=25, deadline=None)
@given(evenings(5))
def test_a_ricompera_is_announced_of_those_who_paid_one_and_of_nobody_else(log: tuple[Line, ...]) -> None:
    with Ledger.in_memory(log_format) as ledger:
        game, feed = ledger.new_game(), Feed(ledger, Settings())
        paid, heard, before = [], [], ()
        for length in range(1, len(log) + 1):
            ledger.record(game, log[:length])
            now = feed.snapshot().view("it").announced
            fresh = list(now)
            for one in before:
                if one in fresh:
                    fresh.remove(one)
            heard += [one.names for one in fresh if one.kind == "back"]
            before = now
            if isinstance(log[length - 1].event, Rebuy):
                paid.append((log[length - 1].event.by,))
        assert heard == paid
