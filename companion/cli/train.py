"""companion train detector|reader: learn from pictures, export to ONNX."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import click

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.group()
def command() -> None:
    """Train the detector or the reader and export it to ONNX.

    A run lives in a folder of its own (--run). It can be stopped at any moment (Ctrl-C) and goes on with
    --resume. A run that ends, and --export, write the model file.
    """
    # Said before torch is imported. Ultralytics must neither fetch nor install anything.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("YOLO_OFFLINE", "1")
    os.environ.setdefault("YOLO_AUTOINSTALL", "false")


@command.command()
@click.option(
    "--data", "folders", type=FOLDER, multiple=True, required=True, help="Pictures to learn from (dataset make); may be repeated."
)
@click.option("--val", type=FOLDER, help="Other pictures, to calibrate the scores on; never a holdout.")
@click.option("--run", "run_folder", type=FOLDER, default=Path("runs/detector"), show_default=True, help="Where checkpoints go.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("models/detector.onnx"),
    show_default=True,
    help="The model file to write.",
)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Budget of training time, over all resumptions.")
@click.option("--epochs", type=click.IntRange(min=1), help="Budget in passes over the pictures, instead of minutes.")
@click.option("--resume", is_flag=True, help="Go on from the run's last checkpoint.")
@click.option(
    "--start-from",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Begin with these weights (a run's last.pt, or models/detector.pt).",
)
@click.option("--export", "export_only", is_flag=True, help="Train no further: export the run's checkpoint as it is.")
@click.option("--width", type=float, default=0.1875, show_default=True, help="Channels of the network, as a share of YOLO11's.")
@click.option("--batch", type=click.IntRange(min=1), default=8, show_default=True, help="Pictures a step.")
@click.option("--rate", type=float, default=2e-3, show_default=True, help="Learning rate at its highest.")
@click.option("--threads", type=click.IntRange(min=1), default=2, show_default=True, help="Processor cores to use.")
@click.option("--device", default="cpu", show_default=True, help="A torch device, such as cuda.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of weights and of the order of pictures.")
def detector(
    folders: tuple[Path, ...], val: Path | None, run_folder: Path, out: Path,
    minutes: float | None, epochs: int | None, resume: bool,
    start_from: Path | None, export_only: bool, width: float, batch: int, rate: float, threads: int, device: str, seed: int,
) -> None:  # fmt: skip
    """Train the card detector on labelled pictures."""
    if minutes is not None and epochs is not None:
        raise click.UsageError("--minutes and --epochs are two ways to say the same: give one of them")
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from companion.workshop.evaluation.detection import calibrate
    from companion.workshop.evaluation.labels import read_labels
    from companion.workshop.training.detector import CHECKPOINT, Plan, Run
    from companion.workshop.training.export import export_detector, keep_weights, rewrite_notes

    budget = Plan(minutes if epochs is None else None, epochs, batch, rate, width, seed, threads)
    if minutes is None and epochs is None:
        budget = Plan(60.0, None, batch, rate, width, seed, threads)
    if not export_only:
        run = Run(run_folder, budget, device)
        if resume:
            run.resume()
        elif start_from:
            run.start_from(start_from)
        for news in run.train(list(folders)):
            click.echo(news)
    out.parent.mkdir(parents=True, exist_ok=True)
    export_detector(run_folder / CHECKPOINT, out, {})
    keep_weights(run_folder / CHECKPOINT, out.with_suffix(".pt"))
    if val:
        rewrite_notes(out, {"calibration": asdict(calibrate(out, None, read_labels(val)))})
    click.echo(f"{out} ({out.stat().st_size / 1e6:.1f} MB)" + ("" if val else ": not calibrated, for want of --val"))


@command.command()
@click.option(
    "--data", "folders", type=FOLDER, multiple=True, required=True, help="Pictures to learn from (dataset make); may be repeated."
)
@click.option(
    "--val", "vals", type=FOLDER, multiple=True, required=True, help="Other pictures, to calibrate on; never a holdout."
)
@click.option(
    "--detector",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=Path("models/detector.onnx"),
    show_default=True,
    help="Whose proposals are refined.",
)
@click.option("--run", "run_folder", type=FOLDER, default=Path("runs/refiner"), show_default=True, help="Where checkpoints go.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("models/refiner.onnx"),
    show_default=True,
    help="The model file to write.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    help="Training time, over all resumptions.",
)
@click.option("--resume", is_flag=True, help="Go on from the run's last checkpoint.")
@click.option(
    "--start-from",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Begin with these weights (a run's last.pt, or models/refiner.pt).",
)
@click.option("--export", "export_only", is_flag=True, help="Train no further: export the run's checkpoint as it is.")
@click.option("--rate", type=float, default=2e-3, show_default=True, help="Learning rate at its highest.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Processor cores to use.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of weights and of the order of crops.")
def refiner(
    folders: tuple[Path, ...], vals: tuple[Path, ...], detector: Path, run_folder: Path, out: Path, minutes: float, resume: bool,
    start_from: Path | None, export_only: bool, rate: float, threads: int, seed: int,
) -> None:  # fmt: skip
    """Train the refiner on what the detector proposes.

    The proposals are collected first, into the run's folder; a run that was stopped meanwhile goes on with them.
    """
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from companion.workshop.evaluation.detection import calibrate
    from companion.workshop.evaluation.labels import read_labels
    from companion.workshop.training.export import keep_weights, rewrite_notes
    from companion.workshop.training.proposals import propose, read_proposals
    from companion.workshop.training.refiner import CHECKPOINT, RefinerPlan, RefinerRun, export_refiner

    if not export_only:
        pictures = [picture for folder in folders for picture in read_labels(folder)]
        run = RefinerRun(run_folder, RefinerPlan(minutes, rate=rate, seed=seed, threads=threads))
        if resume:
            run.resume()
        elif start_from:
            run.start_from(start_from)
        run_folder.mkdir(parents=True, exist_ok=True)
        for news in propose(detector, pictures, run_folder / "proposals.npz"):
            click.echo(news)
        for news in run.train(pictures, read_proposals(run_folder / "proposals.npz")):
            click.echo(news)
    out.parent.mkdir(parents=True, exist_ok=True)
    export_refiner(run_folder / CHECKPOINT, out)
    keep_weights(run_folder / CHECKPOINT, out.with_suffix(".pt"))
    fitted = calibrate(detector, out, [picture for folder in vals for picture in read_labels(folder)])
    rewrite_notes(out, {"calibration": asdict(fitted)})
    click.echo(f"{out} ({out.stat().st_size / 1e6:.1f} MB)")


@command.command()
@click.option("--data", "folders", type=FOLDER, multiple=True, help="Pictures whose cards are learnt too; may be repeated.")
@click.option(
    "--scans", type=FOLDER, help="Folder of scanned decks (stu, french, piacentine); without it from the drawn deck alone."
)
@click.option("--backgrounds", type=FOLDER, help="Pictures (.jpg) for what lies around the card.")
@click.option("--styles", type=click.IntRange(min=1), default=40, show_default=True, help="How many drawn styles of the deck.")
@click.option("--run", "run_folder", type=FOLDER, default=Path("runs/reader"), show_default=True, help="Where checkpoints go.")
@click.option("--out", type=FOLDER, default=Path("models"), show_default=True, help="Where reader.onnx and prototypes.npz go.")
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    default=15.0,
    show_default=True,
    help="Training time, over all resumptions.",
)
@click.option("--resume", is_flag=True, help="Go on from the run's last checkpoint.")
@click.option(
    "--start-from",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Begin with these weights (a run's last.pt, or models/reader.pt).",
)
@click.option("--export", "export_only", is_flag=True, help="Train no further: export the run's checkpoint as it is.")
@click.option("--rate", type=float, default=3e-3, show_default=True, help="Learning rate at its highest.")
@click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help="Processor cores to use.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of weights and of the order of pictures.")
def reader(
    folders: tuple[Path, ...], scans: Path | None, backgrounds: Path | None, styles: int, run_folder: Path, out: Path,
    minutes: float, resume: bool,
    start_from: Path | None, export_only: bool, rate: float, threads: int, seed: int,
) -> None:  # fmt: skip
    """Train the reader of faces on crops made on the fly and on cards cut out of pictures."""
    os.environ["OMP_NUM_THREADS"] = str(threads)
    from companion.workshop.evaluation.labels import read_labels
    from companion.workshop.evaluation.reading import calibrate_reader
    from companion.workshop.training.crops import backdrops, classes
    from companion.workshop.training.export import keep_weights
    from companion.workshop.training.reader import CHECKPOINT, ReaderPlan, ReaderRun, export_reader

    if not export_only:
        known = classes(styles, seed, scans)
        pictures = [picture for folder in folders for picture in read_labels(folder)]
        plan = ReaderPlan(minutes, rate=rate, seed=seed, threads=threads)
        run = ReaderRun(run_folder, plan, known, backdrops(backgrounds), pictures)
        if resume:
            run.resume()
        elif start_from:
            run.start_from(start_from)
        for news in run.train():
            click.echo(news)
    out.mkdir(parents=True, exist_ok=True)
    model, prototypes = out / "reader.onnx", out / "prototypes.npz"
    export_reader(run_folder / CHECKPOINT, model, prototypes, {})
    keep_weights(run_folder / CHECKPOINT, out / "reader.pt")
    sharpness, stranger = calibrate_reader(model, prototypes, scans, backdrops(backgrounds), seed + 1)
    size = (model.stat().st_size + prototypes.stat().st_size) / 1e6
    click.echo(f"{model} and {prototypes} ({size:.1f} MB), sharpness {sharpness:.1f}, strangers below {stranger:.3f}")
