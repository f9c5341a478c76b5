"""Pages are compressed where that helps and gives nothing away, and what they load is cached by its content."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import Environment, Template, TemplateNotFound

from companion.assets import asset
from companion.dashboard import transfer

GZIP = {"Accept-Encoding": "gzip, deflate"}


TEXTS = ("/", "/api/game", "/api/now", "/api/log", "/static/tv.js", "/static/tv.css", "/cards/cucco.svg")


@pytest.mark.parametrize("path", TEXTS)
def test_text_is_compressed_where_the_client_takes_that_and_says_the_same(client: FlaskClient, game: int, path: str) -> None:
    plain, small = client.get(path), client.get(path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    if len(plain.data) >= transfer.MIN_BYTES:
        assert small.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(small.data) == plain.data
        assert len(small.data) < 0.6 * len(plain.data)
        assert small.content_length == len(small.data)
        assert all("Accept-Encoding" in one.headers["Vary"] for one in (small, plain))
    else:
        assert small.data == plain.data
    assert client.get(path, headers={"Accept-Encoding": "gzip;q=0"}).data == plain.data


def test_what_is_small_is_no_text_or_is_a_stream_goes_as_it_is(app: Flask, client: FlaskClient) -> None:
    app.add_url_rule("/small", "small", lambda: "few letters")
    app.add_url_rule("/large", "large", lambda: app.response_class(b"\0" * 9999, mimetype="image/jpeg"))
    app.add_url_rule("/events", "events", lambda: app.response_class(b"data: 1\n\n" * 999, mimetype="text/event-stream"))
    app.add_url_rule("/slowly", "slowly", lambda: app.response_class((b"x" * 99 for _ in range(99)), mimetype="text/plain"))
    app.add_url_rule("/gone", "gone", lambda: ("x" * 9999, 404))
    for path in ("/small", "/large", "/events", "/slowly", "/gone"):
        assert "Content-Encoding" not in client.get(path, headers=GZIP).headers, path


def test_a_page_with_a_secret_in_it_is_not_compressed(app: Flask, client: FlaskClient) -> None:
    """Its length would give the secret away, letter by letter, to anybody who may put other letters on the same page."""
    from companion.dashboard.organiser import csrf_token

    app.add_url_rule("/secret", "secret", lambda: f"{'x' * 9999}{csrf_token()}")
    answer = client.get("/secret", headers=GZIP)
    assert answer.status_code == 200
    assert "Content-Encoding" not in answer.headers


def addresses(page: str) -> list[str]:
    """What a page loads of ours."""
    return re.findall(r'(?:src|href)="(/static/[^"]+)"', page)


def test_everything_that_a_page_loads_is_kept_for_a_year_under_an_address_of_its_content(client: FlaskClient) -> None:
    found = addresses(client.get("/").text)
    version = transfer.version(asset("web") / "static")
    assert len(found) > 10
    for address in found:
        assert address.startswith(f"/static/{version}/")
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"


@pytest.mark.parametrize("address", ["/static/tv.js", f"/static/{'0' * transfer.VERSION_DIGITS}/tv.js"])
def test_an_address_without_a_version_or_with_an_older_one_is_asked_about_each_time(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.data == (asset("web") / "static" / "tv.js").read_bytes()
    assert answer.headers["Cache-Control"] == "public, max-age=0, no-cache"
    again = client.get(address, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert client.get(address, headers={**GZIP, "If-None-Match": answer.headers["ETag"]}).status_code == 200


def test_a_file_that_changes_changes_the_address_of_all(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    before = transfer.version(tmp_path)
    (tmp_path / "a.js").write_text("2")
    transfer.version.cache_clear()
    after = transfer.version(tmp_path)
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    transfer.version.cache_clear()
    assert len({before, after, transfer.version(tmp_path)}) == 3


def test_an_update_changes_no_file_of_the_program_that_runs(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, game: int
) -> None:
    """A page of the one with a script of the other would show nothing."""
    def gone(*_: object) -> transfer.File:
        raise FileNotFoundError("the update has taken this file's place")

    before = client.get("/").data
    transfer.hold(app)
    monkeypatch.setattr(transfer, "read", gone)
    web = asset("web")
    for folder in ("static", "cards"):
        files = [path for path in (web / folder).rglob("*") if path.is_file()]
        assert files
        for path in files:
            assert client.get(f"/{folder}/{path.relative_to(web / folder).as_posix()}").data == path.read_bytes(), path
    assert client.get("/static/nowhere.js").status_code == 404
    assert client.get("/").data == before, "with the same scripts of its game"


def test_an_update_in_the_first_seconds_takes_only_what_it_has_taken(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the program reads its files: one script and one page are gone for a moment."""
    loader = app.jinja_env.loader
    assert loader is not None
    reading, loading, taken = transfer.read, loader.load, ["tv.css", "about.html"]

    def read(path: Path, changed_ns: int) -> transfer.File:
        if path.name in taken:
            raise FileNotFoundError(path)
        return reading(path, changed_ns)

    def load(environment: Environment, name: str, *rest: Any) -> Template:
        if name in taken:
            raise TemplateNotFound(name)
        return loading(environment, name, *rest)

    monkeypatch.setattr(transfer, "read", read)
    monkeypatch.setattr(loader, "load", load)
    monkeypatch.setattr(app.jinja_env, "cache", {})
    transfer.hold(app)
    assert {*app.jinja_env.list_templates()} - {name for _, name in app.jinja_env.cache or {}} == {"about.html"}
    taken.clear()
    assert client.get("/static/tv.css").status_code == 200
    assert client.get("/about").status_code == 200


@pytest.mark.parametrize("name", ["../templates/tv.html", "nowhere.js", "games", "", "%2e%2e/templates/tv.html", "x" * 300])
def test_nothing_beside_the_folder_is_given(client: FlaskClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404
    assert client.get(f"/static/{transfer.version(asset('web') / 'static')}/{name}").status_code == 404


def test_the_tv_s_page_with_all_that_it_loads_is_small(client: FlaskClient, game: int) -> None:
    """It was 241 kB with a drawing of a card for an icon."""
    page = client.get("/", headers=GZIP)
    loaded = [client.get(address, headers=GZIP) for address in addresses(gzip.decompress(page.data).decode())]
    assert sum(len(one.data) for one in (page, *loaded) if one.mimetype in transfer.TEXTS) < 50_000, "without the typeface"
    (icon,) = (one for one in loaded if one.mimetype == "image/svg+xml")
    assert len(icon.data) < 400
