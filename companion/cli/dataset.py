"""`companion dataset`: pictures to learn from, drawn with exact corners or photographed."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Literal

import click
import msgspec


@click.group("dataset")
def command() -> None:
    """Make pictures to learn from, drawn with exact corners or photographed."""


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
    from companion.workshop.dataset import make as maker
    from companion.workshop.dataset.recipe import read_recipe

    recipe = read_recipe(recipe_path)
    recipe = msgspec.structs.replace(recipe, count=count or recipe.count, seed=recipe.seed if seed is None else seed)
    with click.progressbar(length=recipe.count, label=f"{recipe_path.stem}: {recipe.count} pictures") as bar:
        maker.make(recipe, out, scans, backgrounds, jobs, bar.update, surfaces)


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
    from companion.workshop.dataset.photos import convert, read_table

    table = read_table(table_path or asset("datasets/french-photos.yaml"))
    counts = Counter(convert(photos, out, table, part))
    click.echo(f"{out}: {counts.total()} photos: " + ", ".join(f"{name} {count}" for name, count in counts.items()))


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
    from companion.workshop.dataset.bare import write_surfaces
    from companion.workshop.dataset.photos import read_photos, read_table

    table = read_table(table_path or asset("datasets/french-photos.yaml"))
    counts = write_surfaces(photos, read_photos(photos, table, "train"), out)
    click.echo(f"{out}: {counts.total()} crops: " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
