"""Pictures → an H.264 clip, with the ffmpeg that imageio-ffmpeg brings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray

from companion.files import written_whole
from companion.table.errors import ClipError

_BITS_A_PIXEL = 0.26
"""Limit of the bit rate, bits a pixel: 6 Mbit/s at 1280x720 and 25 frames/s, as phones and webcams record."""


def write_clip(
    path: Path, frames: Iterable[NDArray[np.uint8]], size: tuple[int, int], fps: float, *, crf: int = 25,
    preset: str = "veryfast", lost: Collection[int] = (),
) -> int:  # fmt: skip
    """Writes ``frames`` (uint8 HxWx3 BGR) to ``path`` as H.264, yuv420p, and returns how many there were.

    ``size``: width and height, both even. ``crf``: x264's quality, 0 best to 51. ``lost``: numbers of frames that are left out
    while their time passes, so that the clip has a gap. The file appears when it is whole.

    Raises:
        ClipError: an odd size, no frames, or ffmpeg failed.
    """
    width, height = size
    if width % 2 or height % 2:
        raise ClipError(f"size {width}x{height}: yuv420p needs an even width and height")
    # A key frame every two seconds, so that a viewer can seek; a camera's bit rate as the limit, or the noise would need more.
    most = round(_BITS_A_PIXEL * width * height * fps)
    options = ["-preset", preset, "-crf", str(crf), "-maxrate", str(most), "-bufsize", str(2 * most)]
    options += ["-g", str(max(round(2 * fps), 1)), "-movflags", "+faststart", "-f", "mp4"]
    if lost:
        options += ["-vf", f"select='not({'+'.join(f'between(n,{a},{b})' for a, b in _runs(lost))})'", "-fps_mode", "vfr"]
    with written_whole(path) as scratch:
        writer = imageio_ffmpeg.write_frames(
            str(scratch), size, pix_fmt_in="bgr24", pix_fmt_out="yuv420p", fps=float(Fraction(fps).limit_denominator(1001)),
            quality=None, codec="libx264", macro_block_size=2, output_params=options, ffmpeg_log_level="error",
        )  # fmt: skip
        count = 0
        try:
            writer.send(None)
            for frame in frames:
                writer.send(np.ascontiguousarray(frame))
                count += 1
            writer.close()
        except OSError as error:
            if isinstance(error, FileNotFoundError | PermissionError):
                raise
            raise ClipError(f"{path}: ffmpeg stopped: {error}") from error
        finally:
            writer.close()
        if not count or not scratch.stat().st_size:
            raise ClipError(f"{path}: no frame was written")
    return count


def _runs(numbers: Collection[int]) -> list[tuple[int, int]]:
    """The first and the last of each run of successive numbers."""
    runs: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs
