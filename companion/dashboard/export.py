"""An evening for organisers to take home: as CSV for a spreadsheet, and as a sheet to print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from flask import Blueprint, Flask, Response, abort, current_app, render_template
from flask.typing import ResponseReturnValue
from msgspec import Struct
from msgspec.structs import replace

from companion.clock import night_of
from companion.dashboard.days import clock_text, day_text
from companion.dashboard.endpoint import documented
from companion.dashboard.feed import Feed, Snapshot, replayed
from companion.dashboard.locale import chosen
from companion.dashboard.organiser.guard import organiser_only
from companion.games import game_of_log
from companion.ledger import Ledger
from companion.line.camera import BY_HAND
from companion.line.chains import games_before, last_part, stands_before
from companion.line.recorder import EveningRecorder
from companion.pages.beside import beside_hands
from companion.pages.doubts import doubts, unsure_rulings
from companion.pages.moments import hands_as_told, unsure_hands
from companion.pages.phone import HandSummary
from companion.pages.rows import Cell, Row, Rows
from companion.pages.ruling import believed, doubted_end, doubted_hand, end_sure
from companion.pages.settling import won_last, won_last_said
from companion.referee import Evening
from companion.referee.chapter import Chapter
from companion.referee.record import Fixed, JointCorrection, entries_that_count
from companion.table.errors import GameError, NotKept
from companion.table.language import Lang, catalogue
from companion.table.money import bare, decimal_mark
from companion.table.story import Doubts
from companion.table.text import perhaps

# Tables as CSV, as spreadsheets open them with a double click. No text in one is taken for a formula, or for several cells.

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Characters with which a spreadsheet lets a formula begin."""


def as_csv(columns: Sequence[str], rows: Sequence[Sequence[Cell]], lang: Lang) -> bytes:
    """The rows as CSV in UTF-8 with a byte order mark; in Italian with semicolons and decimal commas, as Excel expects them in
    Italy, else with commas and decimal points. Every text is quoted, so that a spreadsheet splits no cell, whatever separator it
    expects.

    >>> as_csv(["Nome", "Soldi"], [["=1+1", Fraction(5, 2)], ['Anna,"B";=2', -1]], "it").decode("utf-8-sig")
    '"Nome";"Soldi"\\r\\n"\\'=1+1";2,50\\r\\n"Anna,""B"";=2";-1\\r\\n'
    """
    between = ";" if lang == "it" else ","
    lines = [[_quoted(column) for column in columns], *([_cell(cell, lang) for cell in row] for row in rows)]
    return "".join(between.join(line) + "\r\n" for line in lines).encode("utf-8-sig")


def harmless(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.lstrip().startswith(_DANGEROUS) or text.startswith(_DANGEROUS) else text


def _quoted(text: str) -> str:
    plain = harmless(text).replace('"', '""')
    return f'"{plain}"'


def _cell(cell: Cell, lang: Lang) -> str:
    if isinstance(cell, Fraction):
        return amount(cell, lang)
    if isinstance(cell, str):
        return _quoted(cell)
    return "" if cell is None else str(cell)


def amount(sum_: Fraction, lang: Lang) -> str:
    """An amount of money without its currency, exact at any size, as a spreadsheet reads it.

    >>> amount(Fraction(1600), "it"), amount(Fraction(-1, 2), "en")
    ('1600,00', '-0.50')
    """
    whole, cents = divmod(abs(round(sum_ * 100)), 100)
    return f"{'-' if sum_ < 0 else ''}{whole}{decimal_mark(lang)}{cents:02}"


Certainty = Literal["sure", "unsure", "corrected", "confirmed", "by_hand", "as_logged", "in_progress", ""]
"""How a hand's ruling is known: from what the camera saw, or a log says, surely or not; corrected by somebody, or confirmed as it
stood; told by hand from the beginning or by its outcome; from a log that calls it certain; not over yet; ""
where nobody has said."""

export = Blueprint("export", __name__)


class SheetHand(Struct, frozen=True):
    """A hand for the printed sheet: its ``summary``, and how its ruling is known, in words."""

    summary: HandSummary
    certainty: str


def install(app: Flask, ledger: Ledger) -> None:
    """Add `/organiser/games/…` to this application."""
    app.extensions["export"] = ledger
    app.register_blueprint(export)


@export.get("/organiser/games/<int:game>/hands.csv")
@documented(answer="text/csv")
@organiser_only
def hands_csv(game: int) -> ResponseReturnValue:
    """A row a hand and player, [for a spreadsheet](#csv)."""
    snapshot, lang = _snapshot(game), chosen()
    rows = snapshot.game.pages.hand_rows(snapshot.moments, lang, _doubts(snapshot))
    known = certainties(snapshot)
    wording = words(lang)
    cells = [(*row.cells, _how_known(row, known, wording)) for row in rows.rows]
    return _download(f"{snapshot.game.id}-{game}-hands.csv", as_csv((*rows.columns, wording["column"]), cells, lang))


def _how_known(row: Row, known: Mapping[int, Certainty], wording: Mapping[str, str]) -> str:
    said = wording["set" if row.set else known.get(row.hand, "")]
    return ", ".join(filter(None, (said, wording["doubtful"]))) if row.doubtful else said


def _doubts(snapshot: Snapshot) -> Doubts:
    """What of each hand is not sure."""
    return doubts(snapshot.game.rules, snapshot.game.pages, snapshot.moments, snapshot.settings.view.sure_from)


@export.get("/organiser/games/<int:game>/money.csv")
@documented(answer="text/csv")
@organiser_only
def money_csv(game: int) -> ResponseReturnValue:
    """A row for each stake, ricompera and share of the pot."""
    snapshot, lang = _snapshot(game), chosen()
    rows = _money(snapshot, lang)
    return _download(f"{snapshot.game.id}-{game}-money.csv", as_csv(rows.columns, [row.cells for row in rows.rows], lang))


@export.get("/organiser/games/<int:game>/sheet")
@documented()
@organiser_only
def sheet(game: int) -> ResponseReturnValue:
    """The evening as a page to print, A4."""
    snapshot, lang = _snapshot(game), chosen()
    known, wording = certainties(snapshot), words(lang)
    rules, pages, moments = snapshot.game.rules, snapshot.game.pages, snapshot.moments
    played, doubtful, view = hands_as_told(rules, moments), _doubts(snapshot), snapshot.view(lang)
    sure_from = snapshot.settings.view.sure_from
    unsure = frozenset(unsure_rulings(rules, moments, sure_from))
    hands = []
    for one in played:
        number = rules.hands(one.before) + 1
        summary = doubted_hand(pages.hand(one.before, one.told, lang, doubtful.get(number, ())), sure=number not in unsure)
        hands.append(SheetHand(summary, wording[known.get(number, "")]))
    money = _money(snapshot, lang)
    stands, doubted = pages.score(moments[-1].seen, lang), believed(view)
    players = [replace(one, has=perhaps(one.has, sure=one.name not in doubted)) for one in stands.players]
    score = replace(stands, players=tuple(players))
    if stands.winner is None and view.status != "won" and last_part(_ledger(), game) is not None:
        score = replace(score, status=catalogue(lang).gettext("It went on with other people"))
    entry = next(entry for entry in _ledger().games() if entry.id == game)
    return render_template(
        "sheet.html", game=game, title=snapshot.game.pages.title, hands=hands, money=written(money, lang),
        settling=view.settling, whole=view.whole, part=view.part,
        day=day_text(night_of(entry.started), lang), at=clock_text(entry.started),
        score=won_last_said(doubted_end(score, sure=end_sure(view)), won_last(view.whole, view.winner, lang)),
        by_table=wording["set"],
        beside=list(beside_hands(rules, pages, moments, lang, sure_from)),
        certain=all(known.get(one.summary.n) != "unsure" for one in hands),
    )  # fmt: skip


def _money(snapshot: Snapshot, lang: Lang) -> Rows:
    """The rows of money; what rests on a ruling that is not sure is a question."""
    rules, pages, moments = snapshot.game.rules, snapshot.game.pages, snapshot.moments
    unsure = frozenset(unsure_rulings(rules, moments, snapshot.settings.view.sure_from))
    return pages.money_rows(moments, lang, unsure, believed(snapshot.view(lang)))


def certainties(snapshot: Snapshot) -> dict[int, Certainty]:
    """Number of a hand → how its ruling is known."""
    evening, rules, sure_from = _evening(snapshot), snapshot.game.rules, snapshot.settings.sure_from
    found: dict[int, Certainty] = {}
    last = snapshot.moments[-1]
    if rules.in_hand(last.seen):
        found[rules.hands(last.seen) + 1] = "in_progress"
    if evening is not None:
        source = next((entry.source for entry in _ledger().games() if entry.id == snapshot.game_id), "")
        over = [chapter for chapter in evening.chapters if chapter.over]
        logged = _from_a_log(evening) if source != BY_HAND else {}  # the phone has told all of that game
        return found | {
            rules.hands(chapter.before) + 1: _certainty(chapter, sure_from, logged.get(chapter.id)) for chapter in over
        }
    unsure = unsure_hands(last, sure_from)
    for number, confidence in last.sure:
        sure: Certainty = "as_logged" if confidence >= 1 else "sure"  # the camera is never that sure
        found[number] = "unsure" if number in unsure else sure
    return found | dict.fromkeys(last.stated, "by_hand")


def _from_a_log(evening: Evening) -> dict[int, Certainty]:
    """Chapter id → how the hand is known, for the hands that came into the record from a complete table log: ``as_logged`` while
    they are as that log has them, ``by_hand`` or ``corrected`` once a phone has changed them. Entries from a log come first,
    without the name of a phone and each with a whole hand, whereas a phone's taps come one act at a time."""
    found: dict[int, Certainty] = {}
    taken_on = True
    for _at, entry in entries_that_count(evening.record.entries):
        fixes = (entry,) if isinstance(entry, Fixed) else entry.fixes if isinstance(entry, JointCorrection) else ()
        taken_on = taken_on and bool(fixes) and not any(fix.by or fix.tap or fix.confirms or fix.hand in found for fix in fixes)
        for fix in fixes:
            if taken_on:
                found[fix.hand] = "as_logged"
            elif found.get(fix.hand) in ("as_logged", "by_hand") and not fix.confirms:
                found[fix.hand] = "corrected" if fix.removed else "by_hand"  # of a hand that the log had left in the middle
    return found


def _certainty(chapter: Chapter, sure_from: float, logged: Certainty | None = None) -> Certainty:
    """How the ruling of a hand that is over is known. ``logged``: what `_from_a_log` says of it; None where it came from no
    log."""
    fixes = chapter.reports.fixes
    if fixes and all(fix.confirms for fix in fixes) and not chapter.standing_in:
        return "confirmed"  # as the camera saw it, or an imported log says it
    if logged is not None and not chapter.standing_in and not chapter.written:
        return logged
    if chapter.standing_in or not (chapter.reports.sightings or chapter.written):
        return "by_hand"
    if chapter.reports.sightings and (chapter.fixed or any(choice is not None for _, choice in chapter.reports.answers)):
        return "corrected"
    return "sure" if chapter.probability is None or chapter.probability >= sure_from else "unsure"


def words(lang: Lang) -> dict[str, str]:
    """The words of the column that says how a hand is known: for each `Certainty`, the heading (``column``), and a line that the
    table has ``set``; that
    cards are ``doubtful``."""
    _ = catalogue(lang).gettext
    return {
        "column": _("How it is known"),
        "sure": _("seen"),
        "unsure": _("not sure"),
        "corrected": _("corrected"),
        "confirmed": _("confirmed by the table"),
        "by_hand": _("entered by hand"),
        "as_logged": _("as its log says"),
        "in_progress": _("in progress"),
        "set": _("set by the table"),
        "doubtful": _("cards not sure"),
        "": "",
    }


def written(rows: Rows, lang: Lang) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The columns and rows as texts for a page."""
    def text(cell: Cell) -> str:
        if isinstance(cell, Fraction):
            return ("-" if cell < 0 else "") + bare(abs(round(cell * 100)), lang)
        return "" if cell is None else str(cell)

    return rows.columns, [tuple(text(cell) for cell in row.cells) for row in rows.rows]


def _ledger() -> Ledger:
    found: Ledger = current_app.extensions["export"]
    return found


def _snapshot(game: int) -> Snapshot:
    """The whole game as everybody has seen it; 404 where there is none."""
    if game not in (entry.id for entry in _ledger().games()):
        abort(404, "no such game")
    lines = _ledger().lines(game)
    feed: Feed = current_app.extensions["dashboard"]
    played = game_of_log(lines)
    moments = replayed(played, lines)
    if not moments:
        abort(404, "nothing is recorded of this game")
    before = games_before(_ledger(), stands_before(_ledger(), game), feed.settings.view.sure_from)
    return Snapshot(game, len(lines), played, moments, feed.settings, before=before)


def _evening(snapshot: Snapshot) -> Evening | None:
    """The evening as its record tells it; None where the ledger has only the game's log."""
    ledger = _ledger()
    assert snapshot.game_id is not None
    if not ledger.reports(snapshot.game_id):
        return None
    try:
        return EveningRecorder.resume(ledger, snapshot.game_id).evening
    except (NotKept, GameError):
        return None


def _download(name: str, data: bytes) -> Response:
    response = Response(data, mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response
