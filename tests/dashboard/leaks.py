"""All that spectators can get of a game: what its pages make of it, and what every address says."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest import mock

import msgspec
import pytest
from fake_camera import FakeCamera
from flask import Flask
from hidden_cards import ALL_OPEN, HIDDEN, Hidden

from companion.dashboard import Settings, create_app
from companion.dashboard.settings import DEFAULTS
from companion.games import GAMES, Game, log_format
from companion.ledger import Ledger, SeasonBook
from companion.line.recorder import EveningRecorder
from companion.pages.earlier import earlier_hands
from companion.pages.moments import Moment, follow, last_hand
from companion.pages.recap import recap
from companion.referee import Evening
from companion.referee.questions import answer, question
from companion.table.language import LANGS
from companion.table.log import Line, tag, write_lines

every_game = pytest.mark.parametrize("name", [name for name in GAMES if name not in ALL_OPEN])
ORGANISERS_OWN = ("/api/organiser", "/api/setup", "/api/pair", "/organiser", "/pair", "/setup", "/start")
"""Behind the pairing or for this machine alone, or with a PIN that no two applications share."""
NO_SECRET = ("/api/games", "/healthz", "/metrics", "/api/openapi.json", "/source.zip")
"""When a game began, how the machine is, how to ask, what the program is."""
ASKED = {
    "/", "/overlay", "/charts", "/api/log", "/api/now", "/api/games/<int:game>/view", "/season", "/season/<player>",
    *(f"/api/{name}" for name in ("game", "hands", "moviola", "charts", "notices", "calls", "stream", "season")),
}  # fmt: skip
"""What a game with all that there is answers to, at least."""


def played(game: Game, lines: Sequence[Line]) -> list[Moment]:
    """The game as the pages follow it."""
    return list(follow(game.rules, game.pages, lines))


def everything(game: Game, moments: Sequence[Moment]) -> bytes:
    """All that the game's pages make for a spectator once it has come so far."""
    pages, found = game.pages, list[bytes]()
    for lang in LANGS:
        view = pages.view(moments, lang, DEFAULTS.view)
        found += [msgspec.json.encode(view), "\n".join(pages.calls(moments, view, lang)).encode()]
        found.append(msgspec.json.encode(earlier_hands(game.rules, pages, moments, lang, DEFAULTS.view.sure_from)))
        found.append(msgspec.json.encode(recap(game.rules, pages, moments, lang, DEFAULTS.view, money=True)))
        if pages.moviola is not None:
            found.append(msgspec.json.encode(pages.moviola(moments, lang)))
        if pages.charts is not None:
            figures = pages.charts.figures(moments, lang)
            found += [msgspec.json.encode(figures), pages.charts.drawing(figures, lang).encode()]
        # VAR says these:
        told = [(was, now) for was, now in pairwise(moments) if now.event is not None]
        found += [pages.line_text(was.seen, now.event, now.seen, lang).encode() for was, now in told]
    return b"\n".join([*found, write_lines(line for moment in moments for line in moment.lines)])


NOW = time.time()


@contextmanager
def clock_stands_still() -> Iterator[None]:
    """Two logs are asked for one after the other; on a busy machine in two minutes of the day, or on two days."""
    with mock.patch("time.time", return_value=NOW):
        yield


@clock_stands_still()
def answers(lines: Sequence[Line], *, dear: bool = True) -> dict[str, bytes]:
    """Every address for spectators that answers, and what it says of a game with this log. ``dear``: also what takes seconds, an
    evening's picture in pixels and the views of its past."""
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), lines)
        SeasonBook(ledger).open_past(to_all=True)
        app = create_app(ledger, settings=Settings(odds=True, voice=True), camera=FakeCamera(ledger))
        return dict(_answers(app, len(lines), dear=dear))


@clock_stands_still()
def answers_of(evening: Evening) -> dict[str, bytes]:
    """The same while a camera follows the evening, with all that it holds for possible."""
    with Ledger.in_memory(log_format) as ledger:
        recorder = EveningRecorder.begin(ledger, evening.record.game)
        recorder.change(lambda _: evening)
        SeasonBook(ledger).open_past(to_all=True)
        settings = Settings(odds=True, voice=True)
        app = create_app(ledger, settings=settings, camera=FakeCamera(ledger), recorder=lambda: recorder)
        return dict(_answers(app, len(evening.log), dear=True))


@clock_stands_still()
def answers_from(app: Flask, lines: int, *, dear: bool) -> dict[str, bytes]:
    """The same of an application that is there, and follows a game with this many ``lines``."""
    return dict(_answers(app, lines, dear=dear))


def _answers(app: Flask, lines: int, *, dear: bool) -> Iterator[tuple[str, bytes]]:
    """Each, and a past game's view at every 61st step, under its rule and what was asked. ``dear``: in both languages."""
    rules = sorted(
        rule.rule for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.rule.startswith((*ORGANISERS_OWN, "/static", "/cards"))
    )  # fmt: skip
    for lang in LANGS if dear else LANGS[:1]:
        client = app.test_client()
        season = client.get("/season").text
        person = re.search(r'"/season/(?!language|settings|evening)([^"/?]+)', season)
        for rule in rules:
            if rule in NO_SECRET or rule == "/api/stream" or (rule.endswith(".png") and not dear):
                continue
            address = rule.replace("<int:game>", "1").replace("<player>", person[1] if person else "nobody")
            for step in (*range(1, lines, 61), lines) if rule.endswith("/view") and dear else (None,):
                asked = f"{address}?lang={lang}" + (f"&step={step}" if step else "")
                if (answer := client.get(asked)).status_code == 200:
                    yield (rule if step is None else f"{rule} {step}") + f" {lang}", _unversioned(answer.data)
        with client.get(f"/api/stream?lang={lang}") as stream:
            heard = iter(stream.response)
            yield f"/api/stream {lang}", _unversioned(b"".join(next(heard) for _ in range(2)))  # type: ignore[misc]


def _unversioned(answer: bytes) -> bytes:
    """An answer without what counts how often the log was changed, or says for how long nothing could be seen."""
    return re.sub(rb'(id: |"id": ?"|"revision": ?|"s": ?)[\d.]+|("missed": ?)"[^"]*"', rb"\1\2", answer)


def differing(told: dict[str, bytes], blind: dict[str, bytes]) -> list[str]:
    """Which addresses answer differently."""
    return [one for one in sorted(told.keys() | blind.keys()) if told.get(one) != blind.get(one)]


def answered(evening: Evening) -> list[Evening]:
    """The evening, and as it is after each of a few answers."""
    told = [evening]
    while (asked := question(told[-1])) is not None and len(told) < 6:
        told.append(answer(told[-1], asked.id, asked.choices[len(told) % len(asked.choices)].id))
    return told


@dataclass(frozen=True)
class Case:
    """A game and what is hidden in it."""

    game: Game
    hidden: Hidden

    @classmethod
    def of(cls, name: str) -> Case:
        assert name in HIDDEN, (
            f"{name} is in GAMES: say in hidden_cards.HIDDEN what nobody may see of it, or in ALL_OPEN that it hides no card"
        )
        return cls(GAMES[name], HIDDEN[name])

    def told(self, moments: list[Moment]) -> object:
        """All that a spectator can get of a game that has come so far."""
        return everything(self.game, moments), self.hidden.reckoned(moments)

    def told_blind(self, lines: Any) -> object:
        return self.told(played(self.game, self.hidden.blind(lines)))


def check_faces(case: Case, moments: list[Moment]) -> None:
    """What the TV and the moviola show and name has been laid open."""
    opened, pages, rules = faces_laid_open(moments), case.game.pages, case.game.rules
    view = msgspec.to_builtins(pages.view(moments, "it", DEFAULTS.view))
    assert case.hidden.faces({key: value for key, value in view.items() if key != "happened"}) <= opened
    if pages.moviola is not None and not rules.in_hand(moments[-1].seen):
        replayed = pages.moviola(moments, "it")
        if replayed is not None and replayed.n == rules.hands(moments[-1].seen):
            assert case.hidden.faces(msgspec.to_builtins(replayed)) <= opened


def faces_laid_open(moments: list[Moment]) -> set[str]:
    """The cards in the public lines of the hand in progress, or of the last one."""
    found = set[str]()
    for moment in last_hand(moments):
        for line in moment.lines:
            plain = msgspec.to_builtins(line.event)
            card = plain.get("card")
            found |= {card} if isinstance(card, str) else set()
            found |= {*plain.get("cards", ())} if isinstance(plain.get("cards", ()), list | tuple) else set()
            found |= {*(plain.get("discards") or ())} | ({"taverna"} if tag(line.event) == "taverna" else set())
    return found


def faces_of(line: Line) -> object:
    return getattr(line.event, "faces", None) or getattr(line.event, "card", None)
