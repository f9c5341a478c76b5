"""`companion train detector|refiner|reader|mean|all`: learn from pictures, export to ONNX."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from companion.cli.common import POSITIVE
from workshop.cli import train_all
from workshop.training import widths

if TYPE_CHECKING:
    from workshop.evaluation.labels import LabelledPicture
    from workshop.training.training_run import TrainingRun

R = TypeVar("R", bound="TrainingRun[Any, Any, Any]")
FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)

Wrap = Callable[[Callable[..., None]], Callable[..., None]]


def _data(required: bool = False) -> Wrap:
    """--data: the pictures to learn from, as `companion dataset make` writes them."""
    text = "Pictures to learn from (dataset make); may be repeated."
    return click.option("--data", "folders", type=FOLDER, multiple=True, required=required, help=text)


def _val(required: bool = False) -> Wrap:
    """--val: the pictures to calibrate on."""
    text = "Other pictures, to calibrate on; never a holdout. May be repeated."
    return click.option("--val", "vals", type=FOLDER, multiple=True, required=required, help=text)


def _run_options(name: str, minutes: float | None, rate: float) -> Wrap:
    """The options of every run: its folder, its budget, how it starts and ends."""
    kept = "models/" + name + ".pt"
    options = [
        click.option(
            "--run", "run_folder", type=FOLDER, default=Path("runs") / name, show_default=True, help="Where checkpoints go."
        ),
        click.option(
            "--minutes", type=POSITIVE, default=minutes, show_default=True,
            help="Training time, over all resumptions.",
        ),
        click.option("--resume", is_flag=True, help="Continue from the run's last checkpoint."),
        click.option("--start-from", type=FILE, help=f"Start with these weights (a run's last.pt, or {kept})."),
        click.option("--export", "export_only", is_flag=True, help="Do not train: export the run's checkpoint as it is."),
        click.option("--rate", type=POSITIVE, default=rate, show_default=True, help="Highest learning rate."),
        click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True, help="Processor cores to use."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of weights and of the order of pictures."),
    ]  # fmt: skip
    return lambda command: reduce(lambda wrapped, option: option(wrapped), reversed(options), command)


def _out_file(path: str) -> Wrap:
    return click.option("--out", type=FILE, default=Path(path), show_default=True, help="The model file to write.")


def _width(shipped: float, of: str) -> Wrap:
    return click.option("--width", type=POSITIVE, default=shipped, show_default=True, help=f"The network's channels, {of}.")


def _read_all(folders: Sequence[Path]) -> list[LabelledPicture]:
    from workshop.evaluation.labels import read_labels

    return [picture for folder in folders for picture in read_labels(folder)]


def _begun(run: R, resume: bool, start_from: Path | None) -> R:
    """The run as its options say it begins."""
    if resume:
        run.resume()
    elif start_from:
        run.start_from(start_from)
    return run


def _say(messages: Iterable[str]) -> None:
    for news in messages:
        click.echo(news)


@click.group()
def command() -> None:
    """Train the detector, the refiner or the reader and export it to ONNX.

    A run has a folder of its own (--run). It can be stopped at any moment (Ctrl-C) and continued with
    --resume. The model file is written when a run ends, and by --export.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # before torch is imported


@command.command()
@_data(required=True)
@_val()
@_run_options("detector", None, 2e-3)
@_out_file("models/detector.onnx")
@click.option("--epochs", type=click.IntRange(min=1), help="Budget in passes over the pictures, instead of minutes.")
@_width(widths.DETECTOR, "as a share of YOLO11's")
@click.option("--batch", type=click.IntRange(min=1), default=8, show_default=True, help="Pictures a step and core.")
@click.option("--device", default="cpu", show_default=True, help="A torch device, such as cuda.")
def detector(
    folders: tuple[Path, ...], vals: tuple[Path, ...], run_folder: Path, out: Path,
    minutes: float | None, epochs: int | None, resume: bool,
    start_from: Path | None, export_only: bool, width: float, batch: int, rate: float, threads: int, device: str, seed: int,
) -> None:  # fmt: skip
    """Train the card detector on labelled pictures."""
    if minutes is not None and epochs is not None:
        raise click.UsageError("--minutes and --epochs both set the budget: give one of them")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from workshop.evaluation.detection import calibrations
    from workshop.training.checkpoint import CHECKPOINT
    from workshop.training.detector import DetectorPlan, DetectorRun
    from workshop.training.export import export_detector, keep_weights, rewrite_notes

    if not export_only:
        plan = DetectorPlan(minutes or 60.0, batch, rate, seed, threads, epochs=epochs, width=width)
        _say(_begun(DetectorRun(run_folder, plan, device), resume, start_from).train(list(folders)))
    out.parent.mkdir(parents=True, exist_ok=True)
    export_detector(run_folder / CHECKPOINT, out, {})
    keep_weights(run_folder / CHECKPOINT, out.with_suffix(".pt"))
    if vals:
        rewrite_notes(out, calibrations(out, None, _read_all(vals)))
    click.echo(f"{out} ({out.stat().st_size / 1e6:.1f} MB)" + ("" if vals else ": not calibrated, as there is no --val"))


@command.command()
@_data(required=True)
@_val(required=True)
@click.option(
    "--detector",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=Path("models/detector.onnx"),
    show_default=True,
    help="Whose proposals are refined.",
)
@_run_options("refiner", 30.0, 2e-3)
@_out_file("models/refiner.onnx")
@_width(widths.REFINER, "as a multiple of the first one's")
@click.option("--mine", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="A refiner, such as models/refiner.onnx: what it takes for cards in pictures without any comes more often.")
def refiner(
    folders: tuple[Path, ...], vals: tuple[Path, ...], detector: Path, run_folder: Path, out: Path, minutes: float, resume: bool,
    start_from: Path | None, export_only: bool, rate: float, threads: int, seed: int, width: float, mine: Path | None,
) -> None:  # fmt: skip
    """Train the refiner on what the detector proposes.

    The proposals are collected first, in the run's folder; a run that is stopped meanwhile continues from there.
    """
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from workshop.evaluation.detection import calibrations
    from workshop.training.checkpoint import CHECKPOINT
    from workshop.training.export import keep_weights, rewrite_notes
    from workshop.training.mining import mined
    from workshop.training.proposals import propose, read_proposals
    from workshop.training.refiner import RefinerPlan, RefinerRun, export_refiner

    if not export_only:
        pictures = _read_all(folders)
        run = _begun(RefinerRun(run_folder, RefinerPlan(minutes, rate=rate, width=width, seed=seed, threads=threads)),
                     resume, start_from)  # fmt: skip
        run_folder.mkdir(parents=True, exist_ok=True)
        _say(propose(detector, pictures, run_folder / "proposals.npz", threads))
        proposals = read_proposals(run_folder / "proposals.npz")
        _say(run.train((pictures, mined(proposals, pictures, mine, threads) if mine else proposals)))
    out.parent.mkdir(parents=True, exist_ok=True)
    export_refiner(run_folder / CHECKPOINT, out)
    keep_weights(run_folder / CHECKPOINT, out.with_suffix(".pt"))
    rewrite_notes(out, calibrations(detector, out, _read_all(vals)))
    click.echo(f"{out} ({out.stat().st_size / 1e6:.1f} MB)")


@command.command()
@_data()
@_val()
@click.option(
    "--scans", type=FOLDER, help="Folder of scanned decks (stu, french, piacentine); without it, learn from the drawn deck alone."
)
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg) for what lies around the card.")
@click.option("--styles", type=click.IntRange(min=1), default=40, show_default=True, help="How many drawn styles of the deck.")
@click.option("--strangers", type=click.IntRange(min=0), default=120, show_default=True, help="How many strange decks to add.")
@_run_options("reader", 15.0, 3e-3)
@click.option("--out", type=FOLDER, default=Path("models"), show_default=True, help="Where reader.onnx and prototypes.npz go.")
def reader(
    folders: tuple[Path, ...], vals: tuple[Path, ...], scans: Path | None, backgrounds: Path | None, styles: int, strangers: int,
    run_folder: Path, out: Path, minutes: float, resume: bool,
    start_from: Path | None, export_only: bool, rate: float, threads: int, seed: int,
) -> None:  # fmt: skip
    """Train the reader of faces on crops made on the fly and on cards cut out of pictures."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from workshop.evaluation.reading import calibrate_reader
    from workshop.training.checkpoint import CHECKPOINT
    from workshop.training.crops import backdrops, classes
    from workshop.training.export import keep_weights
    from workshop.training.reader import ReaderPlan, ReaderRun, export_reader

    if not export_only:
        known = classes(styles, seed, scans, strangers=strangers, jobs=threads)
        pictures = _read_all(folders)
        plan = ReaderPlan(minutes, rate=rate, seed=seed, threads=threads, names=known.names)
        _say(_begun(ReaderRun(run_folder, plan), resume, start_from).train((known, backdrops(backgrounds), pictures)))
    out.mkdir(parents=True, exist_ok=True)
    model, prototypes = out / "reader.onnx", out / "prototypes.npz"
    export_reader(run_folder / CHECKPOINT, model, prototypes, {})
    keep_weights(run_folder / CHECKPOINT, out / "reader.pt")
    sharpness, stranger = calibrate_reader(model, prototypes, scans, backdrops(backgrounds), seed + 1, _read_all(vals))
    size = (model.stat().st_size + prototypes.stat().st_size) / 1e6
    click.echo(f"{model} and {prototypes} ({size:.1f} MB), sharpness {sharpness:.1f}, strangers below {stranger:.3f}")


@command.command()
@click.argument("weights", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, required=True, help="The checkpoint to write, such as runs/mean/last.pt.")
def mean(weights: tuple[Path, ...], out: Path) -> None:
    """Write the mean of several trainings of one network that began with the same weights.

    A run goes on from it with --start-from, or exports it: --export --run with the folder of a last.pt.
    """
    from workshop.training.checkpoint import mean_of, write_checkpoint

    write_checkpoint(out, mean_of(weights))
    click.echo(f"{out}: the mean of {len(weights)}")


@command.command()
@click.option("--scans", type=FOLDER, required=True, help="Folder of scanned decks (napoletane, piacentine; stu, french).")
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg) for what lies around the card.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the cohort's crops.")
@click.option("--models", type=FOLDER, default=Path("models"), show_default=True, help="Folder of the reader that they are for.")
def decks(scans: Path, backgrounds: Path | None, seed: int, models: Path) -> None:
    """Make the shipped Italian decks' prototypes, and the cohort that enrolled decks are calibrated against.

    It takes a minute and no torch; a new reader wants it again.
    """
    from companion.eyes.reader import Prototypes, Reader
    from workshop.training.crops import backdrops
    from workshop.training.shipped import make_cohort, ship

    prototypes = Prototypes.load(models / "prototypes.npz")
    reader = Reader(models / "reader.onnx", prototypes, threads=2)
    cohort = make_cohort(reader, scans, backdrops(backgrounds), seed)
    cohort.save(models / "cohort.npz")
    shipped = ship(prototypes, reader, cohort, scans)
    shipped.save(models / "prototypes.npz")
    click.echo(f"{models / 'cohort.npz'}: {len(cohort.decks)} crops; {models / 'prototypes.npz'} reads {', '.join(shipped.read)}")


command.add_command(train_all.command)
