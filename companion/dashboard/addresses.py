"""The addresses at which other devices reach this machine, asked of its interfaces: a bar's network may have no way out."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterable

import ifaddr

EVERY = ("", "0.0.0.0", "::")  # nosec B104 # compared with, never chosen here
"""Hosts that mean: all of this machine's addresses."""
_BEHIND = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "lxc", "tun", "tap", "wg", "tailscale", "zt")
"""How interfaces are called behind which no TV is: machines inside this one, tunnels."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def reachable(host: str, port: int, scheme: str = "http") -> tuple[str, ...]:
    """Where a phone or a TV finds a server bound to ``host``, the likeliest first; nowhere, if only this machine can reach it."""
    if host in EVERY:
        version = 6 if host == "::" else 4
        return tuple(url(str(address), port, scheme) for address in likeliest(interfaces(), sends_from(version), version))
    try:
        if ipaddress.ip_address(host).is_loopback:
            return ()
    except ValueError:  # a name
        if host == "localhost":
            return ()
    return (url(host, port, scheme),)


def here(host: str, port: int) -> str:
    """Where this machine's own browser finds it."""
    return url({"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)  # nosec B104 # read, not bound


def url(host: str, port: int, scheme: str = "http") -> str:
    """As people type it: an IPv6 address in brackets."""
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def interfaces() -> list[tuple[str, Address]]:
    """The name of each of this machine's interfaces, with each of its addresses."""
    found: list[tuple[str, Address]] = []
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            plain = one.ip if isinstance(one.ip, str) else one.ip[0]
            found.append((adapter.name, ipaddress.ip_address(plain)))
    return found


def sends_from(version: int) -> Address | None:
    """The address that this machine would itself send from to somewhere far away; None where it knows no way there."""
    family, far = (socket.AF_INET, "192.0.2.1") if version == 4 else (socket.AF_INET6, "2001:db8::1")
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((far, 9))  # of a datagram socket: picks the way, sends nothing
        return ipaddress.ip_address(asking.getsockname()[0])
    return None


def likeliest(found: Iterable[tuple[str, Address]], own: Address | None, version: int) -> tuple[Address, ...]:
    """Of the addresses of this IP ``version`` those that another device can use, the likeliest first: the one sent from, then
    those of real interfaces. An IPv6 address of the link alone (fe80…) no browser takes."""
    usable = [
        (name, address)
        for name, address in found
        if address.version == version and not address.is_loopback and not (version == 6 and address.is_link_local)
    ]
    ranked = sorted(usable, key=lambda one: (one[1] != own, one[0].startswith(_BEHIND), one[1].is_link_local))
    return tuple(dict.fromkeys(address for _, address in ranked))
