"""Pedine of unknown decks counted at rendered tables: how many places' counts are right, and models/PEDINE.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from companion.decks.lists import PEDINE
from companion.eyes.table import Table
from companion.files import write_whole
from companion.games.stu.sightings import PedineSeen
from workshop.bench import keys
from workshop.bench.figures import Rate, rate
from workshop.bench.recipe import Bench
from workshop.bench.report import shown
from workshop.bench.stu.pedine.moments import Moment, moment
from workshop.bench.watching import Footage, look_through, stream_of
from workshop.choreography.barlife import Level

GOALS: Final[Mapping[Level, float]] = {"easy": 0.97, "medium": 0.95, "hard": 0.90}
"""Difficulty → share of the counts that are wanted right."""


class Counted(msgspec.Struct, frozen=True):
    """One place at the end of a moment. ``true``: pedine that lie before it; ``told``: what was told, None for nothing;
    ``known``: what would be, if only cards counted that the eyes know as pedine."""

    moment: str
    level: str
    place: int
    true: int
    told: int | None
    known: int | None


class Seen(msgspec.Struct, frozen=True):
    """A moment as it is kept, without its pictures: where the table is, the true counts (as of `Moment`), what was found."""

    table: Table
    counts: tuple[int | None, ...]
    footage: Footage


def run(
    bench: Bench, levels: Sequence[Level], count: int, models: Path, cache: Path
) -> Iterator[tuple[str, tuple[Counted, ...]]]:
    """The moments of each of these ``levels``, ``count`` of each and one of each in turn, with their names. What the same eyes
    have found before is taken from the ``cache``."""
    cache.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        for level in levels:
            name = f"{level}-{number:03d}"
            kept = cache / f"{name}-{keys.eyes_key(models)}.msgpack"
            yield name, tuple(counted(name, level, recall(kept, partial(moment, level, bench.levels[level], number), models)))


def recall(kept: Path, make: Callable[[], Moment], models: Path) -> Seen:
    """What the file ``kept`` holds; where there is none, or it is of an older version, what is found, which is kept then."""
    try:
        return msgspec.msgpack.decode(kept.read_bytes(), type=Seen)
    except (FileNotFoundError, msgspec.MsgspecError):
        one = make()
    found = Seen(one.table, one.counts, look_through(one.pictures(), one.table, models))
    write_whole(kept, msgspec.msgpack.encode(found))
    return found


def counted(name: str, level: str, one: Seen) -> Iterator[Counted]:
    """What was told of each place that is asked for."""
    told, known = (told_last(footage, one.table) for footage in (one.footage, only_known(one.footage)))
    for place, true in enumerate(one.counts):
        if true is not None:
            yield Counted(name, level, place, true, told.get(place), known.get(place))


def told_last(footage: Footage, table: Table) -> dict[int, int]:
    """Place → the count that was told of it last."""
    sightings = (seen for look in stream_of(footage, table).looks for seen in look.decoded())
    return {seen.place: seen.count for seen in sightings if isinstance(seen, PedineSeen)}


def only_known(footage: Footage) -> Footage:
    """The same without cards of decks that the eyes do not know."""
    known = (tuple(card for card in look.cards if card.deck in ("stu", PEDINE)) for look in footage.looks)
    return replace(footage, looks=tuple(replace(look, cards=cards) for look, cards in zip(footage.looks, known, strict=True)))


def rates(counts: Sequence[Counted]) -> dict[str, Rate]:
    """Shares of the counts that are right: of all places, of those with pedine and without, and by known decks alone."""
    lying = [one for one in counts if one.true]
    none = [one for one in counts if not one.true]
    return {
        "all": rate(sum(one.told == one.true for one in counts), len(counts)),
        "with pedine": rate(sum(one.told == one.true for one in lying), len(lying)),
        "without": rate(sum(one.told == one.true for one in none), len(none)),
        "known decks only": rate(sum(one.known == one.true for one in counts), len(counts)),
    }


def markdown(counts: Sequence[Counted], command: str) -> str:
    """The report's text; ``command``: what makes it again."""
    moments = len({one.moment for one in counts})
    lines = [
        "# Pedine of any deck", "",
        f"Written by `{command}`: {moments} moments of ten seconds of rendered evenings of Lu Stù, each with a table, a camera,",
        "a printing of Stù's cards and a French-suited deck of its own. Nothing was trained on these decks: their indices, pips,",
        "court cards and backs are drawn in other hands (`workshop.deck.strange.french`). Tables, people and light are",
        "as on the frozen bench; nothing goes wrong with the camera. Three pictures a second are looked at. Asked for are places",
        "whose pedine have lain still for six seconds, with more than a quarter of each in view",
        "([what counts as a card](../docs/camera.md)) in half of the pictures of that time or more. A place that nothing was",
        "told counts as wrong. In brackets the 95 % interval (Wilson).", "",
        "| difficulty | wanted | counts right | of places with pedine | of places without | if only known decks counted |",
        "|---|---|---|---|---|---|",
    ]  # fmt: skip
    for level in GOALS:
        found = rates([one for one in counts if one.level == level])
        if found["all"].of:
            asked = f"{100 * GOALS[level]:.0f} %"
            lines.append(f"| {level} | {asked} | {' | '.join(shown(one) for one in found.values())} |")
    wrong = [f"- `{one.moment}`, place {one.place}: {one.true}, told {'nothing' if one.told is None else one.told}"
             for one in counts if one.told != one.true]  # fmt: skip
    return "\n".join([*lines, "", "## Wrong", "", *wrong] if wrong else lines)
