"""The documents say what is so: every command, option, address, setting and rule is told, no link is dead, examples hold."""

from __future__ import annotations

import doctest
import itertools
import json
import os
import re
import shlex
import sqlite3
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_args

import click
import faults
import msgspec
import pytest
import reference
from click.testing import CliRunner
from documents import DOCS, PAGES, ROOT, Block, anchors, blocks, dead_links, differences, links, pattern, rows
from fake_camera import FakeCamera
from flask import Flask
from phones import Phone

from companion import cli, games
from companion.dashboard import create_app
from companion.dashboard.settings import described
from companion.decks.stu import NAMES, RANK
from companion.games import log_format, read_lines, stu
from companion.games.stu.rules import log
from companion.games.stu.rules.state import RULE_OF, IrregularityKind
from companion.games.stu.words import RULE_OF_IRREGULARITY
from companion.ledger import Ledger
from companion.line.corrections_learnt import CorrectionsLearnt
from companion.line.tablefile import parse_table_file

RULES = DOCS / "rules" / "stu.md"
SETTINGS = DOCS / "settings.md"
HTTP = DOCS / "http-api.md"
RULINGS = ROOT / "tests" / "games" / "stu" / "rules" / "rulings"

CITED = re.compile(r"\brules?[ =](\d+(?:(?:, | and | to )\d+)*)")
TOLD = [page for page in PAGES if page.is_relative_to(DOCS) or page.name in ("CHANGELOG.md", "CONTRIBUTING.md", "README.md")]


@pytest.fixture
def app() -> Iterator[Flask]:
    """The dashboard of an evening's program over the game of `docs/evening.jsonl`."""
    with Ledger.in_memory(log_format) as ledger:
        game = ledger.new_game(source="evening.jsonl")
        ledger.record(game, read_lines((DOCS / "evening.jsonl").read_bytes()))
        yield create_app(ledger, camera=FakeCamera(ledger), corrections=CorrectionsLearnt())


# Commands and settings


@pytest.mark.parametrize("page", reference.PAGES, ids=lambda page: page.name)
def test_the_tables_are_as_the_code_has_them(page: Path) -> None:
    assert reference.rewritten(page) == page.read_text("utf-8"), "run: make docs"


def test_every_command_and_option_is_documented() -> None:
    text = SETTINGS.read_text("utf-8")
    sections = {part.partition("`")[0]: part for part in re.split(r"^### `", text, flags=re.M)}
    for path, command in reference.commands():
        found = [part for heading, part in sections.items() if re.match(rf"{path}(?= [A-Z\[]|$)", heading)]
        assert found, f"{path} is not in docs/settings.md"
        for option in (parameter for parameter in command.params if isinstance(parameter, click.Option)):
            for name in option.opts:
                assert f"`{name}`" in found[0], f"{path} {name} is not in docs/settings.md"


def test_every_setting_is_documented() -> None:
    told = {row[0] for row in rows(SETTINGS, 4)}
    for field in described():
        assert f"`{field.name}`" in told, f"the setting {field.name} is not in docs/settings.md"


def options_of(words: list[str]) -> set[str] | None:
    """The options of the command that these words call; None where there is no such command."""
    command: click.Command = cli.main
    context = click.Context(command)
    for word in words:
        if not isinstance(command, click.Group):
            break
        found = command.get_command(context, word)
        if found is None:
            return None
        command = found
    return {"--help", "--version", *(name for one in command.params for name in (*one.opts, *one.secondary_opts))}


@pytest.mark.parametrize("page", TOLD, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_to_type_have_the_options_that_the_page_gives_them(page: Path) -> None:
    for block in blocks(page):
        text = block.text.replace("\\\n", " ") if block.language in ("sh", "console") else ""
        for line in re.findall(r"^(?:\$ )?(?:\S*/)?companion (.+)$", text, re.M):
            words = shlex.split(line, comments=True)
            known = options_of(words)
            assert known is not None, f"{block.where}: no such command: companion {line}"
            unknown = {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"} - known
            assert not unknown, f"{block.where}: companion {line}: there is no {unknown}"


@pytest.mark.parametrize("page", TOLD, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_test_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    for command in (shlex.split(line) for line in re.findall(r"`pytest (tests/[^`]+)`", text)):
        wanted = command[command.index("-k") + 1] if "-k" in command else ""
        files = [ROOT / word for word in command if word.startswith("tests/")]
        names = [name for file in files for one in ([file] if file.is_file() else file.glob("**/test_*.py"))
                 for name in re.findall(r"^def (test_\w+)", one.read_text("utf-8"), re.M)]  # fmt: skip
        assert any(wanted in name for name in names), f"no such test: pytest {' '.join(command)}"
    named = re.findall(r"\b((?:tests|tools|benchmarks)/[\w/]+\.py)\b", text)
    missing = [name for name in named if not (ROOT / name).is_file()]
    assert not missing, "no such files"


def test_faults_that_a_page_asks_for_are_known() -> None:
    asked = re.findall(r"`python tools/faults.py ([^`]+)`", (DOCS / "faults.md").read_text("utf-8"))
    options = {word.removeprefix("--") for line in asked for word in line.split() if word.startswith("--")}
    assert options == {*faults.FAULTS, "seed"}


# Rules


def test_every_rule_has_its_anchor_and_its_rulings() -> None:
    assert {f"rule-{number}" for number in range(1, 25)} <= anchors(RULES)
    text = RULES.read_text("utf-8")
    there = {path.name.split(".")[0] for path in RULINGS.iterdir()}
    told = set(re.findall(r"`((?:bad-)?r\d\d-[a-z0-9-]+)`", text))
    assert told <= there, f"no such ruling: {told - there}"
    for number in range(2, 25):
        section = re.split(r"^## ", text.partition(f'<a id="rule-{number}">')[2], flags=re.M)[0]
        assert re.search(rf"`(bad-)?r{number:02}-", section), f"rule {number} names no ruling of its own"


def test_every_rule_that_the_code_cites_is_told() -> None:
    cited: dict[Path, set[int]] = {}
    for folder in ("companion", "web/templates", "web/static"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".html", ".js", ".po"):
                for found in CITED.findall(path.read_text("utf-8")):
                    numbers = [int(number) for number in re.findall(r"\d+", found)]
                    upto = range(numbers[0], numbers[-1] + 1) if " to " in found else numbers
                    cited.setdefault(path, set()).update(upto)
    assert len(cited) > 10, "the search finds too little to be a test"
    told = {page.stem: anchors(page) for page in (DOCS / "rules").glob("*.md")}
    for path, numbers in cited.items():
        wing = next((game for game in told if game in path.relative_to(ROOT).parts), None)
        pages = [told[wing]] if wing is not None else list(told.values())
        missing = [number for number in numbers if not any(f"rule-{number}" in page for page in pages)]
        assert not missing, f"{path.relative_to(ROOT)} cites rules {missing}, which docs/rules/ does not tell"


def test_every_house_rule_is_documented_with_its_values() -> None:
    told = {row[0]: row for row in rows(RULES, 4)}
    values = [row[1] for row in rows(RULES, 4)]
    for field in msgspec.structs.fields(log.HouseRules):
        assert f"`{field.name}`" in told, f"the house rule {field.name} is not in docs/rules/stu.md"
        assert told[f"`{field.name}`"][1] == f"`{field.default}` (default)"
        for value in get_args(get_args(field.type)[0]) or get_args(field.type):
            assert {f"`{value}`", f"`{value}` (default)"} & set(values), f"{field.name}: {value} is not in docs/rules/stu.md"


def test_the_cards_are_as_the_deck_has_them() -> None:
    cards = [row for row in rows(RULES, 4) if re.fullmatch(r"−?\d+", row[0])]
    told = {row[1].strip("`"): (int(row[0].replace("−", "-")), row[3]) for row in cards}
    assert {kind: rank for kind, (rank, _) in told.items()} == dict(RANK)
    for kind, (_, names) in told.items():
        assert NAMES[kind].montorio in names.split(", ") or names == NAMES[kind].montorio == "", kind


def test_causes_and_irregularities_are_told_with_their_rules() -> None:
    linked = {row[0].strip("`"): row[1] for row in rows(RULES, 4)}
    for name, number in {**RULE_OF, **RULE_OF_IRREGULARITY}.items():
        assert linked.get(name) == f"[{number}](#rule-{number})", name
    assert set(get_args(IrregularityKind)) == set(RULE_OF_IRREGULARITY)


# Formats


def test_every_public_name_of_the_games_is_on_the_page_of_the_prompt() -> None:
    page = (DOCS / "prompt.md").read_text("utf-8")
    told = {name for code in re.findall(r"`([^`\n]+)`", page) for name in re.findall(r"\w+", code.partition("(")[0])}
    modules = ["companion.games", *(f"{game.package}{part}" for game in games.GAMES.values() for part in ("", ".bots"))]
    missing = {f"{module}.{name}" for module in modules for name in public_names(module) if name not in told}
    assert not missing, "no row of docs/prompt.md says what they are"


def public_names(module: str) -> set[str]:
    """What the module names in its `__all__`; the test fails where there is no such module or no such list."""
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        pytest.fail(f"there is no module {error.name}: docs/contributing.md#ships asks for it, with an `__all__`")
    assert hasattr(found, "__all__"), f"{module} has no `__all__`: docs/contributing.md#ships says which names it has"
    return {*found.__all__}


OF_A_GAME = re.compile(r"^of (\w+): ")
"""How a row of that page says that one game alone has the name."""


def test_every_name_on_the_page_of_the_prompt_is_where_the_page_says() -> None:
    """In all games, or in the one that its row names."""
    missing = set[str]()
    page = (DOCS / "prompt.md").read_text("utf-8").partition("## The names\n")[2]
    of_title = {game.title.split()[-1]: game for game in games.GAMES.values()}
    looked_for = 0
    for section in page.split("\n### ")[1:]:
        general, bots = section.startswith("Any game"), section.startswith("Bots")
        for first, what in re.findall(r"^\| (`[^|]+) \| (.+) \|$", section, re.M):
            own = OF_A_GAME.match(what)
            packages = [game.package for game in ([of_title[own[1]]] if own else games.GAMES.values())]
            for code in re.findall(r"`([^`]+)`", first):
                name = code.partition("(")[0]
                looked_for += 1
                for package in ["companion.games"] if general else [f"{one}.bots" if bots else one for one in packages]:
                    missing |= {f"{package}.{name}"} - {f"{package}.{one}" for one in public_names(package)}
    assert not missing, "docs/prompt.md says that these names are there"
    assert looked_for > 30, "the search finds too little to be a test"


REPORTED = {"stu": "table-log.md"}
"""Game → the page that tells the keys of its report, where that is not the page of its rules."""


@pytest.mark.parametrize("game_id", games.GAMES)
def test_every_key_of_the_report_is_told(game_id: str) -> None:
    """`stated` stands with a hand only where somebody has stated its outcome, and with all games."""
    page = DOCS / REPORTED.get(game_id, f"rules/{game_id}.md")
    assert page.is_file(), f"{page.relative_to(ROOT)} is missing: it tells the keys of the report"
    told = {name.rpartition(".")[2] for name in re.findall(r"`([\w.\[\]]+)`", page.read_text("utf-8"))}
    module = f"{games.GAMES[game_id].package}.rules.report"
    try:
        report = import_module(module).Report
    except (ModuleNotFoundError, AttributeError):
        pytest.fail(f"{module}.Report is missing: docs/contributing.md#ships asks for it")
    assert not {"stated", *report.__struct_fields__} - told - {"game"}


def test_every_event_of_the_log_is_told_with_its_keys() -> None:
    told = {row[0].strip("`"): " ".join(row) for width in (3, 4, 5) for row in rows(DOCS / "table-log.md", width)}
    for event in get_args(log.Event):
        tag = event.__struct_config__.tag
        assert tag in told, f"the event {tag} is not in docs/table-log.md"
        for field in msgspec.structs.fields(event):
            assert f"`{field.encode_name}`" in told[tag], f"the key {field.encode_name} of {tag} is not in docs/table-log.md"


def test_every_table_and_column_of_the_ledger_is_told(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "a.ledger", log_format).close()
    text = (DOCS / "ledger.md").read_text("utf-8")
    connection = sqlite3.connect(tmp_path / "a.ledger")
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    columns = {(table, column[1]) for table in tables for column in connection.execute(f"PRAGMA table_info({table})")}
    assert hex(connection.execute("PRAGMA application_id").fetchone()[0]) in text
    connection.close()
    section: dict[str, str] = {}
    name = ""
    for row in rows(DOCS / "ledger.md", 3):
        name = row[0].strip("`") or name
        section[name] = section.get(name, "") + row[1]
    for table, column in columns:
        assert f"`{column}`" in section.get(table, ""), f"{table}.{column} is not in docs/ledger.md"


def test_every_recipe_is_told_with_its_number_of_pictures() -> None:
    page = DOCS / "training.md"
    told = {row[0].partition("]")[0].strip("["): row[1].replace(",", "") for row in rows(page, 3)}
    lists = {row[0].partition("]")[0].strip("[") for row in rows(page, 2)}
    for path in sorted((ROOT / "datasets").glob("*.yaml")):
        assert path.name in told.keys() | lists, f"{path.name} is not in docs/training.md"
        if path.name in told:
            assert told[path.name] == re.findall(r"^count: (\d+)$", path.read_text("utf-8"), re.M)[0], path.name


def test_the_figures_are_those_of_the_reports() -> None:
    figures = DOCS / "figures.md"
    sections = json.loads((ROOT / "models" / "REPORT.json").read_text("utf-8"))
    report = {section["title"]: section["figures"] for section in sections}
    keys = ("recall", "precision", "recall_any_class", "precision_any_class", "ap50", "corner_error_40px")
    holdouts = {row[0].split("`")[1]: row[1:] for row in rows(figures, 7) if row[0].startswith("`")}
    assert set(holdouts) == {"easy", "far", "hard"}
    for name, told in holdouts.items():
        found = report[f"Cards found in `{name}`"]
        assert told == [f"{100 * found[key]:.1f} %" for key in keys], name
    game = (ROOT / "models" / "GAME.md").read_text("utf-8")
    levels = {row[0]: row[1:] for row in rows(figures, 5)}
    for level in ("easy", "medium", "hard"):
        section = re.split(r"^## ", game.partition(f"## {level.capitalize()}: ")[2], flags=re.M)[0]
        line = next(line for line in section.splitlines() if "payments are exactly right" in line)
        assert all(figure in line for figure in levels[level]), level


# Addresses


def asked(app: Flask, method: str, rule: str, **more: object) -> tuple[int, str, str]:
    """Status, error code and redirection of a request to this address, from another machine unless ``more`` names another."""
    address = re.sub(r"<[^>]+>", lambda found: "1" if "int:" in found[0] else "x", rule)
    options = {"environ_base": {"REMOTE_ADDR": "10.0.0.9"}} | more
    answer = (options.pop("client", None) or app.test_client()).open(address, method=method, **options)
    status, to = answer.status_code, answer.headers.get("Location", "")
    code = answer.json.get("error", "") if answer.mimetype == "application/json" and isinstance(answer.json, dict) else ""
    answer.close()
    return status, code, to


def test_every_address_is_documented_with_who_may_call_it(app: Flask) -> None:
    told = {row[0].strip("`"): row[1] for row in rows(HTTP, 3) if re.match(r"`[A-Z]+ /", row[0])}
    there = set()
    phone = Phone(app)
    for rule in app.url_map.iter_rules():
        for method in rule.methods - {"HEAD", "OPTIONS"}:
            name = method + " " + re.sub(r"<[a-z]+:", "<", rule.rule)
            there.add(name)
            assert name in told, f"{name} is not in docs/http-api.md"
            status, code, to = asked(app, method, rule.rule)
            who = "phone" if code == "unpaired" or "/pair?next=" in to else "machine" if code == "machine" else "everybody"
            assert told[name] == who, f"{name} is for {who}"
            assert who == "everybody" or status in (302, 401, 403)
            if method == "POST" and who == "phone":
                assert asked(app, method, rule.rule, client=phone.client)[:2] == (403, "csrf"), f"{name} asks for no CSRF token"
            if method == "POST" and who == "machine":
                here = {"environ_base": {"REMOTE_ADDR": "127.0.0.1"}}
                assert asked(app, method, rule.rule, **here)[:2] == (403, "csrf"), f"{name} asks for no CSRF token"
    assert not set(told) - there, "documented, and not there"


def test_the_requests_on_the_page_are_answered_so(app: Flask) -> None:
    phone = Phone(app, "en")
    for request, answer in itertools.pairwise(blocks(HTTP)):
        if request.language != "http":
            continue
        head, _, body = request.text.partition("\n\n")
        first, *lines = head.splitlines()
        headers = dict(line.split(": ", 1) for line in lines)
        method, address = first.split(" ")
        client = phone.client if headers.pop("Cookie", None) else app.test_client()
        if "X-CSRF-Token" in headers:
            headers["X-CSRF-Token"] = phone.csrf
        got = client.open(address, method=method, headers=headers, data=body.encode())
        assert got.status_code == int(answer.options.get("status", 200)), f"{answer.where}: {got.status_code}"
        if answer.language == "json":
            assert differences(json.loads(answer.text), got.json) == [], answer.where
        else:
            assert answer.language == "text", answer.where
            chunks = itertools.islice(got.response, 2)  # a stream never ends
            said = "".join(chunk if isinstance(chunk, str) else chunk.decode() for chunk in chunks)
            assert pattern(answer.text.rstrip("\n")).match(said), f"{answer.where}:\n{said}"
        got.close()


# Examples and links


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to type examples in, with `docs/` and the bundled clip beside them. A module that a page has written there
    is one of `companion.games`, and a game that a page adds to `GAMES` is there as long as the test runs."""
    for name in ("docs", "datasets"):
        os.symlink(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    there = dict(games.GAMES)
    yield tmp_path
    games.GAMES.clear()
    games.GAMES.update(there)


@pytest.mark.parametrize("page", TOLD, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_give_what_stands_there(page: Path, desk: Path) -> None:
    before = ""
    for block in blocks(page):
        if "file" in block.options:
            (desk / block.options["file"]).parent.mkdir(exist_ok=True)
            (desk / block.options["file"]).write_text(block.text, "utf-8")
        if block.language == "jsonl":
            stu.replay_log(block.text.encode()) if "file" not in block.options else read_lines(block.text.encode())
        elif block.language == "python" and "game" in block.options:
            games.GAMES |= eval("{" + block.text + "}", vars(games))
        elif block.language == "python" and "file" not in block.options:
            compile(block.text, block.where, "exec")
        elif block.language == "json" and "table" in block.options:
            parse_table_file(block.text.encode())
        elif block.language == "json":
            assert before == "http" or json.loads(block.text), block.where
        elif block.language == "console":
            typed(block)
        elif block.language == "pycon":
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
            test = doctest.DocTestParser().get_doctest(block.text, {}, block.where, str(page), block.line)
            said: list[str] = []
            runner.run(test, out=said.append)
            assert not runner.failures, "".join(said)
        before = block.language


@pytest.mark.parametrize("page", TOLD, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_fence_is_taken_for_an_answer_by_doctest(page: Path) -> None:
    """`python -m doctest PAGE` knows no fences: a blank line has to end what is printed."""
    examples = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
    ends = [example.lineno + 1 for example in examples if "```" in example.want]
    assert not ends, "a blank line is missing before the fence that ends these examples (line)"


def typed(block: Block) -> None:
    """Type the commands of a block, each after ``$``, and compare what they print with what stands below."""
    for command, said in re.findall(r"^\$ companion (.+)\n((?:(?!\$ ).*\n)*)", block.text, re.M):
        words, _, file = command.partition(" < ")
        given = Path(file).read_bytes() if file else None
        got = CliRunner().invoke(cli.main, shlex.split(words), input=given, prog_name="companion")
        assert got.exit_code == int(block.options.get("status", 0)), f"{block.where}: {got.output}"
        assert pattern(said).fullmatch(got.output), f"{block.where}: companion {command}\n{got.output}"


@pytest.mark.parametrize("page", TOLD, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_is_dead(page: Path) -> None:
    assert dead_links(page) == []


def test_every_page_is_linked_from_the_contents() -> None:
    contents = DOCS / "README.md"
    told = {(DOCS / target.partition("#")[0]).resolve() for target in links(contents)}
    assert {page for page in DOCS.rglob("*.md") if page != contents} <= told


def test_the_readme_is_a_front_door() -> None:
    """One sentence, a picture, three commands; all else is a link away."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 120
    assert next(number for number, line in enumerate(lines) if line.startswith("![")) < 6
    assert sum(line.startswith("make ") for line in lines) == 3
