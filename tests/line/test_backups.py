"""A copy of the evenings for every night of play, beside them and on a stick; what is said where there is none."""

from __future__ import annotations

import datetime
import errno
import os
import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.clock import night_of
from companion.games import log_format
from companion.games.stu.rules.log import Hand, new_game
from companion.ledger import Ledger, statements, store
from companion.ledger.bringing_back import bring_back
from companion.line import backups as backing
from companion.line.backups import EVERY_SECONDS, Backups, Unreachable, mounted
from companion.line.copies import FOLDER, KEPT_ASIDE, KEPT_COPIES, decks_beside
from companion.table.log import Line

GAME = Line(new_game(["Anna", "Bruno"], 200, "Bruno"))
DAY = 24 * 3600.0


class Bar:
    """A ledger on a disk, a clock and sticks that a test moves."""

    def __init__(self, folder: Path) -> None:
        self.file, self.stick = folder / "evenings.ledger", folder / "stick"
        self.stick.mkdir()
        self.decks = folder / "decks"
        self.ledger = Ledger.open(self.file, log_format)
        self.now, self.sticks = 1_790_000_000.0, (self.stick,)
        self.copies = self.backups()

    def backups(self, fixed: Path | None = None, version: str = "", build: str = "") -> Backups:
        return Backups(self.ledger, self.file, self.decks, fixed, version=version, build=build, now=lambda: self.now,
                       sticks=lambda: self.sticks)

    def play(self) -> int:
        """One more game is begun."""
        return self.ledger.begin([GAME, Line(Hand())])


@pytest.fixture
def bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bar]:
    opened, ticks = Bar(tmp_path), count()
    for module in (store, statements):  # the ledger records by the test's own clock, too, and nothing at the same time
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: opened.now + next(ticks) / 1000))
    yield opened
    opened.ledger.close()


def games_in(copy: Path) -> int:
    with Ledger.look(copy, log_format) as ledger:
        return len([ledger.lines(entry.id) for entry in ledger.games()])


def test_a_night_of_play_is_copied_beside_and_onto_the_stick_with_the_decks(bar: Bar) -> None:
    bar.decks.mkdir()
    (bar.decks / "nonno.deck").write_bytes(b"a deck")
    bar.copies.choose(bar.stick)
    bar.play()
    bar.copies.make_due()
    night = f"evenings-{night_of(bar.now)}.ledger"
    there = bar.stick / FOLDER / night
    assert games_in(there) == games_in(bar.copies.beside / night) == 1
    assert [deck.read_bytes() for deck in decks_beside(there)] == [b"a deck"]
    assert [(copy.night, copy.here) for copy in bar.copies.copies()] == [(str(night_of(bar.now)), here) for here in (False, True)]
    assert not [path for path in (bar.stick / FOLDER).iterdir() if path.name.startswith(".")]


def test_the_copy_of_a_night_takes_the_place_of_the_one_before_it(bar: Bar) -> None:
    bar.play()
    bar.copies.make_due()
    bar.play()
    bar.copies.make_due()
    assert [games_in(copy.path) for copy in bar.copies.copies()] == [1], "not again within the pause"
    bar.now += EVERY_SECONDS
    bar.copies.make_due()
    assert [games_in(copy.path) for copy in bar.copies.copies()] == [2]
    bar.now += DAY
    bar.copies.make_due()
    assert len(bar.copies.copies()) == 1, "nothing was played"
    bar.play()
    bar.copies.make_due()
    assert [games_in(copy.path) for copy in bar.copies.copies()] == [3, 2]


def test_whatever_was_recorded_is_in_a_copy_once_the_program_has_ended(bar: Bar) -> None:
    with bar.copies.running():
        bar.play()
        bar.copies.make_due(at_once=True)
        bar.play()
    assert [games_in(copy.path) for copy in bar.copies.copies()] == [2]


@pytest.mark.parametrize(("hour", "day"), [(21, 28), (0, 27), (9, 27), (10, 28)])
def test_a_night_lasts_until_the_morning(hour: int, day: int) -> None:
    assert night_of(datetime.datetime(2026, 11, 28, hour, 30).timestamp()) == datetime.date(2026, 11, day)


def test_a_stick_that_was_pulled_out_gets_nothing_into_the_empty_folder_and_everything_when_it_is_back(bar: Bar) -> None:
    bar.copies.choose(bar.stick)
    bar.sticks = ()
    bar.play()
    bar.copies.make_due()
    assert bar.copies.problem is not None
    assert list(bar.stick.iterdir()) == []
    assert [copy.here for copy in bar.copies.copies()] == [True]
    bar.sticks = (bar.stick,)
    bar.now += EVERY_SECONDS
    bar.copies.make_due()
    assert bar.copies.problem is None
    assert [copy.here for copy in bar.copies.copies()] == [False, True]


def refuse(monkeypatch: pytest.MonkeyPatch, folder: Path, number: int) -> None:
    """From now on no file is made in this folder, for this reason."""
    touch = Path.touch

    def refused(path: Path, mode: int = 0o666, exist_ok: bool = True) -> None:
        if path.parent == folder:
            raise OSError(number, os.strerror(number), str(path))
        touch(path, mode, exist_ok)

    monkeypatch.setattr(Path, "touch", refused)


@pytest.mark.parametrize(
    ("number", "why"), [(errno.ENOSPC, "full"), (errno.EROFS, "read-only"), (errno.EACCES, "read-only"), (errno.EIO, "")]
)
def test_why_a_stick_takes_no_copy_is_told(bar: Bar, monkeypatch: pytest.MonkeyPatch, number: int, why: str) -> None:
    bar.play()
    bar.copies.choose(bar.stick)
    (bar.stick / FOLDER).mkdir()
    refuse(monkeypatch, bar.stick / FOLDER, number)
    with pytest.raises(Unreachable) as said:
        bar.copies.make()
    assert (said.value.why, bar.copies.why) == (why, why)
    assert bar.copies.made is None
    monkeypatch.undo()
    bar.copies.make()
    assert (bar.copies.problem, bar.copies.why) == (None, "")


@pytest.mark.parametrize("fixed", [False, True])
def test_a_stick_that_answers_nothing_any_more_ends_no_copies(
    bar: Bar, monkeypatch: pytest.MonkeyPatch, fixed: bool
) -> None:
    bar.play()
    bar.copies.choose(bar.stick)
    copies = bar.backups(bar.stick / FOLDER) if fixed else bar.copies
    copies.make()
    stat = os.stat

    def dying(path: object, *words: object, **more: object) -> os.stat_result:
        if str(path).startswith(str(bar.stick)):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return stat(path, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", dying)
    copies.make_due(at_once=True)
    bar.play()
    copies.make_due(at_once=True)
    assert copies.problem is not None
    assert max(games_in(copy) for copy in copies.beside.glob("*.ledger")) == 2


def test_where_this_machines_disk_is_full_the_copy_goes_onto_the_stick_all_the_same(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar.play()
    bar.copies.choose(bar.stick)
    bar.copies.beside.mkdir()
    refuse(monkeypatch, bar.copies.beside, errno.ENOSPC)
    with pytest.raises(Unreachable) as said:
        bar.copies.make()
    assert said.value.why == "here"
    [copy] = (bar.stick / FOLDER).glob("*.ledger")
    assert games_in(copy) == 1
    assert bar.copies.made == bar.now


def test_the_stick_has_the_copys_name_before_it_is_said_to_be_made(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[tuple[str, list[str]]] = []
    fsync = os.fsync

    def noted(opened: int) -> None:
        path = Path(os.readlink(f"/proc/self/fd/{opened}"))
        waited.append((path.name, sorted(one.name for one in path.iterdir()) if path.is_dir() else []))
        fsync(opened)

    monkeypatch.setattr(os, "fsync", noted)
    bar.play()
    bar.copies.choose(bar.stick)
    made = bar.copies.make()
    assert made is not None
    assert waited[-1] == (FOLDER, [made.name])


def test_what_was_copied_into_another_folder_is_not_taken_for_a_copy_in_this_one(bar: Bar, tmp_path: Path) -> None:
    bar.play()
    bar.backups(tmp_path / "first").make()
    again = bar.backups(tmp_path / "second")
    assert again.made is None
    again.make_due(at_once=True)
    assert [games_in(copy) for copy in (tmp_path / "second").glob("*.ledger")] == [1]
    assert again.made == bar.now


def test_another_stick_of_the_same_name_gets_its_copy_without_a_new_game(bar: Bar) -> None:
    bar.play()
    bar.copies.choose(bar.stick)
    bar.copies.make()
    shutil.rmtree(bar.stick / FOLDER)
    bar.copies.make_due(at_once=True)
    assert len(list((bar.stick / FOLDER).glob("*.ledger"))) == 1


def test_the_option_names_no_stick_that_is_not_mounted(bar: Bar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backing, "_REMOVABLE", (f"{tmp_path}/media/",))
    stick = tmp_path / "media" / "LUSTU"
    stick.mkdir(parents=True)
    bar.play()
    for folder in (stick, stick / "copies"):
        with pytest.raises(Unreachable) as said:
            bar.backups(folder).make()
        assert said.value.why == "gone"
    assert list(stick.iterdir()) == []
    bar.sticks = (stick,)
    assert bar.backups(stick / "copies").make() is not None


def test_a_copy_that_reads_differently_from_the_stick_is_none(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    bar.copies.choose(bar.stick)
    bar.play()
    monkeypatch.setattr(backing.shutil, "copyfile", lambda made, scratch: scratch.write_bytes(b"rot"))
    with pytest.raises(Unreachable, match="reads differently"):
        bar.copies.make()
    assert list((bar.stick / FOLDER).iterdir()) == []


@pytest.mark.parametrize(("days", "played", "told"), [(6, True, None), (8, True, 8), (8, False, None), (30, True, 30)])
def test_an_old_copy_is_told_where_evenings_were_played_since(bar: Bar, days: int, played: bool, told: int | None) -> None:
    bar.copies.choose(bar.stick)
    bar.play()
    bar.copies.make()
    bar.now += days * DAY
    if played:
        bar.play()
    assert bar.copies.old_days() == told


def test_without_a_stick_nothing_is_old(bar: Bar) -> None:
    bar.play()
    bar.now += 90 * DAY
    assert bar.copies.old_days() is None


def test_only_the_newest_nights_are_kept_and_nothing_else_is_deleted(bar: Bar) -> None:
    bar.play()
    made = bar.copies.make()
    assert made is not None
    for number in range(KEPT_COPIES + 4):
        shutil.copyfile(made, bar.copies.beside / f"evenings-20{number:02}-01-01.ledger")
    (bar.copies.beside / "evenings-of-mine.ledger").write_bytes(b"")
    assert bar.copies.make() == made
    left = sorted(path.name for path in bar.copies.beside.iterdir())
    assert len(left) == KEPT_COPIES + 1
    assert {made.name, "evenings-of-mine.ledger"} <= set(left)


def aside(bar: Bar, number: int) -> Path:
    """What was put aside for the ``number``th copy that was brought back: the ledger as it is now."""
    path = bar.file.with_name(f"evenings-before-20261101-{number:06}.ledger")
    bar.ledger.copy_to(path)
    return path


def test_of_what_was_put_aside_only_the_newest_stay(bar: Bar) -> None:
    updated = bar.file.with_name("evenings-schema-5.ledger")
    bar.play()
    bar.ledger.copy_to(updated)
    os.utime(updated, (0, 0))
    put = [updated, *(aside(bar, number) for number in range(KEPT_ASIDE))]
    bar.copies.make()
    assert [path.exists() for path in put] == [False] + [True] * KEPT_ASIDE
    other = bar.file.with_name("evenings-before-mine.ledger")
    other.write_bytes(b"")
    put.append(aside(bar, KEPT_ASIDE))
    bar.copies.make()
    assert [path.exists() for path in (*put, other)] == [False, False] + [True] * (KEPT_ASIDE + 1)


def test_what_was_put_aside_and_alone_holds_an_evening_stays(bar: Bar) -> None:
    bar.play()
    before = aside(bar, 0)
    alone, again = (aside_with_one_more(bar, number) for number in (1, 2))
    damaged = aside(bar, 3)
    damaged.write_bytes(b"rot" * 2000)
    newest = [aside(bar, number) for number in range(4, 4 + KEPT_ASIDE)]
    bar.copies.make()
    assert [path.exists() for path in (before, alone, again, damaged)] == [False, True, True, True]
    fuller = aside(bar, 20)
    shutil.copyfile(again, fuller)
    bar.copies.make()
    assert [path.exists() for path in (alone, again, damaged, fuller)] == [True, False, True, True], "a newer one holds it"
    assert all(path.exists() for path in newest[1:])


def aside_with_one_more(bar: Bar, number: int) -> Path:
    """The same, with an evening in it that is not in the ledger."""
    path = aside(bar, number)
    with Ledger.open(path, log_format) as ledger:
        ledger.begin([GAME, Line(Hand())])
    return path


@pytest.mark.parametrize("name", ["evenings.ledger", "copy of mine.ledger"])
@pytest.mark.parametrize("folder", ["", FOLDER])
def test_what_companion_backup_has_written_onto_a_stick_is_listed(bar: Bar, name: str, folder: str) -> None:
    """Also without choosing that stick, and whosever it is; what holds nothing, or is no ledger, is not."""
    bar.play()
    (there := bar.stick / folder).mkdir(exist_ok=True)
    bar.ledger.copy_to(there / name)
    Ledger.open(there / "nothing.ledger", log_format).close()
    (there / "letter.ledger").write_text("dear uncle")
    (there / "folder.ledger").mkdir()
    before = on(bar.stick)
    when = f"{datetime.datetime.fromtimestamp(bar.now):%Y-%m-%d %H:%M:%S}"
    for chosen in (False, True):
        [copy] = bar.copies.copies()
        assert (copy.path, copy.until, copy.night, copy.own, copy.here) == (there / name, when, "", True, False)
        if not chosen:
            bar.copies.choose(bar.stick)
    assert {path: data for path, data in on(bar.stick).items() if path in before} == before


def test_what_was_erased_stands_in_no_copy(bar: Bar) -> None:
    bar.copies.choose(bar.stick)
    game = bar.play()
    bar.copies.make()
    bar.now += DAY
    bar.play()
    bar.copies.make()
    aside = "evenings-before-20261128-010203.ledger"
    others = [bar.file.with_name(name) for name in ("evenings-schema-5.ledger", aside, f"{aside}-wal")]
    for path in others:
        path.write_bytes(b"")
    bar.ledger.erase(game)
    bar.copies.begin_again()
    assert [games_in(copy.path) for copy in bar.copies.copies()] == [1, 1]
    assert not any(path.exists() for path in others)


@pytest.fixture
def other(bar: Bar, tmp_path: Path) -> Iterator[Bar]:
    """Another machine, into which the same stick is put."""
    (tmp_path / "other").mkdir()
    opened = Bar(tmp_path / "other")
    opened.sticks = (bar.stick,)
    opened.copies.choose(bar.stick)
    bar.copies.choose(bar.stick)
    yield opened
    opened.ledger.close()


def on(stick: Path) -> dict[str, bytes]:
    """Every file on the stick, and what is in it."""
    return {str(path.relative_to(stick)): path.read_bytes() for path in stick.rglob("*") if path.is_file()}


def test_a_ledger_in_which_nothing_was_played_is_not_copied(bar: Bar, other: Bar) -> None:
    bar.play()
    bar.copies.make()
    before = on(bar.stick)
    assert other.copies.make() is None
    other.copies.make_due(at_once=True)
    assert (on(bar.stick), other.copies.beside.exists(), other.copies.problem) == (before, False, None)


def test_tables_that_share_a_stick_write_over_no_copy_and_no_deck_of_one_another(bar: Bar, other: Bar) -> None:
    for table, deck in ((bar, b"of one table"), (other, b"of the other")):
        table.decks.mkdir()
        (table.decks / "nonno.deck").write_bytes(deck)
    bar.play()
    bar.copies.make()
    for table, games in ((other, 1), (other, 2), (bar, 2), (other, 3), (bar, 3)):
        table.play()
        before = on(bar.stick)
        made = table.copies.make()
        assert made is not None
        after, own = on(bar.stick), {str(made.relative_to(bar.stick))}
        assert {name: data for name, data in after.items() if name in before and name not in own} == {
            name: data for name, data in before.items() if name not in own
        }
        assert games_in(made) == games
    found = {copy.own: copy.path for copy in bar.copies.copies() if not copy.here}
    assert len([name for name in on(bar.stick) if name.endswith(".ledger")]) == len(found) == 2
    assert [[deck.read_bytes() for deck in decks_beside(found[own])] for own in (True, False)] == [
        [b"of one table"], [b"of the other"],
    ]  # fmt: skip


def test_what_one_table_erases_and_its_old_nights_take_no_copy_of_another(bar: Bar, other: Bar) -> None:
    game = bar.play()
    other.play()
    bar.copies.make()
    made = other.copies.make()
    assert made is not None
    kept = made.read_bytes()
    bar.ledger.erase(game)
    bar.copies.begin_again()
    for _ in range(KEPT_COPIES + 2):
        bar.now += DAY
        bar.play()
        bar.copies.make()
    assert made.read_bytes() == kept
    assert len([copy for copy in bar.copies.copies() if copy.own and not copy.here]) == KEPT_COPIES


def test_a_copy_that_holds_more_than_the_ledger_does_now_is_not_written_over(bar: Bar, tmp_path: Path) -> None:
    bar.copies.choose(bar.stick)
    bar.play()
    older = tmp_path / "older.ledger"
    bar.ledger.copy_to(older)
    bar.play()
    fuller = bar.copies.make()
    bar.ledger.close()
    bring_back(older, bar.file)
    bar.ledger = Ledger.open(bar.file, log_format)
    bar.copies = bar.backups()
    for _ in range(2):
        bar.play()
        bar.copies.make()
    found = {copy.path: games_in(copy.path) for copy in bar.copies.copies() if not copy.here and not copy.path.match("*before*")}
    assert (len(found), found[fuller], sorted(found.values())) == (2, 2, [2, 3])


def test_a_copy_of_what_was_erased_since_is_written_over_once_its_stick_is_back(bar: Bar) -> None:
    bar.copies.choose(bar.stick)
    game = bar.play()
    made = bar.copies.make()
    assert made is not None
    bar.ledger.erase(game)  # while the stick is out
    bar.play()
    assert b"Anna" in made.read_bytes()
    assert bar.copies.make() == made
    assert games_in(made) == 1


def test_a_stick_that_nobody_has_chosen_is_listed_and_nothing_is_written_on_it(bar: Bar, tmp_path: Path) -> None:
    bar.copies.choose(bar.stick)
    bar.play()
    bar.copies.make()
    (tmp_path / "other").mkdir()
    new = Bar(tmp_path / "other")
    new.sticks = (bar.stick,)
    before = on(bar.stick)
    [copy] = new.copies.copies()
    assert (copy.own, copy.here, copy.stick, copy.night) == (False, False, "stick", str(night_of(bar.now)))
    assert on(bar.stick) == before
    new.ledger.close()


def test_what_was_chosen_and_made_is_remembered(bar: Bar) -> None:
    bar.copies.choose(bar.stick)
    bar.play()
    bar.copies.make()
    again = bar.backups()
    assert (again.chosen, again.made) == (bar.stick / FOLDER, bar.now)
    again.choose(None)
    assert bar.backups().chosen is None


def test_no_folder_but_a_stick_can_be_chosen_by_a_page(bar: Bar, tmp_path: Path) -> None:
    with pytest.raises(Unreachable):
        bar.copies.choose(tmp_path)
    with pytest.raises(Unreachable, match="--backups"):
        bar.backups(fixed=tmp_path / "own").choose(bar.stick)


def test_the_folder_of_the_option_takes_copies_without_a_stick(bar: Bar, tmp_path: Path) -> None:
    bar.sticks = ()
    copies = bar.backups(fixed=tmp_path / "own")
    bar.play()
    made = copies.make()
    assert made is not None
    assert made.parent == tmp_path / "own"


def test_the_version_before_an_update_is_known(bar: Bar) -> None:
    assert bar.backups(version="0.1").updated_from == ""
    assert bar.backups(version="0.1").updated_from == ""
    assert bar.backups(version="0.2").updated_from == "0.1"
    assert bar.backups(version="0.2").updated_from == "0.1"


def test_another_build_of_the_same_version_is_an_update_too(bar: Bar) -> None:
    assert bar.backups(version="0.1", build="a").updated_from == ""
    assert bar.backups(version="0.1", build="a").updated_from == ""
    assert bar.backups(version="0.1", build="b").updated_from == "0.1"


def test_a_program_that_did_not_say_its_build_was_another_one(bar: Bar) -> None:
    assert bar.backups(version="0.1").updated_from == ""
    assert bar.backups(version="0.1", build="a").updated_from == "0.1"


def test_a_damaged_memory_of_copies_forgets_and_goes_on(bar: Bar) -> None:
    bar.file.with_name("evenings.ledger.backups").write_bytes(b"\xff{")
    assert bar.backups().chosen is None


def test_sticks_are_what_is_mounted_where_desktops_mount_them(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    lines = [
        "/dev/sda1 / ext4 rw 0 0",
        *["/dev/sdb1 /media/lu/LA\\040CHIAVETTA vfat rw 0 0"] * 2,
        "/dev/loop1 /media/snap squashfs ro 0 0",
        "/dev/sdc1 /run/media/lu/USB exfat rw 0 0",
        "broken",
    ]
    mounts.write_text("\n".join(lines))
    assert mounted(mounts) == (Path("/media/lu/LA CHIAVETTA"), Path("/run/media/lu/USB"))
    assert mounted(tmp_path / "none") == ()
