"""`companion dataset make`: pictures to learn from, with exact corners."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec


@click.group("dataset")
def command() -> None:
    """Make pictures to learn from, with exact corners."""


@command.command("make")
@click.option("--recipe", "recipe_path", type=click.Path(path_type=Path), required=True, help="Such as datasets/train.yaml.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True,
              help="Folder to write; it must hold no pictures.")
@click.option("--scans", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder with stu/, french/, napoletane/, piacentine/ of card scans.  [default: drawn decks only]")
@click.option("--backgrounds", type=click.Path(file_okay=False, path_type=Path), default=None,
              help="Folder of panoramas for what lies beyond the table.  [default: drawn floors]")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="all cores", help="Processes.")
@click.option("--count", type=click.IntRange(1), default=None, help="Pictures, instead of the recipe's.")
@click.option("--seed", type=click.IntRange(0), default=None, help="Seed, instead of the recipe's.")
def make(recipe_path: Path, out: Path, scans: Path | None, backgrounds: Path | None, jobs: int, count: int | None,
         seed: int | None) -> None:
    """Draw the pictures of a recipe: images/, labels/ (ultralytics pose), truth.jsonl and data.yaml.

    The same recipe, seed and folders give the same pictures, whatever the number of jobs.
    """
    from companion.workshop.dataset import make as maker
    from companion.workshop.dataset.recipe import read_recipe

    recipe = read_recipe(recipe_path)
    recipe = msgspec.structs.replace(recipe, count=count or recipe.count, seed=recipe.seed if seed is None else seed)
    with click.progressbar(length=recipe.count, label=f"{recipe_path.stem}: {recipe.count} pictures") as bar:
        maker.make(recipe, out, scans, backgrounds, jobs, bar.update)
