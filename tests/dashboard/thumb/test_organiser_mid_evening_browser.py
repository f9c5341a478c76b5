"""In mid-evening, on the organiser's phone in Debian's Chromium: a break. Taps are counted against docs/evening.md."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import TV, Screens, serious, until
from organiser_thumb import TAPS, Thumb, done, played
from phones import Phone

from companion.dashboard.serve import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser


def test_a_break_is_on_the_tv_until_one_tap_ends_it(thumb: Thumb, screens: Screens, server: Server, app: Flask) -> None:
    tv = screens.open(TV, server.url)
    since, acts = tv.locator("#middle .title"), thumb.page.locator("#next button")
    played(thumb, "7", "3", "2")
    sync_api.expect(tv.locator(".ruling .payer")).to_have_text("Carla")
    thumb.tap("#more [data-key=pause]")
    sync_api.expect(acts).to_have_text(["Si riprende"])
    assert thumb.counted() == TAPS["a break begins"]
    paused = app.extensions["dashboard"].shows.now.paused
    assert paused is not None
    sync_api.expect(since).to_have_text(f"Pausa, dalle {paused[11:16]}")
    sync_api.expect(tv.locator("#middle .standing")).to_be_visible()
    sync_api.expect(tv.locator("#middle .message")).to_have_count(0)
    assert since.evaluate("e => parseFloat(getComputedStyle(e).fontSize) * 1080 / innerHeight") >= 40
    late = screens.open(TV, f"{server.url}/?theme=light")  # a TV that is switched on in the break
    sync_api.expect(late.locator("#middle .title")).to_have_text(f"Pausa, dalle {paused[11:16]}")
    sync_api.expect(thumb.page.locator("#status")).to_have_text(f"Pausa, dalle {paused[11:16]}")
    assert serious(thumb.page) == serious(tv) == serious(late) == []
    thumb.tap("#next .big", "Si riprende")
    done(thumb)
    sync_api.expect(acts.first).to_contain_text("Nuova mano")
    assert thumb.counted() == TAPS["a break is over"]
    sync_api.expect(since).to_have_count(0)


def test_a_break_in_mid_hand_says_so_and_lets_the_hand_stand(thumb: Thumb, screens: Screens, server: Server, app: Flask) -> None:
    tv = screens.open(TV, server.url)
    told = Phone(app)
    told.tap(told.view["next"]["offers"][0]["label"])
    thumb.tap("#more [data-key=pause]")
    sync_api.expect(tv.locator("#middle .title")).to_contain_text("Pausa")
    sync_api.expect(tv.locator("#middle .standing")).to_have_count(0)
    until(tv, "shown.status === 'hand_in_progress'")
    thumb.tap("#next .big", "Si riprende")
    sync_api.expect(tv.locator("#middle .title")).to_have_count(0)
    sync_api.expect(tv.locator("#middle .message")).to_be_visible()
