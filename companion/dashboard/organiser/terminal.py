"""What the terminal says when the server starts: how a phone comes to the organiser's page."""

from __future__ import annotations

import contextlib
import io
import ipaddress
import socket

import segno

from companion.dashboard.organiser.pairing import PairingState


def terminal(pairing: PairingState, url: str) -> str:
    """What the terminal says when the server starts: a QR code where a phone can reach this machine, and the PIN."""
    pin = pairing.pin.digits
    if not pairing.urls:
        return f"The organiser's page: {url}/organiser with PIN {pin}. For phones on the same network: --host 0.0.0.0"
    out = io.StringIO()
    segno.make(pairing.links()[0], error="m").terminal(out, compact=True, border=2)
    return f"{out.getvalue()}The organiser's phone scans this, or opens {pairing.urls[0]}/pair and types the PIN {pin}"


def reachable(host: str, port: int) -> tuple[str, ...]:
    """The addresses at which a phone finds a server bound to ``host``: none for one that only this machine can reach."""
    if host not in ("", "0.0.0.0", "::"):
        try:
            if ipaddress.ip_address(host).is_loopback:
                return ()
        except ValueError:
            if host == "localhost":
                return ()
        return (f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}",)
    return tuple(f"http://{address}:{port}" for address in _own_addresses())


def _own_addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses in its networks, the one that it would itself send from first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, contextlib.suppress(OSError):
        asking.connect(("192.0.2.1", 9))  # of a datagram socket: picks the way, sends nothing
        found.append(asking.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return tuple(dict.fromkeys(address for address in found if not ipaddress.ip_address(address).is_loopback))
