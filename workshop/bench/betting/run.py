"""Runs the bench of a game with betting: films, teaches, watches, rules and scores clip after clip, and keeps the results."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import msgspec

from companion.files import write_whole
from companion.games import GAMES
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.prompter import WAIT_SECONDS, Prompter
from companion.line.tablefile import read_table_file
from companion.referee import Evening, at_the_end, observe
from companion.table.errors import CompanionError
from companion.table.log import Event, Line, tag
from workshop.bench import keys, watching
from workshop.bench.betting.scoring import ClipScore, Counted, scored
from workshop.bench.betting.teaching import taught
from workshop.bench.cache import Say
from workshop.bench.filming import Filmed, film_clip, prepare_clip, timed_log
from workshop.bench.latency import LogVersion, latencies, taken_back
from workshop.bench.pace import Core
from workshop.bench.recipe import ClipRecipe
from workshop.scoring import HandTold, Pairs, Verdict, verdicts_on

Looks = Iterable[tuple[float, float | None, Sequence[Any]]]
"""When (seconds) which sightings became sure, to the end of the source. In the middle: as `watching.Found.ready`."""
AROUND: Final = frozenset({"hand", "end", "close"})
"""Lines that say where a hand begins and ends, and do not decide it."""

THUMB_SECONDS = 1.0
"""From a word to its tap."""
H = TypeVar("H", bound=HandTold)


@dataclass(frozen=True, slots=True)
class Betting(Generic[H]):
    """A game with betting, as its bench needs it.

    ``played``: the hands of a log. ``same``: which things are in a true hand and in the log's. ``counted``, ``differences``: as
    of `scored`. ``ideal``: what eyes that see everything report of a true log. ``names``: the figures of the report, by attribute
    or ``attribute kind``; ``targets``: those wanted: easy, medium, hard. ``told``: what of a true log a phone tells, words and
    amounts; ``mended``: the evening with such a line that fits only once something else has been said; ``ruled``: whether a hand
    of a log has come to its ruling.
    """

    id: str
    played: Callable[[Sequence[Line]], Sequence[H]]
    same: Callable[[H, H], Pairs]
    counted: Callable[[Verdict[H]], Mapping[str, Counted]]
    differences: Callable[[H, H], list[tuple[str, str]]]
    ideal: Callable[[Sequence[Line]], Sequence[Any]]
    names: Mapping[str, str]
    targets: Mapping[str, tuple[str, str, str]]
    told: Callable[[Sequence[Line]], Sequence[Line]] = lambda truth: ()
    mended: Callable[[Evening, Line], Evening] = lambda evening, line: evening
    ruled: Callable[[H], bool] = lambda hand: hand.over

    def score(self, truth: Sequence[Line], versions: Sequence[LogVersion]) -> ClipScore:
        """Compare a log, its last version and those on the way, with the true one, whose lines have times."""
        verdicts = verdicts_on(self.played(truth), self.played(versions[-1].log), self.same)
        waits = latencies(verdicts, versions, self.played, lambda hand: self.decided(truth, hand), self.ruled)
        return scored(verdicts, self.counted, self.differences, waits, taken_back(verdicts, versions, self.played))

    def decided(self, truth: Sequence[Line], hand: H) -> float | None:
        """When the last thing was done, or told, that decides a true hand, seconds; None: nothing was."""

        def times(lines: Sequence[Line], until: float) -> list[float]:
            some = [line.t for line in lines if line.t is not None and tag(line.event) not in AROUND]
            return [t for t in some if hand.start < t <= until]

        following = min((other.start for other in self.played(truth) if other.start > hand.start), default=math.inf)
        told = [t + THUMB_SECONDS for t in times(self.told(truth), following - THUMB_SECONDS)]  # a word may be told after the end
        return max([*times(truth, hand.end), *told], default=None)

    def versions_by_phone(self, game: Event, looks: Looks, truth: Sequence[Line]) -> tuple[tuple[LogVersion, ...], int, int]:
        """The log that the referee makes of looks, each time that it changes, with nobody asked but for amounts and words, which
        are told from the true log; how many of these lines fitted, and how many there were. In real time the looks and the
        referee's own work take theirs."""
        evening, core, lines, t = Evening.of(GAMES[self.id], game), Core(), self.told(truth), 0.0
        phone, versions = Prompter(lines, THUMB_SECONDS, self.mended), [LogVersion(0.0, evening.log)]
        for t, ready, sightings in looks:
            core.begin(t if ready is None else ready)
            evening = phone(evening, t)
            for sighting in sightings:
                evening = observe(evening, sighting)
            log = evening.log
            core.end()
            if log != versions[-1].log:
                versions.append(LogVersion(t if ready is None else core.free, log))
        end = t + THUMB_SECONDS + WAIT_SECONDS
        versions.append(LogVersion(max(end, versions[-1].t), phone(at_the_end(evening), end).log))
        return tuple(versions), phone.fitted, len(lines)


class Result(msgspec.Struct, frozen=True):
    """A clip's ``score`` with nobody asked but for amounts and words: of ``lines`` such, ``told`` fitted what had been seen.

    ``seconds``: length of the clip; ``cpu``: seconds of processor time that watching it took; ``looks``, ``left_out``: how many
    pictures were looked at, and how many there was no time for.
    """

    recipe: ClipRecipe
    score: ClipScore
    told: int
    lines: int
    seconds: float
    cpu: float
    looks: int = 0
    left_out: int = 0


def playable(clips: Sequence[ClipRecipe], scans: Path | None) -> tuple[ClipRecipe, ...]:
    """The clips without those that need scans, where there are none. ``scans``: a folder with one folder for each deck.

    Raises:
        CompanionError: none is left.
    """
    kept = tuple(clip for clip in clips if clip.scans is None or scans is not None)
    if not kept:
        raise CompanionError(f"{', '.join(clip.name for clip in clips)}: played with scans; say where they are with --scans")
    return kept


def run(
    game: Betting[Any],
    clips: Sequence[ClipRecipe],
    cache: Path,
    models: Path,
    scans: Path | None = None,
    say: Say = lambda what, share: None,
    real_time: bool = False,
) -> Iterator[Result]:
    """The results of the clips, one after the other; results in the cache are not worked out again. ``real_time``: as of
    `watching.footage_of`."""
    for recipe in clips:
        deck = None if recipe.scans is None or scans is None else scans / recipe.scans
        yield run_clip(game, recipe, cache, models, deck, say, real_time)


def run_clip(
    game: Betting[Any],
    recipe: ClipRecipe,
    cache: Path,
    models: Path,
    deck: Path | None = None,
    say: Say = lambda what, share: None,
    real_time: bool = False,
) -> Result:
    """One clip's result, from the cache, or worked out and kept there. ``deck``: the folder of its scans.

    Raises:
        CompanionError: the folder of scans lacks a card.
    """
    filmed = film_clip(recipe, cache, deck, lambda done, of: say("filming", done / of))
    pace = watching.REAL_TIME * real_time
    kept = filmed.folder / f"result-{keys.eyes_key(models)}-{keys.ruling_key(game.id)}{pace}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Result)
        except msgspec.MsgspecError:
            kept.unlink()  # written by an older version
    result = _result(game, filmed, cache, models, deck, say, real_time)
    write_whole(kept, msgspec.json.format(msgspec.json.encode(result), indent=1))
    return result


def _result(
    game: Betting[Any], filmed: Filmed, cache: Path, models: Path, deck: Path | None, say: Say, real_time: bool
) -> Result:
    stream = watched(filmed, cache, models, deck, say, real_time)
    return ruled(game, filmed.recipe, filmed.log(), read_table_file(filmed.table).first, stream)


def watched(
    filmed: Filmed, cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None,
    real_time: bool = False,
) -> watching.Stream:  # fmt: skip
    """What the eyes report of a clip, once they have been taught its deck. ``deck``: the folder of its scans."""
    recipe, duration = filmed.recipe, max(line.t or 0.0 for line in filmed.log())
    decks = (("taught", taught(recipe.style, deck, cache, models, say)),)
    return watching.watch_clip(filmed, models, lambda t: say("watching", min(t / duration, 1.0)), decks, real_time)


def ruled(game: Betting[Any], recipe: ClipRecipe, truth: Sequence[Line], first: Event, stream: watching.Stream) -> Result:
    """The score of what the referee makes of a stream. ``first``: the first line of the log, as the table file has it."""
    looks = ((look.t, look.ready, look.decoded(GAMES[game.id])) for look in stream.looks)
    versions, told, lines = game.versions_by_phone(first, looks, truth)
    seconds = stream.looks[-1].t if stream.looks else 0.0
    score = game.score(truth, versions)
    return Result(recipe, score, told, lines, seconds, stream.cpu, len(stream.looks), stream.left_out)


def run_without_pictures(game: Betting[Any], recipe: ClipRecipe) -> Result:
    """The result with eyes that see everything at once: seconds instead of minutes.

    It measures no eyes: what goes wrong here is in the play, the phone or the referee.
    """
    made, began = prepare_clip(recipe), time.process_time()
    truth = timed_log(made)
    looks: list[list[dict[str, Any]]] = [[] for _ in range(int(made.timeline.duration * LOOKS_PER_SECOND) + 2)]
    for seen in game.ideal(truth):
        at = min(math.ceil(seen.t * LOOKS_PER_SECOND), len(looks) - 1)
        looks[at].append(watching.encode_sighting(seen, GAMES[game.id]))
    stream = tuple(watching.Look(number / LOOKS_PER_SECOND, (), tuple(said)) for number, said in enumerate(looks))
    return ruled(game, recipe, truth, truth[0].event, watching.Stream((0, 0), stream, time.process_time() - began))
