"""How a phone is paired."""

from __future__ import annotations

from companion.dashboard.openapi.endpoint import TEXT, Endpoint, Form

ENDPOINTS = (
    Endpoint(
        "GET", "/pair", "everybody",
        "the form for the PIN; `?next=` where to go afterwards, by default to the setup while there is no game, then to "
        "the game. A paired phone goes there at once. The QR code's link has a long code of its own after `#`, which "
        "browsers neither send nor log; the PIN may stand there, too",
        query={"next": TEXT}, also=(302,),
    ),
    Endpoint(
        "POST", "/pair", "everybody",
        "form: `pin`, or the QR code's `code`; `name`, `next`. Right: the cookie, and a redirect. 403: wrong. 429: too "
        "many wrong PINs, five from an address or thirty in all within 15 minutes (with `Retry-After`); the code counts "
        "all the same",
        body=Form(("pin", "code", "name", "next")), also=(403, 429),
    ),
    Endpoint("GET", "/pair/show", "machine", "the QR code, the PIN and the paired phones"),
    Endpoint("POST", "/pair/renew", "machine", "another PIN and another code. Paired phones stay paired. Redirects", body=Form()),
    Endpoint(
        "POST", "/pair/withdraw", "machine",
        "form: `phone`, the id of one to withdraw, or `filming`, of one that may film. Redirects",
        body=Form(("phone", "filming")),
    ),
)  # fmt: skip
