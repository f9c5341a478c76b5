"""Run in a network of its own (`unshare -rn`): pages follow, then the network is gone; how many seconds until the server has let
all of them go is printed. `python tests/dashboard/half_open.py NUMBER`."""

from __future__ import annotations

import fcntl
import socket
import struct
import sys
import time

from crowd import Visitor
from serving import served, until

from companion.dashboard import create_app
from companion.games import log_format
from companion.ledger import Ledger

SIOCGIFFLAGS, SIOCSIFFLAGS, UP = 0x8913, 0x8914, 1


def network(*, up: bool) -> None:
    """Switch the loopback interface."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        flags = struct.unpack("16sh", fcntl.ioctl(asking, SIOCGIFFLAGS, struct.pack("16sh", b"lo", 0)))[1]
        fcntl.ioctl(asking, SIOCSIFFLAGS, struct.pack("16sh", b"lo", flags | UP if up else flags & ~UP))


def main(number: int) -> None:
    network(up=True)
    with Ledger.in_memory(log_format) as ledger, served(create_app(ledger)) as server:
        follow, rest = [Visitor(server, 1 + at) for at in range(number)], [Visitor(server, 100 + at) for at in range(number)]
        assert all(one.follow() == 200 for one in follow)
        assert all(one.ask("GET", "/api/game")[0] == 200 for one in rest)
        network(up=False)
        began = time.monotonic()
        front = server.front
        assert front is not None
        assert len(front.connections) == 2 * number
        until(lambda: len(front.connections) == 0, 60)
        print(round(time.monotonic() - began, 1))


if __name__ == "__main__":
    main(int(sys.argv[1]))
