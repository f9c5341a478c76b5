"""What the tests themselves take of the processor is counted, file by file."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import processor
import pytest
from inputs import ROOT
from processor import Taken, seconds_between

pytestmark = pytest.mark.house

BUSY = """
import subprocess, sys
def test_busy(): subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.8: pass"], check=True)
"""


def run(folder: Path, *more: str, busy: str = BUSY) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text('pytest_plugins = ["processor"]\n')
    (folder / "test_busy.py").write_text(busy)
    (folder / "test_idle.py").write_text("def test_idle(): pass\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *more]
    environment = {"PYTHONPATH": str(ROOT / "tests"), "PATH": "/usr/bin:/bin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def test_a_file_that_takes_more_than_the_limit_fails_with_its_name_its_children_counted(tmp_path: Path) -> None:
    done = run(tmp_path, "--processor-limit", "0.08")
    assert done.returncode == 1
    assert "2 passed" in done.stdout
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert [line.split(":")[0] for line in failed] == ["FAILED test_busy.py"], done.stdout
    assert "expected at most" in failed[0]


def test_a_file_may_say_that_it_takes_more(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = processor(seconds): more\n")
    marked = f"import pytest\npytestmark = pytest.mark.processor(1000)\n{BUSY}"
    done = run(tmp_path, "--processor-limit", "0.2", busy=marked)
    assert done.returncode == 0, done.stdout


def test_a_file_whose_quiet_run_is_kept_may_take_longer_on_a_busy_machine(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    kept = tmp_path / "tests/seconds.json"
    kept.write_text(json.dumps({"test_busy.py": 10}))
    assert run(tmp_path, "--processor-limit", "0.2").returncode == 0
    kept.write_text(json.dumps({"test_busy.py": 0.01}))
    assert run(tmp_path, "--processor-limit", "0.08").returncode == 1


def test_a_file_that_is_not_kept_may_take_half_as_much_again() -> None:
    meter = processor.Meter(20, {"test_kept.py": 4.0}, counts=False)
    meter.seconds |= {"test_kept.py": 25.0, "test_new.py": 25.0, "test_dear.py": 31.0}
    assert [line.split(":")[0] for line in meter.too_costly] == ["test_kept.py", "test_dear.py"]


def test_a_file_may_take_more_where_others_have_the_machine_but_three_times_as_much_at_most() -> None:
    meter = processor.Meter(20, {"test_films.py": 10.0}, counts=False)
    meter.seconds |= {"test_films.py": 45.0, "test_rest.py": 5.0}
    assert [line.split(":")[0] for line in meter.too_costly] == ["test_films.py"]
    meter.begun -= 250 / (os.cpu_count() or 1)  # half of it would have been 125 s
    assert meter.crowded == pytest.approx(2.5, abs=0.1)
    assert meter.too_costly == []
    meter.begun -= 10_000
    meter.seconds["test_films.py"] = 100.0
    assert [line.split(":")[0] for line in meter.too_costly] == ["test_films.py"]


def test_no_quiet_run_that_is_kept_is_above_the_limit_where_its_file_does_not_say_why() -> None:
    limit = float(re.findall(r"--processor-limit (\d+)", (ROOT / "Makefile").read_text())[0])
    dear = {name for name, seconds in json.loads((ROOT / processor.KEPT).read_bytes()).items() if seconds > limit}
    assert [name for name in dear if "mark.processor(" not in (ROOT / name).read_text()] == []


def test_a_quick_run_leaves_out_what_took_longer_the_last_time(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    room_enough = run(tmp_path, "--processor-limit", "1000", "--processor-to", "tests/seconds.json")
    assert room_enough.returncode == 0
    done = run(tmp_path, "--quick", "0.3")
    assert done.returncode == 0
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(("marks", "read"), [
    ("pytestmark = pytest.mark.browser", False),
    ("pytestmark = [pytest.mark.processor(9), pytest.mark.slow]  # both", False),
    ("pytestmark = [\n    pytest.mark.processor(9),\n    pytest.mark.slow,\n]", False),
    ("pytestmark = pytest.mark.processor(9)", True),
    ("pytestmark = pytest.mark.processor(9)  # as slow as a browser", True),
    ("@pytest.mark.slow\ndef test_one_of_several(): pass", True),
])  # fmt: skip
def test_no_file_is_imported_whose_tests_are_all_left_out(tmp_path: Path, marks: str, read: bool) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    processor(seconds)\n    slow\n    browser\n")
    busy = f"import pytest\nprint('was read')\n{marks}\ndef test_busy(): pass\n"
    done = run(tmp_path, "-m", "not (slow or browser)", "-s", busy=busy)
    assert done.returncode == 0, done.stdout
    assert ("was read" in done.stdout) == read
    assert f"{1 + read} passed" in done.stdout


@pytest.mark.parametrize(("kept", "first"), [
    ({"test_busy.py": 2, "test_idle.py": 3}, "idle"), ({"test_busy.py": 3, "test_idle.py": 2}, "busy"),
    ({"test_busy.py": 9}, "busy"), ({"test_idle.py": 9}, "idle"), ({"test_busy.py": 0.1}, "idle"),
])  # fmt: skip
def test_workers_begin_with_the_files_that_took_longest_and_what_they_take_is_added_up(
    tmp_path: Path, kept: dict[str, float], first: str
) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/seconds.json").write_text(json.dumps(kept))
    shared_out = ("-p", "xdist", "-n", "1", "--dist", "loadfile", "--no-loadscope-reorder")
    done = run(tmp_path, *shared_out, "-vv", "--processor-to", "taken")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"PASSED test_(\w+)\.py", done.stdout)[0] == first, done.stdout
    taken = json.loads((tmp_path / "taken").read_bytes())
    assert taken["test_busy.py"] >= 0.3
    assert taken["test_idle.py"] < taken["test_busy.py"]


def test_what_was_imported_for_the_tests_is_not_looked_through_for_garbage(tmp_path: Path) -> None:
    busy = "import gc\nread = gc.isenabled()\ndef test_busy(): assert gc.isenabled() and gc.get_freeze_count() and not read\n"
    done = run(tmp_path, busy=busy)
    assert done.returncode == 0, done.stdout


def test_what_an_ended_process_took_is_counted_once_whether_its_parent_waited_for_it_or_not() -> None:
    before = {1: Taken(10.0, 0.0), 2: Taken(5.0, 0.0)}
    assert seconds_between(before, {1: Taken(11.0, 6.0)}) == 2.0  # 2 took one second more, and 1 waited for it
    assert seconds_between(before, {1: Taken(11.0, 0.0)}) == 1.0  # nobody waited: what it took at last is lost
    assert seconds_between(before, {1: Taken(10.0, 0.0), 2: Taken(5.0, 0.0), 3: Taken(0.5, 0.25)}) == 0.75


def test_this_process_and_its_children_are_found() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in processor.taken_by_tree(os.getpid())
        assert 1 not in processor.taken_by_tree(child.pid)
        child.communicate(b"\n")
