"""In a hand that is told by its outcome, what was told before keeps its meaning or is left out by name, and what stands in for
the rest accuses nobody."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from phones import Phone
from wild_games import any_act, any_command, first_line

from companion.cli.rule import command as rule
from companion.dashboard import create_app
from companion.editing.commands import Say
from companion.editing.edit import obey
from companion.editing.outcome import with_outcome
from companion.games import GAMES
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import begins_with
from companion.table.errors import Illegal
from companion.table.log import tag, write_lines


@pytest.mark.parametrize(
    ("card", "payer"), [("bragon", "Bruno"), ("bragon", "Carla"), ("gnao", "Bruno"), ("gnao", "Carla"), ("cucco", "Bruno")]
)  # fmt: skip
def test_a_refusal_stays_a_refusal_or_is_left_out_by_name(ledger: Ledger, tmp_path: Path, card: str, payer: str) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say({"e": "hand"}, {"e": "passo", "by": "Anna"}, {"e": "reveal", "by": "Bruno", "card": card})
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {payer: 1}}
    assert [said.startswith("Bruno mostra") for said in phone.send(do, dry=True).json["without"]] == [True]
    phone.do(**do)
    sure = [line.event for line in ledger.lines(recorder.game_id) if line.confidence == 1.0]
    assert [tag(event) for event in sure] == ["hand", "passo", "end"]
    (tmp_path / "log.jsonl").write_bytes(write_lines(recorder.evening.log))
    told = json.loads(CliRunner().invoke(rule, [str(tmp_path / "log.jsonl"), "--json"]).output)
    assert told["hands"][0]["irregularities"] == []


def test_a_refusal_with_which_the_outcome_can_be_is_kept(ledger: Ledger) -> None:
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    phone = Phone(create_app(ledger, recorder=lambda: recorder))
    phone.say({"e": "hand"}, {"e": "passo", "by": "Anna"}, {"e": "reveal", "by": "Bruno", "card": "bragon"})
    do = {"what": "outcome", "hand": phone.view["hand"]["id"], "paid": {"Anna": 1, "Carla": 1}}
    assert phone.send(do, dry=True).json["without"] == []
    phone.do(**do)
    sure = [line.event for line in ledger.lines(recorder.game_id) if line.confidence == 1.0]
    assert [tag(event) for event in sure] == ["hand", "passo", "reveal", "end"]


def meanings(chapter: Chapter) -> dict[int, tuple]:
    """The lines (indices) of a hand that somebody told, each with what it says where it stands; without its beginning and end."""
    outcomes = GAMES[chapter.game.id].pages.outcomes
    assert outcomes is not None
    return {
        at: (line.event, outcomes.meant(chapter.states[at], line.event, chapter.states[at + 1]))
        for at, line in enumerate(chapter.lines)
        if at in chapter.fixed and at not in chapter.standing_in and tag(line.event) not in ("hand", "end")
    }


def mistakes(chapter: Chapter) -> tuple:
    rules = GAMES[chapter.game.id].rules
    ruling = rules.ruling(chapter.after, rules.hands(chapter.before) + 1)
    return tuple(ruling.irregularities) if ruling is not None else ()


def another_outcome(chapter: Chapter, chance: random.Random) -> dict[str, int]:
    """What another hand comes to that begins as this one does, and then goes on as it happens; or numbers at random."""
    game = GAMES[chapter.game.id]
    if chance.random() < 0.5:
        return {name: chance.randint(1, 2) for name in game.rules.names(chapter.before) if chance.random() < 0.4}
    begun = begins_with(line.event for line in chapter.lines)
    before, state = chapter.states[begun - 1], chapter.states[begun]
    for _ in range(80):
        if not game.rules.in_hand(state) or (event := any_act(game, state, chance)) is None:
            break
        state = game.rules.apply(state, event)
    outcomes = game.pages.outcomes
    assert outcomes is not None
    return dict(outcomes.comes_to(before, state))


@pytest.mark.parametrize("name", [id for id, game in GAMES.items() if game.pages.outcomes is not None])
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_what_was_told_says_the_same_or_is_named_and_what_stands_in_accuses_nobody(name: str, seed: int) -> None:
    chance = random.Random(seed)
    evening = Evening.of(GAMES[name], first_line(name, chance))
    for _ in range(chance.randint(2, 25)):
        command = any_command(evening, chance)
        if isinstance(command, Say):
            try:
                evening = obey(evening, command)
            except (Illegal, ValueError):
                continue
    hands = [chapter for chapter in evening.chapters if chapter.played]
    if not hands:
        return
    was = hands[-1]
    try:
        edit = with_outcome(evening, was.id, another_outcome(was, chance))
    except (Illegal, ValueError):
        return
    now, gone = edit.after.chapter(was.id), {at for hand, at in edit.gone if hand == was.id}
    assert [*meanings(now).values()] == [line for at, line in meanings(was).items() if at not in gone]
    assert {*mistakes(now)} <= {*mistakes(was)}
