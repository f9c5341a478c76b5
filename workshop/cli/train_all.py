"""`companion train all`: pictures, detector, refiner and reader in one run, on a GPU or on the processor."""

from __future__ import annotations

import os
from pathlib import Path

import click

from companion.cli.common import POSITIVE
from workshop.training import widths

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)

RECIPES = ("train", "clips", "harder", "hardest", "overlap-train", "strange-train", "fans-train", "piles-train")
"""What is learnt from, if nothing else is said."""
VALS = ("val", "val-hard", "val-overlap")


@click.command("all")
@click.option("--out", type=FOLDER, default=Path("runs/all"), show_default=True, help="The run's folder.")
@click.option("--minutes", type=POSITIVE, required=True, help="Time, over all resumptions.")
@click.option("--piece", type=POSITIVE, help="Minutes after which this part of it ends; --resume goes on.")
@click.option("--resume", is_flag=True, help="Go on with the run in --out, or with what was carried into its folder carry.")
@click.option("--device", default="cpu", show_default=True, help="A torch device, such as cuda.")
@click.option("--recipe", "recipes", type=FILE, multiple=True,
              help="Pictures to learn from; may be repeated.  [default: " + ", ".join(RECIPES) + "]")
@click.option("--refining", type=FILE, help="Pictures that only the refiner sees.  [default: refining]")
@click.option("--val", "vals", type=FILE, multiple=True,
              help="Recipes of pictures to calibrate on; may be repeated.  [default: " + ", ".join(VALS) + "]")
@click.option("--pictures", type=click.IntRange(min=1), help="How many to draw at most.  [default: as the recipes say]")
@click.option("--scans", type=FOLDER, help="Folder with stu/, french/, napoletane/, piacentine/ of card scans.")
@click.option("--backgrounds", type=FOLDER, help="Folder of panoramas for the room beyond the table.")
@click.option("--surfaces", type=FOLDER, help="Folder of bare surfaces (dataset surfaces) for a recipe's photo_surfaces.")
@click.option("--photos", type=FOLDER, multiple=True, help="Other labelled pictures (dataset photos); may be repeated.")
@click.option("--start-from", type=FOLDER, help="Folder with detector.pt, refiner.pt and reader.pt to start from.")
@click.option("--width", type=POSITIVE, default=widths.DETECTOR, show_default=True,
              help="The detector's channels: a share of YOLO11's.")
@click.option("--refiner-width", type=POSITIVE, default=widths.REFINER, show_default=True,
              help="The refiner's channels: a multiple of the first one's.")
@click.option("--batch", type=click.IntRange(min=1), help="Pictures a step of the detector.  [default: 192, on a processor 8]")
@click.option("--held", type=POSITIVE,
              help="Gigabytes for decoded pictures, 1 for 1350.  [default: half of the GPU's, on a processor 1.5]")
@click.option("--styles", type=click.IntRange(1), default=40, show_default=True, help="Drawn styles of the deck, for the reader.")
@click.option("--strangers", type=click.IntRange(0), default=120, show_default=True, help="Strange decks for the reader.")
@click.option("--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="all", help="Cores to use.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of weights and of what is seen when.")
def command(
    out: Path, minutes: float, piece: float | None, resume: bool, device: str, recipes: tuple[Path, ...], refining: Path | None,
    vals: tuple[Path, ...], pictures: int | None, scans: Path | None, backgrounds: Path | None, surfaces: Path | None,
    photos: tuple[Path, ...], start_from: Path | None, width: float, refiner_width: float, batch: int | None,
    held: float | None, styles: int, strangers: int, jobs: int, seed: int,
) -> None:  # fmt: skip
    """Draw pictures and train detector, refiner and reader on them, within a time.

    Each stage has a share of --minutes. The run can be ended at any moment (Ctrl-C, SIGTERM, --piece) and
    goes on with --resume. Its folder models has the networks in the end; its folder carry always has the run
    in at most 8 files of less than 16 MiB, to go on with another machine.
    """
    os.environ["OMP_NUM_THREADS"] = str(jobs if device == "cpu" else 1)
    from companion.assets import asset
    from workshop.dataset.recipe import read_recipe
    from workshop.training.drawing import Sources
    from workshop.training.full_run import FullRun, FullRunConfig

    def ours(names: tuple[str, ...]) -> list[Path]:
        return [asset(f"datasets/{name}.yaml") for name in names]

    whole = FullRunConfig(
        out, minutes, tuple(map(read_recipe, recipes or ours(RECIPES))), read_recipe(refining or ours(("refining",))[0]),
        tuple(map(read_recipe, vals or ours(VALS))), device, piece, pictures, Sources(scans, backgrounds, surfaces), photos,
        start_from, width, refiner_width, jobs, held, batch, styles, strangers, seed,
    )  # fmt: skip
    for news in FullRun(whole, resume).run():
        click.echo(news)
