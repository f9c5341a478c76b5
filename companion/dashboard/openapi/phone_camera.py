"""What the phone that films asks for, over HTTPS at a port of its own."""

from __future__ import annotations

from companion.dashboard.openapi.endpoint import ANY, JPEG, Endpoint
from companion.dashboard.phone_app import Coming, Said, Token

ENDPOINTS = (
    Endpoint("GET", "/", "everybody", "the camera's page. It begins with the code in its fragment, which no request carries"),
    Endpoint(
        "POST", "/join", "everybody",
        '`{"code": …, "phone": …}` → `{"token": …}`. `code`: of the QR code, good for one phone and an hour. `phone`: 32 '
        "hexadecimal digits that the phone has drawn by lot. 401: no such code (any more). The token is good for a day, also "
        "after a restart",
        body=Coming, answer=Token, also=(400, 401), refusal=Said,
    ),
    Endpoint(
        "POST", "/picture", "token",
        "a JPEG picture, 2 MB and 4096 pixels a side at most. `X-Taken`: when it was taken, in milliseconds of a clock of the "
        "page that never goes back; `X-Page`: the page, told apart from earlier ones. Answers below",
        body=JPEG, answer=Said, also=(409, 415, 429), refusal=Said,
    ),
    Endpoint("POST", "/take", "token", "this phone is the camera from now on, whichever was before", answer=Said, refusal=Said),
    Endpoint(
        "POST", "/away", "token",
        "the page is hidden or closed; headers as above: what was taken before does not count any more",
        answer=Said, refusal=Said,
    ),
    Endpoint("GET", "/source.zip", "everybody", "the source of the program that answers", answer="application/zip"),
    Endpoint("GET", "/static/<filename>", "everybody", "scripts and style sheets", answer=ANY),
    Endpoint("GET", "/cards/<name>", "everybody", "a drawing", answer="image/svg+xml"),
)  # fmt: skip
