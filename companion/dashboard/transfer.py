"""What goes over the network: compressed where that makes it smaller; scripts, sheets and drawings are cached by their content.

A bar's Wi-Fi is slow. All files in `web/static` have one version, a hash of them all, which stands in their addresses: a browser
asks for each once, and again only when the program is another one. Scripts import one another by relative addresses, and get the
same version by that.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from flask import Flask, Response, abort, g, request
from werkzeug.security import safe_join

from companion.dashboard.endpoint import ANY, documented

MIN_BYTES: Final = 500
"""What is smaller goes in one packet anyway."""
LEVEL: Final = 6
"""Of gzip, for what is made for one request: a page of 20 kB takes a third of a millisecond."""
FILE_LEVEL: Final = 9
"""For what is compressed once."""
TEXTS: Final = frozenset({
    "application/javascript", "application/json", "application/x-ndjson", "image/svg+xml", "text/css", "text/csv", "text/html",
    "text/javascript", "text/plain",
})  # fmt: skip
"""What gzip makes smaller. The stream of events is none of these: each event must leave at once."""
VERSION_DIGITS: Final = 12
YEAR_SECONDS: Final = 365 * 24 * 3600
_VERSIONED = re.compile(rf"[0-9a-f]{{{VERSION_DIGITS}}}/")


class File(NamedTuple):
    """A file as it is sent. ``small``: compressed; None where that is no smaller. ``mark``: its ETag."""

    data: bytes
    small: bytes | None
    mimetype: str
    mark: str


@cache
def read(path: Path, changed_ns: int) -> File:
    """The file as it was when it was changed at ``changed_ns``."""
    data, mimetype = path.read_bytes(), mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    small = gzip.compress(data, FILE_LEVEL, mtime=0) if mimetype in TEXTS and len(data) >= MIN_BYTES else None
    digest = hashlib.sha256(data).hexdigest()[:VERSION_DIGITS]
    return File(data, small if small is not None and len(small) < len(data) else None, mimetype, digest)


def sent(folder: Path, name: str, *, max_age: int | None) -> Response:
    """A file of this folder, or 404. ``max_age``: seconds for which it is kept without asking; None: its `version` is in the
    address, so it never changes."""
    where = safe_join(str(folder), name)
    path = Path(where) if where is not None else folder
    if not path.is_file():
        abort(404)
    file = read(path, path.stat().st_mtime_ns)
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
    """Of all files in this folder, hexadecimal digits: another one as soon as one of them is other than before."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:VERSION_DIGITS]


def install(app: Flask, folder: Path) -> None:
    """Compressed answers for this application, which has no static folder yet, and the files of ``folder`` under `/static/`."""
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
    """The answer to this request carries a secret. Compressed beside something that a stranger has put there, its length would
    give it away (BREACH, 2013), so it goes as it is."""
    g.secret = True


def compressed(response: Response) -> Response:
    """The answer, compressed where the browser takes that, and it helps."""
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
