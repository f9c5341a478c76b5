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


def answer(value: object) -> Response:
    """The value as the answer to a request."""
    return Response(encoded(value), mimetype="application/json")
