"""An evening as the tests of a referee tell it: what is seen and what is said, in turn; the clock goes on with each."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from companion.games import GAMES
from companion.referee import Evening, observe
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, correct
from companion.table.log import Event, tag


class ToldTable:
    """A game says how it is called, how many seconds pass with a word, and what it sees where the cards are gathered."""

    game: ClassVar[str]
    word_seconds: ClassVar[float]
    gathered: ClassVar[type[Any]]

    def __init__(self, first: Event) -> None:
        self.evening, self.t, self.episode = Evening.of(GAMES[self.game], first), 0.0, 0

    def see(self, *seen: Any) -> Self:
        for one in seen:
            self.evening = observe(self.evening, one)
        return self

    def tell(self, *events: Event) -> Self:
        for event in events:
            self.t += self.word_seconds
            at = len(self.chapter.lines)
            self.evening = correct(self.evening, Correction(self.chapter.id, at, at, (event,), t=self.t))
        return self

    def cleared(self) -> Self:
        self.t += 3.0
        return self.see(self.gathered(self.t))

    def new(self) -> int:
        """The number of an episode that no sighting has yet."""
        self.episode += 1
        return self.episode

    @property
    def chapter(self) -> Chapter:
        return self.evening.current

    def lines(self, e: str, chapter: int = -1) -> list[Event]:
        """The events of this kind, in the hand in progress or in another ``chapter``."""
        return [line.event for line in self.evening.chapters[chapter].lines if tag(line.event) == e]
