"""The accounts of a game that is over as a picture to send round: what everybody put in, takes and has won or lost, and who pays
whom. Made of the view that the TV shows, so that there is nothing in it that the TV does not show."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Flask, Response, abort, request
from msgspec import Struct

from companion.clock import night_of
from companion.dashboard.days import date_text
from companion.dashboard.drawing import COLOURS, INNER, MARGIN, WIDTH, Theme, framed, pixels, text
from companion.dashboard.endpoint import SVG, TEXT, THEME, documented
from companion.dashboard.feed import Feed, Snapshot
from companion.dashboard.locale import chosen
from companion.pages.doubts import unsure_text
from companion.pages.moments import hands_that_count, unsure_hands
from companion.pages.view import AccountView
from companion.table.language import Lang, catalogue
from companion.table.money import Sum

_TOP, _HEAD, _LINE, _NOTE = 250, 56, 54, 52
"""Pixels from the top to the heads of the columns, and how tall these, a payment and a note are."""


class Receipt(Struct, frozen=True):
    """What stands in the picture. ``heads``: name, and the columns of sums; ``rows``: a name, why they take something, and their
    sums, each; ``part``: of which games these are, "" for this one; ``settling``: a sentence for each payment, below
    ``title_settling``; ``notes``: what else must be said."""

    title: str
    date: str
    heading: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[str, ...]], ...]
    title_settling: str
    settling: tuple[str, ...]
    notes: tuple[str, ...]
    foot: str
    part: str = ""


def receipt(snapshot: Snapshot, lang: Lang) -> Receipt | None:
    """That of the game of a snapshot; None while it is not over, or not surely, or where no money was played
    for."""
    view, say = snapshot.view(lang), catalogue(lang)
    if view.status != "won" or not view.accounts:
        return None
    _ = say.gettext
    accounts = view.whole or view.accounts
    pot = not all(one.paid is None and not one.takes.minor for one in accounts)  # else there is none to divide
    unsure = len(unsure_hands(snapshot.moments[-1], snapshot.settings.view.sure_from))
    before = (snapshot.before or ()) if view.whole else ()
    unsure += sum(one.unsure for one in before)
    lines = (line for moment in snapshot.moments for line in moment.lines)
    hands = hands_that_count(snapshot.game.rules, lines, snapshot.moments[-1].seen) + sum(one.hands for one in before)
    notes = [*(one.text for one in view.sets), *filter(None, [unsure_text(unsure, lang)])]

    def sums(one: AccountView) -> tuple[str, ...]:
        net = _sum_text(one.net, lang)
        return (_sum_text(one.paid, lang), one.takes.text, net) if pot else (net,)

    heads = (_("Put in"), _("Takes"), _("Won or lost")) if pot else (_("Won or lost"),)
    return Receipt(
        title=snapshot.game.pages.title,
        date=date_text(night_of(snapshot.since), lang),
        heading=_("The accounts"),
        heads=(_("Name"), *heads),
        rows=tuple((one.name, one.why, sums(one)) for one in accounts),
        part=view.part,
        title_settling=_("To settle, if nobody has paid yet") if view.settling else "",
        settling=view.settling,
        notes=tuple(notes),
        foot=say.ngettext("{n} hand", "{n} hands", hands).format(n=hands),
    )


def _sum_text(sum_: Sum | None, lang: Lang) -> str:
    return sum_.text if sum_ is not None else catalogue(lang).gettext("not known")


def svg(told: Receipt, theme: Theme = "dark") -> str:
    """The picture as an SVG document."""
    settles = 70 + _LINE * len(told.settling) if told.settling else 0
    bottom = _TOP + _HEAD + _row(told) * len(told.rows) + settles + _NOTE * len(told.notes) + 60
    said = [f"{name}: {sums[-1]}" for name, _why, sums in told.rows]
    about = [f"{told.title}, {told.date}", told.heading, told.part]
    label = "; ".join(filter(None, [*about, *said, told.title_settling, *told.settling, *told.notes]))
    return framed(_parts(told, COLOURS[theme]), bottom, label, told.foot, theme)


def _row(told: Receipt) -> int:
    """How tall a player's row is."""
    return 68 if len(told.rows) <= 10 else 50


def _parts(told: Receipt, colours: dict[str, str]) -> Iterator[str]:
    ink, soft = colours["ink"], colours["soft"]
    yield text(MARGIN, 122, told.title, 68, ink, most=INNER, italic=True)
    yield text(MARGIN, 176, told.date, 34, soft, most=INNER)
    yield text(MARGIN, 222, told.part, 28, soft, most=INNER)
    tall, size = _row(told), 36 if len(told.rows) <= 10 else 29
    columns = len(told.heads) - 1
    wide = 190 if columns > 1 else 300
    name = INNER - wide * columns - 20

    def right(column: int) -> float:
        return WIDTH - MARGIN - wide * (columns - 1 - column)

    y: float = _TOP + _HEAD - 16
    yield text(MARGIN, y, told.heading, 36, soft, most=name, italic=True)
    for column, head in enumerate(told.heads[1:]):
        yield text(right(column), y, head, 28, soft, most=wide - 16, end=True)
    y += 16
    for number, (who, why, sums) in enumerate(told.rows):
        middle, first = y + tall / 2 + size * 0.35, number == 0
        shade = colours["act"] if first else ink
        yield f'<path d="M{MARGIN},{y:.0f}H{WIDTH - MARGIN}" stroke="{colours["line"]}" stroke-width="2"/>'
        if why and tall > 60:
            yield text(MARGIN, middle - 18, who, size - 4, shade, most=name, bold=first)
            yield text(MARGIN, middle + 10, why, 24, soft, most=name)
        else:
            yield text(MARGIN, middle, who, size, shade, most=name, bold=first)
        for column, said in enumerate(sums):
            last = column == columns - 1
            yield text(right(column), middle, said, size, shade if last else soft, most=wide - 16, end=True, bold=last)
        y += tall
    if told.settling:
        yield text(MARGIN, y + 62, told.title_settling, 34, soft, most=INNER, italic=True)
        y += 70
        for paid in told.settling:
            y += _LINE
            yield f'<circle cx="{MARGIN + 8}" cy="{y - 12:.0f}" r="7" fill="{colours["act"]}"/>'
            yield text(MARGIN + 36, y, paid, 36, ink, most=INNER - 36)
    for note in told.notes:
        y += _NOTE
        yield text(MARGIN, y + 8, note, 28, colours["warn"], most=INNER)


def install(app: Flask, feed: Feed, theme: Callable[[], str]) -> None:
    """Add `/receipt.svg` and `/receipt.png`. ``theme`` is that of the request being answered."""

    def drawing() -> str:
        told = receipt(feed.snapshot(), chosen())
        if told is None:
            abort(404, "no accounts: the game is not over, or not surely, or no money was played for")
        return svg(told, "light" if theme() == "light" else "dark")

    def sent(data: bytes, ending: str, mimetype: str) -> Response:
        response = Response(data, mimetype=mimetype, headers={"Cache-Control": "no-store"})
        kind = "attachment" if request.args.get("download") else "inline"
        response.headers["Content-Disposition"] = f'{kind}; filename="accounts-{feed.snapshot().game_id}.{ending}"'
        return response

    app.jinja_env.globals["receipt"] = "receipt_png"  # a hall, which has no accounts of its own, has none

    @app.get("/receipt.svg")
    @documented(query={"theme": THEME, "download": TEXT}, answer=SVG, also=(404,))
    def receipt_svg() -> Response:
        """The accounts of a game that is over, and who pays whom, as a drawing; `?theme=light`, `?download=1`. 404: it is not
        over, or no money was played for."""
        return sent(drawing().encode(), "svg", "image/svg+xml")

    @app.get("/receipt.png")
    @documented(query={"theme": THEME, "download": TEXT}, answer="image/png", also=(404,))
    def receipt_png() -> Response:
        """The same in pixels, 1080 wide."""
        return sent(pixels(drawing()), "png", "image/png")
