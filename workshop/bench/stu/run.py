"""Runs the bench: films, watches, rules and scores clip after clip. Results are kept: a run can be stopped and continued."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from companion.files import write_whole
from companion.games.stu.rules.log import Game
from companion.games.stu.sight import sightings
from companion.games.stu.sight.traffic import Traffic
from companion.line.defaults import LOOKS_PER_SECOND
from companion.line.tablefile import read_table_file
from companion.table.log import Line
from workshop.bench import keys, watching
from workshop.bench.cache import Say
from workshop.bench.filming import Filmed, film_clip, prepare_clip, timed_log
from workshop.bench.latency import LogVersion
from workshop.bench.recipe import ClipRecipe
from workshop.bench.stu import ruling
from workshop.bench.stu.bytetrack import tracked_sightings
from workshop.bench.stu.scoring import ClipScore, score
from workshop.bench.stu.without_rules import log_without_rules
from workshop.streams.glimpses import SIGHT, views
from workshop.streams.stu.traffic import places_of


class Result(msgspec.Struct, frozen=True):
    """A clip's scores: ``score`` with nobody asked, ``asked`` with ``questions`` answered truthfully, ``without_rules`` by the
    baseline of that name.

    ``seconds``: length of the clip; ``cpu``: seconds of processor time that watching it took; ``looks``, ``left_out``: how many
    pictures were looked at, and how many there was no time for.
    """

    recipe: ClipRecipe
    score: ClipScore
    asked: ClipScore
    without_rules: ClipScore
    questions: int
    seconds: float
    cpu: float
    looks: int = 0
    left_out: int = 0


def run(
    clips: Sequence[ClipRecipe], cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None,
    real_time: bool = False,
) -> Iterator[Result]:  # fmt: skip
    """The results of the clips, one after the other; results in the cache are not worked out again.

    The same clip, models and code give the same result, but in ``real_time`` (`watching.footage_of`). ``deck``: a folder of scans
    used in place of the drawn cards.
    """
    for recipe in clips:
        yield run_clip(recipe, cache, models, deck, say, real_time)


def run_clip(
    recipe: ClipRecipe, cache: Path, models: Path, deck: Path | None = None, say: Say = lambda what, share: None,
    real_time: bool = False,
) -> Result:  # fmt: skip
    """One clip's result, from the cache, or worked out and kept there."""
    filmed = film_clip(recipe, cache, deck, lambda done, of: say("filming", done / of))
    pace = watching.REAL_TIME * real_time
    kept = filmed.folder / f"result-{keys.eyes_key(models)}-{keys.ruling_key('stu')}{pace}.json"
    if kept.is_file():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Result)
        except msgspec.MsgspecError:
            kept.unlink()  # written by an older version
    result = _result(filmed, models, say, real_time)
    write_whole(kept, msgspec.json.format(msgspec.json.encode(result), indent=1))
    return result


def _result(filmed: Filmed, models: Path, say: Say, real_time: bool) -> Result:
    truth = filmed.log()
    duration = max(line.t or 0.0 for line in truth)
    stream = watching.watch_clip(filmed, models, lambda t: say("watching", min(t / duration, 1.0)), real_time=real_time)
    return ruled(filmed.recipe, truth, read_table_file(filmed.table).first, stream)


def ruled(recipe: ClipRecipe, truth: Sequence[Line], game: Game, stream: watching.Stream) -> Result:
    """The scores of what is made of a stream: by the referee alone, with questions answered, and without the rules."""
    seconds = stream.looks[-1].t if stream.looks else 0.0
    answered, questions = ruling.log_with_answers(game, ((look.t, look.decoded()) for look in stream.looks), truth)
    believed = log_without_rules(game, [sighting for look in stream.looks for sighting in look.decoded()])
    plain = score(truth, ruling.log_versions(game, stream))
    asked, without_rules = (score(truth, [LogVersion(seconds, log)]) for log in (answered, believed))
    return Result(
        recipe, plain, asked, without_rules, len(questions), seconds, stream.cpu, len(stream.looks), stream.left_out
    )


def run_without_pictures(recipe: ClipRecipe) -> Result:
    """The result with simulated eyes that find the cards of the clip's game (`streams.stu.glimpses`): seconds instead of minutes.

    Faces are always read right, and only hands and other cards hide a card: what goes wrong here is about movement.
    """
    made = prepare_clip(recipe)
    places = places_of(made.timeline)
    traffic, began, looks = Traffic(places), time.process_time(), []
    for view in views(made.timeline, SIGHT[recipe.level], Random(f"glimpses {recipe.seed}"), LOOKS_PER_SECOND):
        became_sure = sightings(places, traffic, view)
        looks.append(watching.Look(view.t, view.cards, tuple(map(watching.encode_sighting, became_sure))))
    game = made.timeline.lines[0].event
    assert isinstance(game, Game)
    return ruled(recipe, timed_log(made), game, watching.Stream((0, 0), tuple(looks), time.process_time() - began))


def track_clip(recipe: ClipRecipe, cache: Path, models: Path, deck: Path | None = None) -> ClipScore:
    """The tracking baseline's score of a clip: exchanges by ByteTrack's identities, each sighting believed as it comes."""
    filmed = film_clip(recipe, cache, deck)
    kept = filmed.folder / f"bytetrack-{keys.eyes_key(models)}-{keys.ruling_key('stu')}.json"
    if kept.is_file():
        return msgspec.json.decode(kept.read_bytes(), type=ClipScore)
    table = read_table_file(filmed.table)
    stream = watching.watch_clip(filmed, models)
    log = log_without_rules(table.first, tracked_sightings(stream, table.table))
    found = score(filmed.log(), [LogVersion(stream.looks[-1].t, log)])
    write_whole(kept, msgspec.json.encode(found))
    return found
