"""What is installed, and that a wheel holds all that the program needs."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
RUNTIME: list[str] = PROJECT["project"]["dependencies"]
PINS = re.findall(r"^([^#\s].*)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)

IMPORTED_AS = {"opencv-python": "cv2", "fonttools": "fontTools", "pyyaml": "yaml"}
"""Distribution → the module that it brings, where that is not its own name."""


def name_of(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


def module_of(requirement: str) -> str:
    return IMPORTED_AS.get(name_of(requirement), name_of(requirement).replace("-", "_"))


def imports(folder: Path) -> Iterator[tuple[str, Path]]:
    """Top-level names of the packages that the code in `folder` imports, anywhere in a file."""
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield alias.name.split(".")[0], path
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module.split(".")[0], path


def test_constraints_pin_one_version_each_and_name_no_address() -> None:
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", pin) for pin in PINS), PINS
    names = [name_of(pin) for pin in PINS]
    assert len(names) == len(set(names))


def test_every_requirement_is_pinned_and_allowed() -> None:
    pinned = {name_of(pin) for pin in PINS} | {"companion"}
    wanted = [*RUNTIME, *(r for extra in EXTRAS.values() for r in extra), *PROJECT["build-system"]["requires"]]
    assert {name_of(requirement) for requirement in wanted} <= pinned


def test_every_dependency_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for requirement in {*RUNTIME, *(r for extra in EXTRAS.values() for r in extra)}:
        if not requirement.startswith("companion["):
            assert re.search(rf'^    "{re.escape(requirement)}", +# \w+', text, re.M), requirement


def test_what_runs_is_required_and_what_is_required_runs() -> None:
    used = {name for name, _ in imports(ROOT / "companion")}
    foreign = used - set(sys.stdlib_module_names) - {"companion"}
    runtime = {module_of(requirement) for requirement in RUNTIME}
    assert runtime <= foreign, "required, and never imported"
    extras = {module_of(requirement) for requirement in (*EXTRAS["heic"], *EXTRAS["hall"])}
    assert foreign <= runtime | extras, "imported, and never required"


ELSEWHERE = ROOT / "workshop" / "cycles" / "worker.py"
"""A script that runs in an environment of its own; what it may import, tests/workshop/cycles says."""


def test_the_workshop_imports_what_its_extras_bring() -> None:
    used = {name for name, path in imports(ROOT / "workshop") if path != ELSEWHERE}
    brought = {module_of(requirement) for requirement in [*RUNTIME, *EXTRAS["workshop"], *EXTRAS["train"]]}
    assert used - set(sys.stdlib_module_names) - {"companion", "workshop"} <= brought


def test_nothing_names_this_machine_or_a_registry() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("needs a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".txt", ".html", ".js", ".css", ".yaml", ".json", ""} and path.is_file():
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"/(?:work|opt)/(?!companion\b)\w|(?:pypi|pythonhosted)\.org", text), name


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder), str(ROOT)]
    subprocess.run(pip, check=True, capture_output=True)
    [built] = folder.glob("companion-*.whl")
    return built


@pytest.mark.wheel
def test_the_wheel_holds_models_pages_clips_and_licence_and_nothing_of_training(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder, to in (("models", "models"), ("web", "web"), ("datasets", "datasets")):
        listed = subprocess.run(["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=True)
        files = list(filter(None, listed.stdout.split("\0")))
        assert files
        for file in files:
            assert (f"companion/_assets/{to}{file.removeprefix(folder)}" in names) != file.endswith(".pt"), file
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {f"companion/_assets/{name}" for name in ("LICENSE", "pyproject.toml", "constraints.txt", "README.md")} <= names
    assert not [name for name in names if name.startswith(("tests/", "workshop/", "models/", "web/", "datasets/"))]


@pytest.mark.wheel
def test_the_installed_wheel_works_away_from_the_checkout(wheel: Path, tmp_path: Path) -> None:
    where = tmp_path / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(where), str(wheel)],
        check=True, capture_output=True,
    )  # fmt: skip
    program = f"""
import sys
sys.path = [folder for folder in sys.path if folder != {str(ROOT)!r}]  # where this environment finds the workshop
import companion.assets, companion.cli
from companion.line.doctor import models, web
assert str(companion.assets.root()).endswith("companion/_assets"), companion.assets.root()
assert models().ok and web().ok, (models(), web())
try:
    companion.cli.main(["render", "--help"])
except SystemExit as ended:
    assert ended.code == 2
companion.cli.main(["--version"])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env={"PYTHONPATH": str(where)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "companion render needs the workshop" in done.stderr
    assert done.stdout.strip() == f"companion, version {importlib.metadata.version('companion')}"
