"""`companion dataset`: pictures to learn from, drawn with exact corners or photographed."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Literal

import click
import msgspec


@click.group("dataset")
def command() -> None:
    """Make pictures to learn from, drawn with exact corners or photographed."""


def _size(context: click.Context, option: click.Parameter, told: str | None) -> tuple[int, int] | None:
    """``640x384`` → (640, 384)."""
    if told is None:
        return None
    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", told)
    if found is None or not all(64 <= int(side) <= 4096 for side in found.groups()):
        raise click.BadParameter(f"{told!r}: expected width x height in px, 64 to 4096 each, such as 640x384")
    return int(found[1]), int(found[2])


@command.command("make")
@click.option("--recipe", "recipe_path", type=click.Path(path_type=Path), required=True, help="Such as datasets/train.yaml.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write; it must hold no pictures.")
@click.option("--scans", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder with stu/, french/, napoletane/, piacentine/ of card scans.  [default: drawn decks only]")
@click.option("--backgrounds", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder of panoramas for the room beyond the table.  [default: drawn floors]")
@click.option("--surfaces", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder of bare surfaces (dataset surfaces) for a recipe's photo_surfaces.  [default: drawn table tops]")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--count", type=click.IntRange(1), default=None, help="Pictures, instead of the recipe's.")
@click.option("--seed", type=click.IntRange(0), default=None, help="Seed, instead of the recipe's.")
def make(recipe_path: Path, out: Path, scans: Path | None, backgrounds: Path | None, surfaces: Path | None, jobs: int,
         count: int | None, seed: int | None) -> None:
    """Draw the pictures of a recipe: images/, labels/ (ultralytics pose), truth.jsonl and data.yaml.

    The same recipe, seed and folders give the same pictures, whatever the number of jobs.
    """
    from workshop.dataset import make as maker
    from workshop.dataset.recipe import read_recipe

    recipe = read_recipe(recipe_path)
    recipe = msgspec.structs.replace(recipe, count=count or recipe.count, seed=recipe.seed if seed is None else seed)
    with click.progressbar(length=recipe.count, label=f"{recipe_path.stem}: {recipe.count} pictures") as bar:
        maker.make(recipe, out, scans, backgrounds, jobs, bar.update, surfaces)


@command.command("cycles")
@click.option("--recipe", "recipe_path", type=click.Path(path_type=Path), required=True,
              help="Such as datasets/cycles-train.yaml.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write; it must hold no pictures.")
@click.option("--blender", envvar="COMPANION_BLENDER", default=sys.executable, show_default="the Python that runs companion",
              help="A Python that has bpy, in an environment of its own.")
@click.option("--scans", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder with stu/, french/, … of card scans.  [default: drawn decks only]")
@click.option("--backgrounds", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder of panoramas, which light the table, too.  [default: an even light over drawn floors]")
@click.option("--surfaces", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder of bare surfaces (dataset surfaces) for a recipe's photo_surfaces.  [default: drawn table tops]")
@click.option("--samples", type=click.IntRange(1, 4096), default=8, show_default=True, help="Paths for each pixel.")
@click.option("--size", callback=_size, default=None, metavar="WxH", help="Of the pictures, instead of the recipe's.")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--count", type=click.IntRange(1), default=None, help="Pictures, instead of the recipe's.")
@click.option("--seed", type=click.IntRange(0), default=None, help="Seed, instead of the recipe's.")
def cycles(recipe_path: Path, out: Path, blender: str, scans: Path | None, backgrounds: Path | None, surfaces: Path | None,
           samples: int, size: tuple[int, int] | None, jobs: int, count: int | None, seed: int | None) -> None:
    """Render the scenes of a recipe with Blender's path tracer: the same folders as dataset make, some seconds a picture.

    It needs bpy, Blender as a module, in an environment of its own.
    """
    from workshop.cycles import make as maker
    from workshop.dataset.recipe import read_recipe

    recipe = read_recipe(recipe_path)
    recipe = msgspec.structs.replace(recipe, count=count or recipe.count, seed=recipe.seed if seed is None else seed,
                                     size=size or recipe.size)
    with (
        maker.Studio(blender, samples, min(jobs, recipe.count)) as studio,
        click.progressbar(length=recipe.count, label=f"{recipe_path.stem}: {recipe.count} pictures") as bar,
    ):
        maker.make(recipe, out, studio, scans, backgrounds, bar.update, surfaces)


@command.command("photos")
@click.option("--photos", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder with labels.json and the photos that it names.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write; it must hold no pictures.")
@click.option("--part", type=click.Choice(["train", "test"]), required=True, help="Which surfaces' photos.")
@click.option("--table", "table_path", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="Which surface was photographed when.  [default: datasets/french-photos.yaml]")
def photos(photos: Path, out: Path, part: Literal["train", "test"], table_path: Path | None) -> None:
    """Prepare real photos with labelled boxes for training and evaluation.

    All photos of one surface go into the same part, which the table names.
    """
    from companion.assets import asset
    from workshop.dataset.photos import convert, read_table

    table = read_table(table_path or asset("datasets/french-photos.yaml"))
    counts = Counter(convert(photos, out, table, part))
    click.echo(f"{out}: {counts.total()} photos: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


@command.command("outlines")
@click.option("--data", "folder", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Pictures with labelled boxes, as dataset photos writes them.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write, outside the project; it must hold no pictures.")
@click.option("--models", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="The networks that find the outlines.  [default: those that ship]")
def outlines(folder: Path, out: Path, models: Path | None) -> None:
    """Give labelled boxes the outlines that the eyes find in them, for the reader to learn from.

    A card whose box no outline fills keeps its box.
    """
    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.dataset.outlines import write_outlined

    eyes = Eyes.load(models or asset("models"))
    counts = list(write_outlined(folder, out, eyes.detector))
    click.echo(f"{out}: {len(counts)} pictures, {sum(n for n, _ in counts)} of {sum(n for _, n in counts)} cards with outlines")


@command.command("cadyze")
@click.option("--photos", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder with labels.json and the photos that it names.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write, outside the project; it must hold no pictures.")
@click.option("--models", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="The networks that propose outlines.  [default: those that ship]")
@click.option("--table", "table_path", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="What is known of each session.  [default: datasets/cadyze.yaml]")
def cadyze(photos: Path, out: Path, models: Path | None, table_path: Path | None) -> None:
    """Prepare real photos of overlapping cards, labelled by their printed indices, for training.

    Outlines that the eyes or edges propose are kept where the labelled indices confirm them. What may be a card and is not
    confirmed is painted grey, so that it teaches nothing. Only the training sessions are written.
    """
    from companion.assets import asset
    from companion.eyes.look import Eyes
    from workshop.dataset.cadyze import write_confirmed
    from workshop.dataset.index_photos import read_sessions

    table = read_sessions(table_path or asset("datasets/cadyze.yaml"))
    detector = Eyes.load(models or asset("models"), threads=2).detector
    for session, rows in groupby(sorted(write_confirmed(photos, out, table, detector), key=lambda one: one.session),
                                 key=lambda one: one.session):
        all_of = list(rows)
        kept = [one for one in all_of if one.kept]
        click.echo(f"{session}: {len(kept)} of {len(all_of)} photos, with {sum(one.teaching for one in kept)} cards to learn; "
                   f"confirmed {sum(one.confirmed for one in all_of)} of {sum(one.labelled for one in all_of)} labelled cards")


@command.command("surfaces")
@click.option("--photos", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder with labels.json and the photos that it names.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write, outside the project; it must hold no pictures.")
@click.option("--table", "table_path", type=click.Path(dir_okay=False, path_type=Path), default=None,
              help="Which surface was photographed when.  [default: datasets/french-photos.yaml]")
def bare_surfaces(photos: Path, out: Path, table_path: Path | None) -> None:
    """Cut bare table tops out of real photos of the training surfaces, for dataset make --surfaces."""
    from companion.assets import asset
    from workshop.dataset.photos import read_photos, read_table, write_surfaces

    table = read_table(table_path or asset("datasets/french-photos.yaml"))
    counts = write_surfaces(photos, read_photos(photos, table, "train"), out)
    click.echo(f"{out}: {counts.total()} crops: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
