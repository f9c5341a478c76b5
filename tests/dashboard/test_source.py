"""Everybody who uses the program over the network is offered its source, by the program itself (AGPL-3.0, section 13)."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from fake_camera import FakeCamera
from flask import Flask

import companion
from companion import cli
from companion.dashboard import Settings, create_app, source
from companion.ledger import Ledger
from companion.table.errors import AssetMissing

PAGES = ("/", "/charts", "/season", "/pair", "/organiser", "/setup", "/setup/games", "/season/settings")


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger, camera=FakeCamera(ledger))


def test_every_page_with_room_for_it_leads_to_the_source(app: Flask, game: int) -> None:
    client = app.test_client()
    stranger = app.test_client()
    client.post("/pair", data={"pin": app.extensions["pairing"].pin.digits})
    for path in PAGES:
        page = (stranger if path == "/pair" else client).get(path)
        assert page.status_code == 200, path
        assert f'href="{source.ABOUT}"' in page.text, path
    about = stranger.get(source.ABOUT + "?lang=it").text
    assert companion.__version__ in about
    assert "GNU Affero General Public License" in about
    for link in re.findall(r'href="(/[^"?]*)"', about):
        with stranger.get(link) as answer:
            assert answer.status_code == 200, link
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in stranger.get("/licence").text


def test_the_document_for_programs_names_licence_and_source(app: Flask) -> None:
    told = app.test_client().get("/api/openapi.json").json
    assert told["info"]["license"]["identifier"] == "AGPL-3.0-or-later"
    assert app.test_client().get(told["externalDocs"]["url"]).status_code == 200


def test_the_archive_is_the_code_that_runs_and_nothing_that_lies_beside_it(app: Flask, tmp_path: Path) -> None:
    answer = app.test_client().get(source.ARCHIVE)
    assert answer.mimetype == "application/zip"
    assert len(answer.data) < 8_000_000
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
        top = archive.namelist()[0].partition("/")[0]
        assert archive.read(f"{top}/companion/dashboard/source.py") == Path(source.__file__).read_bytes()
    assert {"LICENSE", "pyproject.toml", "constraints.txt", "companion/cli/serve.py", "web/templates/tv.html"} <= names
    assert any(name.startswith("web/static/") and name.endswith(".js") for name in names)
    other = re.compile(r"__pycache__|\.(ledger|pem|deck|mp4|onnx|jpg|jsonl|pt)$|^datasets|/\.")
    assert not [name for name in names if other.search(name)]


@pytest.mark.parametrize("name", ["..%2fLICENSE", "detector.md", "nothing.onnx", "detector.pt"])
def test_only_the_networks_are_networks(app: Flask, name: str) -> None:
    assert app.test_client().get(f"/networks/{name}").status_code == 404


def test_a_licence_that_is_missing_is_named_by_where_it_stands(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "asset", missing)
    answer = app.test_client().get("/licence")
    assert answer.status_code == 404
    assert "https://www.gnu.org/licenses/agpl-3.0.txt" in answer.text


def missing(name: str) -> Path:
    raise AssetMissing(name)


def test_who_has_changed_the_program_says_where_its_source_is(ledger: Ledger) -> None:
    app = create_app(ledger, settings=Settings(source="https://bar.example/companion"))
    assert 'href="https://bar.example/companion"' in app.test_client().get(source.ABOUT).text
    with pytest.raises(ValueError, match="https://"):
        Settings(source="javascript:alert(1)")
    refused = CliRunner().invoke(cli.main, ["serve", "--source-url", "bar.example"])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "begins with https://" in refused.stderr
