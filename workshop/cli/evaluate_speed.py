"""`companion evaluate speed`: how fast games are followed on this machine."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from companion.cli.common import Finite

FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command("speed")
@click.option("--play", type=FILE, required=True, help="Clip of a game, such as companion render makes (1280x720, minutes long).")
@click.option("--table", type=FILE, required=True, help="Its TABLE.json.")
@click.option("--idle", type=FILE, help="Clip of a table where nothing happens, with the same TABLE.json."
              "  [default: one picture of --play in 1920x1080, with fresh noise]")
@click.option("--still", default=20.0, show_default=True, type=Finite(0), help="Which picture, seconds into --play.")
@click.option("--frames", default=300, show_default=True, type=click.IntRange(2), help="Frames that ultralytics is measured on.")
@click.option("--width", type=click.IntRange(64), help="Ultralytics' input, pixels.  [default: what watch chooses for this clip]")
@click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write the report here.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def command(
    play: Path, table: Path, idle: Path | None, still: float, frames: int, width: int | None, report: Path | None, as_json: bool
) -> None:
    """Frames per second of companion watch, compared with ultralytics' predict and track of the same weights.

    Stop everything else on this machine: wall time is measured. Processor time is given too.

    \b
    A clip to measure on:
      companion simulate --seed 41 --players 5 --hands 5 --plain --pedine 10 --log play.jsonl
      companion render play.jsonl -o play.mp4 --table play.json --seed 41
    """
    import msgspec

    from companion.assets import asset
    from workshop.evaluation import speed
    from workshop.evaluation.report import Section, markdown, write_report

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        if idle is None:
            idle = folder / "idle.mp4"
            speed.still_clip(play, still, speed.IDLE_SECONDS, idle)
        # This comes first, as a process' greatest size includes its parent's: networks loaded here would count as watch's.
        playing = speed.watched(play, table, folder)
        idling = speed.watched(idle, table, folder)
        width = width or speed.input_width(play)
        rival = speed.tracked(play, asset("models/detector.pt"), frames, width) if speed.can_track() else None
        agrees = speed.agreement(play, table)
    about = (
        f"`companion watch` from start to end, in a process of its own: {playing.frames} frames of play,"
        f" {idling.frames} of an idle table. "
    )
    if rival is None:
        about += "Ultralytics is not installed here: nothing to compare with."
    else:
        about += f"Ultralytics' predict and track (ByteTrack) of the same weights on {rival.frames} frames, {width} px wide."
    sections = [Section("Speed", about, speed.figures(playing, idling, rival, agrees))]
    again = f"companion evaluate speed --play {play.name} --table {table.name}"
    click.echo(msgspec.json.encode(sections[0].figures).decode() if as_json else markdown(sections))
    if report:
        write_report(report, sections, again)
