"""A hand that the next one's first line ends, without an `end` of its own, counts like any other: while that next hand goes on,
too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from phones import Phone
from wild_games import any_log, seeds

from companion.dashboard import create_app
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, Game
from companion.games.stoppa import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.pages.moments import Moment, end_of, follow
from companion.pages.recap import recap
from companion.pages.season import told_so_far
from companion.table.log import Line, tag


def with_ends(game: Game, moments: Sequence[Moment]) -> Iterator[Line]:
    """The log, with an `end` for each hand that a `hand` line has ended."""
    for moment in moments:
        if moment.ended is not None:
            yield Line(end_of(game.rules), moment.lines[-1].t)
        yield moment.lines[-1]


def check(game: Game, log: Sequence[Line]) -> bool:
    """Whether the last line of the log has ended a hand and begun another."""
    moments = tuple(follow(game.rules, game.pages, log))
    if moments[-1].ended is None:
        return False
    ended = tuple(follow(game.rules, game.pages, with_ends(game, moments)))
    counted, plainly = (told_so_far(game.rules, game.pages, some, ended=False) for some in (moments, ended))
    assert counted is not None
    assert plainly is not None
    assert counted == plainly
    assert counted.hands == sum(not hand.void for hand in game.rules.report(moments[-1].seen).hands) - 1
    told, plain = (recap(game.rules, game.pages, some, "it", DEFAULTS.view, money=True) for some in (moments, ended))
    assert told is not None
    assert plain is not None
    assert (told.hands, told.standings, told.winner) == (plain.hands, plain.standings, plain.winner)
    assert [scene.hand for scene in told.scenes] == [scene.hand for scene in plain.scenes]
    return True


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=40, deadline=None)
@given(seeds)
@example(18)
def test_it_counts_in_season_picture_and_video(name: str, seed: int) -> None:
    game, log = GAMES[name], tuple(Line(line.event, line.t) for line in any_log(name, seed, 70))
    for end in [at for at, line in enumerate(log, start=1) if tag(line.event) == "hand"]:
        check(game, log[:end])


def test_such_hands_are_among_those_that_are_tried() -> None:
    game = GAMES["stoppa"]
    logs = (any_log("stoppa", seed, 70) for seed in range(20))
    found = [check(game, tuple(Line(line.event, line.t) for line in log[:at]))
             for log in logs for at, line in enumerate(log, start=1) if tag(line.event) == "hand"]  # fmt: skip
    assert any(found)


def test_a_phone_may_say_the_next_hand_where_nothing_more_need_come(ledger: Ledger) -> None:
    """As in a log: the hand before is over by it. Where something must come it is refused, and says so."""
    recorder = EveningRecorder.begin(ledger, new_game(("Anna", "Bruno", "Carla", "Dino"), 600, 100, "Dino"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say({"e": "hand"}, *[{"e": "piccolo"}] * 4, {"e": "grosso"})
    refused = phone.send({"what": "say", "events": [{"e": "hand"}]})
    assert refused.status_code == 422
    assert refused.json["message"]
    phone.say({"e": "declare", "by": "Bruno", "what": "four_kings"})
    phone.say({"e": "hand"}, {"e": "piccolo"})
    assert [tag(line.event) for line in recorder.evening.log][-4:] == ["declare", "end", "hand", "piccolo"]
    assert [hand["n"] for hand in phone.view["hands"]] == [2, 1]
    while tag(recorder.evening.log[-1].event) != "declare":
        phone.do("undo", entry=phone.view["undoes"]["entry"])
    assert phone.view["hands"][0]["text"] == "in corso"
