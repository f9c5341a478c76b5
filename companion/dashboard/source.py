"""The offer of the source that the licence requires of a program used over a network (AGPL-3.0, section 13): the program itself
hands out the source of what runs here, so that it can be had without the internet, too.

The archive holds only code from the program's own folders, and nothing that somebody has put beside it.
"""

from __future__ import annotations

import functools
import io
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, render_template, send_from_directory
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _

import companion
from companion.assets import asset, root
from companion.dashboard.changes import changes
from companion.dashboard.endpoint import ANY, documented
from companion.dashboard.feed import Feed
from companion.line.backups import Backups
from companion.table.errors import AssetMissing

LICENCE = "AGPL-3.0-or-later"
_ELSEWHERE = "https://www.gnu.org/licenses/agpl-3.0.txt"
ABOUT, ARCHIVE = "/about", "/source.zip"
_FOLDERS = ("workshop", "web", "tools", ".ci", "docs")
_FILES = (
    "LICENSE", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "constraints.txt", "Containerfile",
)  # fmt: skip
_CODE = frozenset({
    "", ".css", ".html", ".js", ".json", ".md", ".mjs", ".mo", ".mp3", ".ogg", ".png", ".po", ".py", ".svg", ".toml", ".ttf",
    ".txt", ".typed", ".wav", ".woff2",
})  # fmt: skip
"""The suffixes of files that hold code, or what pages are made of."""
_NETWORKS = (".onnx", ".npz")
_PLAIN_TIME = (1980, 1, 1, 0, 0, 0)

source = Blueprint("source", __name__)


def files() -> Iterator[tuple[str, Path]]:
    """The files of the archive, each with its name in the archive and its path."""
    package, beside = Path(companion.__file__).resolve().parent, root()
    for path in sorted(package.rglob("*")):
        if "_assets" not in path.relative_to(package).parts and _is_code(path):
            yield f"companion/{path.relative_to(package).as_posix()}", path
    for folder in _FOLDERS:
        for path in sorted((beside / folder).rglob("*")):
            if _is_code(path):
                yield f"{folder}/{path.relative_to(beside / folder).as_posix()}", path
    yield from ((name, beside / name) for name in _FILES if (beside / name).is_file())


def _is_code(path: Path) -> bool:
    return path.suffix in _CODE and path.is_file() and not path.is_symlink() and "__pycache__" not in path.parts


class _Archive:
    """The archive, made when it is first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made = b""

    def data(self) -> bytes:
        with self._lock:
            if not self._made:
                self._made = _packed()
            return self._made


def _packed() -> bytes:
    made, folder = io.BytesIO(), f"companion-{companion.__version__}"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files():
            entry = zipfile.ZipInfo(f"{folder}/{name}", _PLAIN_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return made.getvalue()


_archive = _Archive()


@functools.cache
def networks() -> tuple[str, ...]:
    """The names of the files of the trained networks, which the archive leaves out."""
    return tuple(sorted(path.name for path in asset("models").iterdir() if path.suffix in _NETWORKS))


def install(app: Flask) -> None:
    """Add the pages to this application, and the address of the offer to its templates, as `source_at`."""
    app.register_blueprint(source)
    app.jinja_env.globals.update(source_at=ABOUT, licence=LICENCE)


@source.get(ABOUT)
@documented()
def about() -> ResponseReturnValue:
    """The program's licence, where its source is, and what has changed since the version that ran here before."""
    feed: Feed = current_app.extensions["dashboard"]
    backups: Backups | None = current_app.extensions.get("backups")  # a hall has none
    news = changes(backups.updated_from if backups is not None else "")
    return render_template("about.html", news=news, program=companion.__name__, version=companion.__version__,
                           networks=networks(),
                           elsewhere_too=feed.settings.source)  # fmt: skip


@source.get(ARCHIVE)
@documented(answer="application/zip")
def archive() -> ResponseReturnValue:
    """The source of the program that answers."""
    response = Response(_archive.data(), mimetype="application/zip")
    response.headers["Content-Disposition"] = f'attachment; filename="companion-{companion.__version__}.zip"'
    return response


@source.get("/licence")
@documented(answer="text/plain", also=(404,))
def licence() -> ResponseReturnValue:
    """The licence, word by word."""
    try:
        return Response(asset("LICENSE").read_text("utf-8"), mimetype="text/plain")
    except AssetMissing:
        said = _("The licence’s text is not beside the program. It stands at {url}.").format(url=_ELSEWHERE)
        return Response(f"{said}\n", 404, mimetype="text/plain")


@source.get("/networks/<name>")
@documented(answer=ANY)
def network(name: str) -> ResponseReturnValue:
    """A file of the networks, which the source leaves out."""
    if name not in networks():
        abort(404, "no such network")
    return send_from_directory(asset("models"), name, mimetype="application/octet-stream", as_attachment=True)
