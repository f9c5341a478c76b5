"""What sightings mean in a game that says little of its own: derive from `PlainModel`, and say how a sighting can be explained.
All else has a default that claims nothing: no doubt, no question, no face that everybody has seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.eyes.sighting import CameraMoved, Cleared, Sighting, Unseen
from companion.referee.values import DEFAULT_LIMITS, BeamLimits, Hypothesis
from companion.table.errors import Illegal
from companion.table.game import Rules, State
from companion.table.log import Event, Line, tag

if TYPE_CHECKING:
    from companion.referee.chapter import Chapter
    from companion.referee.clips import FaceUp
    from companion.referee.sighting_model import Assignment, ChipUncertainty, DealQuestion, HandSplit, History, Step
    from companion.referee.values import Fact, Facts, HandReports
    from companion.referee.witnesses.agreeing import Agreeing
    from companion.referee.witnesses.testimony import Sights

Histories: TypeAlias = tuple[Any, ...]
"""A `companion.referee.values.Beam` of the game's own kind of histories."""


class PlainModel:
    """See `companion.referee.sighting_model.SightingModel`. ``rules``: the game's. Its log has the events ``hand``, ``end`` and
    ``void``, which need no more than their names."""

    TAGS: Mapping[str, type[Any]] = MappingProxyType({"Cleared": Cleared, "Unseen": Unseen, "CameraMoved": CameraMoved})
    PLAINEST: tuple[str, ...] = ()
    BEAM_LIMITS: BeamLimits = DEFAULT_LIMITS

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    # What a game says of its own.

    def explain(self, history: History, step: Step, least: float, /) -> Iterable[History]:
        """The history unchanged: a step means nothing by itself."""
        return (history,)

    def agreeing(self, sights: Sights, /) -> dict[type[Any], Agreeing]:
        """By their fields."""
        return {}

    # How a hand begins, goes on and ends.

    def history(self, state: State, lines: tuple[Line, ...], acted: float, /) -> History:
        return Hypothesis(self.rules, state, 0.0, lines, acted)

    def aside(self, sighting: Sighting, /) -> Hashable | None:
        """Everything that is seen belongs to a hand."""
        return None

    def assign(self, chapter: Chapter, earlier: Chapter | None, sighting: Sighting, /) -> Assignment:
        """Cards that are gathered end a hand that has been seen; everything else is of the hand in progress. What is
        reported again replaces what was reported before of the same episode."""
        known = chapter.reports.sightings
        if isinstance(sighting, Cleared):
            return "over" if chapter.played and known else "put_down"
        episode = getattr(sighting, "episode", None)
        kept = [one for one in known if episode is None or type(one) is not type(sighting) or one.episode != episode]
        return tuple(sorted([*kept, sighting], key=lambda seen: seen.t))

    def split_hand(self, chapter: Chapter, sighting: Sighting, /) -> HandSplit | None:
        """Never: a hand is over when its cards are gathered."""
        return None

    def at_the_end(self, chapter: Chapter, t: float, /) -> Sighting | None:
        return None

    def steps(self, sightings: tuple[Sighting, ...], /) -> tuple[Step, ...]:
        """The sightings themselves, but for what happened to the camera."""
        return tuple(seen for seen in sightings if not isinstance(seen, Unseen | CameraMoved))

    def beginnings(self, empty: History, reports: HandReports, /) -> Iterable[History]:
        """The history in which the hand begins with the first thing that is seen of it; none where nothing is."""
        first = next(iter(self.steps(reports.sightings)), None)
        begun = None if first is None else empty.after([self._event("hand")], 0.0, first.t, acted=first.t)
        return () if begun is None else (begun,)

    def ended(self, beam: Histories, t: float, /) -> Histories:
        """By its end where all is known that it takes, else void: there is nothing to rule on."""
        void = [self._event("void")]
        over = (self._after_hand(one, t) or one.after(void, 0.0, t) for one in beam)
        return tuple(one for one in over if one is not None)

    def over_if_seen(self, beam: Histories, /) -> Histories:
        return tuple(self._after_hand(one, one.acted) or one for one in beam)

    def situation(self, state: State, reports: HandReports, outcome: Histories, /) -> Hashable:
        """All of it: after another past a hand is decoded again."""
        hashable: Hashable = state
        return hashable

    def blind(self, sightings: tuple[Sighting, ...], about: Fact | None = None, /) -> tuple[tuple[float, float], ...]:
        return tuple((seen.t, seen.until) for seen in sightings if isinstance(seen, Unseen) and seen.places is None)

    # What somebody at the table can be asked, and what nobody knows.

    def facts(self, history: History, before: State, sightings: tuple[Sighting, ...], /) -> Facts:
        """None: nobody is asked for anything."""
        return {}

    def fact(self, key: str, /) -> Fact:
        raise ValueError(f"{key!r} is not a fact: this game asks for none")

    def default(self, fact: Fact, /) -> str | None:
        return None

    def unseen(self, fact: Fact, /) -> bool:
        return False

    def with_answers(self, beam: Histories, reports: HandReports, before: State, /) -> Histories:
        return beam

    def missing(self, before: State, lines: tuple[Line, ...], /) -> tuple[int, ...]:
        return ()

    def about_missing(self, place: int, t: float, /) -> tuple[Fact, tuple[str, ...]]:
        raise ValueError(f"nobody is asked for the card of place {place}: `missing` names none")

    def not_shown(self, chapter: Chapter, t: float, /) -> tuple[float, tuple[int, ...]] | None:
        """Nobody must show a card at a given time."""
        return None

    # What may be of another hand, or hang on one before.

    def doubts(self, reports: HandReports, before: State, /) -> tuple[DealQuestion, ...]:
        return ()

    def depends_on(self, fact: Fact, sightings: tuple[Sighting, ...], /) -> bool:
        """No doubt is about how the sightings are split."""
        return False

    def redealt(self, fact: Fact, choice: str, sightings: tuple[Sighting, ...], /) -> HandSplit | None:
        return None

    def may_have_gone(self, state: State, /) -> bool:
        """Nobody goes by what the eyes have missed."""
        return False

    def doubted(self, outcome: Histories, before: State, was: ChipUncertainty, /) -> ChipUncertainty:
        """Nobody plays for chips."""
        return ()

    def depends_on_chips(self, before: State, lines: tuple[Line, ...], those: ChipUncertainty, /) -> bool:
        return False

    def depends_on_past(self, error: Illegal, /) -> bool:
        return False

    # For seeing it once more.

    def deciding(self, before: State, lines: Sequence[Line], /) -> tuple[int, ...]:
        """The last line of the hand before its end."""
        inner = [index for index, line in enumerate(lines) if tag(line.event) not in ("hand", "end", "void")]
        return tuple(inner[-1:])

    def faces_up(self, history: History, before: State, sightings: tuple[Sighting, ...], /) -> tuple[FaceUp, ...]:
        """None: what is not said here is never shown to spectators."""
        return ()

    def _event(self, name: str) -> Event:
        return self.rules.LOG.event({"e": name})

    def _after_hand(self, history: History, t: float) -> History | None:
        """The history with the hand ended; None where the rules do not allow it yet."""
        return history.after([self._event("end")], 0.0, t) if self.rules.in_hand(history.state) else history
