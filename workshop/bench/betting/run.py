"""Runs the bench of a game with betting: films, teaches, watches, rules and scores clip after clip, and keeps the results."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from companion.files import write_whole
from companion.games import GAMES
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.table.errors import CompanionError
from companion.table.log import Event, Line
from workshop.bench import keys, watching
from workshop.bench.betting.scoring import ClipScore
from workshop.bench.betting.teaching import taught
from workshop.bench.cache import Say
from workshop.bench.filming import Filmed, film_clip, prepare_clip, timed_log
from workshop.bench.recipe import ClipRecipe

Looks = Iterable[tuple[float, Sequence[Any]]]
"""When (seconds) which sightings became sure, to the end of the source."""


@dataclass(frozen=True, slots=True)
class Betting:
    """A game with betting, as its bench needs it.

    ``log_by_phone``: the log that the referee makes of looks with nobody asked but for amounts and words, which are told from the
    true log; how many lines were told, and how many there were to tell. ``score``: of a log beside the true one. ``ideal``: what
    eyes that see everything report of a true log. ``names``: the figures of the report, by attribute or ``attribute kind``;
    ``targets``: those wanted: easy, medium, hard.
    """

    id: str
    log_by_phone: Callable[[Event, Looks, Sequence[Line]], tuple[tuple[Line, ...], int, int]]
    score: Callable[[Sequence[Line], Sequence[Line]], ClipScore]
    ideal: Callable[[Sequence[Line]], Sequence[Any]]
    names: Mapping[str, str]
    targets: Mapping[str, tuple[str, str, str]]


class Result(msgspec.Struct, frozen=True):
    """A clip's ``score`` with nobody asked but for amounts and words: of ``lines`` such, ``told`` fitted what had been seen.

    ``seconds``: length of the clip; ``cpu``: seconds of processor time that watching it took.
    """

    recipe: ClipRecipe
    score: ClipScore
    told: int
    lines: int
    seconds: float
    cpu: float


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
    game: Betting,
    clips: Sequence[ClipRecipe],
    cache: Path,
    models: Path,
    scans: Path | None = None,
    say: Say = lambda what, share: None,
) -> Iterator[Result]:
    """The results of the clips, one after the other; results in the cache are not worked out again."""
    for recipe in clips:
        deck = None if recipe.scans is None or scans is None else scans / recipe.scans
        yield run_clip(game, recipe, cache, models, deck, say)


def run_clip(
    game: Betting,
    recipe: ClipRecipe,
    cache: Path,
    models: Path,
    deck: Path | None = None,
    say: Say = lambda what, share: None,
) -> Result:
    """One clip's result, from the cache, or worked out and kept there. ``deck``: the folder of its scans.

    Raises:
        CompanionError: the folder of scans lacks a card.
    """
    filmed = film_clip(recipe, cache, deck, lambda done, of: say("filming", done / of))
    kept = filmed.folder / f"result-{keys.eyes_key(models)}-{keys.ruling_key(game.id)}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Result)
        except msgspec.MsgspecError:
            kept.unlink()  # written by an older version
    result = _result(game, filmed, cache, models, deck, say)
    write_whole(kept, msgspec.json.format(msgspec.json.encode(result), indent=1))
    return result


def _result(game: Betting, filmed: Filmed, cache: Path, models: Path, deck: Path | None, say: Say) -> Result:
    stream = watched(filmed, cache, models, deck, say)
    return ruled(game, filmed.recipe, filmed.log(), read_table_file(filmed.table).first, stream)


def watched(
    filmed: Filmed, cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None
) -> watching.Stream:
    """What the eyes report of a clip, once they have been taught its deck. ``deck``: the folder of its scans."""
    recipe, duration = filmed.recipe, max(line.t or 0.0 for line in filmed.log())
    decks = (("taught", taught(recipe.style, deck, cache, models, say)),)
    return watching.watch_clip(filmed, models, lambda t: say("watching", min(t / duration, 1.0)), decks)


def ruled(game: Betting, recipe: ClipRecipe, truth: Sequence[Line], first: Event, stream: watching.Stream) -> Result:
    """The score of what the referee makes of a stream. ``first``: the first line of the log, as the table file has it."""
    looks = ((look.t, look.decoded(GAMES[game.id])) for look in stream.looks)
    seen, told, lines = game.log_by_phone(first, looks, truth)
    seconds = stream.looks[-1].t if stream.looks else 0.0
    return Result(recipe, game.score(truth, seen), told, lines, seconds, stream.cpu)


def run_without_pictures(game: Betting, recipe: ClipRecipe) -> Result:
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
