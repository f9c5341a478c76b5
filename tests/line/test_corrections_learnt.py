"""Corrections teach: a face that was misread is read right afterwards, and only where it was the eyes that were wrong."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest
from games import GNAFFATA, lines
from msgspec.structs import replace as changed

from companion.assets import asset
from companion.eyes.image import decode_jpeg, encode_jpeg
from companion.eyes.incremental import IncrementalDetector
from companion.eyes.look import Eyes
from companion.eyes.reader import CROP
from companion.eyes.source import pictures
from companion.games import GAMES
from companion.games.stu import referee, rules
from companion.games.stu.rules.log import Hand, Reveal
from companion.games.stu.sightings import Shown
from companion.line.corrections_learnt import (
    MAX_A_CARD,
    MAX_EXAMPLES_A_CARD,
    PICTURE_SIZE,
    CorrectionLearnt,
    CorrectionsLearnt,
    kept,
)
from companion.line.follow import watch
from companion.line.footage import Footage, Look, Still
from companion.line.misread import misread, well_read
from companion.line.tablefile import read_table_file
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.corrections import Correction, correct
from companion.referee.evening import observe
from companion.referee.values import HandReports
from companion.table.log import Line
from workshop.deck.raster import drawn

DEMO = asset("datasets/demo")
CARD, BY, UNTIL = "8", "Assunta", 40.0
"""A card that is laid open in the bundled clip's first hand, by whom, and when the hand is over, seconds."""
SIZE = (640, 360)
PLACES = ((160.0, 180.0), (320.0, 180.0), (480.0, 180.0))


def quad_at(place: int, length: float = 60.0, x: float = 0.0) -> tuple[tuple[float, float], ...]:
    (px, py), wide = PLACES[place], length * 0.27
    return ((px + x - wide, py - length / 2), (px + x + wide, py - length / 2),
            (px + x + wide, py + length / 2), (px + x - wide, py + length / 2))  # fmt: skip


def still(t: float, *up: tuple[int, str | None], **how: float) -> Still:
    look = Look(t, tuple((quad_at(place, **how), kind) for place, kind in up), ())  # type: ignore[arg-type]
    return Still(int(10 * t), 1, t, b"", SIZE, ((0, 0), (639, 0), (639, 359), (0, 359)), PLACES, (look,))


def told(card: str) -> Chapter:
    """A hand in which Anna (place 0) lays this card open, which lies there from 20 s on."""
    log = [changed(line, t=5.0 * n) for n, line in enumerate(lines(*(line for line in GNAFFATA if '"deal"' not in line)))]
    state, hand = rules.begin(log[0].event), list[Line]()
    for line in log[1:]:
        if hand or isinstance(line.event, Hand):
            hand.append(line)
        else:
            state = rules.apply(state, line.event)
    [at] = [n for n, line in enumerate(hand) if isinstance(line.event, Reveal) and line.event.by == "Anna"]
    hand[at] = changed(hand[at], event=Reveal(by="Anna", card=card))
    shown = Shown(hand[at].t, 0, 0, ((card, 1.0),))  # type: ignore[arg-type]
    after = state
    for line in hand[: at + 1]:
        after = rules.apply(after, line.event)
    history = referee.history(after, tuple(hand[: at + 1]), 0.0)
    return Chapter(GAMES["stu"], HandReports(0, sightings=(shown,)), state, histories=(history,))


def since(chapter: Chapter) -> float:
    [sighting] = chapter.reports.sightings
    return sighting.t


T = since(told("3"))
NOT_THE_EYES = {
    "the eyes had named it so": [still(T + 1, (0, "4")), still(T + 2, (0, "4"))],
    "they had named it so half of the time": [still(T + 1, (0, "4")), still(T + 2, (0, "3"))],
    "they saw that card in another place": [still(T + 1, (0, "3"), (2, "4"))],
    "no card lay there": [still(T + 1, (1, "3"))],
    "it lay there before it was shown": [still(T - 3, (0, "3"))],
    "it was too small": [still(T + 1, (0, "3"), length=30.0)],
    "it was half covered": [still(T + 1, (0, "3")), ],
    "no picture is left": [],
}


@pytest.mark.parametrize("why", NOT_THE_EYES)
def test_what_was_not_the_eyes_fault_is_no_lesson(why: str) -> None:
    stills = NOT_THE_EYES[why]
    if why == "it was half covered":
        beside = (*stills[0].looks[0].up, (quad_at(0, x=20.0), "5"))
        stills = [changed(stills[0], looks=(changed(stills[0].looks[0], up=beside),))]
    assert list(misread(told("3"), told("4"), stills)) == []


@pytest.mark.parametrize("said", ["3", "5", None])
def test_a_face_that_was_misread_is_a_lesson_where_it_is_seen_largest(said: str | None) -> None:
    stills = [still(T + 1, (0, said)), still(T + 2, (0, said), length=80.0), still(T + 3, (0, said))]
    [face] = misread(told("3"), told("4"), stills)
    assert (face.place, face.card, face.said, face.still.t) == (0, "4", said or "", T + 2)


def test_a_face_that_was_named_as_the_log_has_it_is_an_example() -> None:
    stills = [still(T + 1, (0, "3"), (1, "5")), still(T + 2, (0, "4"))]
    assert [(face.place, face.card) for face in well_read(told("3"), stills)] == [(0, "3")]
    assert list(misread(told("3"), told("3"), stills)) == []


def ignorant(card: str) -> Eyes:
    """The shipped eyes, which have never heard of this card of Stù."""
    eyes = Eyes.load(asset("models"), threads=2, cards="stu")
    known = eyes.reader.prototypes
    keep = np.array([name != f"stu/{card}" for name in known.names])
    names = tuple(name for name in known.names if name != f"stu/{card}")
    eyes.reader.prototypes = replace(known, names=names, points=known.points[keep], own=known.calibration[keep])
    return eyes


@pytest.fixture(scope="module")
def filmed() -> tuple[Evening, Footage, Eyes]:
    """The bundled clip's first hand, seen by eyes that do not know a card that is laid open in it."""
    eyes, table = ignorant(CARD), read_table_file(DEMO / "table.json")
    evening, footage = Evening.of(table.game, table.first), Footage()
    for seen in watch((one for one in pictures(str(DEMO / "demo.mp4"), 8, 0.0) if one.t < UNTIL), table,
                      IncrementalDetector(eyes).look):
        footage.put(1, seen.picture, seen.cards if seen.frame_quality.blind is None else None, seen.top)
        for sighting in seen.sightings:
            evening = observe(evening, sighting)
    return evening, footage, eyes


@pytest.fixture
def misled(filmed: tuple[Evening, Footage, Eyes]) -> tuple[Evening, Footage, Eyes]:
    """The same, with eyes that nobody has taught anything yet."""
    evening, footage, eyes = filmed
    return evening, footage, Eyes(eyes.detector, eyes.reader.reading(eyes.reader.prototypes))


def corrected(evening: Evening) -> Evening:
    """The organiser says that it was the card that it was."""
    chapter = evening.chapters[0]
    [at] = [n for n, line in enumerate(chapter.lines) if isinstance(line.event, Reveal) and line.event.by == BY]
    assert chapter.lines[at].event.card != CARD
    return correct(evening, Correction(chapter.id, at, at + 1, (Reveal(by=BY, card=CARD),)))


@pytest.mark.networks
def test_a_corrected_face_is_learnt_kept_and_can_be_forgotten(
    misled: tuple[Evening, Footage, Eyes], tmp_path: Path
) -> None:
    evening, footage, eyes = misled
    before = eyes.reader.prototypes
    lessons = CorrectionsLearnt(tmp_path / "evenings.lessons", clock=lambda: 1000.0)
    lessons.attach(eyes, "stu")
    lessons.attend(evening, 1, footage)
    assert lessons.all == (), "nothing was said"
    lessons.attend(corrected(evening), 1, footage)
    [lesson] = lessons.all
    assert (lesson.deck, lesson.card, lesson.at, lesson.hand) == ("stu", CARD, 1000.0, evening.chapters[0].id)
    assert lesson.said != CARD
    taught = eyes.reader.prototypes
    assert taught.names[len(before.names) :] == (f"stu/{CARD}",) * 2
    assert read(eyes, lesson) == CARD

    again = CorrectionsLearnt(tmp_path / "evenings.lessons")  # a restart
    assert again.all == (lesson,)
    fresh = CorrectionsLearnt(tmp_path / "evenings.lessons").attach(eyes.taught((), None), "stu")
    assert fresh.reader.prototypes.names[-1] == f"stu/{CARD}"

    assert lessons.forget(lesson.id)
    assert not lessons.forget(lesson.id)
    assert lessons.all == CorrectionsLearnt(tmp_path / "evenings.lessons").all == ()
    lessons.attend(corrected(evening), 1, footage)
    assert eyes.reader.prototypes is before


@pytest.mark.networks
def test_taking_the_correction_back_takes_its_lesson_back(misled: tuple[Evening, Footage, Eyes]) -> None:
    evening, footage, eyes = misled
    lessons = CorrectionsLearnt()
    lessons.attach(eyes, "stu")
    for one in (evening, corrected(evening), evening):
        lessons.attend(one, 1, footage)
    assert lessons.all == ()


def read(eyes: Eyes, lesson: CorrectionLearnt) -> str | None:
    picture = cv2.resize(decode_jpeg(lesson.picture), CROP, interpolation=cv2.INTER_AREA)
    [reading] = eyes.reader.prototypes.readings(eyes.reader.embed([np.asarray(picture, np.uint8)]))
    return reading.card


UNREADABLE = {"empty": b"", "text": b"no lessons", "newer": b"\x81\xa1v\x02", "huge": bytes(9 * 2**20)}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_lessons_that_cannot_be_read_are_left_out(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.lessons"
    path.write_bytes(content)
    assert CorrectionsLearnt(path).all == ()


def stored(number: int) -> CorrectionLearnt:
    """A lesson that says of an owl that it is the card."""
    owl = drawn(keys=(("stu", "cucco"),))["stu", "cucco"]
    jpeg = encode_jpeg(np.asarray(cv2.resize(owl[..., :3], PICTURE_SIZE, interpolation=cv2.INTER_AREA), np.uint8))
    return CorrectionLearnt(number, "stu", CARD, "", float(number), 7, 0, 1.0, 0, jpeg, "0" * 64, b"")


@pytest.mark.networks
def test_of_one_card_a_few_lessons_are_kept_and_the_oldest_goes(misled: tuple[Evening, Footage, Eyes], tmp_path: Path) -> None:
    evening, footage, eyes = misled
    before = eyes.reader.prototypes
    path = tmp_path / "a.lessons"
    path.write_bytes(kept(tuple(stored(number) for number in range(1, MAX_A_CARD + 1))))
    lessons = CorrectionsLearnt(path)
    lessons.attach(eyes, "stu")
    assert len(eyes.reader.prototypes.names) == len(before.names) + 2 * MAX_A_CARD
    for one in (evening, corrected(evening)):
        lessons.attend(one, 1, footage)
    assert [one.id for one in lessons.all] == [MAX_A_CARD + 1, *range(MAX_A_CARD, 1, -1)]


@pytest.mark.networks
def test_the_other_faces_of_the_hand_are_kept_to_judge_lessons_by(misled: tuple[Evening, Footage, Eyes], tmp_path: Path) -> None:
    evening, footage, eyes = misled
    path = tmp_path / "a.lessons"
    lessons = CorrectionsLearnt(path)
    lessons.attach(eyes, "stu")
    told = corrected(evening)
    for one in (evening, told, evening, told):
        lessons.attend(one, 1, footage)
    crops = msgspec.msgpack.decode(path.read_bytes())["crops"]
    assert {crop["card"] for crop in crops} == {"gnao", "3", "10", "5"}
    assert len(crops) <= 4 * MAX_EXAMPLES_A_CARD
