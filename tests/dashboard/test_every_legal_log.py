"""Every legal log is shown by every page: for spectators and organisers, on paper, as a spreadsheet and as a picture; of every
prefix of it, and of whatever phones have made of it. What cannot be shown is never recorded."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from leaks import everything, played
from wild_games import any_command, any_log, first_line, prefixes, seeds

from companion.dashboard.export import as_csv, written
from companion.dashboard.organiser.commands import NoEvent, obey
from companion.dashboard.organiser.editor import CurrentEvening
from companion.dashboard.organiser.lines import hand_view
from companion.dashboard.organiser.phone_view import phone_view
from companion.dashboard.organiser.said import history
from companion.dashboard.shows import Shows
from companion.games import GAMES
from companion.line.alone import evening_of
from companion.referee import Evening
from companion.referee.corrections import Stale
from companion.referee.undo import NothingThere
from companion.table.errors import Illegal
from companion.table.language import LANGS
from companion.table.log import Line
from companion.table.moments import hands_played
from companion.table.season import told_of

SHOWS = Shows(odds=True, moviola_after_s=20.0, played=0)
every_game = pytest.mark.parametrize("name", GAMES)


def show_log(name: str, log: tuple[Line, ...]) -> None:
    """All that is made of a log alone."""
    game = GAMES[name]
    moments = played(game, log)
    assert len(moments) == len(log)
    everything(game, moments)
    told = told_of(game.rules, game.pages.season, log, ended=True)
    for lang in LANGS:
        for rows in (game.pages.hand_rows(moments, lang), game.pages.money_rows(moments, lang)):
            as_csv(rows.columns, [row.cells for row in rows.rows], lang)
            written(rows, lang)
        for before, after in hands_played(game.rules, moments):
            msgspec.json.encode(game.pages.hand(before, after, lang))
        msgspec.json.encode(game.pages.score(moments[-1].seen, lang))
        if told is not None:
            game.pages.season.highlights(told, lang)
            for player in told.players:
                assert [game.pages.season.stands(stood, lang) for stood in player.stood] is not None


def show_evening(evening: Evening) -> None:
    """All that organisers are shown of an evening."""
    game = GAMES[evening.game.id]
    for lang in LANGS:
        current = CurrentEvening(1, game, 1, evening.record.said, evening)
        msgspec.json.encode(phone_view(current, SHOWS, lang, pictured=True))
        msgspec.json.encode(history(evening, [], lang))
        for chapter in evening.chapters:
            if chapter.lines:
                msgspec.json.encode(hand_view(chapter, lang))


@every_game
@settings(max_examples=6)
@given(seeds)
def test_every_prefix_of_a_legal_log_is_shown(name: str, seed: int) -> None:
    log = any_log(name, seed, 60)
    for length in prefixes(log):
        show_log(name, log[:length])
        show_evening(evening_of(log[:length]))


@every_game
@settings(max_examples=6)
@given(seeds)
def test_whatever_phones_have_said_is_shown(name: str, seed: int) -> None:
    chance = random.Random(seed)
    evening = Evening.of(GAMES[name], first_line(name, chance))
    for _ in range(40):
        command = any_command(evening, chance)
        if command is None:
            continue
        try:
            evening = obey(evening, command)
        except (Illegal, KeyError, Stale, NothingThere, NoEvent):
            continue
        show_evening(evening)
        show_log(name, evening.log)
