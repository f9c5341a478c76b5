"""The house's decks on the disk, and how a card before the camera is taken."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from drawn_cards import photo as drawn_photo
from fake_sight import SIZE, a_deck
from hypothesis import given
from hypothesis import strategies as st
from serving import until

from companion.assets import asset
from companion.decks.deckfile import encode_deck
from companion.eyes.image import encode_jpeg
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera_session import CameraSession
from companion.line.teaching.drafts import Drafts, Photo
from companion.line.teaching.progress import Seen
from companion.line.teaching.shelf import DeckRefused, Shelf, as_name, is_name
from companion.line.teaching.sight import MIN_LOOKS, MIN_STILL_SECONDS, Glance, Sight, Stillness
from companion.line.teaching.teaching import Teaching
from companion.table.errors import BadDeck
from workshop.soak.camera import NetworkCamera

PICTURES = [encode_jpeg(np.full((16, 16, 3), 4 * n, np.uint8)) for n in range(60)]


def photo(card: str, number: int = 0) -> Photo:
    return Photo(card, 0.57, PICTURES[number])


def lying(t: float, card: int = 0, x: float = 100.0) -> Glance:
    quad = np.array([[x, 100], [x + 60, 100], [x + 60, 200], [x, 200]])
    return Glance(t, quad, np.eye(SIZE, dtype=np.float32)[[card, card]])


def verdicts(still: Stillness, *looks: Glance | None) -> list[str]:
    return [still.saw(look) for look in looks]


def test_a_card_is_taken_when_several_looks_in_a_row_are_equal() -> None:
    assert verdicts(Stillness(), None, lying(0), lying(0.4), lying(0.8)) == ["none", "moving", "moving", "still"]


@given(st.lists(st.tuples(st.floats(0.01, 1.0), st.booleans()), min_size=1, max_size=30))
def test_no_card_is_taken_sooner_than_it_has_lain_still(steps: list[tuple[float, bool]]) -> None:
    still, t, x, since, equal = Stillness(), 0.0, 100.0, 0.0, 0
    for seconds, moves in steps:
        t += seconds
        if moves or not equal:
            x, since, equal = x + 40, t, 0
        equal += 1
        verdict = still.saw(lying(t, x=x))
        assert (verdict == "still") == (equal >= MIN_LOOKS and t - since >= MIN_STILL_SECONDS)


def test_the_card_that_was_taken_is_not_taken_again_until_it_goes_or_another_lies_there() -> None:
    still = Stillness()
    verdicts(still, lying(0), lying(0.4), lying(0.8))
    still.took()
    assert verdicts(still, lying(1.2), lying(1.6), lying(2.0), lying(2.4)) == ["before"] * 4
    assert verdicts(still, lying(2.8, card=1), lying(3.2, card=1), lying(3.6, card=1)) == ["moving", "moving", "still"]
    still.took()
    assert verdicts(still, lying(4, card=1), None, lying(5, card=1), lying(5.4, card=1), lying(5.8, card=1))[-1] == "still"


@pytest.mark.parametrize("name", ["", "-x", "a/b", "..", ".deck", "a.b", "a b", "x" * 33, "a\n"])
def test_what_is_no_safe_name_of_a_file_is_no_name_of_a_deck(name: str, tmp_path: Path) -> None:
    assert not is_name(name)
    with pytest.raises(DeckRefused, match="name"):
        Shelf(tmp_path).free(name)
    assert Shelf(tmp_path).entry(name) is None


def test_spaces_that_were_typed_become_hyphens() -> None:
    assert as_name("  Nonna  Pia 1998 ") == "Nonna-Pia-1998"
    assert is_name("Nonna-Pia-1998")
    assert is_name("città")


@pytest.mark.parametrize("name", ["unknown", "stu", "Napoletane", "italian", "nonna", "NONNA"])
def test_a_name_that_is_taken_is_refused(name: str, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put("nonna", a_deck())
    with pytest.raises(DeckRefused, match="name"):
        shelf.free(name)


def test_decks_are_seen_as_they_come_and_go(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "decks", [("given", a_deck())])
    assert [(one.name, one.given) for one in shelf.entries()] == [("given", True)]
    shelf.take_in("nonna", encode_deck(a_deck()))
    assert shelf.deck("nonna") == a_deck()
    shelf.path("nonna").write_bytes(encode_deck(a_deck())[:-1])
    entry = shelf.entry("nonna")
    assert entry is not None
    assert entry.deck is None
    assert "damaged" in entry.problem
    with pytest.raises(BadDeck, match="damaged"):
        shelf.deck("nonna")
    shelf.delete("nonna")
    with pytest.raises(BadDeck, match="no such deck"):
        shelf.deck("nonna")


def test_a_damaged_deck_is_not_taken_in(tmp_path: Path) -> None:
    with pytest.raises(BadDeck):
        Shelf(tmp_path).take_in("nonna", b"companion deck\nnot one")
    assert not list(tmp_path.iterdir())


def test_the_deck_that_was_played_with_is_remembered_for_its_cards(tmp_path: Path) -> None:
    Shelf(tmp_path).choose("stu", "nonna")
    Shelf(tmp_path).choose("italian", "zia")
    assert [Shelf(tmp_path).chosen(of) for of in ("stu", "italian", "french")] == ["nonna", "zia", ""]
    (tmp_path / "chosen.json").write_text("{", "utf-8")
    assert Shelf(tmp_path).chosen("stu") == ""


def test_all_decks_of_pedine_lie_beside_a_game_of_stu_and_none_beside_another(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "decks", [("given", a_deck(["back"], "french"))])
    for name, cards, of in (("nonna", "matto", "stu"), ("bar", "hearts-7", "french"), ("zia", "coppe-1", "italian")):
        shelf.take_in(name, encode_deck(a_deck([cards], of)))  # type: ignore[arg-type]
    shelf.path("rotto").write_bytes(b"companion deck, damaged")
    assert [name for name, _ in shelf.beside("stu")] == ["bar", "given"]
    assert shelf.beside("italian") == []


def test_a_draft_is_there_after_a_restart(tmp_path: Path) -> None:
    Drafts(tmp_path).begin("nonna", "stu")
    mark = Drafts(tmp_path).add("nonna", "gnao", photo("gnao"))
    again = Drafts(tmp_path)
    assert again.names() == ("nonna",)
    assert again.photos("nonna") == {"gnao": (mark,)}
    assert again.photo("nonna", "gnao", mark) == photo("gnao")


def test_many_phones_at_once_lose_no_photo(tmp_path: Path) -> None:
    Drafts(tmp_path).begin("nonna", "stu")
    phones = [Drafts(tmp_path), Drafts(tmp_path)]
    cards = ["gnao", "matto", "cucco", "leone"] * 5
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: phones[n % 2].add("nonna", cards[n], photo(cards[n], n)), range(len(cards))))
    assert {card: len(marks) for card, marks in Drafts(tmp_path).photos("nonna").items()} == dict.fromkeys(cards, 5)


def test_the_same_photo_twice_is_one(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.begin("nonna", "stu")
    assert drafts.add("nonna", "gnao", photo("gnao")) == drafts.add("nonna", "gnao", photo("gnao"))
    assert drafts.whose("nonna", PICTURES[0]) == "gnao"


def test_a_photo_that_was_damaged_on_the_disk_is_asked_for_again(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.begin("nonna", "stu")
    mark = drafts.add("nonna", "gnao", photo("gnao"))
    next(tmp_path.glob("nonna/*.photo")).write_bytes(b"half")
    assert drafts.photo("nonna", "gnao", mark) is None
    assert drafts.photos("nonna") == {}


def test_nothing_is_added_to_a_draft_that_was_thrown_away(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.begin("nonna", "stu")
    drafts.discard("nonna")
    with pytest.raises(DeckRefused, match="not being taught"):
        drafts.add("nonna", "gnao", photo("gnao"))
    assert drafts.names() == ()


def test_a_deck_is_gone_on_with_from_the_photos_in_its_file(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path)
    drafts.begin_with("nonna", a_deck())
    assert set(drafts.photos("nonna")) == {"matto", "leone"}


@pytest.mark.workshop
def test_a_card_before_a_real_camera_is_taken_with_its_noise_and_named_afterwards(tmp_path: Path) -> None:
    seen: list[Seen] = []

    def taken() -> bool:
        seen.append(teaching.look("nonna", "gnao", "a"))
        return seen[-1].state == "taken"

    def tried() -> bool:
        seen.append(teaching.try_look("nonna", "a"))
        return seen[-1].tried is not None

    with (
        Ledger.in_memory(log_format) as ledger,
        NetworkCamera(drawn_photo("gnao", length=200)) as camera,
        CameraSession(ledger, lambda: lambda picture: (), find_cameras=lambda *_: ()) as camera_session,
    ):
        teaching = Teaching(Shelf(tmp_path), Sight(asset("models")), camera_session.newest)
        teaching.begin("nonna", "stu")
        assert teaching.look("nonna", "gnao", "a").state == "no_camera"
        camera_session.choose(camera.url)
        until(taken)
        teaching.make("nonna")
        until(lambda: (now := teaching.making("nonna")) is not None and now.ready)
        # The camera is moved a little: the card lies elsewhere in its picture.
        with NetworkCamera(drawn_photo("gnao", length=160, angle=-40)) as moved:
            camera_session.choose(moved.url)
            until(tried)
    assert seen[-1].tried is not None
    assert seen[-1].tried.card == "gnao"
