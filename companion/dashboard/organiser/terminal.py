"""What the terminal says when the server starts: how a phone comes to the organiser's page."""

from __future__ import annotations

import io

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
