"""What the program stands on: every licence is listed, and an audit that was not made is not called clean."""

from __future__ import annotations

import json

import audit
import licences
import pytest


def test_every_pinned_package_is_listed_with_its_licence() -> None:
    listed = licences.rows(licences.PAGE.read_text("utf-8"))
    pinned = {name for packages in licences.pins().values() for name, _ in packages}
    assert set(listed) == pinned, "run: make docs"


def test_the_list_says_what_the_installed_packages_say() -> None:
    page = licences.PAGE.read_text("utf-8")
    assert licences.written(page) == page, "run: make docs"


def test_what_runs_has_a_licence_that_goes_with_ours() -> None:
    listed = licences.rows(licences.PAGE.read_text("utf-8"))
    for name, _ in licences.pins()["run"]:
        assert "not installed" not in listed[name], name
        assert not any(word in listed[name] for word in ("Proprietary", "Commercial")), name


def told(*found: dict[str, object]) -> str:
    return json.dumps({"dependencies": found, "fixes": []})


CLEAN = {"name": "flask", "version": "3.1.3", "vulns": []}
HOLE = {"name": "old", "version": "1.0", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "own", "skip_reason": "not found"}


@pytest.mark.parametrize(("printed", "status", "said"), [
    ("", 0, "cannot be reached"),
    ("Traceback …", 0, "cannot be reached"),
    (told(UNKNOWN), 0, "knows none of the 1 pinned versions"),
    (told(CLEAN, UNKNOWN), 0, "1 of 2 pinned versions audited, no known hole"),
    (told(CLEAN, HOLE), 1, "old 1.0: PYSEC-1"),
])  # fmt: skip
def test_an_audit_fails_on_a_hole_and_says_what_it_has_not_seen(printed: str, status: int, said: str) -> None:
    found = audit.verdict(printed)
    assert found[0] == status
    assert said in found[1]
