"""The one way in which the dashboard writes JSON."""

from __future__ import annotations

import json

import msgspec
from flask import Response


def encoded(value: object) -> bytes:
    """The value (structs, dicts, lists, numbers) as JSON."""
    try:
        return msgspec.json.encode(value)
    except OverflowError:  # a sum may have more digits than older msgspec writes
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":")).encode()


def answer(value: object, status: int = 200) -> Response:
    """The value as the answer to a request; bytes are JSON already."""
    return Response(value if isinstance(value, bytes) else encoded(value), status, mimetype="application/json")
