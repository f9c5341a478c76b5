"""`companion rule`, its `--story`, the TV and the phone ask the same of a hand: where cards may be others, each sentence that
names these is a question, and no sentence that names others."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import recorded_looks
import stoper_cases
import stoppa_cases
from click.testing import CliRunner
from hypothesis import given, settings
from phones import Phone
from test_corrected import stoper, stoppa
from test_how_sure import doubtful_log
from wild_games import seeds

from companion.cli.rule import command as rule
from companion.dashboard import create_app
from companion.games import GAMES
from companion.ledger import Ledger
from companion.line import follow as line_follow
from companion.line.prompter import Prompter
from companion.table.log import Line, write_lines

STOPER = ("hand\napro Bice 100\nvedo Ciro\npasso Dora Elsa Fabio Ada\nserviti Bice Ciro\nbusso Bice Ciro\n"
          "show Bice {bice}\nshow Ciro {ciro}")  # fmt: skip
STOPPA = ("hand\npiccolo\npunto Anna 30\nvedo Bruno\npasso Carla\npasso Dino\nshow Anna {anna}\nshow Bruno {bruno}\n"
          "piccolo\npiccolo\npiccolo\ngrosso\nannul")  # fmt: skip
FIGURES, ACES, SUIT = "s10 s9 s7", "b1 c1 b10", "b10 b9 b7"
HANDS: dict[str, tuple[str, str, str, str, bool]] = {
    "the winner's cards": ("stoper", STOPER.format(bice=FIGURES, ciro=ACES), "Ciro", "Ciro prende il piatto", True),
    "the loser's cards": ("stoper", STOPER.format(bice=FIGURES, ciro=ACES), "Bice", "Ciro prende il piatto", False),
    "those of a tie": ("stoper", STOPER.format(bice=FIGURES, ciro=SUIT), "Bice", "Ciro prende il piatto", True),
    "the loser's, shown last": ("stoper", STOPER.format(bice=ACES, ciro=FIGURES), "Ciro", "Bice prende il piatto", False),
    "the winner's, shown first": ("stoper", STOPER.format(bice=ACES, ciro=FIGURES), "Bice", "Bice prende il piatto", True),
    "the winner of a punto": ("stoppa", STOPPA.format(anna="c7 c6", bruno="b3 b2"), "Anna", "Anna prende il punto", True),
    "the loser of a punto": ("stoppa", STOPPA.format(anna="c7 c6", bruno="b3 b2"), "Bruno", "Anna prende il punto", False),
    "the tie of a punto": ("stoppa", STOPPA.format(anna="c1 c6", bruno="b7 b3"), "Bruno", "Anna prende il punto", True),
}  # fmt: skip
"""What is in doubt → the game, its hand, who has shown that, the sentence on who won, and whether that rests on it."""


def ruled(log: tuple[Line, ...], *options: str) -> list[str]:
    """The lines that `companion rule` prints."""
    result = CliRunner().invoke(rule, ["-", *options], input=write_lines(log))
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


def said(lines: list[str], beginning: str) -> str:
    """The sentence that begins so, with its mark: "?" or, in a story, a full stop."""
    (found,) = {line[at:] for line in lines if (at := line.find(beginning)) >= 0}
    return found


@pytest.mark.parametrize("what", HANDS)
def test_the_sentence_on_who_won_asks_where_it_names_a_card_that_may_be_another(ledger: Ledger, what: str) -> None:
    game_id, acts, by, won, asks = HANDS[what]
    first, events = {"stoper": (stoper_cases.first_line(""), stoper), "stoppa": (stoppa_cases.first_line(""), stoppa)}[game_id]
    sure = ({**one, "confidence": 0.6 if (one["e"], one.get("by")) == ("show", by) else 0.99} for one in events(acts))
    told: list[dict[str, Any]] = [first, *sure, {"e": "end", "confidence": 0.99}]
    log = GAMES[game_id].rules.LOG.read_lines("\n".join(map(json.dumps, told)).encode())
    ledger.begin(log)
    phone = Phone(create_app(ledger))
    hand = phone.client.get(f"/api/organiser/hand/{phone.view['hands'][0]['id']}?lang=it").json
    sheet = phone.client.get("/organiser/games/1/sheet?lang=it").text
    story = ruled(log, "--story")
    for where, found in (("rule", said(ruled(log), won)), ("story", said(story, won)), ("phone", said(hand["ruling"], won))):
        assert found.endswith("?") == asks, (where, found)
    assert ("?</p>" in sheet) == asks
    assert "?" in said(story, f"{by} mostra").split(won[:6])[0], "the doubtful cards themselves are asked for in any case"
    if game_id == "stoper":
        ruling = phone.client.get("/api/game?lang=it").json["ruling"]
        assert ruling["sure"]
        asked = {paid["player"] for paid in ruling["payments"] if paid["brief"].endswith("?")}
        assert asked == {by, won.split()[0]} if asks else asked == {by}


def sentences(lines: list[str]) -> dict[str, set[bool]]:
    """Each sentence of these lines without its mark → whether it is a question, wherever it stands."""
    found: dict[str, set[bool]] = {}
    for line in lines:
        for one in line.strip().replace("? ", "?\n").replace(". ", ".\n").split("\n"):
            found.setdefault(one.rstrip("?."), set()).add(one.endswith("?"))
    return found


@pytest.mark.parametrize("game_id", ["stu", "stoppa", "stoper"])
@settings(max_examples=30, deadline=None)
@given(seeds)
def test_what_a_hand_came_to_is_as_sure_in_its_story_as_in_its_ruling(game_id: str, seed: int) -> None:
    """Of hands whose ruling is sure: of others each line of the ruling is a question, and the end of the story."""
    chance = random.Random(seed)
    log = tuple(
        Line(line.event, line.t, 0.99 if line.confidence is None or chance.random() < 0.7 else 0.6)
        for line in doubtful_log(game_id, seed)
    )
    log = tuple(Line(line.event, line.t, 0.99) if line.event.__struct_config__.tag == "end" else line for line in log)
    plain, story = sentences(ruled(log)), sentences(ruled(log, "--story"))
    unsure = [line for line in ruled(log) if line.startswith("  ")]
    if unsure and all(line.endswith("?") for line in unsure):
        return
    for sentence in plain.keys() & story.keys():
        assert plain[sentence] >= story[sentence] or len(plain[sentence] | story[sentence]) > 1, sentence


def demo(game_id: str) -> tuple[Line, ...]:
    """The log that the line makes of what the networks found in the bundled clip."""
    clip, log = recorded_looks.DemoClip(game_id), tuple[Line, ...]()
    words = clip.table.game.rules.LOG.read_lines(clip.path.with_name("told.jsonl").read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(line_follow, "see", lambda *_: recorded_looks.seen(game_id))
        for step in line_follow.follow((), clip.table, lambda _: (), hear=Prompter(words)):
            log = step.log if step.changed else log
    return log


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "won"), [("stoper", "Filomena prende"), ("stoppa", "Donato prende il punto grosso")])
def test_in_the_bundled_clip_who_won_is_no_question(game_id: str, won: str) -> None:
    """Of Stoper's the loser's cards are in doubt, and nobody asks for the winner's, which are not."""
    log = demo(game_id)
    assert not said(ruled(log), won).endswith("?")
    assert not said(ruled(log, "--story"), won).endswith("?")
