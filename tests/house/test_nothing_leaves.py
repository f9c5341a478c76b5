"""Nothing leaves the machine, and nothing is left on it: no command looks up a name, reaches another machine or writes a file
outside the folders that are its own. What it stands on is watched, too: ONNX Runtime reports home unless it is told not to.

A small library, compiled here and preloaded, hears what native code asks of the system. Where there is no compiler, what lies in
the home folder afterwards is looked at alone.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import cv2
import pytest
from phone_photos import photo
from serving import until

from companion.assets import asset
from companion.games import log_format
from companion.ledger import Ledger
from companion.line.recorder import EveningRecorder
from companion.line.tablefile import parse_table_file
from workshop.deck.raster import STU_KEYS, drawn

DEMO = asset("datasets/demo")
OWN = (".local", ".local/share", ".local/share/companion")
"""What a home may get: the folder of the evenings. Its name is told by `companion serve --help`."""
NOT_PASSED_ON = ("CI", "HOME", "LD_PRELOAD", "ORT_DISABLE_TELEMETRY", "TMPDIR")


@dataclass(frozen=True)
class Machine:
    """A machine that nothing was done on yet: an empty home, a folder for what the test has made, and what was heard."""

    home: Path
    work: Path
    heard_in: Path
    witness: Path | None

    def environment(self) -> dict[str, str]:
        """That of a bar's machine: none of what CI and this test's own machine set."""
        own = {name: value for name, value in os.environ.items()
               if name not in NOT_PASSED_ON and not name.startswith(("XDG_", "GITHUB_"))}  # fmt: skip
        own |= {"HOME": str(self.home), "TMPDIR": str(self.work), "PYTHONDONTWRITEBYTECODE": "1", "WITNESS": str(self.heard_in)}
        return own | ({"LD_PRELOAD": str(self.witness)} if self.witness is not None else {})

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        """`companion` with these arguments."""
        return subprocess.Popen([sys.executable, "-m", "companion", *arguments], cwd=self.work, env=self.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # fmt: skip

    def does(self, *arguments: str) -> None:
        """The command runs to a good end."""
        with self.begin(*arguments) as process:
            said, _ = process.communicate()
        assert process.returncode == 0, said

    def heard(self) -> list[str]:
        """Names that were looked up, addresses that were reached, and what was written elsewhere than in folders of its own."""
        told = self.heard_in.read_text().splitlines() if self.heard_in.exists() else []
        own = tuple(f"write {folder}/" for folder in (self.work, self.home / OWN[-1], "/dev", "/proc"))
        made = {f"write {self.home / folder}" for folder in OWN} | {f"write {self.work}"}
        return [one for one in told if not one.startswith(own) and one not in made]

    def left(self) -> list[str]:
        """What lies in the home and is none of ours."""
        found = (str(path.relative_to(self.home)) for path in self.home.rglob("*"))
        return [name for name in found if name not in OWN and not name.startswith(f"{OWN[-1]}/")]

    def is_as_it_was(self) -> None:
        """Nothing left it, and nothing was left on it."""
        assert self.heard() == []
        assert self.left() == []


@pytest.fixture(scope="session")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Path | None:
    """The library that hears what native code does; None where nothing can compile it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    made = tmp_path_factory.mktemp("witness") / "witness.so"
    source = Path(__file__).with_name("witness.c")
    done = subprocess.run([compiler, "-shared", "-fPIC", "-w", "-o", str(made), str(source), "-ldl"], capture_output=True)
    return made if done.returncode == 0 else None  # a compiler without the C library's headers


@pytest.fixture
def machine(tmp_path: Path, witness: Path | None) -> Machine:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    return Machine(home, work, tmp_path / "heard", witness)


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of the demo's clip."""
    made = tmp_path_factory.mktemp("clip") / "second.avi"
    read = cv2.VideoCapture(str(DEMO / "demo.mp4"))
    write = cv2.VideoWriter(str(made), cv2.VideoWriter.fourcc(*"MJPG"), 15, (1280, 720))
    for _ in range(15):
        write.write(read.read()[1])
    read.release()
    write.release()
    return made


def test_what_is_watched_for_is_heard(machine: Machine) -> None:
    if machine.witness is None:
        pytest.skip("needs a C compiler")
    program = (
        "import contextlib, pathlib, socket\n"
        "with contextlib.suppress(OSError): socket.getaddrinfo('collector.example', 443)\n"
        "one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        "with contextlib.suppress(OSError): one.connect(('192.0.2.1', 9))\n"
        "pathlib.Path.home().joinpath('.cache').mkdir()\n"
        "pathlib.Path.home().joinpath('.cache/queue').write_text('')\n"
    )
    subprocess.run([sys.executable, "-c", program], env=machine.environment(), check=True)
    cache = machine.home / ".cache"
    assert machine.heard() == ["lookup collector.example", "reach 192.0.2.1", f"write {cache}", f"write {cache}/queue"]
    assert machine.left() == [".cache", ".cache/queue"]


def test_onnx_runtime_is_told_to_be_silent_before_anything_can_import_it(machine: Machine) -> None:
    program = "import companion.eyes.modelfile, os; assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'"
    for said in ({}, {"ORT_DISABLE_TELEMETRY": "0"}, {"ORT_DISABLE_TELEMETRY": ""}):
        subprocess.run([sys.executable, "-c", program], env=machine.environment() | said, check=True)
    ours = Path(__file__).parents[2]
    apart = [
        path for folder in ("tools", "benchmarks", ".ci", "examples") for path in (ours / folder).rglob("*.py")
        if "onnxruntime" in (text := path.read_text("utf-8")) and "import companion" not in text and "from companion" not in text
    ]  # fmt: skip
    assert not apart, "it loads ONNX Runtime without companion, which silences it"


def test_detect(machine: Machine) -> None:
    picture = machine.work / "picture.png"
    read = cv2.VideoCapture(str(DEMO / "demo.mp4"))
    cv2.imwrite(str(picture), read.read()[1])
    read.release()
    machine.does("detect", str(picture))
    machine.is_as_it_was()


@pytest.mark.networks
def test_watch(machine: Machine, clip: Path) -> None:
    machine.does("watch", str(clip), "--table", str(DEMO / "table.json"), "--log", "log.jsonl", "--ledger", "kept.ledger")
    machine.is_as_it_was()


@pytest.mark.networks
def test_enrol(machine: Machine) -> None:
    photos = machine.work / "photos"
    photos.mkdir()
    image, _ = photo(drawn(keys=STU_KEYS), ("stu", "gnao"), (50.0, 94.0), 41_000, kind="felt")
    cv2.imwrite(str(photos / "gnao.png"), image)
    machine.does("enrol", str(photos), "--out", "own.deck")
    machine.is_as_it_was()


def test_serve_with_a_camera_that_is_followed(machine: Machine, clip: Path) -> None:
    ledger = machine.home / OWN[-1] / "evenings.ledger"
    ledger.parent.mkdir(parents=True)
    text = (DEMO / "table.json").read_text()
    with Ledger.open(ledger, log_format) as made:
        EveningRecorder.begin(made, parse_table_file(text).first, clip.name, camera=str(clip), table=text)
    with machine.begin("serve", "--port", "0", "--https-port", "0") as process:
        assert process.stdout is not None
        said = ""
        while "http://" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        url = next(word for word in said.split() if word.startswith("http://")).rstrip("/")

        def looked() -> bool:
            try:
                with urllib.request.urlopen(f"{url}/healthz") as answer:
                    health = json.load(answer)
            except urllib.error.HTTPError as error:
                health = json.load(error)
            return health["camera"]["looked"] is not None or health["camera"]["state"] == "ended"

        try:
            until(looked)
            for page in ("/", "/charts", "/season", "/overlay", "/api/game"):
                with urllib.request.urlopen(url + page) as answer:
                    assert answer.status == 200
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()
    machine.is_as_it_was()
