"""What an organiser's phone asks for."""

from __future__ import annotations

from companion.dashboard.archive import Taken
from companion.dashboard.lessons import Forget, LessonView
from companion.dashboard.openapi.endpoint import EVENTS, JPEG, NUMBER, REFUSALS, TABLE_LOG, TEXT, Endpoint, Form
from companion.dashboard.openapi.games import COMMANDED, ORGANISERS
from companion.dashboard.organiser.command_pages import Missed, Request
from companion.dashboard.organiser.lines import HandView, SuggestionView
from companion.dashboard.organiser.lookup_pages import NamedView, Place, PlaceView
from companion.dashboard.organiser.said import HistoryView
from companion.dashboard.shows import ShowWish
from companion.dashboard.var import StillView, VarWish
from companion.editing.missed import Telling

ENDPOINTS = (
    Endpoint("GET", "/organiser", "phone", "the page"),
    Endpoint("GET", "/organiser/phones", "phone", "which phones are paired, and which may film the table"),
    Endpoint(
        "POST", "/organiser/phones", "phone",
        "form: `phone`, the id of one to withdraw, or `filming`, of one that may film. Redirects",
        body=Form(("phone", "filming")),
    ),
    Endpoint(
        "GET", "/api/organiser", "phone",
        "[the game as organisers see it](#api-organiser)",
        answer=ORGANISERS, also=(404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/stream", "phone",
        'the same as server-sent events: `view`, `beat` (`{"notices": […]}`), and `unpaired` once the phone has been '
        "withdrawn",
        answer=EVENTS, also=(503,),
    ),
    Endpoint(
        "POST", "/api/organiser/command", "phone",
        "[does something](#commands), or says what it would do",
        body=Request, answer=COMMANDED, also=REFUSALS,
    ),
    Endpoint(
        "POST", "/api/organiser/missed", "phone",
        "[how a hand that was missed goes on](#missed)",
        body=Missed, answer=Telling, also=REFUSALS,
    ),
    Endpoint(
        "POST", "/api/organiser/show", "phone",
        "[what the TV shows besides the game](#show)",
        body=ShowWish, answer=ORGANISERS, also=REFUSALS,
    ),
    Endpoint(
        "POST", "/api/organiser/var", "phone",
        "[video of a hand](#var) on the TV, or no more of it",
        body=VarWish, answer=ORGANISERS, also=REFUSALS,
    ),
    Endpoint(
        "GET", "/api/organiser/lessons", "phone",
        'what corrections have taught the eyes, `[{"id", "card", "at"}, …]`, the newest first; `at`: seconds of the clock',
        answer=list[LessonView],
    ),
    Endpoint("GET", "/api/organiser/lessons/<lesson>.jpg", "phone", "the crop that it was learnt from. 404: gone", answer=JPEG),
    Endpoint(
        "POST", "/api/organiser/lessons/forget", "phone",
        '`{"id": 2}` takes it back, from the next picture on; answers with the list after it',
        body=Forget, answer=list[LessonView], also=(400,),
    ),
    Endpoint(
        "GET", "/api/organiser/hand/<hand>", "phone",
        "any hand, line by line, as `hand` in the view",
        answer=HandView, also=(404, 409),
    ),
    Endpoint(
        "POST", "/api/organiser/place", "phone",
        "[what could stand in a place of a hand](#place), whole acts and lines",
        body=Place, answer=PlaceView, also=REFUSALS,
    ),
    Endpoint(
        "GET", "/api/organiser/named", "phone",
        '`?cards=` ids with a comma between: what they come to in the game that is on, `{"text": "32: two aces and a figure"}`; '
        '`""` where there is nothing to say. 400: no cards of this game, or more than 20',
        answer=NamedView, query={"cards": TEXT}, also=(400, 404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/history", "phone",
        'who said what, the newest first: `[{"entry", "text", "by", "at", "taken_back"}]`, 400 things at most. `by`: the '
        "name of the phone; `at`: when, local time, `null` where an older version recorded it; `taken_back`: it counts no"
        " more",
        answer=list[HistoryView], also=(404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/suggestions", "phone",
        "what could stand in place of lines `start` to `stop` (excluded) of a `hand`: `?hand=&start=&stop=`. A list of "
        '`{"text", "events", "probability"}`, the likeliest first; 0: nothing of it was seen',
        answer=list[SuggestionView], query={"hand": NUMBER, "start": NUMBER, "stop": NUMBER}, also=(400, 404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/picture", "phone",
        "`?question=` the id of the open question: a picture of what it asks about, JPEG. 404: none",
        answer=JPEG, query={"question": TEXT}, also=(404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/moment", "phone",
        '`?question=` as above: the pictures of the moment, `[{"id", "t"}, …]`, `t` in seconds from the first; empty: '
        "none are kept",
        answer=list[StillView], query={"question": TEXT}, also=(404, 409),
    ),
    Endpoint(
        "GET", "/api/organiser/moment/<still>.jpg", "phone",
        "one of them: the part around the players asked about, covered as on the TV. 404: gone",
        answer=JPEG, query={"question": TEXT}, also=(404, 409),
    ),
    Endpoint(
        "GET", "/organiser/games/<game>/hands.csv", "phone",
        "a row a hand and player, [for a spreadsheet](#csv)",
        answer="text/csv",
    ),
    Endpoint(
        "GET", "/organiser/games/<game>/money.csv", "phone",
        "a row for each stake, ricompera and share of the pot",
        answer="text/csv",
    ),
    Endpoint("GET", "/organiser/games/<game>/sheet", "phone", "the evening as a page to print, A4"),
    Endpoint(
        "POST", "/api/games", "phone",
        "takes in the table log that is the request's body, 5 MB at most, into the archive: `{\"id\": 2}`. 400: it cannot "
        "have happened, with `error` and `line`. 422: the pages cannot show it",
        body=TABLE_LOG, answer=Taken, also=(400, 422),
    ),
)  # fmt: skip
