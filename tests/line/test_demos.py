"""What lies beside a bundled clip of a betting game is of one game: its table, its words, its deck."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.assets import asset
from companion.decks.deckfile import read_deck
from companion.decks.lists import cards_of
from companion.games import GAMES, stoper, stoppa
from companion.line.prompter import Prompter
from companion.line.tablefile import read_table_file
from companion.referee import Evening, observe
from companion.table.log import Line
from workshop.bench.filming import timed_log
from workshop.bench.stoppa.measured import by_phone
from workshop.clip.film import FilmRecipe, prepare
from workshop.streams.stoper import truth as stoper_truth
from workshop.streams.stoppa import truth as stoppa_truth


@dataclass(frozen=True)
class Demo:
    """A bundled clip. ``filmed``: as its README says; ``told``: what a phone tells of a log; ``ideal``: what eyes that miss
    nothing see of it."""

    game: str
    filmed: FilmRecipe
    told: Callable[[Sequence[Line]], Sequence[Line]]
    ideal: Callable[[Sequence[Line]], Sequence[Any]]
    replay: Callable[[Any], Any]

    @property
    def folder(self) -> Path:
        return Path(asset("datasets/demo")) / self.game

    @property
    def played(self) -> tuple[Line, ...]:
        """The game that was filmed."""
        return GAMES[self.game].rules.LOG.read_lines((self.folder / "log.jsonl").read_bytes())

    @property
    def truth(self) -> tuple[Line, ...]:
        """The same, with the times of the clip."""
        return timed_log(prepare(self.played, self.filmed))

    @property
    def words(self) -> tuple[Line, ...]:
        return GAMES[self.game].rules.LOG.read_lines((self.folder / "told.jsonl").read_bytes())


DEMOS = [
    Demo("stoppa", FilmRecipe(seed=31, fps=15, tempo=1.3, level="easy", surface="felt", look="bright"),
         by_phone, stoppa_truth.ideal, stoppa.replay),
    Demo("stoper", FilmRecipe(seed=43, fps=15, tempo=1.3, level="easy", surface="felt", look="bright", shape="round"),
         stoper_truth.told, stoper_truth.ideal, stoper.replay),
]  # fmt: skip
EVERY_DEMO = pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.game)


@EVERY_DEMO
def test_the_clip_is_the_one_that_its_readme_makes(demo: Demo) -> None:
    video = cv2.VideoCapture(str(demo.folder / f"{demo.game}.mp4"))
    made = prepare(demo.played, demo.filmed)
    assert video.get(cv2.CAP_PROP_FRAME_COUNT) == made.frames
    assert read_table_file(demo.folder / "table.json").first == demo.truth[0].event


@EVERY_DEMO
def test_the_words_are_those_of_the_game_at_their_times_and_no_card_is_among_them(demo: Demo) -> None:
    spoken = demo.told(demo.truth)
    assert [line.event for line in demo.words] == [line.event for line in spoken]
    assert [line.t for line in demo.words] == pytest.approx([line.t for line in spoken], abs=0.01)
    assert not any(hasattr(line.event, "cards") for line in demo.words)


def test_the_deck_has_every_card() -> None:
    assert set(read_deck(asset("datasets/demo/italian.deck")).ids) == set(cards_of("italian"))


@EVERY_DEMO
def test_with_these_words_eyes_that_see_everything_rule_it_right(demo: Demo) -> None:
    phone, evening = Prompter(demo.words), Evening.of(GAMES[demo.game], demo.truth[0].event)
    for seen in demo.ideal(demo.truth):
        evening = observe(phone(evening, seen.t), seen)
    evening = phone(evening, 1000.0)
    assert demo.replay(evening.log).hands[0].payments == demo.replay(demo.truth).hands[0].payments
    assert phone.fitted == len(demo.words)
