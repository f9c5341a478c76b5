"""How answers go over a bar's slow Wi-Fi: compressed where that makes them smaller; scripts, style sheets and drawings are
cached.

All files in `web/static` have one version, a hash of them all, in their addresses. So a browser asks for each file once, and
again only after an update. Scripts import one another by relative addresses, and so get the same version.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from flask import Flask, Response, abort, current_app, g, request
from jinja2 import TemplateNotFound
from werkzeug.security import safe_join

from companion.dashboard.endpoint import ANY, documented

MIN_BYTES: Final = 500
"""Least bytes of an answer that is compressed: smaller ones fit into one packet anyway."""
LEVEL: Final = 6
"""Level of gzip for answers that are made for one request: a page of 20 kB takes a third of a millisecond."""
FILE_LEVEL: Final = 9
"""Level of gzip for files, which are compressed once."""
TEXTS: Final = frozenset({
    "application/javascript", "application/json", "application/x-ndjson", "image/svg+xml", "text/css", "text/csv", "text/html",
    "text/javascript", "text/plain",
})  # fmt: skip
"""Media types that gzip makes smaller. The stream of events is left out, as each event must be sent at once."""
VERSION_DIGITS: Final = 12
YEAR_SECONDS: Final = 365 * 24 * 3600
_VERSIONED = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}/")


class File(NamedTuple):
    """A file as it is sent. ``data``: its bytes; ``small``: these compressed with gzip, None where that is no smaller; ``mark``:
    its ETag."""

    data: bytes
    small: bytes | None
    mimetype: str
    mark: str


@cache
def read(path: Path, changed_ns: int) -> File:
    """Read a file; kept in memory. ``changed_ns``: when the file was last changed, so that it is read again after a change."""
    data, mimetype = path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    small = gzip.compress(data, FILE_LEVEL, mtime=0) if mimetype in TEXTS and len(data) >= MIN_BYTES else None
    digest = hashlib.sha256(data).hexdigest()[:VERSION_DIGITS]
    return File(data, small if small is not None and len(small) < len(data) else None, mimetype, digest)


def found(folder: Path, name: str) -> File | None:
    """The file of this name in the folder, None where there is none: as it was when this application was told to `hold` it, or as
    it is now."""
    where = safe_join(str(folder), name)
    path = Path(where) if where is not None else folder
    held: dict[Path, File] | None = current_app.extensions.get("files")
    if held:
        return held.get(path)
    try:
        return read(path, path.stat().st_mtime_ns) if path.is_file() else None
    except OSError:  # the name is longer than any file's, or the file has gone just now
        return None


def hold(app: Flask) -> None:
    """Read every file that this application serves, and every template, into memory, once: an update may take the place of them
    while it runs, and a page would be made of two versions. Where one has done so already, what is gone is read once it is asked
    for."""
    web = Path(app.static_folder or "").parent
    with suppress(OSError):
        app.extensions["files"] = {path: read(path, path.stat().st_mtime_ns)
                                   for folder in ("static", "cards") for path in (web / folder).rglob("*") if path.is_file()}
    for name in app.jinja_env.list_templates():
        with suppress(TemplateNotFound):
            app.jinja_env.get_template(name)


def sent(folder: Path, name: str, *, max_age: int | None) -> Response:
    """The answer with a file of this folder; aborts with 404 where there is none. ``max_age``: seconds for which a browser may
    use it without asking again; None: without end, as the address holds its `version`."""
    file = found(folder, name)
    if file is None:
        abort(404)
    small = file.small if request.accept_encodings["gzip"] > 0 else None
    response = Response(file.data if small is None else small, mimetype=file.mimetype)
    if file.small is not None:
        response.vary.add("Accept-Encoding")
    if small is not None:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(file.mark if small is None else f"{file.mark}-gzip")
    response.cache_control.public = True
    response.cache_control.max_age = YEAR_SECONDS if max_age is None else max_age
    if max_age is None:
        response.cache_control.immutable = True
    elif not max_age:
        response.cache_control.no_cache = True
    response.make_conditional(request)
    return response


@cache
def version(folder: Path) -> str:
    """The version of all files in this folder together: `VERSION_DIGITS` hexadecimal digits of a hash of their names and
    contents."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:VERSION_DIGITS]


def install(app: Flask, folder: Path) -> None:
    """Compress the answers of this application, and serve the files of ``folder`` under `/static/`."""
    now = version(folder)
    app.static_folder = str(folder)

    @app.url_defaults
    def versioned(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{now}/{values['filename']}"

    @app.get("/static/<path:filename>", endpoint="static")
    @documented(answer=ANY)
    def static(filename: str) -> Response:
        """Scripts and style sheets."""
        plain = _VERSIONED.sub("", filename, count=1) if _VERSIONED.match(filename) else filename
        return sent(folder, plain, max_age=None if filename.startswith(f"{now}/") else 0)

    app.after_request(compressed)


def secret() -> None:
    """Send the answer to this request uncompressed, as it carries a secret. Compressed beside text that a stranger has put there,
    its length would give the secret away (BREACH, 2013)."""
    g.secret = True


def compressed(response: Response) -> Response:
    """The answer, compressed where the browser accepts gzip and the answer is text that is long enough."""
    plain = response.mimetype not in TEXTS or "Content-Encoding" in response.headers or response.status_code != 200
    if plain or response.is_streamed or response.direct_passthrough or g.get("secret", False):
        return response
    data = response.get_data()
    if len(data) < MIN_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(data, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response
