"""Writes files whole or not at all: each is written beside its place and put there in one step. And reads files of bounded size.

A reader finds the old file or the new one, whenever the writer stops. Two programs that write the same file at once have a
scratch file each; the file of the one that ends last stays.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """An empty scratch file beside ``path`` with the same suffix, which takes its place when the block ends.

    When the block raises, the scratch file is removed and ``path`` stays as it was.

    Raises:
        OSError: the folder is missing or cannot be written, or ``path`` is a pipe or a device, which stays; the error names
            ``path``.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "a pipe or a device: expected a file", str(path))
    scratch = path.with_name(f".{path.stem}.{secrets.token_hex(8)}{path.suffix}")
    try:
        scratch.touch(exist_ok=False)  # before the work begins: where nothing can be written, nothing need be done
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    try:
        yield scratch
        os.replace(scratch, path)
    finally:
        scratch.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path``, whole or not at all. Raises what `written_whole` raises."""
    with written_whole(path) as scratch:
        scratch.write_bytes(data)


def on_the_disk(path: Path) -> None:
    """Wait until the disk has what the file holds, or which files the folder has: sticks are pulled out, and power goes, without
    a word. Raises OSError."""
    opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems cannot do it for folders
            raise
    finally:
        os.close(opened)


def kept_on_the_disk(file: Path) -> None:
    """Wait until the disk has the file, and its name in its folder: from now on it is there, whenever the power goes. Raises
    OSError."""
    on_the_disk(file)
    on_the_disk(file.parent)


def read_bounded(path: Path, most: int) -> bytes:
    """The whole content of a file of at most ``most`` bytes. A folder, a pipe or a device is not opened, as reading it might
    never end.

    Raises:
        OSError: ``path`` is no regular file, is missing, cannot be read, or is larger; with ``strerror`` and ``filename``.
    """
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if not path.is_file():
        raise OSError(errno.EINVAL, "a folder, a pipe or a device: expected a file", str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most >> 20} MiB", str(path))
    return data
