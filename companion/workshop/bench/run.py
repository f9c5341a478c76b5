"""Runs the bench: film, watch, rule, score, clip after clip. What is done is kept: a run can be stopped and gone on with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from companion.games.stu.rules.log import Game
from companion.games.stu.sight.traffic import Traffic
from companion.games.stu.sight.watcher import sightings
from companion.line.follow import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.table.log import Line
from companion.workshop.bench import telling, watching
from companion.workshop.bench.atword import taken_at_word
from companion.workshop.bench.bytetrack import tracked_sightings
from companion.workshop.bench.filming import Filmed, film_clip, prepare_clip, timed_log
from companion.workshop.bench.recipe import ClipRecipe
from companion.workshop.bench.scoring import ClipScore, score
from companion.workshop.streams.glimpses import SIGHT, places_of, views

Say = Callable[[str, float], None]
"""Called with what is being done ("filming", "watching") and the share 0..1 that is done of it."""


class Result(msgspec.Struct, frozen=True):
    """A clip's scores: ``score`` with nobody asked, ``asked`` when ``questions`` were answered truthfully, ``at_word`` with the
    rules switched off.

    ``seconds`` of clip, ``cpu`` seconds that watching it took.
    """

    recipe: ClipRecipe
    score: ClipScore
    asked: ClipScore
    at_word: ClipScore
    questions: int
    seconds: float
    cpu: float


def run(
    clips: Sequence[ClipRecipe], cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None
) -> Iterator[Result]:
    """The results of the clips, one after the other; what the cache holds of an earlier run is not done again.

    The same clip, models and code give the same result. ``deck``: scans in the drawn cards' place.
    """
    for recipe in clips:
        yield run_clip(recipe, cache, models, deck, say)


def run_clip(
    recipe: ClipRecipe, cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None
) -> Result:
    """One clip's result, from the cache or worked out and kept there."""
    filmed = film_clip(recipe, cache, deck, lambda done, of: say("filming", done / of))
    kept = filmed.folder / f"result-{watching.line_key(models)}-{_judging_key()}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Result)
        except msgspec.MsgspecError:
            kept.unlink()  # of an older making
    result = _judged(filmed, models, say)
    beside = kept.with_name(f".{kept.name}.part")
    beside.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1))
    beside.replace(kept)
    return result


def _judged(filmed: Filmed, models: Path, say: Say) -> Result:
    truth = filmed.log()
    duration = max(line.t or 0.0 for line in truth)
    stream = watching.watch_clip(filmed, models, lambda t: say("watching", min(t / duration, 1.0)))
    return _ruled(filmed.recipe, truth, read_table_file(filmed.table).first, stream)


def _ruled(recipe: ClipRecipe, truth: Sequence[Line], game: Game, stream: watching.Stream) -> Result:
    """What the referee makes of a stream, in three ways."""
    log, questions = telling.tell_asking(game, stream, truth)
    seconds = stream.looks[-1].t if stream.looks else 0.0
    said = [sighting for look in stream.looks for sighting in look.said()]
    told = telling.tell(game, stream)
    plain, asked, at_word = (
        score(truth, logs) for logs in (told, [telling.Told(seconds, log)], [telling.Told(seconds, taken_at_word(game, said))])
    )
    return Result(recipe, plain, asked, at_word, len(questions), seconds, stream.cpu)


def run_without_pictures(recipe: ClipRecipe) -> Result:
    """The clip's game as simulated eyes would find its cards (`streams.glimpses`): seconds of work instead of minutes.

    Faces are always read right, and nothing hides a card but hands and other cards: what goes wrong here is about movement.
    """
    made = prepare_clip(recipe)
    places = places_of(made.timeline)
    traffic, began, looks = Traffic(places), time.process_time(), []
    for view in views(made.timeline, SIGHT[recipe.level], Random(f"glimpses {recipe.seed}"), LOOKS_PER_SECOND):
        said = sightings(places, traffic, view)
        looks.append(watching.LookTaken(view.t, view.cards, tuple(map(watching.encode_sighting, said))))
    game = made.timeline.lines[0].event
    assert isinstance(game, Game)
    return _ruled(recipe, timed_log(made), game, watching.Stream((0, 0), tuple(looks), time.process_time() - began))


def track_clip(recipe: ClipRecipe, cache: Path, models: Path, deck: Path | None = None) -> ClipScore:
    """The baseline's score of a clip that has been run: identities by ByteTrack, each event taken at its word."""
    filmed = film_clip(recipe, cache, deck)
    kept = filmed.folder / f"bytetrack-{watching.line_key(models)}-{_judging_key()}.json"
    if kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=ClipScore)
    table = read_table_file(filmed.table)
    stream = watching.watch_clip(filmed, models)
    log = taken_at_word(table.first, tracked_sightings(stream, table.table))
    found = score(filmed.log(), [telling.Told(stream.looks[-1].t, log)])
    beside = kept.with_name(f".{kept.name}.part")
    beside.write_bytes(msgspec.json.encode(found))
    beside.replace(kept)
    return found


def _judging_key() -> str:
    here = Path(__file__).resolve().parent
    names = ("../hands.py", "atword.py", "bytetrack.py", "scoring.py", "run.py")
    own = watching.hash_of(here / name for name in names)
    return f"{telling.referee_key()}-{own}"
