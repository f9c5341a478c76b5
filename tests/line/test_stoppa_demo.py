"""What lies beside the bundled clip of Stoppa is of one game: its table, its words, its deck."""

from pathlib import Path

import cv2
import pytest

from companion.assets import asset
from companion.decks.deckfile import read_deck
from companion.decks.lists import cards_of
from companion.games import GAMES, stoppa
from companion.games.stoppa.rules import log
from companion.line.prompter import Prompter
from companion.line.tablefile import read_table_file
from companion.referee import Evening, observe
from companion.table.log import Line
from companion.workshop.bench.filming import timed_log
from companion.workshop.bench.stoppa.ruling import by_phone
from companion.workshop.clip.film import FilmRecipe, prepare
from companion.workshop.streams.stoppa.truth import ideal

FOLDER: Path = asset("datasets/demo/stoppa")
FILMED = FilmRecipe(seed=31, fps=15, tempo=1.3, level="easy", surface="felt", look="bright")
"""As its README says."""


@pytest.fixture(scope="module")
def truth() -> tuple[Line, ...]:
    """The game that was filmed, with the times of the clip."""
    return timed_log(prepare(log.read_lines((FOLDER / "log.jsonl").read_bytes()), FILMED))


def words() -> tuple[Line, ...]:
    return log.read_lines((FOLDER / "told.jsonl").read_bytes())


def test_the_clip_is_the_one_that_its_readme_makes(truth: tuple[Line, ...]) -> None:
    video = cv2.VideoCapture(str(FOLDER / "stoppa.mp4"))
    made = prepare(log.read_lines((FOLDER / "log.jsonl").read_bytes()), FILMED)
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == made.frames
    assert read_table_file(FOLDER / "table.json").first == truth[0].event


def test_the_words_are_those_of_the_game_at_their_times_and_no_card_is_among_them(truth: tuple[Line, ...]) -> None:
    spoken = by_phone(truth)
    assert [line.event for line in words()] == [line.event for line in spoken]
    assert [line.t for line in words()] == pytest.approx([line.t for line in spoken], abs=0.01)
    assert not any(hasattr(line.event, "cards") for line in words())


def test_the_deck_has_every_card() -> None:
    assert set(read_deck(FOLDER / "italian.deck").ids) == set(cards_of("italian"))


def test_with_these_words_eyes_that_see_everything_rule_it_right(truth: tuple[Line, ...]) -> None:
    phone, evening = Prompter(words()), Evening.of(GAMES["stoppa"], truth[0].event)
    for seen in ideal(truth):
        evening = observe(phone(evening, seen.t), seen)
    assert stoppa.replay(evening.log).hands[0].payments == stoppa.replay(truth).hands[0].payments
    assert phone.fitted == len(words())
