"""Decks, taught on the phone."""

from __future__ import annotations

from companion.dashboard.decks.context import LookView, PhotoView
from companion.dashboard.decks.making import Progress
from companion.dashboard.openapi.endpoint import JPEG, TEXT, Endpoint, Form

ENDPOINTS = (
    Endpoint("GET", "/setup/decks", "phone", "all decks, those that are being taught, and the forms for new ones", also=(404,)),
    Endpoint(
        "POST", "/setup/decks", "phone",
        "begins to teach one: `name`, `list` (`stu`, `italian`, `french`)",
        body=Form(("name", "list")), also=(400, 404),
    ),
    Endpoint(
        "POST", "/setup/decks/upload", "phone",
        "form with a file `deck`, and a `name` where it is not the file's: takes a deck in",
        body=Form(("name",), files=("deck",)), also=(400, 404),
    ),
    Endpoint("GET", "/setup/decks/<name>", "phone", "a deck: what it has and has not"),
    Endpoint("GET", "/setup/decks/<name>/file", "phone", "its file, for download", answer="application/octet-stream"),
    Endpoint(
        "POST", "/setup/decks/<name>/use", "phone",
        "it is played with from now on",
        body=Form(("instead_of",)), also=(400, 409),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/delete", "phone",
        "asks; with `sure=1` deletes it, or with `what=draft` what was taught so far. 409: it is played with",
        body=Form(("sure", "what")), also=(400, 409),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/improve", "phone",
        "teaches a deck further, from the photos in it; `card`: which one comes first",
        body=Form(("card",)), also=(400,),
    ),
    Endpoint(
        "GET", "/setup/decks/<name>/teach", "phone",
        "the card that is asked for, or `?card=`, and a tick for each; `?more=1`: another photo of it",
        query={"card": TEXT, "more": TEXT},
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/photo", "phone",
        "form with a file `photo` (JPEG, PNG, WebP, …) of the `card`",
        body=Form(("card",), files=("photo",)), answer=PhotoView, also=(400, 422),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/look", "phone",
        "the table's camera looks once for the `card`, and takes it when it lies still. `page`: any text that is this "
        "page's own; `more=1`: also where there are photos enough. Answers `state` (`no_camera`, `elsewhere`, `enough`, "
        "`none`, `refused`, `moving`, `before`, `taken`), `said`, `size`, `quads`, `to`, `sure`",
        body=Form(("card", "page", "more")), answer=LookView, also=(400,),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/change", "phone",
        "`do` with a `card`: `drop` or `agree` to the photo `mark`, `again`, `skip`, `unskip`; `each` (1, 2): photos of "
        "every card",
        body=Form(("do", "card", "mark", "each")), also=(400,),
    ),
    Endpoint("GET", "/setup/decks/<name>/photo/<card>/<mark>", "phone", "a photo that was taken, straightened", answer=JPEG),
    Endpoint("POST", "/setup/decks/<name>/make", "phone", "makes the deck of the photos", body=Form(), also=(400,)),
    Endpoint("GET", "/setup/decks/<name>/make", "phone", "how far it is"),
    Endpoint("GET", "/setup/decks/<name>/make.json", "phone", "the same: `done`, `of`, `said`, `to`", answer=Progress),
    Endpoint("GET", "/setup/decks/<name>/trial", "phone", "the trial"),
    Endpoint(
        "POST", "/setup/decks/<name>/trial", "phone",
        "of the card `mark`: `right=1`, or which one it `was`; `do=again`: from the beginning",
        body=Form(("mark", "right", "was", "do")), also=(400,),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/trial/look", "phone",
        "the table's camera looks once, and names a card that lies still; as `look`",
        body=Form(("page",)), answer=LookView, also=(400,),
    ),
    Endpoint(
        "POST", "/setup/decks/<name>/trial/photo", "phone",
        "form with a file `photo` of any card: it is named",
        body=Form(files=("photo",)), answer=PhotoView, also=(400, 422),
    ),
    Endpoint("GET", "/setup/decks/<name>/trial/<mark>", "phone", "the card as it was seen", answer=JPEG),
)  # fmt: skip
