"""How much may be sent: little, but where a view says more, and that only by somebody of the house.

Said where the view is (`most_bytes`), kept twice: by the front, which reads nothing that is longer, and by Flask.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from flask import Flask, abort, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

P = ParamSpec("P")
Returned = TypeVar("Returned")

SMALL = 64 * 1024
"""Bytes of a request's body, where nothing else is said, and of any that is a stranger's."""
FORM = 64 * 1024
"""Bytes of a form beside the file in it."""
_NAME = "most_bytes"


def most_bytes(most: int) -> Callable[[Callable[P, Returned]], Callable[P, Returned]]:
    """A view that takes a body of so many bytes from somebody of the house; larger ones are answered with status 413 unread."""

    def decorate(view: Callable[P, Returned]) -> Callable[P, Returned]:
        setattr(view, _NAME, most)  # wrappers made with functools.wraps carry it on
        return view

    return decorate


def room_for(app: Flask, method: str, path: str, *, known: bool) -> int:
    """Bytes that a request may have. ``path`` as WSGI writes it; ``known``: who asks is of the house."""
    if not known:
        return SMALL
    try:
        endpoint, _ = app.url_map.bind("").match(path.encode("latin-1").decode(errors="replace"), method)
    except HTTPException:
        return SMALL
    return int(getattr(app.view_functions[str(endpoint)], _NAME, SMALL))


def install(app: Flask, known: Callable[[], bool], refusal: Callable[[], ResponseReturnValue]) -> None:
    """Flask's own wall. ``known``: whether the request is of somebody of the house, who is told at once; a stranger is, when a
    view reads. ``refusal``: what is answered, where a blueprint says nothing else."""

    @app.before_request
    def bounded() -> None:
        friend = bool(request.content_length) and known()
        view = app.view_functions.get(request.endpoint or "")
        request.max_content_length = int(getattr(view, _NAME, SMALL)) if friend else SMALL
        if friend and (request.content_length or 0) > request.max_content_length:
            abort(413)

    @app.errorhandler(413)
    def too_large(error: Exception) -> ResponseReturnValue:
        return refusal()
