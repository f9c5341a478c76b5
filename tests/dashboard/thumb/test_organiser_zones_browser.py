"""The organiser's phone in Debian's Chromium: what is to be done now stands on top, all else is folded under the bar."""

from __future__ import annotations

import pytest
from flask import Flask
from journey import Screens, serious
from organiser_thumb import Thumb, done
from phones import Phone
from serving import served
from thumbs import WIDTH, thumb

from companion.dashboard import create_app
from companion.games.stu.rules.log import new_game
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")
pytestmark = pytest.mark.browser

PARTS = {"hands": "#hands", "players": "#players", "tv": "#tv", "more": "#more", "now": "#next"}
"""What the bar shows, and a section of it."""


HIGHER = ("9", "10", "8", "7", "6", "5", "4", "3", "taverna", "gnao", "salta")


def goes_out(told: Phone, player: str) -> None:
    """Loses all pedine: has the lowest card again and again."""
    while next(one["in_play"] for one in told.view["players"] if one["name"] == player):
        told.tap(told.view["next"]["offers"][0]["label"])
        told.tap("Stanno tutti: si scopre")
        for name in [covered["player"] for covered in told.view["next"]["covered"]]:
            possible = next(one["kinds"] for one in told.view["next"]["covered"] if one["player"] == name)
            told.show(name, "2" if name == player else next(card for card in HIGHER if card in possible))


def test_a_ricompera_that_is_due_is_beside_the_new_hand_and_the_rest_under_the_bar(
    thumb: Thumb, app: Flask, recorder: EveningRecorder
) -> None:
    goes_out(Phone(app), "Anna")
    due = thumb.page.locator("#next .due button")
    sync_api.expect(due).to_have_text(["Anna rientra · 4,00 €", "Accordo: 6,00 € a metà"])
    parts = due.first.locator(".apart span").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert parts[1] == 0, "a dot stands at the end of a line"
    for part in PARTS:
        thumb.tap(f"#bar [data-shows={part}]")
        for other, section in PARTS.items():
            sync_api.expect(thumb.page.locator(section)).to_be_visible(visible=other == part)
    thumb.counted()
    sync_api.expect(due.first).to_be_in_viewport(ratio=1)
    thumb.tap("#next .due button", "Anna rientra")
    sync_api.expect(thumb.page.locator("dialog table")).to_contain_text("10,00 €")
    thumb.tap("dialog .big", "Conferma")
    done(thumb)
    assert thumb.counted() == 2
    assert recorder.state.ricompere == 1


def test_what_is_refused_says_so_beside_what_was_typed_and_back_closes_the_sheet(thumb: Thumb, app: Flask) -> None:
    goes_out(Phone(app), "Anna")
    shares, sheet = thumb.page.locator("dialog input"), thumb.page.locator("dialog")
    thumb.tap("#more [data-key=split]")
    shares.first.fill("60")
    shares.last.fill("60")
    thumb.tap("dialog .big")
    sync_api.expect(sheet.locator(".problem")).to_be_visible()
    assert shares.evaluate_all("all => all.map((one) => one.value)") == ["60", "60"]
    shares.last.fill("40")
    thumb.tap("dialog .big")
    sync_api.expect(sheet.locator("table")).to_contain_text("60")
    thumb.tap("dialog [data-key=back]")
    sync_api.expect(shares.last).to_have_value("40")
    sync_api.expect(sheet.locator(".problem")).to_have_count(0)
    thumb.page.go_back()
    sync_api.expect(sheet).to_be_hidden()
    sync_api.expect(thumb.page.locator("#more")).to_be_visible()


SEATED = ("Anna", "Giuseppe", "Maria Antonietta", "Bruno", "Filomena", "Rocco", "Assunta", "Berardo", "Carla", "Dino", "Elsa",
          "Franco", "Gino", "Hanna", "Ivo", "Lia", "Mario", "Nina", "Olga", "Pietro")  # fmt: skip


@pytest.mark.pages
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("players", [2, 8, 12, 20])
def test_each_part_of_the_page_is_short_and_axe_finds_nothing(
    ledger: Ledger, screens: Screens, players: int, scheme: str
) -> None:
    names = SEATED[:players]
    EveningRecorder.begin(ledger, new_game(names, 200, names[-1]))
    app = create_app(ledger)
    told = Phone(app)
    goes_out(told, names[0])
    with served(app) as server:
        phone = thumb(app, server, screens, "/organiser", scheme, (360, 740))
        for part, section in PARTS.items():
            phone.tap(f"#bar [data-shows={part}]")
            sync_api.expect(phone.page.locator(section)).to_be_visible()
            assert phone.page.evaluate("document.documentElement.scrollHeight") < 3 * 740
            assert phone.page.evaluate(WIDTH) == 360
            assert serious(phone.page) == []
