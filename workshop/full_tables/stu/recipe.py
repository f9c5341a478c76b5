"""The bench of full tables: its clips, frozen by their seeds, each filmed from two sides or three."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from workshop.bench.recipe import BadBench, ClipRecipe
from workshop.clip.film import FilmRecipe
from workshop.games import workshop_of
from workshop.stage.light import LOOKS
from workshop.stage.surfaces import KINDS as SURFACES
from workshop.yamlfile import read_yaml, read_yaml_or

Side = tuple[Annotated[float, Meta(ge=-180, le=180)], Annotated[float, Meta(ge=20, le=85)]]
"""Azimuth and elevation of a camera, degrees."""
Part = Literal["fitting", "measuring"]


class FullClip(ClipRecipe, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One evening at a full table. ``part``: constants may be fitted on it, or it is only measured on. ``views``: where its
    cameras stand, the first one's clock counts."""

    part: Part
    views: Annotated[tuple[Side, ...], Meta(min_length=2, max_length=3)]

    def filming_of(self, view: int) -> FilmRecipe:
        """How it is filmed by the camera with this number, from 0; deck and cloth are the bench's own."""
        (azimuth, elevation), recipe = self.views[view], self.filming()
        return replace(recipe, people=True, azimuth=azimuth, elevation=elevation, view=view)


class FullBench(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen set of evenings."""

    about: str
    clips: tuple[FullClip, ...]

    def chosen(
        self, part: Part, count: int | None = None, names: tuple[str, ...] = (), skip: int = 0, hands: int | None = None
    ) -> tuple[FullClip, ...]:
        """The clips with these ``names``, or ``count`` clips of the part after the first ``skip``; of each only the first
        ``hands``, where that is given.

        Raises:
            BadBench: there are none, or no clip has one of the names.
        """
        known = ", ".join(clip.name for clip in self.clips)
        if unknown := [name for name in names if name not in {clip.name for clip in self.clips}]:
            raise BadBench(f"no clip is called {', '.join(unknown)}: there are {known}")
        of_part = [clip for clip in self.clips if (clip.name in names if names else clip.part == part)]
        if not (kept := of_part[skip:][:count]):
            raise BadBench(f"the bench has no clip for {part} after the first {skip}: there are {known}")
        return tuple(clip if hands is None else msgspec.structs.replace(clip, hands=min(hands, clip.hands)) for clip in kept)


def has_views(path: Path) -> bool:
    """Whether this bench is of evenings that several cameras film."""
    try:
        clips = read_yaml(path, dict[str, Any]).get("clips")
    except (OSError, ValueError):
        return False  # what reads it as a bench says what is wrong with it
    return isinstance(clips, list) and any(isinstance(clip, dict) and "views" in clip for clip in clips)


def read_full_bench(path: Path) -> FullBench:
    """Read and check a bench of full tables (YAML). Raises `BadBench`, which names the file, the clip and the field."""
    bench = read_yaml_or(path, FullBench, BadBench, "a bench of full tables is a YAML file such as datasets/bench-full.yaml")
    names = [clip.name for clip in bench.clips]
    for clip in bench.clips:
        if problem := _problem(clip, names):
            raise BadBench(f"{path}: clip {clip.name}: {problem}")
    if not names:
        raise BadBench(f"{path}: clips: none")
    return bench


def _problem(clip: FullClip, names: list[str]) -> str | None:
    if names.count(clip.name) > 1:
        return "two clips have this name"
    if clip.surface not in SURFACES:
        return f"surface {clip.surface!r}: expected one of {', '.join(SURFACES)}"
    if clip.look is not None and clip.look not in LOOKS:
        return f"look {clip.look!r}: expected one of {', '.join(LOOKS)}, or none for one drawn by the seed"
    if clip.game != "stu":
        return f"game {clip.game!r}: expected stu, whose cards lie on the table"
    return workshop_of(clip.game).clip_fault(clip)
