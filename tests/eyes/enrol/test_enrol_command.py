"""`companion enrol` to the letter of docs/camera.md, on photos of the drawn deck."""

import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner, Result
from phone_photos import photo

from companion.cli import main
from companion.decks.deckfile import read_deck, write_deck
from workshop.deck.raster import STU_KEYS, drawn

MM = (50.0, 94.0)
CARDS = ("gnao", "salta", "back")


def take(card: str, seed: int, spoilt: str | None = None) -> np.ndarray:
    return photo(drawn(keys=STU_KEYS), ("stu", card), MM, seed, spoilt, kind="felt")[0]  # type: ignore[arg-type]


def enrol(photos: Path, out: Path) -> Result:
    return CliRunner().invoke(main, ["enrol", str(photos), "--out", str(out)])


def save(folder: Path, name: str, image: np.ndarray, quality: int = 90) -> None:
    cv2.imwrite(str(folder / name), image, [cv2.IMWRITE_JPEG_QUALITY, quality] if name.lower().endswith("jpg") else [])


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of each of three cards."""
    folder = tmp_path_factory.mktemp("good")
    for n, card in enumerate(CARDS):
        save(folder, f"{card}.jpg", take(card, 41_000 + n))
    return folder


@pytest.fixture
def photos(good: Path, tmp_path: Path) -> Path:
    """A copy of them, to spoil."""
    return Path(shutil.copytree(good, tmp_path / "photos"))


@pytest.fixture(scope="module")
def taught(good: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("taught") / "nostro.deck"
    result = enrol(good, out)
    assert result.exit_code == 0, result.output
    return out


def test_a_few_cards_are_a_deck_and_what_is_missing_is_said_a_line_each(good: Path, tmp_path: Path) -> None:
    result = enrol(good, tmp_path / "nostro.deck")
    assert result.exit_code == 0
    lines = result.stderr.splitlines()
    assert lines == [f"{card}: missing" for _, card in STU_KEYS if card not in CARDS]
    assert "2 of the 20 cards of the list stu and the back" in result.stdout
    assert set(read_deck(tmp_path / "nostro.deck").ids) == set(CARDS)


@pytest.mark.networks
def test_progress_is_for_a_terminal_alone(good: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "enrol", str(good), "--out", str(tmp_path / "a.deck")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    assert all(line.endswith(": missing") for line in done.stderr.splitlines())
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.networks
def test_several_photos_upper_case_and_other_formats_are_taken(photos: Path, tmp_path: Path) -> None:
    (photos / "gnao.jpg").rename(photos / "GNAO.JPG")
    save(photos, "gnao~2.png", take("gnao", 42_001))
    save(photos, "Gnao~3.webp", take("gnao", 42_002))
    (photos / ".hidden.jpg").write_bytes(b"")
    (photos / "more").mkdir()
    assert enrol(photos, tmp_path / "a.deck").exit_code == 0
    [gnao] = [card for card in read_deck(tmp_path / "a.deck").cards if card.card == "gnao"]
    assert len(gnao.pictures) == 3


SPOILT = {
    "no_card": "no card is seen",
    "several_cards": "several cards",
    "blurred": "blurred",
    "glared": "reflected",
    "cut_off": "edge of the photo",
    "too_small": "come nearer",
}


@pytest.mark.parametrize("how", [how if how == "blurred" else pytest.param(how, marks=pytest.mark.networks) for how in SPOILT])
def test_a_spoilt_photo_is_named_with_the_reason(photos: Path, tmp_path: Path, how: str) -> None:
    save(photos, "salta~2.jpg", take("salta", 43_000, how))
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 0, "the card has another photo"
    assert [SPOILT[how] in line for line in result.stderr.splitlines() if line.startswith("salta~2.jpg: ")] == [True]
    [salta] = [card for card in read_deck(tmp_path / "a.deck").cards if card.card == "salta"]
    assert len(salta.pictures) == 1


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut short"], ids=["empty", "text", "damaged"])
def test_where_a_card_is_left_without_a_photo_the_old_deck_stays(photos: Path, tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "a.deck"
    out.write_bytes(b"the old one")
    (photos / "salta.jpg").write_bytes(content)
    result = enrol(photos, out)
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    what = "this JPEG is cut short" if content.startswith(b"\xff\xd8") else "not a picture"
    assert lines[0].startswith(f"salta.jpg: {what}")
    assert "salta: no photo of it can be used" in lines
    assert "is not written" in lines[-1]
    assert out.read_bytes() == b"the old one"
    assert set(tmp_path.iterdir()) == {photos, out}


@pytest.mark.parametrize("name", ["leone.jpg", "leone.png", pytest.param("leone~2.jpg", marks=pytest.mark.networks)])
@pytest.mark.parametrize("quality", [None, 35], ids=["copied", "saved again"])
def test_the_same_photo_under_two_ids_is_refused_for_both(photos: Path, tmp_path: Path, name: str, quality: int | None) -> None:
    if quality is None:
        shutil.copy(photos / "gnao.jpg", photos / name)
    else:
        image = cv2.imread(str(photos / "gnao.jpg"))
        assert image is not None
        save(photos, name, image, quality)
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 2
    said = [line for line in result.stderr.splitlines() if "same photo" in line]
    assert [line.partition(":")[0] for line in said] == ["gnao.jpg", name]


@pytest.mark.parametrize("how", ["smaller", "turned"])
def test_the_same_photo_smaller_or_turned_is_still_the_same(photos: Path, tmp_path: Path, how: str) -> None:
    image = cv2.imread(str(photos / "gnao.jpg"))
    assert image is not None
    again = cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE) if how == "turned" else cv2.resize(image, None, fx=0.7, fy=0.7)
    save(photos, "leone.jpg", again, 60)
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 2
    assert [line.partition(":")[0] for line in result.stderr.splitlines() if "same photo" in line] == ["gnao.jpg", "leone.jpg"]


@pytest.mark.networks
def test_an_id_of_no_list_is_said_and_the_others_are_a_deck(photos: Path, tmp_path: Path) -> None:
    save(photos, "asso.jpg", take("1", 44_000))
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 0
    assert result.stderr.splitlines()[0].startswith("asso.jpg: this is no card's id")


@pytest.mark.networks
def test_a_card_of_another_list_is_no_card_of_this_deck(photos: Path, tmp_path: Path) -> None:
    save(photos, "denari-7.jpg", take("7", 44_001))
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 2
    assert "denari-7.jpg: this card is of another list than the other photos" in result.stderr.splitlines()


def test_one_card_photographed_under_two_ids_is_an_alarm(photos: Path, tmp_path: Path) -> None:
    save(photos, "leone.jpg", take("gnao", 45_000))
    result = enrol(photos, tmp_path / "a.deck")
    assert result.exit_code == 0
    assert [line for line in result.stderr.splitlines() if "alike" in line] == [
        "leone and gnao look too much alike: one may be taken for the other"
    ]


def _file(path: Path) -> None:
    path.write_text("no folder")


@pytest.mark.parametrize("make", [lambda path: None, Path.mkdir, _file], ids=["missing", "empty", "a file"])
def test_photos_that_are_no_folder_of_photos_are_one_line_and_exit_2(tmp_path: Path, make: object) -> None:
    make(tmp_path / "photos")  # type: ignore[operator]
    result = enrol(tmp_path / "photos", tmp_path / "a.deck")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "a.deck").exists()


@pytest.mark.parametrize("where", ["nowhere/a.deck", "."], ids=["a folder that is not there", "a folder"])
def test_a_deck_that_cannot_be_written_is_one_line_and_exit_2(good: Path, tmp_path: Path, where: str) -> None:
    result = enrol(good, tmp_path / where)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len([line for line in result.stderr.splitlines() if not line.endswith(": missing")]) == 1


def test_tuning_without_torch_says_what_to_install_before_any_work(
    good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "workshop.training.tune", raising=False)
    result = CliRunner().invoke(main, ["enrol", str(good), "--out", str(tmp_path / "a.deck"), "--tune"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert "torch" in result.stderr
    assert not (tmp_path / "a.deck").exists()


def detect(picture: Path, *decks: Path) -> Result:
    arguments = [argument for deck in decks for argument in ("--deck", str(deck))]
    return CliRunner().invoke(main, ["detect", str(picture), *arguments, "--json"])


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("picture")
    save(folder, "seen.jpg", take("gnao", 46_000))
    return folder / "seen.jpg"


@pytest.mark.networks
def test_detect_says_the_decks_name_and_its_cards(picture: Path, taught: Path) -> None:
    result = detect(picture, taught)
    assert result.exit_code == 0, result.output
    [card] = msgspec.json.decode(result.stdout)["cards"]
    assert (card["deck"], card["side"], card["card"]) == ("nostro", "face", "gnao")
    assert {kind for kind, _ in card["alternatives"]} == set(CARDS) - {"back"}
    assert card["alternatives"][0][0] == "gnao"


@pytest.mark.networks
def test_a_deck_with_a_shipped_name_takes_its_place(picture: Path, taught: Path, tmp_path: Path) -> None:
    shutil.copy(taught, tmp_path / "stu.deck")
    [card] = msgspec.json.decode(detect(picture, tmp_path / "stu.deck").stdout)["cards"]
    assert (card["deck"], card["card"]) == ("stu", "gnao")
    assert {kind for kind, _ in card["alternatives"]} == set(CARDS) - {"back"}


@pytest.mark.parametrize("names", [("unknown.deck",), ("a/x.deck", "b/x.deck")], ids=["unknown", "two of one name"])
def test_names_that_would_be_mistaken_are_refused(picture: Path, taught: Path, tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(taught, tmp_path / name)
    result = detect(picture, *(tmp_path / name for name in names))
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.networks
def test_a_deck_of_another_network_is_made_again_from_its_pictures(picture: Path, taught: Path, tmp_path: Path) -> None:
    deck = read_deck(taught)
    foreign = [
        msgspec.structs.replace(card, points=np.tile(np.eye(1, 8, dtype="<f4"), (2, 1)).tobytes()) for card in deck.cards
    ]
    write_deck(tmp_path / "old.deck", msgspec.structs.replace(deck, reader="0" * 64, size=8, cards=tuple(foreign)))
    [card] = msgspec.json.decode(detect(picture, tmp_path / "old.deck").stdout)["cards"]
    assert (card["deck"], card["card"]) == ("old", "gnao")


def test_a_picture_that_cannot_be_decoded_makes_a_bad_deck(picture: Path, taught: Path, tmp_path: Path) -> None:
    deck = read_deck(taught)
    first = deck.cards[0]
    start = first.pictures[0][: first.pictures[0].index(b"\xff\xc0") + 19]  # as far as its size; then nothing
    broken = msgspec.structs.replace(first, pictures=(start,))
    write_deck(tmp_path / "x.deck", msgspec.structs.replace(deck, reader="0" * 64, cards=(broken, *deck.cards[1:])))
    result = detect(picture, tmp_path / "x.deck")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert first.card in result.stderr
