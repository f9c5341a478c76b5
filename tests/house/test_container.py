"""The container: its lines checked everywhere; built and run to a ruling where a builder and its base are there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator

import pytest
from fresh import ROOT, page_of, ruled

FILE = ROOT / "Containerfile"
TEXT = FILE.read_text("utf-8")
STAGES = re.split(r"^FROM ", re.sub(r"\\\n\s*", " ", TEXT), flags=re.M)[1:]


def lines(stage: str, word: str) -> list[str]:
    return [line.removeprefix(f"{word} ") for line in stage.splitlines() if line.startswith(f"{word} ")]


def test_what_runs_is_slim_and_belongs_to_nobody_important() -> None:
    runs = STAGES[-1]
    assert lines(runs, "USER") == ["companion"], "not root"
    assert "useradd --groups video" in runs, "it may open a camera"
    assert lines(runs, "VOLUME") == ["/evenings"]
    assert "XDG_DATA_HOME=/evenings" in runs
    assert "python3-pip" not in runs
    assert "--from=built /opt/companion /opt/companion" in runs
    assert lines(runs, "ENTRYPOINT") == ['["companion"]']
    assert all("apt-get install -y --no-install-recommends" in line and "rm -rf /var/lib/apt/lists/*" in line
               for line in lines(runs, "RUN") if "apt-get" in line)  # fmt: skip


def test_its_health_check_is_python_that_fails_where_nobody_answers() -> None:
    [check] = lines(STAGES[-1], "HEALTHCHECK")
    program = re.search(r'"-c", "(.*)"\]$', check)
    assert program
    done = subprocess.run(["python3", "-c", program[1].replace(":8000", ":1")], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "refused" in done.stderr


def test_what_is_to_be_typed_keeps_the_health_check() -> None:
    """podman's own format, OCI, knows none: it would be left out with a warning."""
    told = [line for text in (TEXT, (ROOT / "docs" / "install.md").read_text("utf-8")) for line in text.splitlines()
            if "podman build" in line]  # fmt: skip
    assert len(told) == 2
    assert all("podman build --format docker " in line for line in told)


def test_all_that_is_copied_is_there_and_is_all_that_the_wheel_is_made_of() -> None:
    copied = [word for stage in STAGES for line in lines(stage, "COPY") if "--from" not in line for word in line.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied), copied
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*settings["include"], *settings["force-include"]} <= set(copied)
    ignore = (ROOT / ".containerignore").read_text().split("\n")
    assert {f"!{name}" for name in copied} <= set(ignore)
    assert {"*", "models/*.pt"} <= set(ignore), "no checkpoint, nothing that lies beside"


def test_it_is_started_with_options_that_the_program_has() -> None:
    from click.testing import CliRunner

    from companion.cli import main

    [command] = lines(STAGES[-1], "CMD")
    name, *options = re.findall(r'"([^"]+)"', command)
    said = CliRunner().invoke(main, [name, "--help"]).output
    assert all(option in said for option in options if option.startswith("--"))


@pytest.fixture(scope="module")
def container() -> Iterator[list[str]]:
    """The container, built without a daemon; how something is run in it, as its user. From the base that COMPANION_BASE names, or
    the one of the file where its registry is reached."""
    if os.geteuid() != 0 or shutil.which("buildah") is None:
        pytest.skip("no builder: as root, apt-get install buildah")
    base = os.environ.get("COMPANION_BASE", "")
    other = ["--build-arg", f"BASE={base}"] if base else []
    how = ["--format", "docker", "--isolation", "chroot", "-f", str(FILE)]
    build = ["buildah", "build", *how, "-t", "companion-test", *other, str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    if done.returncode and re.search(r"creating build container|initializing source|pinging container registry", done.stderr):
        pytest.skip(f"the base is not reached: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    name = subprocess.run(["buildah", "from", "companion-test"], capture_output=True, text=True, check=True).stdout.strip()
    yield ["buildah", "run", "--isolation", "chroot", name, "--"]
    subprocess.run(["buildah", "rm", name], capture_output=True, check=True)
    subprocess.run(["buildah", "rmi", "companion-test"], capture_output=True, check=True)


@pytest.mark.container
@pytest.mark.processor(600)
def test_it_comes_to_a_ruling_as_a_user_without_rights(container: list[str]) -> None:
    assert subprocess.run([*container, "id", "-un"], capture_output=True, text=True, check=True).stdout.strip() == "companion"
    demo = [*container, "companion", "demo", "--port", "0", "--pace", "0"]
    with subprocess.Popen(demo, stdout=subprocess.PIPE, text=True) as run:
        try:
            assert ruled(page_of(run)[0])["payments"]
        finally:
            run.terminate()


@pytest.mark.container
def test_it_has_the_health_check(container: list[str]) -> None:
    told = subprocess.run(["buildah", "inspect", "--type", "image", "companion-test"], capture_output=True, text=True, check=True)
    assert "127.0.0.1:8000/about" in json.dumps(json.loads(told.stdout)["Docker"]["config"]["Healthcheck"])


@pytest.mark.container
def test_evenings_are_kept_in_its_volume_and_pip_is_not_in_it(container: list[str]) -> None:
    simulated = "companion simulate --hands 2 --log /tmp/a.jsonl && test -w /evenings && echo $XDG_DATA_HOME"
    said = subprocess.run([*container, "sh", "-c", simulated], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "/evenings"
    builders = [*container, "sh", "-c", "ls /source; command -v pip; command -v gcc"]
    assert subprocess.run(builders, capture_output=True, check=False).stdout == b""
