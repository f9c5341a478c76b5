"""What corrections have taught, on the organiser's phone in Chromium: seen with its picture, and taken back with one tap."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from journey import PHONE, Screens, serious, until
from serving import served

from companion.dashboard import Settings, create_app
from companion.eyes.image import encode_jpeg
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.corrections_learnt import CorrectionLearnt, CorrectionsLearnt, kept
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")

pytestmark = pytest.mark.browser

JPEG = encode_jpeg(np.full((224, 128, 3), (30, 30, 200), np.uint8))


def test_a_lesson_is_seen_and_taken_back_with_one_tap(screens: Screens, ledger: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "a.lessons"
    learnt = (CorrectionLearnt(n, "stu", card, "", 1e9, 1, 0, 3.0, 0, JPEG, "", b"") for n, card in ((1, "3"), (2, "gnao")))
    path.write_bytes(kept(tuple(learnt)))
    corrections = CorrectionsLearnt(path)
    recorder = EveningRecorder.begin(ledger, new_game(["Anna", "Bruno", "Carla"], 200, "Carla"))
    app = create_app(ledger, settings=Settings(heartbeat=0.5), recorder=lambda: recorder, corrections=corrections)
    with served(app) as server:
        page = screens.open(PHONE, f"{server.url}/pair#{app.extensions['pairing'].pin.digits}")
        page.locator("button").tap()
        page.locator("#bar [data-shows=more]").tap()
        rows = page.locator("#lessons .lesson")
        sync_api.expect(rows).to_have_count(2)
        sync_api.expect(rows.first).to_contain_text("Imparato: Gnao, ")
        until(page, "document.querySelector('#lessons img').naturalWidth === 128")
        assert serious(page) == []
        rows.first.get_by_role("button").tap()
        sync_api.expect(rows).to_have_count(1)
        assert [one.card for one in corrections.all] == ["3"]
        rows.first.get_by_role("button").tap()
        sync_api.expect(page.locator("#lessons")).to_be_hidden()
    assert CorrectionsLearnt(path).all == ()
