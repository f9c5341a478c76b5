"""What pages tell of a camera: what is wrong with what it shows, and never its password."""

from __future__ import annotations

import html
import typing
from string import Formatter

import pytest
from fake_camera import FakeCamera
from phones import Organiser
from side_eyes import dealt
from test_both_languages import foreign

from companion.dashboard import create_app
from companion.dashboard.setup.phrases import amiss as words
from companion.dashboard.spectators import notice_words
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.camera import Amiss, CameraHealth, CameraStatus
from companion.line.camera_session import CameraSession
from companion.line.sources import reasons
from companion.table.errors import Reason
from companion.table.language import LANGS, Lang, catalogue

GAME = new_game(["Anna", "Bruno", "Carla"], 200, "Carla")
TABLE = (
    b'{"v":1,"image_size":[320,180],"corners":[[40,20],[280,20],[310,170],[10,170]],"stake":200,"currency":"EUR",'
    b'"dealer":"Carla","players":[{"name":"Anna","place":[160,140]},{"name":"Bruno","place":[250,60]},'
    b'{"name":"Carla","place":[70,60]}]}'
)
ADDRESS = "rtsp://anna:segreto@127.0.0.1:9/live?token=segretissimo"
SHOWN = "rtsp://…@127.0.0.1:9/live?token=…"


def test_no_page_shows_the_password_of_the_camera_and_it_can_be_chosen_again(ledger: Ledger) -> None:
    with CameraSession(ledger, lambda: dealt) as camera_session:
        app = create_app(ledger, camera=camera_session, recorder=lambda: camera_session.recorder, notices=camera_session.notices)
        phone = Organiser(app)
        phone.post("/setup/camera", source=ADDRESS)
        assert [one.source for one in camera_session.sources() if "127" in one.source] == [SHOWN]
        game = camera_session.begin(GAME, TABLE)
        assert ledger.notes(game)["camera"] == ADDRESS
        pages = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and not rule.arguments}
        pages -= {"/api/stream", "/api/organiser/stream"}
        for path in sorted(pages):
            assert "segret" not in html.unescape(phone.get(path).get_data().decode(errors="replace")), path
        assert html.unescape(phone.get("/setup/camera").text).count(SHOWN) >= 1
        assert "segret" not in phone.get("/setup/games").text
        phone.post("/setup/camera", source=SHOWN)
        assert ledger.notes(game)["camera"] == ADDRESS, "the same one, with its password"
        asked = phone.refused("/setup/camera", source="rtsp://anna:segr#eto@127.0.0.1/live")
        assert "segr#eto" not in asked.text
        assert "%23" in asked.text


@pytest.mark.parametrize("what", typing.get_args(Amiss))
def test_what_is_wrong_with_what_the_camera_shows_is_said_on_the_phone_and_to_a_watchdog(
    ledger: Ledger, what: Amiss, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = FakeCamera(ledger)
    camera.begin(GAME, TABLE)
    camera.state = CameraStatus("0", "live", size=(1280, 720), amiss=what)
    monkeypatch.setattr(camera, "health", lambda: CameraHealth("live", follows=True, looked=0.1, amiss=what))
    app = create_app(ledger, camera=camera)
    page = html.unescape(Organiser(app).get("/setup/camera").text)
    assert ('class="problem"' in page) == bool(what)
    assert words("it")[what] in page
    assert ("non vede il tavolo" in page) == bool(what)
    assert ("funziona" in page) != bool(what)
    told = app.test_client().get("/healthz")
    assert (told.status_code, told.json["camera"]["amiss"]) == (503 if what else 200, what)


@pytest.mark.parametrize("lang", LANGS)
def test_whatever_is_wrong_with_a_source_has_words_in_both_languages(lang: Lang) -> None:
    told = [one for one in vars(reasons).values() if isinstance(one, Reason)]
    assert len(told) > 12
    for one in told:
        said = catalogue(lang).gettext(one.text)
        assert (said == one.text) == (lang == "en"), one.code
        blanks = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (one.text, said)]
        assert blanks[0] == blanks[1], one.code
    for text in [*words(lang).values(), *(notice_words(lang)[what] for what in ("black", "nothing", "elsewhere"))]:
        assert foreign(text, lang) == set(), text
