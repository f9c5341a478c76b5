"""`companion serve` with several cameras: what each tells of one evening, one that is lost, and an evening with a single one."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import takewhile

import pytest
import recorded_looks
from several_views import outcomes, without_places
from side_eyes import dealt

from companion.eyes.seeing import Seen
from companion.eyes.source import Picture
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.camera import Lie
from companion.line.camera_session import CameraSession
from companion.line.films import FURTHER_INTERVAL_SECONDS, further_footage
from companion.line.follow import Glimpse, glimpses
from companion.line.footage import MIN_INTERVAL_SECONDS, Footage
from companion.line.further import FurtherCamera, decoded_views
from companion.line.recorder import GATHER
from companion.line.tablefile import TableFile, parse_table_file
from companion.line.worker.base import CameraWorker
from companion.line.worker.glimpses import glimpsed
from companion.line.worker.messages import Condition, Glimpsed, Job
from companion.referee import at_the_end

TABLE = recorded_looks.DemoClip("stu").table


class Told(CameraWorker):
    """A worker that reads no camera: what it sees, the test says."""

    def do(self, job: Job) -> None:
        self.doing = job

    def learn(self, kept: bytes) -> None: ...

    def newest(self) -> Picture | None: ...

    def _run(self) -> None: ...

    def sees(self, seen: Glimpsed) -> None:
        self._listener.on_message(seen)

    def is_now(self, state: str, **how: object) -> None:
        self._listener.on_message(Condition(self.doing.number, state, size=(1280, 720), **how))  # type: ignore[arg-type]


def lie_of(table: TableFile) -> Lie:
    places = tuple(seat.place for seat in table.table.players)
    return Lie(table.table.image_size, table.table.corners, places, places)


class Hall:
    """An evening at the bundled clip's table with a camera for each worker; those ``beside`` the first have been shown it."""

    def __init__(self, ledger: Ledger, cameras: int, beside: int | None = None, footage: float = 0) -> None:
        self.ledger, self.workers = ledger, [Told() for _ in range(cameras)]
        self.further = [
            FurtherCamera(number, worker, further_footage(number, 0)) for number, worker in enumerate(self.workers[1:], start=2)
        ]
        film = Footage(footage)
        self.session = CameraSession(ledger, lambda: dealt, worker=self.workers[0], further=self.further, footage=film)
        self.beside = cameras - 1 if beside is None else beside

    def __enter__(self) -> Hall:
        self.session.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.session.__exit__()

    def begin(self) -> int:
        self.session.choose("0")
        for view in self.further[: self.beside]:
            view.choose(str(view.number))
            view.show(lie_of(TABLE))
        return self.session.begin(TABLE.first, TABLE.encode())

    def tell(self, *views: Iterable[Glimpse]) -> None:
        """Each camera sees its own, in order of time."""
        numbered = ([(one.picture.t, number, one) for one in view] for number, view in enumerate(views))
        for _, number, glimpse in heapq.merge(*numbered, key=lambda one: one[:2]):
            worker = self.workers[number]
            worker.sees(glimpsed(worker.doing, TABLE, glimpse, keep=False))

    @property
    def ruled(self) -> list[tuple[object, bool]]:
        assert self.session.recorder is not None
        return outcomes(at_the_end(self.session.recorder.evening))


@cache
def seen() -> tuple[Seen, ...]:
    return tuple(recorded_looks.seen("stu"))


@cache
def of_view(hidden: tuple[int, ...] = (), upto: float = 1e9, since: float = -1.0) -> tuple[Glimpse, ...]:
    looks = (one for one in seen() if since < one.picture.t < upto)
    return tuple(glimpses(without_places(looks, hidden) if hidden else looks, TABLE))


def evening(cameras: int, beside: int | None, views: Sequence[Iterable[Glimpse]]) -> tuple[Hall, Ledger, int]:
    ledger = Ledger.in_memory(log_format)
    with Hall(ledger, cameras, beside) as hall:
        game = hall.begin()
        hall.tell(*views)
    return hall, ledger, game


def test_without_a_second_camera_not_a_byte_changes() -> None:
    kept = []
    for cameras, beside in ((1, 0), (3, 0), (3, 1)):
        _, ledger, game = evening(cameras, beside, [of_view(upto=20.0)])
        notes = {name: text for name, text in ledger.notes(game).items() if name != "views"}
        kept.append((ledger.reports(game), ledger.lines(game), notes))
        assert ("views" in ledger.notes(game)) == bool(beside)
        ledger.close()
    assert kept[0] == kept[1]
    assert kept[0][:2] == kept[2][:2], "one that is there and sees nothing changes nothing either"


@pytest.mark.parametrize("named", ["2", "rtsp://bar:pass@10.0.0.7/live"])
def test_one_camera_is_never_two_of_them(ledger: Ledger, named: str) -> None:
    with Hall(ledger, 3) as hall:
        game = hall.begin()
        second, third = hall.further
        second.choose(named)
        hall.session.choose(named.replace("bar:pass", "…"))  # as the pages are told of it
        assert (hall.session.task.source, second.source, second.lie, third.source) == (named, "", None, "3")
        assert hall.session.health().follows
        assert not second.health().follows
        assert ledger.notes(game)["camera"] == named
        assert [one.camera for one in decoded_views(ledger.notes(game)["views"])] == ["", "3"]
        hall.session.choose("3")
        assert ledger.notes(game)["views"] == ""


def test_the_pictures_of_a_further_camera_go_back_as_far_with_fewer_of_them(ledger: Ledger) -> None:
    with Hall(ledger, 2, footage=60) as hall:
        hall.begin()
        assert [worker.doing.stills for worker in hall.workers] == [MIN_INTERVAL_SECONDS, FURTHER_INTERVAL_SECONDS]
    with Hall(ledger, 2, footage=0) as hall:
        hall.begin()
        assert [worker.doing.stills for worker in hall.workers] == [0, 0]


FIRST_HAND = 34.0
"""Seconds of the clip until its first hand is over and gathered."""


def test_what_each_camera_misses_the_other_has_seen() -> None:
    alone, _, _ = evening(1, None, [of_view(upto=FIRST_HAND)])
    assert [sure for _, sure in alone.ruled] == [True]
    both, ledger, game = evening(2, None, [of_view((0, 1), FIRST_HAND), of_view((3, 4), FIRST_HAND)])
    assert both.ruled == alone.ruled
    came = [text for text in ledger.reports(game) if '"Appeared"' in text]
    assert came
    assert len(set(came)) == len(came), "each card is told once"


def test_a_camera_that_is_lost_is_named_and_the_other_goes_on() -> None:
    with Ledger.in_memory(log_format) as ledger, Hall(ledger, 2) as hall:
        hall.begin()
        first, second = hall.workers
        for worker in (first, second):
            worker.is_now("live")
        hall.tell(of_view(upto=8.0), of_view(upto=8.0))
        assert hall.session.notices() == ()
        second.is_now("lost")
        assert [(one.what, one.view) for one in hall.session.notices()] == [("gap", 2)]
        assert (hall.further[0].status().state, hall.session.status().state) == ("lost", "live")
        second.is_now("opening")  # its new process has no picture yet
        assert [(one.what, one.view) for one in hall.session.notices()] == [("gap", 2)]
        hall.tell(of_view(since=8.0, upto=12.0))
        second.is_now("live")
        first.is_now("frozen")
        assert [(one.what, one.view) for one in hall.session.notices()] == [("frozen", 1)]
        second.is_now("live", amiss="elsewhere")
        assert [(one.what, one.view) for one in hall.session.notices()] == [("frozen", 1), ("elsewhere", 2)]


def test_a_camera_with_another_clock_is_named() -> None:
    late = glimpses((replace(one, picture=replace(one.picture, t=one.picture.t + 0.9)) for one in seen()), TABLE)
    with Ledger.in_memory(log_format) as ledger, Hall(ledger, 3) as hall:
        hall.begin()
        hall.tell(of_view(upto=36.0), takewhile(lambda one: one.picture.t < 36.9, late), of_view(upto=36.0))
        assert [(one.what, one.view) for one in hall.session.notices()] == [("apart", 2)]


def test_a_process_that_begins_again_knows_what_its_camera_has_told_and_until_when() -> None:
    with Ledger.in_memory(log_format) as ledger, Hall(ledger, 2) as hall:
        hall.begin()
        hall.tell(of_view((0, 1), 10.0), of_view(upto=6.0))
        again = hall.further[0].job()
        assert again.number == hall.workers[1].doing.number
        assert again.since is not None
        assert 3.5 < again.since < 6.0, "the other has looked since"
        assert hall.session.job().since == pytest.approx(10.0, abs=2.2)
        assert again.table is not None
        assert [seat.place for seat in parse_table_file(again.table).table.players] == list(lie_of(TABLE).places)
        first, second = hall.session.job(), hall.further[0].job()
        assert second.start - second.at == pytest.approx(first.start - first.at), "all have one clock"


def test_after_a_restart_the_second_camera_is_at_the_table_again() -> None:
    with Ledger.in_memory(log_format) as ledger:
        with Hall(ledger, 2) as hall:
            game = hall.begin()
            hall.tell(of_view((0, 1), 10.0), of_view((3, 4), 10.0))
            lie = hall.further[0].lie
        assert "Anna" not in ledger.notes(game)["views"], "no name that could be forgotten stands there"
        with Hall(ledger, 2) as again:
            assert again.session.resume() is not None
            assert (again.further[0].source, again.further[0].lie) == ("2", lie)
            assert again.workers[1].doing.table is not None
            before = sum('"Appeared"' in text for text in ledger.reports(game))
            again.tell((), of_view((3, 4), 14.0, 10.0))
            assert sum('"Appeared"' in text for text in ledger.reports(game)) == before, "what was told is not told again"


def test_a_camera_that_was_shown_the_places_of_others_is_shown_them_again_before_it_tells() -> None:
    with Ledger.in_memory(log_format) as ledger, Hall(ledger, 2) as hall:
        hall.session.choose("0")
        hall.further[0].choose("2")
        elsewhere = lie_of(TABLE)
        hall.further[0].show(Lie(elsewhere.size, elsewhere.corners, elsewhere.places, elsewhere.places[::-1]))
        hall.session.begin(TABLE.first, TABLE.encode())
        assert hall.further[0].lie is None
        assert hall.workers[1].doing.table is None
        hall.further[0].show(lie_of(TABLE))
        assert hall.workers[1].doing.table is not None
        hall.further[0].choose("")
        assert (hall.further[0].lie, hall.workers[1].doing.source) == (None, "")


def test_a_second_camera_that_comes_in_mid_hand_tells_nothing_twice() -> None:
    with Ledger.in_memory(log_format) as ledger, Hall(ledger, 2, beside=0) as hall:
        game = hall.begin()
        whole = of_view(upto=16.0)
        hall.tell([one for one in whole if one.picture.t < 12])
        before = sum('"Appeared"' in text for text in ledger.reports(game))
        assert before == 5
        hall.further[0].choose("2")
        hall.further[0].show(lie_of(TABLE))
        hall.tell([one for one in whole if one.picture.t >= 12], of_view((0,), 16.0, 12.0))
        assert sum('"Appeared"' in text for text in ledger.reports(game)) == before


def test_cards_that_are_dealt_already_when_the_program_begins_again_are_the_first_hand() -> None:
    first = next(one.picture.t for one in of_view() if one.sightings)
    with Ledger.in_memory(log_format) as ledger:
        with Hall(ledger, 1) as hall:
            hall.session.choose("0")
            hall.session.begin(TABLE.first, TABLE.encode(), **{GATHER: "1"})
            assert hall.workers[0].doing.aside, "the places were marked by cards: those are gathered first"
        with Hall(ledger, 1) as again:
            again.session.resume()
            assert again.workers[0].doing.aside, "nothing was seen of a hand yet"
            again.tell(of_view(upto=first + 0.01))
        with Hall(ledger, 1) as once_more:
            once_more.session.resume()
            assert not once_more.workers[0].doing.aside
