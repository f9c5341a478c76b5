"""The voice that calls the rulings: espeak-ng, where it is installed, speaks each sentence, and the TV's browser plays the sound.

It runs as a process of its own, so that the evening goes on whatever happens to it. It speaks only sentences about what everybody
has seen, mostly those of `Pages.calls`.
"""

from __future__ import annotations

import functools
import hashlib
import io
import logging
import shutil
import subprocess
import wave
from collections import OrderedDict
from threading import Lock

from flask import Blueprint, Flask, Response, abort, current_app
from flask.typing import ResponseReturnValue
from msgspec import Struct

from companion.dashboard.answers import answer
from companion.dashboard.endpoint import documented
from companion.dashboard.feed import Feed
from companion.dashboard.locale import chosen
from companion.pages.correcting import read_out
from companion.table.language import Lang, catalogue
from companion.table.text import printable

_log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
WORDS_A_MINUTE = 150
MAX_CHARACTERS = 300
"""Characters of a sentence that are spoken; the rest is cut off."""
TIMEOUT_SECONDS = 10.0
"""Seconds that the program may take for a sentence."""
MAX_KEPT = 60
"""Number of sentences that can be asked for as sound, the newest."""

voice = Blueprint("voice", __name__)


class Call(Struct, frozen=True):
    """A sentence: ``key`` is its sound's name, ``text`` what is said."""

    key: str
    text: str


class Calls(Struct, frozen=True):
    """What can be said now. ``id``: that of the stream's event."""

    id: str
    calls: tuple[Call, ...]


class NoVoice(RuntimeError):
    """espeak-ng is not installed on this machine, or has failed."""


def installed() -> bool:
    """Whether espeak-ng is installed on this machine."""
    return shutil.which(PROGRAM) is not None


@functools.lru_cache(maxsize=MAX_KEPT)
def spoken(text: str, lang: Lang) -> bytes:
    """A sentence as the bytes of a WAV file.

    Raises:
        NoVoice: espeak-ng is missing, or has failed.
    """
    command = [PROGRAM, "-v", lang, "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout"]
    try:
        # Through its standard input: a name may begin with a dash.
        sentence = printable(text)[:MAX_CHARACTERS].encode()
        done = subprocess.run(command, input=sentence, capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
        with wave.open(io.BytesIO(done.stdout)) as recording:
            params, frames = recording.getparams(), recording.readframes(min(recording.getnframes(), len(done.stdout)))
    except (OSError, subprocess.SubprocessError, wave.Error, EOFError) as error:
        raise NoVoice(f"{PROGRAM} said nothing: {error}") from error
    whole = io.BytesIO()  # what it writes into a pipe has no length
    with wave.open(whole, "wb") as sound:
        sound.setnchannels(params.nchannels)
        sound.setsampwidth(params.sampwidth)
        sound.setframerate(params.framerate)
        sound.writeframes(frames)
    return whole.getvalue()


class Caller:
    """Keeps the last `MAX_KEPT` sentences that a page may ask to hear. Every method may be called from any thread."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self._lock = Lock()
        self._said: OrderedDict[str, tuple[str, Lang]] = OrderedDict()

    def calls(self, lang: Lang) -> Calls:
        """The sentences to be spoken now, in this language."""
        snapshot = self.feed.snapshot()
        view = snapshot.view(lang)
        texts = snapshot.game.pages.calls(snapshot.settled, view, lang) if snapshot.moments else ()
        if view.corrected and (view.ruling is None or view.ruling.sure):
            texts = (*texts, read_out(view.corrected, view.corrected_hand, lang))
        texts = (*texts, *(one.text for one in view.sets if one.after == view.hand))
        if self.feed.shows.now.paused is not None:
            texts = (*texts, catalogue(lang).gettext("The table is on a break."))
        found = tuple(Call(hashlib.sha256(f"{lang} {text}".encode()).hexdigest()[:16], text) for text in texts)
        with self._lock:
            for call in found:
                self._said[call.key] = call.text, lang
                self._said.move_to_end(call.key)
            while len(self._said) > MAX_KEPT:
                self._said.popitem(last=False)
        return Calls(snapshot.id, found)

    def sentence(self, key: str) -> tuple[str, Lang] | None:
        """The sentence with this key, and its language; None where it is not kept."""
        with self._lock:
            return self._said.get(key)


def install(app: Flask, feed: Feed) -> None:
    """Add `/api/calls` and the sounds of its sentences to this application."""
    app.extensions["voice"] = Caller(feed)
    app.register_blueprint(voice)


def _caller() -> Caller:
    found: Caller = current_app.extensions["voice"]
    if not found.feed.shows.now.voice:
        abort(404, "the voice is off: an organiser can switch it on")
    return found


@voice.get("/api/calls")
@documented(answer=Calls, also=(404,))
def api_calls() -> ResponseReturnValue:
    """[What the voice can say now](#api-calls). 404: the voice is off."""
    return answer(_caller().calls(chosen()))


@voice.get("/api/calls/<key>.wav")
@documented(answer="audio/wav")
def sound(key: str) -> ResponseReturnValue:
    """One of these sentences as sound. 404: it is none of them, or there is no voice."""
    found = _caller().sentence(key)
    if found is None:
        abort(404, "no such sentence was to be said")
    try:
        return Response(spoken(*found), mimetype="audio/wav")
    except NoVoice as error:
        _log.warning("%s", error)
        abort(404, f"no voice: {PROGRAM} is not installed, or failed")
