"""What the referee asks of a game that eyes follow: what a sighting can mean in it. A plain protocol, which a module may be.

The referee keeps a beam of possible histories and knows no game; whatever depends on cards, seats and acts is asked here. A game
without eyes has none of this: its evenings are told by hand.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from companion.eyes.sighting import Sighting
from companion.table.errors import Illegal
from companion.table.game import Rules, State
from companion.table.log import Line

if TYPE_CHECKING:
    from companion.referee.chapter import Chapter
    from companion.referee.clips import FaceUp
    from companion.referee.values import Beam, BeamLimits, Fact, Facts, HandReports
    from companion.referee.witnesses.agreeing import Agreeing
    from companion.referee.witnesses.testimony import Sights

History: TypeAlias = Any
"""A `companion.referee.values.Hypothesis`, or what a game derives from it."""

Step: TypeAlias = Any
"""A sighting, or what follows from some: has a time ``t`` (seconds)."""

Assignment = Literal["ignored", "put_down", "over"] | tuple[Sighting, ...]
"""Where a sighting belongs: to no hand; it shows that what was seen so far was no hand; it ends the hand; or the sightings of the
hand in progress with it among them."""


ChipUncertainty: TypeAlias = tuple[tuple[int, int], ...]
"""For each place, how many chips fewer, and how many more, its player may have than is thought; empty where all is known."""


@dataclass(frozen=True, slots=True)
class HandSplit:
    """Sightings that were taken for one hand's and are of several. ``earlier``: of the first one, which is over, its cards
    gathered by ``cleared`` seconds; none: that one had not begun. ``later``: of the last one. ``missed``: number of hands
    between them, unseen but for what is in ``between``, gathered by ``until`` seconds. ``surely``: probability that this split
    is right, which the fact with the key ``about`` tells.
    """

    earlier: tuple[Sighting, ...]
    cleared: float
    later: tuple[Sighting, ...]
    missed: int = 0
    between: tuple[Sighting, ...] = ()
    until: float = 0.0
    surely: float = 1.0
    about: str = ""


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """Something that decides which sightings are of one hand, and that only somebody at the table can tell: a ``fact`` with
    the ``odds`` of its values, and which of them (``assumed``) agree with how the hands are split now. ``ask``:
    nothing more will be seen of it."""

    fact: Fact
    odds: tuple[tuple[str, float], ...]
    assumed: tuple[str, ...]
    ask: bool = True

    @property
    def surely(self) -> float:
        """Probability that what is assumed is right."""
        return sum(odd for value, odd in self.odds if value in self.assumed)


class HandBoundaries(Protocol):
    """Which sightings are of one hand: where one hand ends, the next begins, and what only somebody at the table knows."""

    def assign(self, chapter: Chapter, earlier: Chapter | None, sighting: Sighting, /) -> Assignment:
        """Where a sighting belongs. ``chapter``: the hand in progress, or not begun; ``earlier``: the one before it."""

    def split_hand(self, chapter: Chapter, sighting: Sighting, /) -> HandSplit | None:
        """How the chapter's sightings are split, if a hand was dealt though nobody saw that the one before was over; else None.

        ``sighting``: the newest one, which is among those of the chapter unless it ends the hand.
        """

    def doubts(self, reports: HandReports, before: State, /) -> tuple[DealQuestion, ...]:
        """Which of this hand's sightings may be another's, as far as its answers have not settled it. ``before``: the state
        before the hand."""

    def depends_on(self, fact: Fact, sightings: tuple[Sighting, ...], /) -> bool:
        """Whether the doubt about this fact is about these sightings."""

    def redealt(self, fact: Fact, choice: str, sightings: tuple[Sighting, ...], /) -> HandSplit | None:
        """How these sightings, all that depend on a doubt, are split once it is answered; None: they are of one hand."""

    def blind(self, sightings: tuple[Sighting, ...], about: Fact | None = None, /) -> tuple[tuple[float, float], ...]:
        """From when to when (seconds) nothing of the hand could be seen; or the time that a doubt is ``about``."""

    def at_the_end(self, chapter: Chapter, t: float, /) -> Sighting | None:
        """What the end of the source at ``t`` seconds says: that the hand is over, or nothing."""


class ChipsInDoubt(Protocol):
    """What an unsure hand leaves open for those after it, and when one of them has to be decoded again."""

    def may_have_gone(self, state: State, /) -> bool:
        """Whether somebody may be out of the game by now, had the hand before cost somebody something."""

    def doubted(self, outcome: Beam, before: State, was: ChipUncertainty, /) -> ChipUncertainty:
        """Whose chips are in doubt after a hand that is not sure. ``was``: before it. Empty in a game without chips."""

    def depends_on_chips(self, before: State, lines: tuple[Line, ...], those: ChipUncertainty, /) -> bool:
        """Whether the outcome of a hand with these ``lines`` depends on chips that are in doubt."""

    def depends_on_past(self, error: Illegal, /) -> bool:
        """Whether an event is impossible only because of the outcome that is assumed for an earlier hand."""

    def situation(self, state: State, reports: HandReports, outcome: Beam, /) -> Hashable:
        """What the play of the hand depends on: where another past leaves this the same, the hand need not be decoded again."""


class HandDecoding(Protocol):
    """How the histories of a hand are made of its sightings."""

    BEAM_LIMITS: BeamLimits
    """How many histories are kept."""

    def history(self, state: State, lines: tuple[Line, ...], acted: float, /) -> History:
        """A history that has led to this state: its weight is 0. ``acted``: when somebody last did something, seconds."""

    def steps(self, sightings: tuple[Sighting, ...], /) -> tuple[Step, ...]:
        """What was seen of a hand, and what this leaves open, in the order of time."""

    def beginnings(self, empty: History, reports: HandReports, /) -> Iterable[History]:
        """How the hand can have begun; none where nothing says that it has."""

    def explain(self, history: History, step: Step, least: float, /) -> Iterable[History]:
        """Every history that ``history`` can become by this step; the last one holds that it means nothing. Those of a weight
        below ``least`` are given up anyway: a game need not look for them."""

    def ended(self, beam: Beam, t: float, /) -> Beam:
        """The histories with the hand ended at ``t`` seconds."""

    def over_if_seen(self, beam: Beam, /) -> Beam:
        """The histories, ended in those in which everything has been seen that the hand needs; the others as they are."""

    def with_answers(self, beam: Beam, reports: HandReports, before: State, /) -> Beam:
        """The histories with what only an answer has told put in. ``before``: the state before the hand."""


class HandQuestions(Protocol):
    """What can be asked about a hand, and what its histories say about it."""

    PLAINEST: tuple[str, ...]
    """Kinds of facts: of questions that settle nearly as much, the one about the earlier kind is asked."""

    def facts(self, history: History, before: State, sightings: tuple[Sighting, ...], /) -> Facts:
        """What this history says about what can be asked for. ``before``: the state before the hand."""

    def fact(self, key: str, /) -> Fact:
        """The fact with this key.

        Raises:
            ValueError: there is no such fact.
        """

    def default(self, fact: Fact, /) -> str | None:
        """What a history says about a fact that it does not mention; None where it says nothing."""

    def unseen(self, fact: Fact, /) -> bool:
        """Whether the eyes have seen nothing of it: only somebody at the table can know, and there is no picture."""

    def missing(self, before: State, lines: tuple[Line, ...], /) -> tuple[int, ...]:
        """Whose cards (places) nobody has seen, where that makes it impossible to rule on the hand; none elsewhere."""

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        """What to ask about a card that nobody has seen, and all possible answers."""

    def not_shown(self, chapter: Chapter, t: float, /) -> tuple[float, tuple[int, ...]] | None:
        """By ``t`` seconds: since when (seconds) and in which places cards are missing that must have been shown unseen.

        None: none are.
        """


class SightingModel(HandBoundaries, ChipsInDoubt, HandDecoding, HandQuestions, Protocol):
    """What sightings can mean in one game. All of it is pure."""

    TAGS: Mapping[str, type[Any]]
    """What each kind of sighting is called on disk. A tag never changes."""

    def agreeing(self, sights: Sights, /) -> dict[type[Any], Agreeing]:
        """How what several cameras tell of one thing agrees, for each kind of sighting for which it does not follow from its
        fields (`companion.referee.witnesses.agreeing.plain`). ``sights``: what each camera could see."""

    def aside(self, sighting: Sighting, /) -> Hashable | None:
        """What the newest sighting of a kind that changes nothing in a hand is kept under, beside the hands; None for others."""

    def deciding(self, before: State, lines: Sequence[Line], /) -> tuple[int, ...]:
        """The lines (indices) of a hand that decided who pays, for seeing them once more. ``before``: the state before it."""

    def faces_up(self, history: History, before: State, sightings: tuple[Sighting, ...], /) -> tuple[FaceUp, ...]:
        """Which faces lay open for everybody in this history of the hand, where, and from when to when. What is not said here is
        never shown to spectators."""


class Refereed(Protocol):
    """A game as the referee knows it: its rules and, where eyes follow it, what sightings mean."""

    @property
    def id(self) -> str:
        """The game's id, as its logs have it."""

    @property
    def rules(self) -> Rules:
        """Its rules."""

    @property
    def sighting_model(self) -> SightingModel | None:
        """What sightings mean in it; None for a game that is told by hand alone."""
