"""What a sheet's rows say of everybody in an evening's hands is what the season counts, in hands told by their outcome, too; and
nothing that somebody told stands behind an outcome."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from wild_games import any_command, first_line, seeds

from companion.dashboard.feed import replayed
from companion.editing.commands import StaleVersion
from companion.editing.edit import obey
from companion.editing.rebase import rebased
from companion.games import GAMES
from companion.pages.season import told_of
from companion.referee import Evening
from companion.referee.questions import NotAsked
from companion.table.errors import Illegal
from companion.table.log import tag

WITH_OUTCOMES = [id for id, game in GAMES.items() if game.pages.outcomes is not None]


def evening_of(game_id: str, seed: int) -> Evening:
    """An evening as two phones tell it. One may have seen only what was there a moment ago."""
    chance = random.Random(seed)
    evening = Evening.of(GAMES[game_id], first_line(game_id, chance))
    past = [evening]
    for _ in range(chance.randint(5, 40)):
        seen = chance.choice(past[-3:])
        command = any_command(seen, chance)
        if command is None:
            continue
        then, now = ([line.event for line in one.log] for one in (seen, evening))
        try:
            told = rebased(command, then if then != now else None, evening)
            evening = obey(evening, told) if told is not None else evening
        except (Illegal, LookupError, ValueError, StaleVersion, NotAsked):
            continue
        past.append(evening)
    return evening


FIGURES = {"stu": ("lost",), "stoppa": ("punti", "grossi", "net"), "stoper": ("pots", "best", "net")}
ALONE = {"stu": ("reveal", "penalty"), "stoppa": ("show",), "stoper": ("show",)}
"""Kinds of lines that say the same wherever they stand."""


def in_the_sheet(game_id: str, evening: Evening) -> dict[str, dict[str, int]]:
    """Player → figure → what the rows of the hands that are over come to."""
    game, log = GAMES[game_id], evening.log
    moments = replayed(game, log)
    over = game.rules.hands(moments[-1].seen)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    best: dict[str, int] = {}
    for row in game.pages.hand_rows(moments, "it").rows:
        cells: list[Any] = list(row.cells)
        if row.hand > over:
            continue
        name = cells[2]
        if game_id == "stu":
            found[name]["lost"] -= 0 if row.set else sum(cells[4:5])
            continue
        change = (cells[7] if cells[7] is not None else 0) - (cells[3] if cells[3] is not None else 0)
        found[name]["net"] += int(change * 100 if isinstance(change, Fraction) else change)
        why = [] if row.set else str(cells[8] if game_id == "stoppa" else cells[9]).split(" + ")
        if game_id == "stoppa":
            found[name]["punti"] += sum(one.startswith("punto ") for one in why)
            found[name]["grossi"] += why.count("punto grosso")
        else:
            found[name]["pots"] += sum(one.startswith("Piatto") for one in why) + (cells[5] == "un piatto, non si sa di quanto")
            if not row.set and isinstance(cells[8], int):
                best[name] = max(best.get(name, 0), cells[8])
    for name, score in best.items():
        found[name]["best"] = score
    return {name: dict(found[name]) for name in game.rules.names(moments[-1].seen)}


@pytest.mark.parametrize("game_id", WITH_OUTCOMES)
@settings(max_examples=25, deadline=None)
@given(seeds)
def test_the_sheet_and_the_season_come_to_the_same(game_id: str, seed: int) -> None:
    evening = evening_of(game_id, seed)
    game = GAMES[game_id]
    told = told_of(game.rules, game.pages, evening.log, ended=True)
    if told is None or game.rules.in_hand(evening.current.after):
        return
    sheet = in_the_sheet(game_id, evening)
    for player in told.players:
        if not player.played:
            continue
        counted = {figure: player.figures[figure] for figure in FIGURES[game_id] if figure in player.figures}
        assert counted == {figure: sheet[player.name].get(figure, 0) for figure in counted}, player.name


@pytest.mark.parametrize("game_id", WITH_OUTCOMES)
@settings(max_examples=25, deadline=None)
@given(seeds)
@example(seed=2722)
def test_nothing_that_was_told_stands_behind_an_outcome(game_id: str, seed: int) -> None:
    """Up to the end of its hand, whatever phones tell and change: but for what says the same anywhere."""
    for chapter in evening_of(game_id, seed).chapters:
        if not chapter.standing_in or chapter.void:
            continue
        tags = [tag(line.event) for line in chapter.lines]
        first = min(chapter.standing_in)
        end = next((at for at in range(max(chapter.standing_in), len(tags)) if tags[at] == "end"), len(tags))
        apart = {*ALONE[game_id], "end"}  # an `end` is nobody's act: a card that stands in may be shown after it
        behind = [at for at in range(first, end) if at not in chapter.standing_in and tags[at] not in apart]
        assert behind == [], (tags, sorted(chapter.standing_in))


@pytest.mark.parametrize("game_id", WITH_OUTCOMES)
def test_outcomes_are_among_what_is_tried(game_id: str) -> None:
    hands = [chapter for seed in range(60) for chapter in evening_of(game_id, seed).chapters]
    assert sum(bool(chapter.standing_in) for chapter in hands) > 1
