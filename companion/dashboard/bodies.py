"""How many bytes a request's body may have: 64 kB, or what its view allows, and that to paired phones only.

A view says it with `max_bytes`. It is enforced twice: by the front, which reads nothing that is longer, and by Flask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from flask import Flask, abort, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

P = ParamSpec("P")
Returned = TypeVar("Returned")

MAX_BYTES = 64 * 1024
"""Bytes of a request's body: of any stranger's, and of a paired phone's where the view says nothing else."""
FORM_BYTES = 64 * 1024
"""Bytes of a form, without the file in it."""
_NAME = "most_bytes"


def max_bytes(most: int) -> Callable[[Callable[P, Returned]], Callable[P, Returned]]:
    """A view that takes a body of at most ``most`` bytes from a paired phone; a larger one is answered with 413, unread."""

    def decorate(view: Callable[P, Returned]) -> Callable[P, Returned]:
        setattr(view, _NAME, most)  # wrappers made with functools.wraps carry it on
        return view

    return decorate


def room_for(app: Flask, method: str, path: str, *, known: bool) -> int:
    """Bytes that a request's body may have. ``path`` as WSGI writes it; ``known``: a paired phone asks."""
    if not known:
        return MAX_BYTES
    try:
        endpoint, _ = app.url_map.bind("").match(path.encode("latin-1").decode(errors="replace"), method)
    except HTTPException:
        return MAX_BYTES
    return int(getattr(app.view_functions[str(endpoint)], _NAME, MAX_BYTES))


def install(app: Flask, known: Callable[[], bool], refusal: Callable[[], ResponseReturnValue]) -> None:
    """Flask's own limit. ``known``: whether a paired phone asks: it is refused at once, a stranger when a view reads the
    body. ``refusal``: the answer, where a blueprint has no other."""

    @app.before_request
    def bounded() -> None:
        friend = bool(request.content_length) and known()
        view = app.view_functions.get(request.endpoint or "")
        request.max_content_length = int(getattr(view, _NAME, MAX_BYTES)) if friend else MAX_BYTES
        if friend and (request.content_length or 0) > request.max_content_length:
            abort(413)

    @app.errorhandler(413)
    def too_large(error: Exception) -> ResponseReturnValue:
        return refusal()
