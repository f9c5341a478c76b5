"""What the tests of a leak share: all that spectators can ask for, of logs of any game in which the camera knows too much."""

from __future__ import annotations

from collections.abc import Sequence

from fake_camera import FakeCamera

from companion.dashboard import Settings, create_app
from companion.games import Game, log_format
from companion.ledger import Ledger
from companion.table.log import Line
from companion.table.moments import Moment, follow

ORGANISERS_OWN = ("/api/organiser", "/api/setup", "/api/pair", "/organiser", "/pair", "/setup")
"""Behind the pairing, or with a PIN that no two applications share."""
ASKED = {"/", "/overlay", "/charts", *(f"/api/{name}" for name in ("moviola", "charts", "notices", "calls"))}
"""What a game with all that there is answers to, at least."""


def played(game: Game, lines: Sequence[Line]) -> list[Moment]:
    """The game as the pages follow it."""
    return list(follow(game.rules, game.pages, lines))


def answers(lines: Sequence[Line]) -> dict[str, bytes]:
    """Every address for spectators that answers, and what it says of a game with this log."""
    with Ledger.in_memory(log_format) as ledger:
        ledger.record(ledger.new_game(), lines)
        app = create_app(ledger, settings=Settings(odds=True, voice=True), camera=FakeCamera(ledger))
        asked = sorted(
            rule.rule for rule in app.url_map.iter_rules()
            if "GET" in (rule.methods or ()) and not rule.rule.startswith((*ORGANISERS_OWN, "/static", "/cards"))
        )  # fmt: skip
        asked.remove("/api/stream")
        client = app.test_client()
        got = {rule: client.get(rule.replace("<int:game>", "1")) for rule in asked}
        found = {rule: answer.data for rule, answer in got.items() if answer.status_code == 200}
        with client.get("/api/stream") as stream:
            heard = iter(stream.response)
            found["/api/stream"] = b"".join(next(heard) for _ in range(2))  # type: ignore[misc]
    for told in ("/api/games", "/healthz", "/metrics"):  # when a game began is no secret, nor how the machine is
        found.pop(told, None)
    return found
