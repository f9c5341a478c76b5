"""Who comes to the pages: an organiser's phone that taps, spectators that ask, and connections that are nobody's."""

from __future__ import annotations

import http.client
import http.cookiejar
import json
import random
import re
import socket
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

SECONDS = 30.0

Json = dict[str, Any]


class Unanswered(Exception):
    """Nobody answered: it may have been done, or not."""


def asked(url: str, data: bytes | None = None, headers: dict[str, str] | None = None, opener: Any = None) -> tuple[int, bytes]:
    """Status and body. Raises Unanswered."""
    request = urllib.request.Request(url, data, headers or {})
    try:
        with (opener.open if opener else urllib.request.urlopen)(request, timeout=SECONDS) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered(str(error)) from None


class Phone:
    """A paired phone. It stays paired when the program is begun again."""

    def __init__(self) -> None:
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self._url = self._csrf = ""
        self.view: Json = {}

    def pair(self, url: str, pin: str) -> bool:
        """Come in with the PIN; False where that is refused."""
        self._url = url
        status, _ = asked(f"{url}/pair", urllib.parse.urlencode({"pin": pin, "name": "soak"}).encode(), opener=self._opener)
        return status == 200 and self.enter(url)

    def enter(self, url: str) -> bool:
        """Open the page; False where the phone is not paired (any more)."""
        self._url = url
        _, page = asked(f"{url}/organiser", opener=self._opener)
        found = re.search(rb'"csrf": ?"([^"]+)"', page)
        self._csrf = found[1].decode() if found else ""
        return found is not None and self.look()

    def look(self) -> bool:
        """See how the game stands; False where there is none."""
        status, body = asked(f"{self._url}/api/organiser?lang=en", opener=self._opener)
        self.view = json.loads(body) if status == 200 else {}
        return status == 200

    def tap(self, do: Json, token: str) -> int:
        """The status of a tap, made on what was last seen. Raises Unanswered."""
        told = {"game": self.view.get("game", 0), "version": self.view.get("version", 0), "do": do, "tap": token}
        headers = {"X-CSRF-Token": self._csrf, "Content-Type": "application/json"}
        status, body = asked(f"{self._url}/api/organiser/command?lang=en", json.dumps(told).encode(), headers, self._opener)
        if status == 200:
            self.view = json.loads(body)
        return status

    def rematch(self) -> bool:
        """Begin another evening like the one that is over; False where none begins."""
        before = self.view.get("game")
        form = {"csrf": self._csrf, "game": str(before), "instead_of": str(before)}
        asked(f"{self._url}/setup/rematch", urllib.parse.urlencode(form).encode(), opener=self._opener)
        return self.look() and self.view.get("game") != before


def next_tap(view: Json, chance: random.Random) -> Json | None:
    """Something that could be tapped now, of any game; None where nothing is offered."""
    following = view.get("next", {})
    covered = [one for one in following.get("covered") or () if one.get("kinds")]
    offers = [one for one in following.get("offers") or () if one.get("events")]
    if covered and (not offers or chance.random() < 0.5):
        one = chance.choice(covered)
        return {"what": "say", "events": [{"e": "reveal", "by": one["player"], "card": chance.choice(one["kinds"])}]}
    return {"what": "say", "events": chance.choice(offers)["events"]} if offers else None


def nobodies(url: str, count: int, slow: bool) -> list[socket.socket]:
    """Connections that send nothing, or (``slow``) the beginning of a head and no more."""
    address = urllib.parse.urlsplit(url)
    found = []
    for _ in range(count):
        try:
            one = socket.create_connection((address.hostname or "", address.port or 80), 5)
            if slow:
                one.sendall(b"GET / HTT")
            found.append(one)
        except OSError:
            continue
    return found
