"""Decks that are enrolled to be measured: their prints, their photos, their play, and the whole way once."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.assets import asset
from companion.decks.lists import list_with
from companion.eyes.enrol.deck import Cohort
from companion.eyes.geometry import card_length, signed_area, straighten
from companion.eyes.look import Eyes
from companion.table.errors import CompanionError
from workshop.deck.raster import draw, raster
from workshop.deck.strange.decks import HELD_OUT
from workshop.deck.style import Style
from workshop.enrolment.measure import Album, bare, enrolled, measure
from workshop.enrolment.peer import OrbReader
from workshop.enrolment.play import played, same_print
from workshop.enrolment.prints import DEFAULT, LENGTHS, STRANGE, CardPhoto, Prints, makers, photographed, prints, strange_ids

COLOURS = {"gnao": (40, 40, 200), "salta": (200, 60, 40), "cucco": (60, 180, 60), "back": (90, 90, 90)}


def plain(name: str = "plain") -> Prints:
    """Cards of one colour each, with a stroke that tells which end is up."""
    images = {}
    for card, colour in COLOURS.items():
        image = np.full((282, 150, 4), (*colour, 255), np.uint8)
        cv2.rectangle(image, (40, 20), (110, 60), (255, 255, 255, 255), -1)
        images[name, card] = image
    return Prints(name, "plain", images, images, (50.0, 94.0))


@pytest.fixture(scope="module")
def photos() -> list[CardPhoto]:
    return list(photographed(plain().photos, "plain", tuple(COLOURS), (50.0, 94.0), seed=1))


def test_a_photo_shows_its_card_whole_and_as_large_as_a_phone_shows_it(photos: list[CardPhoto]) -> None:
    for photo in photos:
        height, width = photo.image.shape[:2]
        assert {width, height} == {1280, 960}
        assert LENGTHS[0] - 5 <= card_length(photo.quad) <= LENGTHS[1] + 5
        assert (photo.quad > 0).all()
        assert (photo.quad < [width, height]).all()
        assert signed_area(photo.quad) > 0


def test_a_photos_corners_begin_at_the_printed_top(photos: list[CardPhoto]) -> None:
    for photo in photos:
        flat = straighten(photo.image, photo.quad, 75, 141)
        top, bottom = (float(flat[rows, 25:50].mean()) for rows in (slice(12, 28), slice(113, 129)))
        assert top > bottom + 20


def test_photos_are_the_same_again_and_differ_by_seed_number_and_deck(photos: list[CardPhoto]) -> None:
    def first(seed: int = 1, number: int = 1, name: str = "plain") -> CardPhoto:
        deck = plain(name)
        return next(photographed(deck.photos, name, ("gnao",), deck.size, seed, number))

    assert np.array_equal(first().image, photos[0].image)
    assert np.array_equal(first().quad, photos[0].quad)
    for other in (first(seed=2), first(number=2), first(name="other")):
        assert not np.array_equal(other.quad, photos[0].quad)


def test_a_photo_is_the_same_whatever_else_is_photographed(photos: list[CardPhoto]) -> None:
    (alone,) = photographed(plain().photos, "plain", ("salta",), (50.0, 94.0), seed=1)
    assert np.array_equal(alone.image, photos[1].image)


def test_in_play_the_decks_cards_lie_among_strangers() -> None:
    shown = [picture.truth for picture in played(plain(), 3, seed=1)]
    decks = {deck for truth in shown for deck in truth.decks}
    assert "plain" in decks
    assert len(decks) > 1
    for truth in shown:
        for deck, card, kind in zip(truth.decks, truth.cards, truth.classes, strict=True):
            assert (card is not None) == (kind == 0)
            assert deck != "plain" or card in (None, "gnao", "salta", "cucco")


@pytest.mark.parametrize(
    ("tint", "same"),
    [((1.0, 1.0, 1.0), True), ((0.95, 1.0, 1.0), True), ((0.4, 0.6, 1.0), False)],
    ids=["paler", "yellowed", "red"],
)
def test_one_back_on_two_decks_is_known_by_its_pattern_and_its_colour(tint: tuple[float, ...], same: bool) -> None:
    back = raster(draw(("stu", "back"), Style.standard()), 150, 280)[..., :3]
    faded = (40 + 0.8 * 255 * (back / 255) ** 1.2 * tint).clip(0, 255).astype(np.uint8)
    assert same_print(back, faded) == same
    assert not same_print(back, raster(draw(("ramino", "back"), Style.standard()), 150, 280))


def test_play_is_the_same_again() -> None:
    one, other = (next(played(plain(), 1, seed=4)) for _ in range(2))
    assert np.array_equal(one.image, other.image)
    assert np.array_equal(one.truth.quads, other.truth.quads)


def test_every_card_of_a_strange_deck_gets_an_id_of_the_french_list() -> None:
    ids = strange_ids(["Na1", "Nd10", "Ca0", "Cc2"])
    assert ids == {"Na1": "hearts-1", "Nd10": "spades-10", "Ca0": "hearts-11", "Cc2": "clubs-13"}
    assert strange_ids(["P0", "P13"]) == {"P0": "hearts-1", "P13": "hearts-2"}


def test_no_deck_that_is_measured_without_scans_was_trained_on() -> None:
    for name, make in makers(None).items():
        if name in STRANGE:
            assert name in HELD_OUT
        else:
            assert not make().seen


@pytest.mark.parametrize("name", ["stu-7000", "italian-committed", "pips-cut"])
def test_photos_and_play_show_the_same_cards_of_one_list_in_two_prints(name: str) -> None:
    (deck,) = prints(None, [name])
    assert set(deck.photos) == set(deck.play)
    assert {card for _, card in deck.photos} == {*deck.faces, "back"}
    assert len({list_with(card) for card in deck.faces}) == 1
    key = (name, deck.faces[0])
    assert not np.array_equal(deck.photos[key], deck.play[key])


def test_decks_of_scans_are_left_out_without_scans_and_refused_by_name() -> None:
    assert set(DEFAULT) - set(makers(None)) == {"neapolitan", "stu-scans"}
    with pytest.raises(CompanionError, match="with --scans neapolitan"):
        list(prints(None, ["neapolitan"]))


def test_the_peer_names_what_it_saw_on_a_photo_and_nothing_else() -> None:
    (deck,) = prints(None, ["pips-cut"])
    cards = [card for card in deck.faces if card.endswith(("-1", "-2"))][:4]
    one, other = (list(photographed(deck.photos, deck.name, cards, deck.size, seed)) for seed in (1, 2))
    reader = OrbReader(one)
    named = [reader.read(photo.image, photo.quad)[0] for photo in other]
    assert sum(card == photo.card for card, photo in zip(named, other, strict=True)) >= 3
    assert not any(card not in ("", photo.card) for card, photo in zip(named, other, strict=True))
    assert reader.read(np.full((200, 200, 3), 90, np.uint8), [[20, 20], [80, 20], [80, 120], [20, 120]]) == ("", 0)


@pytest.fixture(scope="module")
def eyes() -> Eyes:
    return Eyes.load(asset("models"), threads=1)


def test_a_shipped_deck_is_taken_away_while_another_print_of_it_is_measured(eyes: Eyes) -> None:
    left = bare(eyes, "stu").reader.prototypes
    assert not left.of("stu").any()
    assert left.of("ramino").any()
    assert eyes.reader.prototypes.of("stu").any()


def test_an_album_is_named_as_companion_enrol_asks_and_a_photo_taken_again_is_another(tmp_path: Path) -> None:
    album = Album(plain(), tmp_path)
    one, two = album.folder(1), album.folder(2)
    assert {file.name for file in one.iterdir()} == {f"{card}.jpg" for card in COLOURS}
    assert {file.name for file in two.iterdir()} == {f"{card}{end}.jpg" for card in COLOURS for end in ("", "~2")}
    before = {photo.card: photo for photo in album.photos(1)}
    album.take("gnao.jpg", 1)
    assert "gnao.jpg" in {file.name for file in album.folder(1).iterdir()}
    after = {photo.card: photo for photo in album.photos(1)}
    same = {card for card in COLOURS if np.array_equal(before[card].quad, after[card].quad)}
    assert same == set(COLOURS) - {"gnao"}
    assert (one / "gnao.jpg").read_bytes() == (tmp_path / "gnao.jpg").read_bytes() != b""


@pytest.mark.networks
def test_a_few_cards_are_enrolled_as_the_command_does_it_and_named_in_play(eyes: Eyes, tmp_path: Path) -> None:
    (whole,) = prints(None, ["stu-7000"])
    cards = (*whole.faces[5:9], "back")
    few = Prints(
        "few", whole.about, {("few", card): whole.photos[whole.name, card] for card in cards},
        {("few", card): whole.play[whole.name, card] for card in cards}, whole.size, like="stu",
    )  # fmt: skip
    cohort = Cohort.load(asset("models") / "cohort.npz")
    taught = enrolled(Album(few, tmp_path), eyes, cohort, 1)
    assert set(taught.deck.ids) == set(cards)
    found = measure(few, eyes, cohort, pictures=4, photos=(1,), peer=1)
    assert [run.who for run in found.runs] == ["companion", "beside", "orb"]
    companion = found.runs[0].tally
    assert companion.asked.of > 3
    assert companion.asked.rate.share > 0.7
    assert companion.found == found.before.found
    assert found.before.asked.hits == 0


def test_the_command_refuses_a_deck_that_there_is_not(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from companion.cli import main

    done = CliRunner().invoke(main, ["evaluate", "enrol", "--decks", "tarots"])
    assert done.exit_code == 2
    assert "tarots" in done.output
    assert "Traceback" not in done.output
