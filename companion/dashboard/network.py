"""How other devices reach this machine: the addresses of its network interfaces, which are known without the internet, and the
certificate for them.
"""

from __future__ import annotations

import contextlib
import datetime
import ipaddress
import socket
from collections.abc import Iterable
from pathlib import Path

import ifaddr
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from companion.files import written_whole
from companion.table.errors import CannotServe

EVERY = ("", "0.0.0.0", "::")  # nosec B104 # compared with, never chosen here
"""Hosts that mean: all of this machine's addresses."""
_BEHIND = ("docker", "br-", "veth", "virbr", "vmnet", "vboxnet", "podman", "lxc", "tun", "tap", "wg", "tailscale", "zt")
"""The beginnings of the names of interfaces that lead to no TV: of machines inside this one, and of tunnels."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def reachable(host: str, port: int, scheme: str = "http") -> tuple[str, ...]:
    """The URLs at which a phone or a TV finds a server bound to ``host``, the likeliest first; none where only this machine can
    reach it."""
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
    """The URL at which this machine's own browser finds a server bound to ``host``."""
    return url({"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port)  # nosec B104 # read, not bound


def url(host: str, port: int, scheme: str = "http") -> str:
    """The URL as people type it, with an IPv6 address in brackets."""
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
    """The address from which this machine would send to the internet; None where it has no route there. Nothing is sent."""
    family, far = (socket.AF_INET, "192.0.2.1") if version == 4 else (socket.AF_INET6, "2001:db8::1")
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
        asking.connect((far, 9))  # of a datagram socket: picks the way, sends nothing
        return ipaddress.ip_address(asking.getsockname()[0])
    return None


def likeliest(found: Iterable[tuple[str, Address]], own: Address | None, version: int) -> tuple[Address, ...]:
    """The addresses of this IP ``version`` that another device can use, the likeliest first: ``own``, from which this machine
    sends, then those of real interfaces. IPv6 addresses of the link alone (fe80…) are left out: no browser takes them."""
    usable = [
        (name, address)
        for name, address in found
        if address.version == version and not address.is_loopback and not (version == 6 and address.is_link_local)
    ]
    ranked = sorted(usable, key=lambda one: (one[1] != own, one[0].startswith(_BEHIND), one[1].is_link_local))
    return tuple(dict.fromkeys(address for _, address in ranked))


# The certificate is made on this machine: browsers open a camera over HTTPS only. No authority has signed it, so the browser
# warns once. It keeps others in the bar's network from reading along.

VALIDITY = datetime.timedelta(days=397)
"""How long a certificate is valid: browsers accept none with a longer time."""
RENEWAL_MARGIN = datetime.timedelta(days=30)
"""Time before the end of a certificate from which on another one is made."""
EARLIEST_NOW = datetime.datetime(2026, 11, 1, tzinfo=datetime.UTC)
"""The earliest time that the clock may show: this program did not exist before, so a clock that shows less is wrong."""
CLOCK_SLACK = datetime.timedelta(days=2)
"""How long before now a certificate becomes valid, as a phone's clock and this machine's differ."""


def certificate(
    file: Path, addresses: Iterable[str], now: datetime.datetime | None = None, *, one_key: bool = False
) -> Path:
    """Make sure that ``file`` holds a certificate and its key (PEM) for these ``addresses`` (IP addresses and names), for this
    machine's name and for localhost; returns ``file``. A certificate that is there is kept as long as it is good, as phones have
    learnt to trust it.

    Another one is made where it is missing or damaged, ends soon, or lacks an address. Only the file's owner may read it.
    ``one_key``: the new certificate keeps the old one's key, unless other users could have read that.

    Raises:
        CannotServe: it cannot be written.
    """
    now = max(now or datetime.datetime.now(datetime.UTC), EARLIEST_NOW)
    wanted = {*addresses, *own_names(), "127.0.0.1", "localhost"}
    if not _will_do(file, wanted, now):
        pem = _made(sorted(wanted), now, _kept_key(file) if one_key else None)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(file) as scratch:
                scratch.chmod(0o600)
                scratch.write_bytes(pem)
        except OSError as error:
            raise CannotServe(f"{file}: the certificate for a phone as the camera cannot be written: {error.strerror}") from error
    return file


def own_names() -> tuple[str, ...]:
    """This machine's name, and its name in the local network (``.local``); none where the name is not fit for a certificate."""
    name = socket.gethostname()
    plain = name.isascii() and 0 < len(name) < 60 and name.replace("-", "").replace(".", "").isalnum()
    return (name, f"{name.split('.')[0]}.local") if plain else ()


def _will_do(file: Path, wanted: set[str], now: datetime.datetime) -> bool:
    try:
        pem = file.read_bytes()
        if file.stat().st_mode & 0o077:
            return False  # others could have read the key
        serialization.load_pem_private_key(pem, None)
        found = x509.load_pem_x509_certificate(pem)
        names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (OSError, ValueError, TypeError, x509.ExtensionNotFound):
        return False
    named = {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}
    begun = found.not_valid_before_utc <= now or now <= EARLIEST_NOW  # made before the clock went back
    return wanted <= named and begun and now < found.not_valid_after_utc - RENEWAL_MARGIN


def _kept_key(file: Path) -> ec.EllipticCurvePrivateKey | None:
    """The private key in ``file``; None where there is none, or where other users could have read it."""
    try:
        if file.stat().st_mode & 0o077:
            return None
        found = serialization.load_pem_private_key(file.read_bytes(), None)
    except (OSError, ValueError, TypeError):
        return None
    return found if isinstance(found, ec.EllipticCurvePrivateKey) else None


def _made(names: list[str], now: datetime.datetime, key: ec.EllipticCurvePrivateKey | None = None) -> bytes:
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "companion")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_SLACK)
        .not_valid_after(now - CLOCK_SLACK + VALIDITY)
        .add_extension(x509.SubjectAlternativeName([_general(one) for one in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    secret = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return secret + made.public_bytes(serialization.Encoding.PEM)


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)
