"""Places by themselves, in Debian's Chromium on a phone's screen: one card is dealt to each, and a tap takes the places."""

from __future__ import annotations

import math

import pytest
from fake_camera import FakeCamera
from games import GNAFFATA, lines
from journey import until
from setup_pages import at_the_players, dealt, names_typed, places_marked, sound

from companion.games.stu.rules.log import Game, Hand
from companion.ledger import Ledger
from companion.line.camera import FoundCorners
from companion.table.log import Line

sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'companion[dev]'")

pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python: extra dev")


pytestmark = pytest.mark.browser

CORNERS = ((330.0, 140.0), (1010.0, 170.0), (1180.0, 610.0), (120.0, 560.0))


def ring(many: int) -> list[tuple[float, float]]:
    angles = [math.pi / 2 + 2 * math.pi * number / many for number in range(many)]
    return [(650 + 380 * math.cos(angle), 360 + 160 * math.sin(angle)) for angle in angles]


def found(page: sync_api.Page, many: int) -> sync_api.Locator:
    """The button that takes the places, once this many are found and lie still."""
    take = page.get_by_role("button", name=f"Sono questi {many} posti", exact=True)
    sync_api.expect(take).to_be_enabled()
    return take


def test_one_tap_marks_the_places_of_twelve_and_one_each_names_those_of_last_time(
    page: sync_api.Page, camera: FakeCamera, ledger: Ledger
) -> None:
    ledger.record(ledger.new_game(), lines(*GNAFFATA))  # Anna, Bruno and Carla have played before
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    take = page.locator("#dealt [name=take]")
    sync_api.expect(take).to_be_hidden()
    camera.seen = dealt(*ring(11))
    found(page, 11)
    sync_api.expect(page.locator(".dealt circle")).to_have_count(11)
    assert places_marked(page) == []  # shown, and not yet taken
    camera.seen = dealt(*ring(12), (650, 350))  # the pack in the middle
    found(page, 12)
    sound(page, "/setup/players")
    found(page, 12).click()
    sync_api.expect(page.locator("#hint")).to_contain_text("I posti ci sono")  # and no more how to mark them
    places = places_marked(page)
    assert len(places) == 12
    assert math.dist(places[0], ring(12)[0]) < 10  # the nearest to the camera
    assert places[1][0] > 650  # and on anticlockwise
    for number, name in ((0, "Carla"), (1, "Anna")):
        sync_api.expect(page.locator(".placed.next")).to_have_attribute("aria-label", f"Posto {number + 1}")
        page.locator(f'.pick[data-name="{name}"]').click()
    page.locator(".placed").nth(6).click()  # the next name is that of who sits there
    page.locator('.pick[data-name="Bruno"]').click()
    assert names_typed(page) == ["Carla", "Anna", *[""] * 4, "Bruno", *[""] * 5]
    sound(page, "/setup/players")


def test_a_place_can_be_added_between_its_neighbours_moved_and_dropped(page: sync_api.Page, camera: FakeCamera) -> None:
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    six = ring(6)
    camera.seen = dealt(*six[:2], *six[3:])
    found(page, 5)
    scale = page.evaluate("document.querySelector('svg.picture').getScreenCTM().a")
    picture = page.locator("svg.picture")
    picture.click(position={"x": six[2][0] * scale, "y": six[2][1] * scale})  # where its card was not found
    places = places_marked(page)
    assert [min(range(6), key=lambda number: math.dist(six[number], at)) for at in places] == [0, 5, 4, 3, 2, 1]
    page.locator(".placed").first.focus()
    page.keyboard.press("ArrowLeft")
    assert places_marked(page)[0][0] == pytest.approx(places[0][0] - 12.8, abs=0.11)
    page.locator("#names button").nth(1).click()
    assert len(places_marked(page)) == 5


def test_places_can_be_marked_by_hand_and_found_again_for_the_same_names(page: sync_api.Page, camera: FakeCamera) -> None:
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    six = ring(6)
    camera.seen = dealt(*six)
    found(page, 6)
    page.locator("#dealt [name=by-hand]").click()
    sync_api.expect(page.locator(".dealt circle")).to_have_count(0)
    scale = page.evaluate("document.querySelector('svg.picture').getScreenCTM().a")
    for number in (4, 3, 2, 1, 0, 5):  # begun by another than the nearest to the camera
        x, y = six[number]
        page.locator("svg.picture").click(position={"x": (x + 12) * scale, "y": y * scale})
        page.keyboard.type(f"N{number}")
    page.locator("#dealt [name=again]").click()
    found(page, 6).click()
    assert names_typed(page) == ["N4", "N3", "N2", "N1", "N0", "N5"]
    assert [min(range(6), key=lambda number: math.dist(six[number], at)) for at in places_marked(page)] == [4, 3, 2, 1, 0, 5]


def test_next_takes_the_places_that_are_shown_and_asks_for_the_names(page: sync_api.Page, camera: FakeCamera) -> None:
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    camera.seen = dealt(*ring(3))
    found(page, 3)
    page.get_by_role("button", name="Avanti").click()
    sync_api.expect(page.locator("#names input")).to_have_count(3)
    assert len(places_marked(page)) == 3
    sync_api.expect(page.locator("#names input").first).to_be_focused()
    for number, name in enumerate(("Anna", "Bruno", "Carla")):
        page.locator("#names input").nth(number).fill(name)
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/stakes")


def test_cards_beside_the_marked_table_are_said_with_the_way_to_mend_it(page: sync_api.Page, camera: FakeCamera) -> None:
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    away = page.locator("#dealt .outside")
    camera.seen = dealt(*ring(3))
    found(page, 3)
    sync_api.expect(away).to_be_hidden()
    camera.seen = dealt(*ring(3), (1250, 360))
    sync_api.expect(away).to_contain_text("1 carta è fuori dal tavolo segnato: lì non c’è posto.")
    sound(page, "/setup/players")
    away.get_by_role("link").click()
    page.wait_for_url("**/setup/table")


def at_a_table_of_twelve(page: sync_api.Page, camera: FakeCamera, ledger: Ledger, *, take: bool = True) -> list[str]:
    """Twelve who have played together stand beside twelve places that are marked; without ``take``, that are only shown."""
    people = [f"Nome{letter}" for letter in "abcdefghijkl"]
    game = Game(v=1, game="stu", players=tuple(people), stake=200, currency="EUR", dealer=people[0])
    ledger.record(ledger.new_game(), (Line(game), Line(Hand())))
    camera.found = FoundCorners(CORNERS, "rect", 0.8)
    at_the_players(page)
    camera.seen = dealt(*ring(12))
    shown = found(page, 12)
    if take:
        shown.click()
    return people


def test_a_second_tap_on_next_names_nobody(page: sync_api.Page, camera: FakeCamera, ledger: Ledger) -> None:
    """The names to tap come where the button was."""
    at_a_table_of_twelve(page, camera, ledger, take=False)
    page.evaluate("""() => {
      document.querySelector("#players-form .primary:not([name])").click();
      document.querySelector(".pick").click();
    }""")
    assert names_typed(page) == [""] * 12


def test_twelve_who_know_each_other_sit_down_with_a_tap_each(page: sync_api.Page, camera: FakeCamera, ledger: Ledger) -> None:
    """`docs/evening.md` counts them: nothing is typed."""
    people = at_a_table_of_twelve(page, camera, ledger)
    taps = 0
    for name in people:
        page.locator(f'.pick[data-name="{name}"]').click()
        taps += 1
    assert names_typed(page) == people
    page.get_by_role("button", name="Avanti").click()
    page.wait_for_url("**/setup/stakes")
    assert taps == 12


def test_a_name_is_dragged_onto_a_place_with_finger_mouse_and_keys(
    page: sync_api.Page, camera: FakeCamera, ledger: Ledger
) -> None:
    people = at_a_table_of_twelve(page, camera, ledger)

    def drag(name: str, onto: sync_api.Locator) -> None:
        pick = page.locator(f'.pick[data-name="{name}"]')
        pick.scroll_into_view_if_needed()
        start, goal = pick.bounding_box(), onto.bounding_box()
        assert start is not None
        assert goal is not None
        page.mouse.move(start["x"] + 5, start["y"] + 5)
        page.mouse.down()
        page.mouse.move(start["x"] + 40, start["y"] - 30, steps=3)
        page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
        sync_api.expect(page.locator(".over-it")).to_have_count(1)
        page.mouse.up()

    drag(people[0], page.locator(".placed").nth(7))
    assert (names_typed(page)[7], sum(map(bool, names_typed(page)))) == (people[0], 1)  # no click follows that would name another
    drag(people[1], page.locator(".placed").nth(7))  # changed one's mind: the name before can be taken again
    assert (names_typed(page)[7], sum(map(bool, names_typed(page)))) == (people[1], 1)
    page.locator("#names input").nth(2).fill("Zenobia")
    drag(people[0], page.locator(".placed").nth(2))
    assert names_typed(page)[:3] == ["Zenobia", "", people[0]]  # what was typed goes to the next place
    page.locator(".placed").nth(9).focus()
    pick = page.locator(f'.pick[data-name="{people[4]}"]')
    pick.focus()
    page.keyboard.press("Enter")
    assert names_typed(page)[9] == people[4]


def test_a_place_below_the_screen_comes_to_the_name_that_is_held_at_its_edge(
    page: sync_api.Page, camera: FakeCamera, ledger: Ledger
) -> None:
    people = at_a_table_of_twelve(page, camera, ledger)
    page.set_viewport_size({"width": 390, "height": 560})
    pick, last = page.locator(f'.pick[data-name="{people[3]}"]'), page.locator("#names li").last
    pick.scroll_into_view_if_needed()
    sync_api.expect(last).not_to_be_in_viewport()
    start = pick.bounding_box()
    assert start is not None
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(200, 300, steps=2)
    page.mouse.move(200, 550, steps=2)
    sync_api.expect(last).to_be_in_viewport(ratio=1)
    until(page, "scrollY + innerHeight >= document.documentElement.scrollHeight - 1")
    goal = last.bounding_box()
    assert goal is not None
    page.mouse.move(goal["x"] + 30, goal["y"] + goal["height"] / 2, steps=2)
    sync_api.expect(last).to_have_class("over-it")
    page.mouse.up()
    assert names_typed(page)[11] == people[3]
