"""`companion watch --view`: one table seen by several cameras; each may end, fail or show nothing."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import recorded_looks
from click.testing import CliRunner, Result
from numpy.typing import NDArray
from several_views import outcomes, without_places
from side_eyes import dealt
from test_video import BLACK, GRAINED, TABLE, WALL, film

from companion.cli import main
from companion.eyes.seeing import Look, Seen
from companion.eyes.sighting import CardSeen, Side
from companion.games.stu.rules.log import read_lines
from companion.games.stu.sightings import Appeared
from companion.line import views as line_views
from companion.line.follow import glimpses
from companion.line.views import View, ViewEnded, ViewStep, follow_views
from companion.line.views import testimony as told_by
from companion.table.errors import SourceError

# Views as they are joined: recorded looks, which need no pictures.


Cut = Callable[[Iterable[Seen]], Iterable[Seen]]


@dataclass
class Followed:
    """What several views of the bundled clip of Stù lead to."""

    steps: list[ViewStep] = field(default_factory=list)
    ended: list[ViewEnded] = field(default_factory=list)

    @property
    def ruled(self) -> list[tuple[object, bool]]:
        return outcomes(self.steps[-1].evening)


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Followed]:
    """Follows the clip, seen by a camera for each of these cuts."""
    monkeypatch.setattr(line_views, "watch", lambda pictures, table, look: glimpses(pictures, table))
    table, seen = recorded_looks.DemoClip("stu").table, list(recorded_looks.seen("stu"))

    def follow(*cuts: Cut) -> Followed:
        views = [View(lambda going, cut=cut: iter(cut(seen)), table, lambda: lambda picture: ()) for cut in cuts]  # type: ignore[misc]
        found = Followed()
        for step in follow_views(views):
            if isinstance(step, ViewEnded):
                found.ended.append(step)
            else:
                found.steps.append(step)
        return found

    return follow


def but(*places: int) -> Cut:
    return lambda seen: without_places(seen, places)


def until(seconds: float, then: BaseException | None = None) -> Cut:
    """The looks of the first seconds, and what is raised after them."""

    def cut(seen: Iterable[Seen]) -> Iterator[Seen]:
        yield from (one for one in seen if one.picture.t < seconds)
        if then is not None:
            raise then

    return cut


def nothing(seen: Iterable[Seen]) -> Iterable[Seen]:
    return ()


@pytest.mark.slow
def test_what_each_view_misses_the_other_has_seen(followed: Callable[..., Followed]) -> None:
    one = followed(lambda seen: seen)
    assert [sure for _, sure in one.ruled] == [True, True]
    both = followed(but(0, 1), but(3, 4))
    assert both.ruled == one.ruled
    times = [step.picture.t for step in both.steps]
    assert times == sorted(times), "of recordings, the looks come in order of time"
    assert {step.view for step in both.steps} == {0, 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("lost", "at"),
    [
        (until(20.0, SourceError("pulled out")), 1), (nothing, 0),
        *(pytest.param(lost, at, marks=pytest.mark.thorough)
          for lost, at in ((until(20.0), 0), (until(20.0), 1), (until(20.0, SourceError("pulled out")), 0), (nothing, 1))),
    ],
)  # fmt: skip
def test_a_view_that_ends_leaves_the_others_to_go_on(lost: Cut, at: int, followed: Callable[..., Followed]) -> None:
    cuts: list[Cut] = [lambda seen: seen]
    cuts.insert(at, lost)
    found = followed(*cuts)
    first = found.ended[0]
    assert (first.view, first.going) == (at, (1 - at,))
    assert str(first.error) == ("pulled out" if first.error else "None")
    assert [sure for _, sure in found.ruled] == [True, True]


def by_another_clock(seconds: float, share: int = 1) -> Cut:
    """The same looks at times that are later by these seconds; ``share``: only every other, third … look."""
    return lambda seen: (
        replace(one, picture=replace(one.picture, t=one.picture.t + seconds)) for one in list(seen)[::share]
    )  # fmt: skip


@pytest.mark.parametrize(("seconds", "told"), [(0.3, None), (0.6, 0.6), (-2.0, -2.0)])
def test_a_view_with_another_clock_is_found_out(seconds: float, told: float | None, followed: Callable[..., Followed]) -> None:
    found = followed(until(36.0), lambda seen: until(36.0 + seconds)(by_another_clock(seconds, 3)(seen)))
    last = {step.view: step.later for step in found.steps}
    assert last == {0: None, 1: told if told is None else pytest.approx(told, abs=0.15)}


def test_a_defect_of_the_program_is_not_taken_for_a_camera_that_is_gone(followed: Callable[..., Followed]) -> None:
    with pytest.raises(ZeroDivisionError):
        followed(until(1.0, ZeroDivisionError()), until(1.0))


def test_who_stops_following_films_leaves_no_thread_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_views, "watch", lambda pictures, table, look: glimpses(pictures, table))
    table, seen = recorded_looks.DemoClip("stu").table, list(recorded_looks.seen("stu"))

    def slow(going: Callable[[], bool]) -> Iterator[Any]:
        for one in seen:
            time.sleep(0.2)
            yield one

    steps = follow_views([View(slow, table, lambda: lambda picture: ()) for _ in range(2)])
    next(steps)
    steps.close()  # type: ignore[attr-defined]  # a generator
    assert [one.name for one in threading.enumerate() if one.name.startswith("view ")] == []


def test_a_place_outside_of_the_picture_is_hidden_and_never_bare() -> None:
    """A camera that shows the upper half of the table: the cards of the lower half were never there for it, and never gone."""
    table, seen = recorded_looks.DemoClip("stu").table, list(recorded_looks.seen("stu"))
    top = seen[0].top
    heights = [float(y) for _, y in top.to_pixels(top.places)]
    line = sorted(heights)[2] + 1.0
    below = frozenset(number for number, y in enumerate(heights) if y >= line)
    assert len(below) == 2

    def upper(one: Seen) -> Seen:
        cards = tuple(card for card in one.cards if max(y for _, y in card.quad) < line)
        return replace(one, cards=cards, picture=replace(one.picture, image=one.picture.image[: int(line)]))

    found = list(glimpses((upper(one) for one in seen if one.picture.t < 20), table))
    assert all(one.hidden == below for one in found)
    assert all(told_by(0, one).hidden == below for one in found)
    told = [sighting for one in found for sighting in one.sightings]
    assert {one.place for one in told if isinstance(one, Appeared)} <= set(range(5)) - below
    assert all(not one.frame_quality.hidden for one in found), "nothing is in its way"


# The command.


def watched(folder: Path, *films: Sequence[NDArray[np.uint8]] | None, tables: Sequence[Any] = (), look: Look = dealt) -> Result:
    """`companion watch` of these films, None: there is none, with these changes of their TABLE.json."""
    words = list[str]()
    for number, images in enumerate(films):
        source, path = folder / f"view{number}.avi", folder / f"table{number}.json"
        if images is not None:
            film(source, images)
        path.write_text(json.dumps(TABLE | dict(tables[number] if number < len(tables) else {})))
        words += [str(source), "--table", str(path)] if number == 0 else ["--view", str(source), str(path)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.line.trained.trained", lambda cards, decks: look)
        return CliRunner().invoke(main, ["watch", *words, "--log", str(folder / "log.jsonl"), "--quiet"])


LONG = GRAINED * 2


def test_two_views_of_one_length_need_no_word(tmp_path: Path) -> None:
    done = watched(tmp_path, LONG, LONG)
    assert (done.exit_code, done.output) == (0, "")
    assert read_lines((tmp_path / "log.jsonl").read_bytes())


@pytest.mark.parametrize(
    ("films", "said"),
    [
        pytest.param((LONG, None), ["view1.avi: no such file; the others go on"], id="the second cannot be read"),
        pytest.param((None, LONG), ["view0.avi: no such file; the others go on"], id="the first cannot be read"),
        pytest.param((LONG, GRAINED), ["view1.avi: ended after 1.9 s; the others go on"], id="one ends earlier"),
        pytest.param((LONG, [BLACK] * 20), ["view1.avi: all its pictures are black", "view1.avi: ended"], id="black"),
        pytest.param((None, None, LONG), ["view0.avi: no such file", "view1.avi: no such file"], id="two are gone"),
    ],
)
def test_a_view_that_is_no_help_is_named_and_the_others_go_on(
    films: Sequence[Sequence[NDArray[np.uint8]] | None], said: list[str], tmp_path: Path
) -> None:
    done = watched(tmp_path, *films)
    assert (done.exit_code, done.stdout) == (0, "")
    lines = done.stderr.splitlines()
    assert len(lines) == len(said)
    assert all(any(one in line for line in lines) for one in said)
    assert read_lines((tmp_path / "log.jsonl").read_bytes())


def test_a_view_with_another_clock_is_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_views.Witnesses, "later", lambda self, view: -2.04 if view == 1 else None)
    done = watched(tmp_path, LONG, LONG)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (0, "", 1)
    a, b = tmp_path / "view0.avi", tmp_path / "view1.avi"
    assert f"{b}: what both see happens 2.0 s earlier in it than in {a}; expected the same clock" in done.stderr


def test_where_no_view_can_be_read_each_is_named(tmp_path: Path) -> None:
    done = watched(tmp_path, None, None)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 2)
    assert all(f"view{number}.avi: no such file" in done.stderr for number in (0, 1))
    assert not (tmp_path / "log.jsonl").exists()


def test_where_no_view_shows_anything_each_is_named(tmp_path: Path) -> None:
    done = watched(tmp_path, [BLACK] * 20, WALL, look=lambda picture: ())
    assert done.exit_code == 3
    assert "view0.avi: all its pictures are black" in done.stderr
    assert "view1.avi: no table, no card and no hand" in done.stderr


def test_a_view_of_another_shape_than_its_table_is_refused(tmp_path: Path) -> None:
    wide = [np.ascontiguousarray(cv2.resize(one, (240, 180))) for one in GRAINED]
    done = watched(tmp_path, LONG, wide)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert "view1.avi: its pictures are 240x180" in done.stderr


TURNED = {"players": [TABLE["players"][at] for at in (1, 0, 2)]}  # type: ignore[index]
STOPPA = {"game": "stoppa", "misera": 10}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (TURNED, "players Bruno, Anna, Carla; expected those of {first}, in the same order: Anna, Bruno, Carla"),
        ({"players": TABLE["players"][:2], "dealer": "Anna"}, "players Anna, Bruno; expected those of {first}"),  # type: ignore[index]
        ({"corners": [[0, 0]] * 4}, "corners: expected"),
    ],
)
def test_tables_that_are_not_of_one_table_are_refused(other: dict[str, Any], said: str, tmp_path: Path) -> None:
    done = watched(tmp_path, LONG, LONG, tables=[{}, other])
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{tmp_path / 'table1.json'}: {said.format(first=tmp_path / 'table0.json')}" in done.stderr
    assert not (tmp_path / "log.jsonl").exists()


def test_a_view_needs_its_own_table(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["watch", "a.mp4", "--table", "a.json", "--view", "b.mp4", "--log",
                                     str(tmp_path / "log.jsonl")])
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1


def test_a_place_is_bare_where_no_card_of_the_game_lies() -> None:
    """A deck beside it and the pedine of who sits there do not count."""

    def card(x: float, deck: str, side: Side) -> CardSeen:
        return CardSeen(((x - 10, 80), (x + 10, 80), (x + 10, 120), (x - 10, 120)), deck, side, 0.9)

    cards = [card(100, "stu", "back"), card(210, "ramino", "face"), card(300, "stu", "stack"), card(405, "stu", "face")]
    assert line_views.bare_of(cards, [(x, 100.0) for x in (100.0, 200.0, 300.0, 400.0, 500.0)]) == {1, 2, 4}
    assert line_views.bare_of([], []) == frozenset()
