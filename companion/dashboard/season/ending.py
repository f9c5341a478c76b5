"""How an evening ended: its players as at the table, who has won, and the texts of its picture. In one language's words, and
pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.clock import night_of
from companion.dashboard.days import date_text
from companion.dashboard.season.columns import WON, Head, Missing, curve_of, heads, lacks, not_yet, shown, sum_of, text_of
from companion.dashboard.season.picture import Ending, PictureRow
from companion.games import GAMES
from companion.line.season import Record, Seasons
from companion.pages.doubts import unsure_text
from companion.pages.season import EveningFigures, PlayerEvening, Season, under_names
from companion.table.language import Lang, catalogue
from companion.table.sure import SURE_FROM
from companion.table.text import listed, perhaps


def surely_over(told: EveningFigures) -> bool:
    """Whether the last hand of an evening is sure, with which it was won."""
    return told.last is None or told.last >= SURE_FROM


def ending(seasons: Seasons, record: Record, lang: Lang, card: Callable[[str], str] = lambda name: "") -> Ending:
    """An evening's end, for its picture. ``card``: gives the drawing (SVG) of a kind of card."""
    say = catalogue(lang)
    pages = GAMES[record.told.game_id].pages
    came_to, evening = named(seasons, record, lang), seasons.evening(record)
    found = curve_of(heads(record.told.game_id, [came_to], lang), record.told.game_id)
    curve = found if found.id != WON else None
    open_yet = not_yet([curve] if curve is not None else [], came_to, lang)
    places = []
    for player in by_balance(came_to, pages.season, lang):
        figure = player.figures.get(curve.id) if curve is not None else None
        amount, has = "", stands(player, pages.season, lang)
        if curve is not None and curve.kind in ("money", "points") and not open_yet:
            amount = lacks(Missing.of([came_to], lang), curve)
        if curve is not None and figure is not None:
            amount = text_of(shown(figure, curve.kind, lang, balance=True))
            has = "" if pages.season.has_balance and player.played else has
        places.append(PictureRow(player.name, has, amount, player.won))
    won = [player.name for player in came_to.players if player.won]
    over = say.gettext("The winner") if len(won) == 1 else say.gettext("The winners")
    if not won:
        over = say.gettext("The game is over") if came_to.over else say.gettext("The game is not over")
        over = say.gettext("It went on with other people") if came_to.went_on else over
    kinds = pages.cards(lang)
    left = sum_of(came_to.left, lang).text if curve is not None and came_to.left else ""
    if left:
        places.append(PictureRow(say.gettext("the pot"), "", sum_of(came_to.left, lang, signed=True).text, won=False))
    notes = [unsure] if (unsure := unsure_text(evening.unsure, lang)) else []
    told = curve is not None and any(curve.id in one.figures for one in came_to.players)
    if told and came_to.settled and not came_to.over and not came_to.went_on:
        notes.append(say.gettext("Nobody has closed it: the balances are as they stand"))
    parts = (one for one in seasons.records if one.counts and one.part_of == record.part_of and one.game != record.game)
    alone = told and record.part_of and any(one.started < record.started and _has(one, curve) for one in parts)
    if came_to.unknown:
        notes.append(say.gettext("Nobody knows who has paid what: no balances"))
    return Ending(
        title=pages.title,
        date=date_text(night_of(record.started), lang),
        over=over,
        winner=perhaps(say.gettext(" and ").join(won), sure=not won or surely_over(came_to)),
        players=tuple(places),
        facts=pages.season.highlights(came_to, lang),
        foot=hands_text(came_to.hands, lang),
        note="; ".join(notes),
        sets=sets_text(came_to.sets, lang) if came_to.sets else "",
        card=card(kinds[-1][0]) if kinds else "",
        left=left,
        lacks=not_yet_text(open_yet, lang),
        part=say.gettext("Of this part of the game alone, without the one before with other people") if alone else "",
    )


def _has(record: Record, column: Head | None) -> bool:
    """Whether this game has numbers of its own in the column."""
    return column is not None and any(column.id in one.figures for one in record.told.figures.players)


def not_yet_text(columns: Sequence[Head], lang: Lang) -> str:
    """That nobody has numbers in these columns yet; "" for no columns."""
    return f"{listed([head.label for head in columns], lang)}: {catalogue(lang).gettext('not yet')}" if columns else ""


def by_balance(told: EveningFigures, season: Season, lang: Lang) -> list[PlayerEvening]:
    """The players of a game as its page and its picture list them: those who have won it, then the highest balance first."""
    points = next((column.id for column in season.columns(lang) if column.kind == "points"), "")
    by = points if told.points else season.curve or ""
    return sorted(told.players, key=lambda one: (not one.won, -one.figures.get(by, 0)))


def stands(player: PlayerEvening, season: Season, lang: Lang) -> str:
    """What a player had in the end, in words; or that they were a partner from outside."""
    if not player.played:
        return catalogue(lang).gettext("as a partner")
    return season.stands(player.ends, lang) if player.ends is not None else ""


def named(seasons: Seasons, record: Record, lang: Lang) -> EveningFigures:
    """The figures of an evening with its players' names as at the table; somebody forgotten is "somebody"."""
    figures = record.told.figures
    nobody = catalogue(lang).gettext("somebody")
    who = [seasons.people.person(player.name) for player in figures.players]
    lost, names, number = who.count(None), list[str](), 0
    for player, person in zip(figures.players, who, strict=True):
        number += person is None
        names.append(player.name if person is not None else f"{nobody} {number}" if lost > 1 else nobody)
    return under_names(figures, names)


def hands_text(hands: int, lang: Lang) -> str:
    """The number of hands in words: "12 hands"."""
    return catalogue(lang).ngettext("{n} hand", "{n} hands", hands).format(n=hands)


def sets_text(sets: int, lang: Lang) -> str:
    """How often the table has set how it stands, in words."""
    text = catalogue(lang).ngettext(
        "the table has set how it stands {n} time", "the table has set how it stands {n} times", sets
    )
    return str(text.format(n=sets))
