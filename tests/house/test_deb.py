"""From nothing to a ruling on a root that has nothing but Debian's base: the package built, installed, opened in Chromium and
removed, so that only the evenings are left; and `make demo` with git, make and Python alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import deb
import pytest
from fresh import PATIENCE_SECONDS, ROOT, page_of, ruled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.deb, pytest.mark.processor(600)]

CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""Whom this machine trusts for its package index. Debian's package of that name would write over it in the root: there it is
``TRUSTED``."""
TRUSTED = "/etc/ssl/trusted.crt"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("dpkg-deb") is None or not Path(deb.PYTHON).exists():
        pytest.skip("Debian packages are built on Debian, with its own Python")
    return deb.built(tmp_path_factory.mktemp("deb"))


def listed(package: Path) -> dict[str, str]:
    """What the package holds: path → mode and owner."""
    said = subprocess.run(["dpkg-deb", "--contents", str(package)], check=True, capture_output=True, text=True).stdout
    rows = (line.split(maxsplit=5) for line in said.splitlines())
    return {path.removeprefix("."): f"{mode} {owner}" for mode, owner, *_, path in rows}


def test_it_holds_the_program_its_environment_a_menu_entry_an_icon_and_a_unit(package: Path, tmp_path: Path) -> None:
    found = listed(package)
    files = {path.partition(" -> ")[0] for path in found}
    for wanted in (
        "/opt/companion/bin/companion", "/usr/bin/companion", "/usr/share/applications/companion.desktop",
        "/usr/share/icons/hicolor/scalable/apps/companion.svg", "/usr/lib/systemd/user/companion.service",
        "/usr/share/doc/companion/copyright", "/usr/share/doc/companion/changelog.gz",
    ):  # fmt: skip
        assert wanted in files, wanted
    assert all(path.startswith(("/opt/", "/usr/")) or path in ("/", "/opt/", "/usr/") for path in found)
    assert {mode.split()[1] for mode in found.values()} == {"root/root"}
    assert not [path for path in files if "__pycache__" in path or path.endswith(".pt") or "/workshop/" in path]
    subprocess.run(["dpkg-deb", "--extract", str(package), str(tmp_path)], check=True)
    built_in = re.compile(rb"/tmp/\w+/package")
    for path in (tmp_path / "opt" / "companion" / "bin" / "companion", tmp_path / "opt" / "companion" / "pyvenv.cfg"):
        assert not built_in.search(path.read_bytes()), path
    unit = (tmp_path / "usr/lib/systemd/user/companion.service").read_text()
    assert "ExecStart=/usr/bin/companion serve --host 0.0.0.0\n" in unit


def test_its_scripts_are_good_shell_and_touch_no_evenings(package: Path, tmp_path: Path) -> None:
    subprocess.run(["dpkg-deb", "--control", str(package), str(tmp_path)], check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"control", "postinst", "prerm"}
    for name in ("postinst", "prerm"):
        subprocess.run(["sh", "-n", str(tmp_path / name)], check=True)
        assert "share" not in (tmp_path / name).read_text()
    control = (tmp_path / "control").read_text()
    assert re.search(r"^Depends: python3 \(>= 3\.\d+\), python3 \(<< 3\.\d+\)", control, re.M)


class Root:
    """A Debian with nothing but its base, in a folder; programs run in it by chroot, in the network of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, *words: str, user: str = "root") -> list[str]:
        inside = ["chroot", *(["--userspec=lu:lu"] if user == "lu" else []), str(self.folder), "/usr/bin/env", "-i",
                  "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", f"HOME={'/root' if user == 'root' else '/home/lu'}",
                  "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8",
                  *([f"PIP_CERT={TRUSTED}"] if CERTIFICATES.is_file() else [])]  # fmt: skip
        return ["unshare", "--mount", "sh", "-c", f'mount -t proc proc "{self.folder}/proc"; exec "$@"', "sh", *inside, *words]

    def run(self, *words: str, user: str = "root") -> str:
        done = subprocess.run(self.command(*words, user=user), capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        return done.stdout

    def files(self) -> set[str]:
        """Everything outside the homes, the caches and dpkg's own books."""
        known = ("var/cache", "var/lib/apt", "var/lib/dpkg", "var/log", "home", "proc", "tmp", "usr/lib/python3", "etc/python3")
        found = set()
        for place, folders, names in os.walk(self.folder):
            inside = os.path.relpath(place, self.folder)
            folders[:] = [one for one in folders if not os.path.join(inside, one).removeprefix("./").startswith(known)]
            found |= {os.path.join(inside, name) for name in names}
        return found


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Root]:
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        pytest.skip("a clean root needs root's rights and debootstrap: apt-get install debootstrap")
    release = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.M)
    assert release
    folder = tmp_path_factory.mktemp("clean") / "root"
    told = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]  # where this machine's own packages come from
    mirror = subprocess.run(told, capture_output=True, text=True, check=True).stdout.split()[0]
    made = subprocess.run(["debootstrap", "--variant=minbase", release[1], str(folder), mirror], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"debootstrap reaches no mirror: {made.stdout[-300:]}{made.stderr[-300:]}")
    shutil.copy("/etc/resolv.conf", folder / "etc" / "resolv.conf")
    if CERTIFICATES.is_file():
        (folder / TRUSTED.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(CERTIFICATES, folder / TRUSTED.lstrip("/"))
    yield Root(folder)
    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def serving(root: Root, *words: str, user: str = "root") -> Iterator[str]:
    """What these words start in the root, until it says where its page is; that address."""
    with subprocess.Popen(root.command(*words, user=user), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as run:
        try:
            yield page_of(run)[0]
        finally:
            run.terminate()
            run.wait(PATIENCE_SECONDS)


def test_on_a_clean_root_it_is_installed_comes_to_a_ruling_and_goes_leaving_the_evenings(
    package: Path, clean: Root, chromium: Browser
) -> None:
    clean.run("apt-get", "update", "-q")
    clean.run("apt-get", "install", "-qy", "--no-install-recommends", "python3")  # what it depends on stays
    clean.run("useradd", "--create-home", "lu")
    before = clean.files()
    shutil.copy(package, clean.folder / "tmp" / package.name)
    begun = time.monotonic()
    clean.run("apt-get", "install", "-qy", "--no-install-recommends", f"/tmp/{package.name}")
    print(f"installed in {time.monotonic() - begun:.0f} s")
    assert "OK       models" in clean.run("sh", "-c", "companion doctor || true", user="lu")
    with serving(clean, "companion", "demo", "--port", "0", "--pace", "0", user="lu") as url:
        assert ruled(url)["payments"]
        print(f"a ruling after {time.monotonic() - begun:.0f} s")
        page = chromium.new_page()
        page.goto(url)
        page.locator(".ruling, #middle .headline, #middle").first.wait_for()
        page.close()
    clean.run("companion", "simulate", "--hands", "2", "--log", "/tmp/a.jsonl", user="lu")
    clean.run("sh", "-c", "mkdir -p ~/.local/share/companion && echo mine > ~/.local/share/companion/evenings.ledger", user="lu")
    clean.run("apt-get", "purge", "-qy", "--autoremove", "companion")
    assert clean.files() - before == set()
    assert not (clean.folder / "opt" / "companion").exists()
    assert (clean.folder / "home/lu/.local/share/companion/evenings.ledger").read_text() == "mine\n"
    homes = [path for path in (clean.folder / "home" / "lu").rglob("*") if path.is_file() and not path.name.startswith(".")]
    assert [path.name for path in homes] == ["evenings.ledger"]


def as_older(package: Path, folder: Path) -> Path:
    """The package as a build before it: of a lower version, and with another file in it as its own list says."""
    subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(folder)], check=True)
    control = folder / "DEBIAN" / "control"
    control.write_text(re.sub(r"^Version: .*$", "Version: 0.0.1", control.read_text(), flags=re.M))
    [record] = folder.glob("opt/companion/lib/python3*/site-packages/companion-*.dist-info/RECORD")
    record.write_text(re.sub(r"^(companion/__init__\.py,sha256=)[^,]+,", r"\1before,", record.read_text(), flags=re.M))
    older = folder.with_name("companion_0.0.1.deb")
    build = ["dpkg-deb", "-Zzstd", "-z1", "--root-owner-group", "--build", str(folder), str(older)]
    subprocess.run(build, check=True, capture_output=True)
    return older


def test_a_newer_package_is_installed_in_mid_evening_and_counts_from_the_next_start(
    package: Path, clean: Root, tmp_path: Path
) -> None:
    clean.run("apt-get", "update", "-q")
    clean.run("sh", "-c", "id lu || useradd --create-home lu")
    for path in (as_older(package, tmp_path / "older"), package):
        shutil.copy(path, clean.folder / "tmp" / path.name)
    clean.run("apt-get", "install", "-qy", "--no-install-recommends", "/tmp/companion_0.0.1.deb")
    wants = clean.folder / "home/lu/.config/systemd/user/default.target.wants/companion.service"
    wants.parent.mkdir(parents=True, exist_ok=True)
    wants.unlink(missing_ok=True)
    wants.symlink_to("/usr/lib/systemd/user/companion.service")  # as `companion autostart` leaves it
    clean.run("rm", "-rf", "/home/lu/.local")
    serve = ("companion", "serve", "--port", "8129")
    said: Callable[[str], str] = lambda path: own_browser("127.0.0.1:8129", path)  # noqa: E731
    with serving(clean, *serve, user="lu"):
        assert said("/start/program") == '{"outdated":false}'
        clean.run("apt-get", "install", "-qy", "--no-install-recommends", f"/tmp/{package.name}")
        for path in ("/", "/start", "/start/machine", "/season", "/about", "/pair", "/healthz"):
            said(path)
        assert said("/start/program") == '{"outdated":true}'
        assert "/start/again" in said("/start")
    assert (clean.folder / os.readlink(wants).lstrip("/")).is_file()
    with serving(clean, *serve, user="lu"):
        assert said("/start/program") == '{"outdated":false}'
        assert "aggiornato alla versione" in said("/start?lang=it")
        assert "/start/again" not in said("/start")


def own_browser(address: str, path: str) -> str:
    """What a program there answers this machine's own browser, which keeps its connection."""
    connection = HTTPConnection(address, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        page = answer.read().decode()
        assert answer.status == 200, f"{path}: {answer.status}"
        return page
    finally:
        connection.close()


def test_the_first_command_of_the_readme_needs_git_make_and_python_alone(clean: Root) -> None:
    clean.run("apt-get", "update", "-q")
    clean.run("apt-get", "install", "-qy", "--no-install-recommends", "git", "make", "python3")
    bundle = ["git", "bundle", "create", "--quiet", str(clean.folder / "tmp" / "companion.bundle"), "HEAD"]
    subprocess.run(bundle, cwd=ROOT, check=True, capture_output=True)
    clean.run("git", "clone", "--quiet", "/tmp/companion.bundle", "/root/companion")
    begun = time.monotonic()
    with serving(clean, "make", "-C", "/root/companion", "demo") as url:
        assert ruled(url)["payments"]
    print(f"make demo: a ruling after {time.monotonic() - begun:.0f} s")
