"""Setting an evening up."""

from __future__ import annotations

from companion.dashboard.openapi.endpoint import JPEG, NUMBER, TABLE_LOG, TEXT, Endpoint, Form
from companion.dashboard.setup.camera_pages import CameraMark, CheckAnswer
from companion.dashboard.setup.phone_pages import PhoneStage

ENDPOINTS = (
    Endpoint(
        "GET", "/setup", "phone",
        "where an evening begins: new, the same table again, already begun, going on. `?why=begun` or `anew` says why a "
        "step of the preparation led here",
        query={"why": TEXT},
    ),
    Endpoint(
        "POST", "/setup/new", "phone",
        "an empty preparation; `late=1`: of an evening that is under way",
        body=Form(("late",)),
    ),
    Endpoint(
        "POST", "/setup/again", "phone",
        "prepares another evening like `game`, an id of the ledger: table, places, names, stake, rules, camera",
        body=Form(("game",)), also=(404,),
    ),
    Endpoint(
        "POST", "/setup/go-on", "phone",
        "prepares to go on with `game`, an evening that is not over. 404: it is",
        body=Form(("game",)), also=(404,),
    ),
    Endpoint(
        "POST", "/setup/rematch", "phone",
        "begins another evening like `game` at once; a second time the evening that it began is left as it is",
        body=Form(("game", "instead_of")), also=(404, 409),
    ),
    Endpoint("GET", "/setup/game", "phone", "which game is played, where there are several"),
    Endpoint("POST", "/setup/game", "phone", "`game`: its id", body=Form(("draft", "game")), also=(400,)),
    Endpoint("GET", "/setup/camera", "phone", "the cameras that open"),
    Endpoint(
        "POST", "/setup/camera", "phone",
        "`source`: a number, an address or a file; or `thumb=1`: no camera",
        body=Form(("draft", "source", "thumb", "instead_of")), also=(303, 409),
    ),
    Endpoint("GET", "/setup/camera.json", "phone", "`is`: a text that is another when the camera is", answer=CameraMark),
    Endpoint("GET", "/setup/camera/phone", "phone", "a phone as the camera: the code that it scans", also=(400,)),
    Endpoint(
        "POST", "/setup/camera/phone", "phone",
        "a phone is to be the camera: opens [HTTPS](#phone-camera)",
        body=Form(("draft", "instead_of")), also=(303, 409),
    ),
    Endpoint(
        "GET", "/setup/camera/phone.json", "phone",
        "how far it is: `stage` (`waiting`, `joined`, `sending`, `silent`), `said`",
        answer=PhoneStage,
    ),
    Endpoint(
        "GET", "/camera", "everybody",
        "what the filming phone's code leads to first: why its browser will warn, and the link to HTTPS",
    ),
    Endpoint(
        "GET", "/setup/table", "phone",
        "the table's corners, as the camera finds them; `?find=1` seeks anew",
        query={"find": TEXT},
    ),
    Endpoint(
        "POST", "/setup/table", "phone",
        "`corners`: four points, `x,y x,y x,y x,y`, in pixels",
        body=Form(("draft", "corners")), also=(303,),
    ),
    Endpoint("GET", "/setup/players", "phone", "places and names"),
    Endpoint(
        "POST", "/setup/players", "phone",
        "`places`: points as above; `name`, once for each",
        body=Form(("draft", "places", "name")), also=(303,),
    ),
    Endpoint("GET", "/setup/<name>", "phone", "a step of the game's own, see below. 404: it has no such step"),
    Endpoint(
        "POST", "/setup/<name>", "phone",
        "its form",
        body=Form(("draft", "stake", "edition", "dealer", "restart", "card-0", "pedine-0", "virgin-0", "ricompere")), also=(303,),
    ),
    Endpoint(
        "GET", "/setup/draw.json", "phone",
        "what the camera reads now: number of the place (from 0) → card",
        answer=dict[str, str],
    ),
    Endpoint("GET", "/setup/deck", "phone", "which deck lies on the table, see [decks](#decks)", also=(404,)),
    Endpoint(
        "POST", "/setup/deck", "phone",
        "`deck`: the name of a taught one, or empty: the shipped one",
        body=Form(("draft", "deck")), also=(400, 404),
    ),
    Endpoint("GET", "/setup/ready", "phone", "everything at a glance, and what is missing"),
    Endpoint("GET", "/setup/start", "phone", "leads to `/setup/ready`"),
    Endpoint(
        "POST", "/setup/start", "phone",
        "begins the evening, or goes on with the one that was prepared",
        body=Form(("draft", "instead_of")), also=(303, 409),
    ),
    Endpoint("GET", "/setup/check", "phone", "what the camera sees"),
    Endpoint(
        "GET", "/setup/check.json", "phone",
        "the same as JSON: `state` (`none`, `opening`, `live`, `held`, `frozen`, `lost`, `ended`), `said`, `reason`, "
        "`check` (measures and cards; `null` before the first look), `advice`",
        answer=CheckAnswer,
    ),
    Endpoint(
        "GET", "/setup/live.jpg", "phone",
        "the camera's newest picture, 1280 pixels wide at most. 404: none",
        answer=JPEG, also=(404,),
    ),
    Endpoint("GET", "/setup/moved", "phone", "the corners once more, in mid-evening"),
    Endpoint("POST", "/setup/moved", "phone", "`corners`, as above: the camera was moved", body=Form(("corners",)), also=(303,)),
    Endpoint("GET", "/setup/games", "phone", "past games"),
    Endpoint(
        "POST", "/setup/correct", "phone",
        "`game`: one that is over is shown again, to be corrected",
        body=Form(("game", "instead_of")), also=(404, 409),
    ),
    Endpoint(
        "POST", "/setup/take-back", "phone",
        "`game`: a rematch of which no hand was told is taken back; the game before is shown again",
        body=Form(("game",)), also=(404,),
    ),
    Endpoint(
        "POST", "/setup/delete", "phone",
        "`game`: deletes it, once `sure` is its id, too: 409 asks first. With `for_good=1` it cannot be restored, and is in the"
        " ledger's file no more",
        body=Form(("game", "sure", "for_good")), also=(404, 409),
    ),
    Endpoint("POST", "/setup/restore", "phone", "`game`: takes its deletion back", body=Form(("game",)), also=(404,)),
    Endpoint("POST", "/setup/erase", "phone", "`game`: deletes for good what was deleted", body=Form(("game",)), also=(404,)),
    Endpoint("GET", "/setup/rename", "phone", "`?game=`: the names of a game", query={"game": TEXT}, also=(404,)),
    Endpoint(
        "POST", "/setup/rename", "phone",
        "`game`; `was` and `name`, once for each name: how they are called from now on, in the whole of it",
        body=Form(("game", "was", "name")), also=(400, 404),
    ),
    Endpoint(
        "POST", "/setup/games/open", "phone",
        "`open`: 1 opens past games to everybody in the network, otherwise they are for paired phones",
        body=Form(("open",)),
    ),
    Endpoint(
        "POST", "/setup/games", "phone",
        "form with a file `log`: takes a table log in",
        body=Form(files=("log",)), also=(400,),
    ),
    Endpoint("GET", "/setup/games/<game>", "phone", "a game step by step, `?step=N`", query={"step": NUMBER}),
    Endpoint("GET", "/setup/games/<game>/log", "phone", "its table log with everything that is known", answer=TABLE_LOG),
)  # fmt: skip
