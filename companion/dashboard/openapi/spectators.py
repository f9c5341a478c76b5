"""What spectators ask for."""

from __future__ import annotations

from typing import Any

from companion.dashboard.archive import GameView
from companion.dashboard.health import Health
from companion.dashboard.openapi.endpoint import ANY, EVENTS, JPEG, NUMBER, SVG, TABLE_LOG, TEXT, THEME, Endpoint
from companion.dashboard.openapi.games import CHARTS, MOVIOLA, VIEW
from companion.dashboard.organiser.context import NoticesView
from companion.dashboard.spectators import ChancesView, NowView
from companion.dashboard.var import VideoView
from companion.dashboard.voice import Calls

ENDPOINTS = (
    Endpoint(
        "GET", "/", "everybody",
        "the TV. `?theme=dark` or `light` and `?lang=`, both remembered; `?moviola` plays the last hand at once",
        query={"theme": THEME, "moviola": TEXT},
    ),
    Endpoint("GET", "/overlay", "everybody", "players, pedine, ruling and commentary on a transparent ground, for OBS"),
    Endpoint("GET", "/charts", "everybody", "the evening in figures", also=(404,)),
    Endpoint("GET", "/api/game", "everybody", "[the game as the TV shows it](#api-game)", answer=VIEW),
    Endpoint(
        "GET", "/api/stream", "everybody",
        "[the same as server-sent events](#stream). 503: too many pages follow already: ask `/api/now` meanwhile",
        answer=EVENTS, also=(503,),
    ),
    Endpoint(
        "GET", "/api/now", "everybody",
        "what the stream would say, for pages that find no place there: `id`, `view` (`null` where `?seen=` is that id) "
        "and `beat`",
        answer=NowView, query={"seen": TEXT},
    ),
    Endpoint(
        "GET", "/api/log", "everybody",
        "the [table log](table-log.md) as everybody has seen the game, `application/x-ndjson`. 404: no game yet",
        answer=TABLE_LOG, also=(404,),
    ),
    Endpoint(
        "GET", "/api/moviola", "everybody",
        "[the last hand that is over](#api-moviola), step by step; `null` before there is one",
        answer=MOVIOLA,
    ),
    Endpoint("GET", "/api/charts", "everybody", "[the figures behind the charts](#api-charts)", answer=CHARTS),
    Endpoint(
        "GET", "/api/chances", "everybody",
        "[everybody's chance of paying](#api-chances). 404: they are not shown",
        answer=ChancesView, also=(404,),
    ),
    Endpoint(
        "GET", "/api/var/<hand>", "everybody",
        "while an organiser has it shown: [the video](#api-var) of the hand with this id. 404: it is not shown",
        answer=VideoView,
    ),
    Endpoint(
        "GET", "/api/var/<hand>/<still>.jpg", "everybody",
        "one of its pictures: the table top, with every face covered that was not shown to everybody. 404 as above",
        answer=JPEG,
    ),
    Endpoint(
        "GET", "/api/calls", "everybody",
        "[what the voice can say now](#api-calls). 404: the voice is off",
        answer=Calls, also=(404,),
    ),
    Endpoint(
        "GET", "/api/calls/<key>.wav", "everybody",
        "one of these sentences as sound. 404: it is none of them, or there is no voice",
        answer="audio/wav",
    ),
    Endpoint(
        "GET", "/api/notices", "everybody",
        'what the table is asked, or told of the troubles of camera and [disk](ledger.md#disk): `{"notices": [sentence, '
        "…]}`",
        answer=NoticesView,
    ),
    Endpoint(
        "GET", "/api/games", "phone",
        "[the games of the ledger](#past-games), the newest first. For everybody while an organiser has opened them",
        answer=list[GameView],
    ),
    Endpoint(
        "GET", "/api/games/<game>/log", "phone",
        "the table log of one of them, as everybody at the table has seen it; for whom as above. 404: no such game",
        answer=TABLE_LOG,
    ),
    Endpoint(
        "GET", "/api/games/<game>/view", "phone",
        "what the TV showed after `?step=N` lines (from 1; the last where it is left out), as `/api/game`. 404 as above",
        answer=VIEW, query={"step": NUMBER},
    ),
    Endpoint(
        "GET", "/api/openapi.json", "everybody",
        "this page for programs: an [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0.html) document with all schemas",
        answer=dict[str, Any],
    ),
    Endpoint(
        "GET", "/live.jpg", "everybody",
        "in `companion demo`, the clip's newest picture; 404 elsewhere, where the camera is for organisers",
        answer=JPEG, also=(404,),
    ),
    Endpoint(
        "GET", "/healthz", "everybody",
        "[how the program is](#health), for a watchdog. 503: something is wrong",
        answer=Health, refusal=Health,
    ),
    Endpoint("GET", "/metrics", "everybody", "[the same](#health) for Prometheus", answer="text/plain"),
    Endpoint(
        "GET", "/cards/<name>", "everybody",
        "a drawing: `cucco.svg`, `back.svg`, `ramino-10h.svg`, …",
        answer=SVG,
    ),
    Endpoint("GET", "/static/<filename>", "everybody", "scripts and style sheets", answer=ANY),
    Endpoint("GET", "/about", "everybody", "the program's licence, and where its source is"),
    Endpoint("GET", "/source.zip", "everybody", "the source of the program that answers", answer="application/zip"),
    Endpoint("GET", "/licence", "everybody", "the licence, word by word", answer="text/plain", also=(404,)),
    Endpoint("GET", "/networks/<name>", "everybody", "a file of the networks, which the source leaves out", answer=ANY),
)  # fmt: skip
