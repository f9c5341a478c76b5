"""Everything that a page says is in the catalogue, in both languages, and the catalogue is compiled."""

import ast
import io
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from jinja2 import Environment, nodes

from companion.assets import asset
from companion.dashboard.script_words import organiser_words, roles, spectator_words
from companion.games import Game, shown_games
from companion.games.stoper.rules import reasons as of_stoper
from companion.games.stoppa.rules import reasons as of_stoppa
from companion.games.stu.rules import reasons as of_the_rules
from companion.pages.view import Role
from companion.referee import reasons as of_the_referee
from companion.table import seats as of_the_table
from companion.table.errors import Reason
from companion.table.language import LANGS, TRANSLATIONS, Lang, PluralMessage, catalogue, filled

ROOT = Path(__file__).resolve().parents[2]
COMPANION, WEB = ROOT / "companion", asset("web")
SPEAK = sorted(path for room in ("dashboard", "pages", "table", "games/*/pages") for path in COMPANION.glob(f"{room}/**/*.py"))
"""The modules that say things to people."""
PO = TRANSLATIONS / "it" / "LC_MESSAGES" / "messages.po"
TRANSLATED_BY = {"_", "N_", "NN_", "gettext", "ngettext", "pgettext", "npgettext"}

OF = (of_the_table, of_the_rules, of_stoppa, of_stoper, of_the_referee)
TEXTS = {reason.text for of in OF for reason in vars(of).values() if isinstance(reason, Reason)}
REASONS = TEXTS | {text.one for text in TEXTS if isinstance(text, PluralMessage)}
SAME_IN_BOTH = {
    "{size} MB", "No", "PIN", "Ricompera", "Ricompere", "Penalty", "Pedine", "pedine", "{n} pedina", "{n} pedine", "{n} %",
    "Giro {n}", "Misera", "Punti", "Punti grossi", "Stoppate", "Stoppata di mano", "{m} min", "{h} h {m} min", "TV",
    "= {n} misere",
    "Cip", "Invito", "cip {sum}", ", invito {sum}", "no", "{player}: buio ({sum})", "{player}: controbuio ({sum})",
    "{player}: over ({sum})", "{player}: parola", "{player}: busso", "{player} all-in: {sum}", "all-in {sum}", "Video",
}  # fmt: skip
"""What is called the same in Italian and in English."""
PLAIN_IN_TEMPLATES = {"QR", "pair", "notranslate"}
"""Words that stand in a template as they are: of an address, and what Chromium reads."""
PLAIN_IN_SCRIPTS = {"Escape", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Content-Type", "X-CSRF-Token"}
"""What begins with a capital letter in a script and is a name of the browser's."""


def messages() -> dict[object, Message]:
    """What the catalogue has, by its id and context."""
    with PO.open("rb") as file:
        return {(message.id, message.context): message for message in read_po(file) if message.id}


@cache
def found() -> set[tuple[object, str | None]]:
    """What the code and the templates say, as `make words` finds it."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"]
    methods = [(mapping["pattern"], mapping["method"]) for mapping in mappings]
    keywords = {"_": None, "N_": None, "gettext": None, "ngettext": (1, 2), "NN_": (1, 2), "pgettext": ((1, "c"), 2)}
    found: set[tuple[object, str | None]] = set()
    for folder in (ROOT / "companion", WEB / "templates"):
        for _, _, message, _, context in extract_from_dir(folder, methods, keywords=keywords):
            found.add((message, context))
    return found


def strings(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string)


def ids(message: Message) -> list[str]:
    return [message.id] if isinstance(message.id, str) else list(message.id)


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogue_has_what_is_said_and_nothing_else() -> None:
    assert len(found()) > 300
    assert set(messages()) == found(), "run make words"


def test_every_message_is_translated_and_none_only_perhaps() -> None:
    for message in messages().values():
        assert all(text.strip() for text in strings(message)), message.id
        assert not message.fuzzy, message.id
        assert len(strings(message)) == (2 if message.pluralizable else 1), message.id


def test_nothing_is_left_in_english_by_oversight() -> None:
    same = {id for message in messages().values() for id, text in zip(ids(message), strings(message), strict=True) if id == text}
    assert same <= SAME_IN_BOTH | {id for id in same if not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", id))}


def test_both_languages_have_the_same_blanks() -> None:
    for message in messages().values():
        for id, text in zip(ids(message), strings(message), strict=True):
            if id in REASONS:
                assert blanks(text) <= blanks(id), id  # the engine tells more than people ask
            else:
                assert blanks(text) == blanks(id), id


def test_no_message_holds_markup() -> None:
    """Templates put messages in as they are."""
    assert not [id for message in messages().values() for id in (*ids(message), *strings(message)) if set(id) & set('<>&"')]


def test_the_compiled_catalogue_is_that_of_the_source() -> None:
    compiled = io.BytesIO()
    with PO.open("rb") as file:
        write_mo(compiled, read_po(file, locale="it"))
    compiled.seek(0)
    with PO.with_suffix(".mo").open("rb") as file:
        shipped = GNUTranslations(file)

    def words(of: GNUTranslations) -> dict[object, str]:
        return {key: text for key, text in vars(of)["_catalog"].items() if key}

    assert words(shipped) == words(GNUTranslations(compiled)), "run make words"


def test_a_stale_or_foreign_catalogue_would_be_noticed() -> None:
    """That the tests above look where they should: another message, and a context, make another catalogue."""
    known = Catalog(locale="it")
    known.add("Undo", "Annulla")
    assert {(message.id, message.context) for message in known if message.id} != found()
    assert ("Replay", None) in found()
    assert ("Replay", "a past evening") in found()
    assert catalogue("it").gettext("Replay") != catalogue("it").pgettext("a past evening", "Replay")


@pytest.mark.parametrize(("n", "it", "en"), [(1, "1 pedina", "1 pedina"), (3, "3 pedine", "3 pedine")])
def test_plurals_are_the_languages_own(n: int, it: str, en: str) -> None:
    assert [catalogue(lang).ngettext("{n} pedina", "{n} pedine", n).format(n=n) for lang in LANGS] == [it, en]


COUNTED = r"\{(?!player|by|whom|name)\w+\} ([^\W\d_]{3,})"
"""A blank that is no name, and the word behind it."""


def counted_nouns() -> set[str]:
    """The words that stand behind a number in a message about several things, and not in that about one: "pedine", "hands", …"""
    found = set()
    for message in messages().values():
        if message.pluralizable:
            for one, several in (ids(message), strings(message)):
                found |= {*re.findall(COUNTED, several)} - {*re.findall(COUNTED, one)}
    return found - {"are", "pass", "passano", "dealt"}


ALWAYS_SEVERAL = {
    "{seconds} seconds, {megabytes} MB, upright, without sound.": "title and end alone last seven",
    "{done} of {of} cards": "of all cards of a deck",
    "At most {most} players.": "as many as a game takes",
    "{n} cards": "a deck",
    "These {many} places": "as many as a game takes: 2 or more",
    "{number} players with {cards} cards": "more than the deck has cards for",
    "{number} players and {cards} cards": "more than the deck has cards for",
    "{card} is not in a deck of {number}": "a deck",
    "{card} is not in the deck of {number} players": "3 players or more",
    "{n} of {of} players": "4 players or more",
    "a Re taken out, with {number} players": "4 players or more",
    "all {number} punti piccoli have been dealt": "2 or more",
    "{n} punti piccoli of {sum}": "2 or more",
    "{count} cards of number {number} together": "2 or more",
    "{player} pays {to} {sum} for the stoppata, with {cards} cards left": "as many as a misera is paid for: 2 or more",
    "{by} gnaffed {to} {n} times": "only more than once is told",
    "{number} times {card}": "more than the deck has",
    "{n} minutes not seen": "below two minutes it is said in seconds",
}
"""Message that counts something and has no form for one → why there is never one."""


def test_what_is_counted_has_a_form_for_one() -> None:
    """"1 pedine" is said nowhere."""
    nouns = counted_nouns()
    assert {"pedine", "hands", "mani", "players", "giocatori", "carte"} <= nouns
    plain = [message for message in messages().values() if not message.pluralizable]
    found = {id for one in plain for id in ids(one) if nouns & {*re.findall(COUNTED, f"{id} {one.string}")}}
    assert found == found & {*ALWAYS_SEVERAL}, found - {*ALWAYS_SEVERAL}
    assert found == {*ALWAYS_SEVERAL}, {*ALWAYS_SEVERAL} - found


@pytest.mark.parametrize(("n", "it", "en"), [(1, "1 giocatore", "1 player"), (3, "3 giocatori", "3 players")])
def test_a_marked_message_is_filled_with_the_form_of_its_number(n: int, it: str, en: str) -> None:
    said = of_the_rules.NUMBER_OF_PLAYERS.text
    assert [filled(said, {"number": n}, lang) for lang in LANGS] == [it, en]


# What would pass the catalogue by.


class Words(HTMLParser):
    """The words of a template that stand there as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._code = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._code = tag in ("script", "style")
        for name, value in attrs:
            if name in ("alt", "title", "aria-label", "placeholder", "label", "content") and value and "width=" not in value:
                self.words += re.findall(r"[^\W\d_]{2,}", value)

    def handle_data(self, data: str) -> None:
        if not self._code:
            self.words += re.findall(r"[^\W\d_]{2,}", data)


def plain_words(template: str) -> set[str]:
    """Literal words of a template, in its text, its spoken attributes, and its expressions outside `_`."""
    parser = Words()
    parser.feed(re.sub(r"\{#.*?#\}|\{\{.*?\}\}|\{%.*?%\}", "", template, flags=re.S))

    def literals(node: nodes.Node) -> Iterator[str]:
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in TRANSLATED_BY:
            return
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            yield from re.findall(r"[A-ZÀ-Ý][a-zà-ÿ’]+|[^\W\d_]{2,} [^\W\d_]{2,}", node.value)
        for child in node.iter_child_nodes():
            yield from literals(child)

    return {*parser.words, *literals(Environment().parse(template))} - PLAIN_IN_TEMPLATES


@pytest.mark.parametrize("path", sorted((WEB / "templates").rglob("*.html")), ids=lambda path: path.stem)
def test_no_template_has_words_of_its_own(path: Path) -> None:
    assert plain_words(path.read_text().replace("<!doctype html>", "")) == set()


def plain_sentences(code: str) -> list[str]:
    """Literals of two words and more, of what neither goes through gettext nor is for programs: errors, the server's log, SVG."""
    for_programs = {"abort", "Response", "make_response", "warning", "setting", "refused", "Malformed"}

    def walk(node: ast.AST) -> Iterator[str]:
        for child in ast.iter_child_nodes(node):
            call = child.func if isinstance(child, ast.Call) else None
            name = call.id if isinstance(call, ast.Name) else call.attr if isinstance(call, ast.Attribute) else ""
            docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if docstring or isinstance(child, ast.Raise | ast.Assert) or name in TRANSLATED_BY | for_programs:
                continue
            first = child.values[0] if isinstance(child, ast.JoinedStr) and child.values else None
            if isinstance(first, ast.Constant) and str(first.value).startswith("<"):
                continue
            if isinstance(child, ast.Constant) and isinstance(child.value, str):
                if re.search(r"[^\W\d_]{2,}[’']? [^\W\d_]{2,}", child.value):
                    yield child.value
            else:
                yield from walk(child)

    return list(walk(ast.parse(code)))


IN_THE_TERMINAL = {"serve.py", "server.py"}
"""What is said where the program was started, not on a page."""
IN_MONTORIO = {"Fermatevi alquanto"}
"""What is said at the table in Montorio, whatever the language of the page."""
FOR_PROGRAMS = {"openapi.py", "health.py"}
"""The document of the HTTP API, and what watches the program."""


@pytest.mark.parametrize("path", SPEAK, ids=lambda path: str(path.relative_to(COMPANION)))
def test_no_module_has_sentences_of_its_own(path: Path) -> None:
    if path.name not in IN_THE_TERMINAL and path.name not in FOR_PROGRAMS:
        assert set(plain_sentences(path.read_text())) <= {game.pages.title for game in shown_games()} | IN_MONTORIO


def test_messages_are_written_where_they_are_marked() -> None:
    """A message in a variable would not be found; only those that `N_` has marked may be."""
    marked = {"message", "wrong.message", "CAMERA_NOT", "OVER", "PAGE[error]", "error.text", "NO_BET_TOLD",
              "self.curve", "PLAYERS_FIRST", "_DECLARED[book.payments[0].cause]", "bar.head",
              "one.label", "one.help"}  # fmt: skip
    others = []
    for path in SPEAK:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and node.args and path.name != "language.py":  # the catalogue itself
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in TRANSLATED_BY and not isinstance(node.args[0], ast.Constant):
                    others += [f"{path.name}:{node.lineno}: {said}"] if (said := ast.unparse(node.args[0])) not in marked else []
    assert others == []


@pytest.mark.parametrize("path", sorted((WEB / "static").rglob("*.js")), ids=lambda path: str(path.relative_to(WEB / "static")))
def test_no_script_has_words_of_its_own(path: Path) -> None:
    code = re.sub(r"/\*.*?\*/|(?m:^\s*//.*$)|(?m:(?<=[;{,]) // .*$)", "", path.read_text(), flags=re.S)
    literals = re.findall(r'"([^"\n]*)"', code) + re.findall(r"`([^`]*)`", code)
    spoken = [
        text
        for text in literals
        if re.search(r"(?:^|[\s>])[A-ZÀ-Ý][a-zà-ÿ’]+(?:[\s.,:!?…]|$)", text) and text not in PLAIN_IN_SCRIPTS
    ]
    assert spoken == []


def test_the_guards_catch_what_they_are_for() -> None:
    assert plain_words('<p aria-label="Chiudi">{{ _("Close") }}</p>') == {"Chiudi"}
    assert plain_words("<p>{{ 'Tocca a' if on else _('Close') }} mano</p>") == {"Tocca", "mano"}
    assert plain_sentences('said = f"{name} paga sempre"\nraise ValueError("two words")') == [" paga sempre"]


SPECTATORS = ("parts", "line", "tv", "fit", "news", "moviola", "sounds", "var", "voice", "overlay", "charts")
ORGANISERS = tuple(path.stem for path in (WEB / "static").glob("organiser*.js"))


def asked(pattern: str, *names: str) -> set[str]:
    """The words that these scripts ask for."""
    scripts = (WEB / "static" / f"{name}.js" for name in names)
    return {word for path in scripts if path.exists() for word in re.findall(pattern, path.read_text())}


@pytest.mark.parametrize("lang", LANGS)
def test_scripts_are_told_the_words_they_say_and_no_others(lang: Lang) -> None:
    assert asked(r"\bwords\.(\w+)", *SPECTATORS) == {*spectator_words(lang), "roles"}
    assert set(roles(lang)) == set(get_args(Role))
    assert asked(r"\bsay\.(\w+)", *ORGANISERS) | {"change", "before", "after"} == set(organiser_words(lang))  # say[one]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("game", shown_games(), ids=lambda game: game.id)
def test_a_games_own_scripts_are_told_their_words_and_no_others(game: Game, lang: Lang) -> None:
    tv, phone = game.pages.tv_words(lang), game.pages.phone_words(lang)
    assert set(tv) <= asked(r"\bwords\.(\w+)", f"games/{game.id}/tv") <= {*tv, *spectator_words(lang)}
    own = asked(r"\bsay\.(\w+)", f"games/{game.id}/organiser")
    assert own <= {*phone, *organiser_words(lang)}
    replaced = {"outcome_help", "odds"}  # these take the place of what a shared script says of other games
    assert set(phone) <= own | replaced
    assert not {*tv} & {*spectator_words(lang)}
    assert {*phone} & {*organiser_words(lang)} <= replaced


WHO = r"\{(?:0|by|player|players|who|one|other|name|names|dealer|winner|to|asked)\}"
OF_A_MAN = re.compile(
    rf"(?<!di ){WHO}(?: non)?(?: si)? (?:è|era|sono|erano|sarà|resta|restano|rimane)(?: (?:già|ancora|più|stat[oi]))* "
    rf"\w*(?:[aiu]t|rt|st|tt|s)[oaie]\b"
    rf"|{WHO} (?:si dà|si danno) per \w+[oi]\b|\be un altro (?:ha|hanno)\b|\bsono nel piatto: {WHO}"
)
"""Italian that takes somebody for a man, or one for many: participles that agree with whose name stands before them."""


@pytest.mark.parametrize(
    ("text", "of_a_man"),
    [
        ("{player} si è dato per battuto", True), ("{by} si dà per battuto", True), ("{name} è già iscritto", True),
        ("{0} è rientrato prima di questa mano?", True), ("{one} e {other} si sono seduti", True), ("{player} è fuori", False),
        ("{player} e un altro hanno dichiarato", True), ("{player} ha ceduto", False), ("ha vinto {winner}", False),
    ],
)  # fmt: skip
def test_a_participle_that_agrees_with_a_name_is_found(text: str, of_a_man: bool) -> None:
    assert bool(OF_A_MAN.search(text)) is of_a_man


def test_no_message_takes_a_player_for_a_man() -> None:
    assert [text for message in messages().values() for text in strings(message) if OF_A_MAN.search(text)] == []


def test_no_sentence_of_the_pages_has_the_marks_of_code() -> None:
    """Who reads it at a table knows no keys of a log. Of a source that does not open, the command line's words are in English."""
    with PO.open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]
    assert not [entry.id for entry in entries if any("`" in text for text in _several(entry.string))]
    from_eyes = {"companion/eyes/source.py"}
    marked = [entry for entry in entries if any("`" in text for text in _several(entry.id))]
    assert not [entry.id for entry in marked if {place for place, _line in entry.locations} - from_eyes]


def _several(texts: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The forms of a message."""
    return (texts,) if isinstance(texts, str) else tuple(texts)
