"""What sightings mean in a game with bets: a history, the model, and what people at the table can be asked about a hand.

The phone tells words and amounts; the eyes add what the cards do. Nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.eyes.sighting import Sighting, Unseen
from companion.referee.chapter import Chapter
from companion.referee.clips import FaceUp, faces_shown
from companion.referee.plain import PlainModel
from companion.referee.questions import Question
from companion.referee.values import OTHER, Fact, Facts, Hypothesis
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.text import not_seen, sentence

NOBODY = "nobody"
H = TypeVar("H", bound="BettingHistory")


class BettingHistory(Hypothesis, frozen=True):
    """One way in which the hand may have been played. ``before``: the state before the hand; None where it is not known."""

    state: Any
    before: Any = None

    def name(self, seat: int) -> str:
        """The player's name."""
        found: str = self.state.table.names[seat]
        return found

    def costing(self: H, cost: float) -> H:
        """The history with ``cost`` added to its weight."""
        return replace(self, weight=self.weight + cost)


def ruled_history(chapter: Chapter, kind: type[H]) -> H | None:
    """The history that the hand in progress is ruled by; None where nothing was seen of it."""
    found = chapter.ruling.history if chapter.ruling is not None else None
    return found if isinstance(found, kind) else None


class BettingModel(PlainModel):
    """See `companion.referee.sighting_model.SightingModel`. A hand lasts for minutes, and is not played unseen.

    ``asked``: what people can be asked; ``begins``: the sightings with which a hand begins to be seen."""

    asked: Asked
    begins: tuple[type[Any], ...]

    def __init__(self, rules: Any) -> None:
        super().__init__(rules)
        self.PLAINEST = tuple(self.asked.kinds)

    def blind(self, sightings: tuple[Sighting, ...], about: Fact | None = None, /) -> tuple[tuple[float, float], ...]:
        """From the first card on; no doubt is about a time alone."""
        first = min((seen.t for seen in sightings if isinstance(seen, self.begins)), default=float("inf"))
        return tuple((t, until) for t, until in holes(sightings) if until >= first)

    def faces_up(self, history: Any, before: State, sightings: tuple[Sighting, ...], /) -> tuple[FaceUp, ...]:
        """The faces that somebody has shown by the rules."""
        return faces_shown(history.lines, before.table.names, sightings)

    def fact(self, key: str, /) -> Fact:
        return self.asked.fact(key)


def holes(sightings: Sequence[Any]) -> Iterator[tuple[float, float]]:
    """The times (from, to; seconds) in which nothing could be seen, except those after which all cards lay as before."""
    same = {seen.t for seen in sightings if getattr(seen, "same", None)}
    for seen in sightings:
        if isinstance(seen, Unseen) and seen.places is None and seen.t not in same:
            yield seen.t, seen.until


class Kind(NamedTuple):
    """A kind of fact. ``asks``: the question, with {0} for the first player that it names, and ``nobody``: the answer that it was
    nobody; both marked by `N_`. ``of``: what an answer is: a player, or something else. ``place``, ``detail``: its key names a
    place, and has a detail after an ``@``; ``timed``: the detail begins with a time, seconds."""

    asks: str
    nobody: str = ""
    of: Literal["player", "thing"] = "player"
    place: bool = False
    detail: bool = False
    timed: bool = False


class Asked:
    """What people at the table can be asked about a hand. ``kinds``: of facts, the plainest first: of several that settle about
    the same, the plainest is asked. ``example``: the key of one."""

    kinds: dict[str, Kind]
    example: str

    def fact(self, key: str) -> Fact:
        """The fact with this key; its time is the one in the key, else 0.

        Raises:
            ValueError: there is no such kind of fact.
        """
        body, _, at = key.partition("@")
        name, *places = body.split(":")
        kind = self.kinds.get(name)
        if kind is None or len(places) != kind.place or bool(at) != kind.detail:
            raise ValueError(f"{key!r} is not a fact: expected one such as {self.example}")
        return Fact(key, name, tuple(map(int, places)), float(at.split("/")[0]) if kind.timed else 0.0)

    def question(self, asked: Question, lang: Lang) -> str:
        """What to ask: "Chi ha preso il piatto?"; of a hand that was not seen as a whole: "8 secondi non visti. …"."""
        said, blanks = self.words(asked, lang)
        text = sentence(catalogue(lang).gettext(said).format(*asked.players, **blanks))
        return f"{not_seen(asked.blind, lang)}. {text}" if asked.blind else text

    def choice(self, asked: Question, choice_id: str | None, names: tuple[str, ...], lang: Lang) -> str:
        """One answer to choose, as on a button. ``names``: of all players by place; None stands for "don't know"."""
        say, kind = catalogue(lang), self.kinds[asked.kind]
        if choice_id is None:
            return str(say.pgettext("answer", "Don't know"))
        if choice_id.startswith(OTHER):
            return str(say.pgettext("answer", "Another") if kind.of == "thing" else say.pgettext("answer", "Somebody else"))
        if choice_id == NOBODY:
            return str(say.gettext(kind.nobody))
        return names[int(choice_id)] if kind.of == "player" else self.thing(asked, choice_id, lang)

    # What a game says of its own.

    def words(self, asked: Question, lang: Lang) -> tuple[str, dict[str, str]]:
        """The question, marked by `N_`, and what fills its blanks."""
        return self.kinds[asked.kind].asks, {}

    def thing(self, asked: Question, choice_id: str, lang: Lang) -> str:
        """An answer that is no player."""
        return choice_id


class Noted:
    """Facts of one history, as they are found; of two with the same key the first stands."""

    def __init__(self) -> None:
        self.facts: Facts = {}

    def note(self, kind: str, value: str, t: float, *, place: int | None = None, at: str = "") -> None:
        """``t``: when it happened, seconds; ``at``: the detail of the key."""
        key = kind + (f":{place}" if place is not None else "") + (f"@{at}" if at else "")
        self.facts.setdefault(key, (Fact(key, kind, () if place is None else (place,), t), value))
