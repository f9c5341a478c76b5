"""Visitors who speak HTTP by hand, each from an address of its own on the loopback interface."""

from __future__ import annotations

import re
import socket
import urllib.parse

from companion.dashboard.serve import Server

HANGS_SECONDS = 600
"""A server that has not answered in this time hangs: the test fails."""


class Visitor:
    """One connection. ``number``: its address is 127.0.1.NUMBER. ``receives``: bytes that the system takes for it unread."""

    def __init__(self, server: Server, number: int, receives: int = 0) -> None:
        self._socket = socket.socket()
        if receives:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        self._socket.bind((f"127.0.1.{number}", 0))
        self._socket.settimeout(HANGS_SECONDS)
        self._socket.connect(("127.0.0.1", server.port))
        self.cookie = ""

    def send(self, text: str | bytes) -> None:
        self._socket.sendall(text.encode() if isinstance(text, str) else text)

    def ask(self, method: str, path: str, body: str = "", *headers: str) -> tuple[int, str, str]:
        """Status, head and body of an answer."""
        told = "".join(f"{header}\r\n" for header in (*headers, *([f"Cookie: {self.cookie}"] if self.cookie else [])))
        length = f"Content-Length: {len(body)}\r\n" if body and "Content-Length" not in told else ""
        self.send(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{told}{length}\r\n{body}")
        return self.answer()

    def answer(self) -> tuple[int, str, str]:
        head = self.until(b"\r\n\r\n")
        found = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        text = b""
        while found and len(text) < int(found[1]):
            text += self._more(int(found[1]) - len(text))
        if cookie := re.search(r"set-cookie: (organiser[^=]*=[^;]+)", head, re.IGNORECASE):
            self.cookie = cookie[1]
        return int(head.split()[1]), head, text.decode(errors="replace")

    def follow(self, path: str = "/api/stream") -> int:
        """Ask for the stream; its status."""
        self.send(f"GET {path} HTTP/1.1\r\nHost: a\r\nCookie: {self.cookie}\r\n\r\n")
        return int(self.until(b"\r\n\r\n").split()[1])

    def until(self, mark: bytes) -> str:
        """Read up to these bytes."""
        text = b""
        while not text.endswith(mark):
            text += self._more(1)
        return text.decode()

    def _more(self, most: int) -> bytes:
        found = self._socket.recv(most)
        assert found, "the connection was closed"
        return found

    def ended(self) -> bool:
        """Whether the server closes the connection; what still comes is thrown away."""
        try:
            while self._socket.recv(1 << 16):
                pass
        except TimeoutError:
            return False
        except OSError:
            pass
        return True

    def pair(self, pin: str) -> None:
        """Become an organiser's phone."""
        form = urllib.parse.urlencode({"pin": pin})
        assert self.ask("POST", "/pair", form, "Content-Type: application/x-www-form-urlencoded")[0] == 302

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
