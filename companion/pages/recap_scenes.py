"""The moments of a recap: the words of each, and its table as it lay. Pure.

What a table shows is what its words tell: the payments of somebody whom the words do not name are left out of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.pages.discreet import discreet, has_money, name_only, without_sums
from companion.pages.moments import Moment, is_sure, is_tagged
from companion.pages.protocol import Pages
from companion.pages.ruling import as_sure_as_its_end
from companion.pages.view import AnnouncementView, CardView, RulingView, SeatView, SumView, View, ViewSettings
from companion.table.game import Rules
from companion.table.language import Lang, catalogue
from companion.table.text import perhaps, sentence, short, signed

WORDS_SECONDS, BEFORE_SECONDS, TABLE_SECONDS = 1.8, 1.0, 3.0
"""Seconds for which the words of a moment fill the picture, its table while all is covered, and the table with faces and
who pays: as long as three lines take to read."""
MOST_FIGURES, MOST_CARDS = 3, 9
"""Number of figures of the whole game in a picture, and of cards before a player."""
MOST_BENEATH, MOST_REASONS = 4, 2
"""Number of lines below the names of a moment, one of them the sums; and of reasons below its table."""
_DOT = " · "
"""Between the parts of a line."""


class Plate(Struct, frozen=True):
    """A player in a picture of the table. ``cards``: ids of the kinds that lie open before them, "" for a back; ``change``: what
    the ruling does to them; ``pays``: that is a loss; ``named``: the moment is about them."""

    name: str
    has: str
    cards: tuple[str, ...] = ()
    change: str = ""
    pays: bool = False
    dealer: bool = False
    out: bool = False
    named: bool = False


class Shot(Struct, frozen=True):
    """The table as it lay after line ``line`` (an index, from 0) of the log. ``says``: what has just happened, or why somebody
    pays; ``ruling``: who pays, in parts; the last ``gains`` of them tell who gains."""

    line: int
    seconds: float
    says: str
    plates: tuple[Plate, ...]
    figures: tuple[tuple[str, str], ...]
    ruling: tuple[str, ...]
    gains: int = 0


class Scene(Struct, frozen=True):
    """A moment of the ``hand`` with this number. ``title``, ``names``, ``beneath``, ``card``: the words that fill the picture for
    ``seconds``, as of `AnnouncementView`; then come the ``shots``, none of a game that ended without a hand."""

    hand: int
    kind: str
    seconds: float
    title: str
    names: tuple[str, ...]
    beneath: tuple[str, ...]
    card: str
    shots: tuple[Shot, ...]

    @property
    def lasts(self) -> float:
        """Seconds, with its shots."""
        return self.seconds + sum(shot.seconds for shot in self.shots)


class Told(NamedTuple):
    """What a scene is made of: the ``hand`` that it is of, ``at``, the index of the moment, and what is ``said`` of it.
    ``hit``: it is about the whole ruling that stands there."""

    hand: int
    at: int
    said: AnnouncementView
    hit: bool


class Night(NamedTuple):
    """A game as everybody has seen it, and how it is told."""

    rules: Rules
    pages: Pages
    moments: Sequence[Moment]
    lang: Lang
    settings: ViewSettings

    def view(self, at: int) -> View:
        """The TV's page after the moment with this index, without what is not sure of a game's end."""
        return as_sure_as_its_end(self.pages.view(self.moments[: at + 1], self.lang, self.settings))


def hit(ruling: RulingView, title: str, lang: Lang) -> AnnouncementView:
    """A ruling as words: those whom it is about, how much, and why. It is about those who gain, or about those who pay: about the
    side with the larger sum, and where both sums are the same about the side with fewer players."""
    pays, gains = ([row for row in ruling.sums if row.delta * sign > 0] for sign in (-1, 1))
    gained, paid = sum(row.delta for row in gains), -sum(row.delta for row in pays)
    about = gains if gains and (gained, -len(gains)) >= (paid, -len(pays)) else pays
    alone = about == [*pays, *gains] and len(about) == 1 and about[0].amount
    told = about[0].amount if alone else _DOT.join(ruling.headline)
    why = _at_most(_reasons(ruling, about), MOST_BENEATH - 1, lang)
    return AnnouncementView("rare", title, tuple(row.player for row in about), ruling.hand, (told, *why))


def _at_most(reasons: Sequence[str], most: int, lang: Lang) -> tuple[str, ...]:
    """The reasons; of more than ``most`` the first ones, and how many more there are."""
    if len(reasons) <= most:
        return tuple(reasons)
    left = len(reasons) - most
    more = catalogue(lang).ngettext("and one more reason", "and {n} more reasons", left).format(n=left)
    return *reasons[: most - 1], f"{reasons[most - 1]}{_DOT}{more}"


def _reasons(ruling: RulingView, rows: Sequence[SumView]) -> tuple[str, ...]:
    """Why these players pay or gain, a line each. With more than one the line says whose it is."""
    why = [(row, "; ".join(row.why)) for row in rows if row.why]
    if len(rows) > 1:
        return tuple(f"{short(row.player)}: {said}" for row, said in why)
    return tuple(f"{ruling.about}, {said}" if ruling.about else sentence(said) for _row, said in why)


def scene(night: Night, told: Told, *, money: bool) -> Scene:
    """The scene of a moment. Without ``money`` no sum is in it."""
    said, view = told.said, night.view(told.at)
    new = night.rules.in_hand(night.moments[told.at - 1].seen)  # else what lies on the table is of before
    ruling = view.ruling if new and view.ruling is not None and any(row.delta for row in view.ruling.sums) else None
    beneath, shots = said.beneath, list[Shot]()
    if ruling is not None and said.kind == "won":
        beneath = (*beneath, _DOT.join(ruling.headline))
    elif ruling is not None and said.kind in ("out", "closed"):
        why = _reasons(ruling, [row for row in ruling.sums if row.player in said.names])
        beneath = (*beneath, *_at_most(why, max(1, MOST_BENEATH - len(beneath)), night.lang))
    if new and (before := _covered(night, told.at)) is not None:
        shots.append(_shot(night, before, night.view(before), said.names, ()))
    if new or said.kind != "won":
        shown = [row for row in ruling.sums if row.delta] if ruling is not None else []
        if not told.hit and said.kind != "won":
            shown = [row for row in shown if row.player in said.names]
        shots.append(_shot(night, told.at, view, said.names, shown))
    names = tuple(name if has_money(name) else short(name) for name in said.names)  # a sum is not cut
    found = Scene(told.hand, said.kind, WORDS_SECONDS, said.title, names, beneath, said.card, tuple(shots))
    found = found if money else _without_money(found)
    if ruling is not None and not found.beneath and said.kind != "won":
        reasons = _reasons(ruling, [row for row in ruling.sums if row.player in said.names])
        told_why = tuple(filter(None, reasons if money else map(without_sums, reasons)))
        found = replace(found, beneath=_at_most(told_why, MOST_BENEATH, night.lang))
    if said.kind == "back" and len(found.beneath) < MOST_BENEATH - 2:
        has = [seat.has for seat in view.seats if seat.name in said.names and seat.has and (money or not has_money(seat.has))]
        found = replace(found, beneath=(*found.beneath, *has))
    return replace(found, beneath=tuple(map(sentence, found.beneath[:MOST_BENEATH])))


def _covered(night: Night, at: int) -> int | None:
    """The last moment of the hand before ``at`` in which all cards that lay before players were covered; None for none."""
    begun = max(index for index in range(at + 1) if night.moments[index].begins)
    for index in range(at - 1, begun, -1):
        if night.moments[index].event is None or not night.rules.in_hand(night.moments[index].seen):
            continue
        faces = [card.face for seat in night.view(index).seats for card in _cards(seat)]
        if not any(faces):
            return index if faces else None
    return None


def _cards(seat: SeatView) -> tuple[CardView, ...]:
    return seat.cards or ((seat.card,) if seat.card is not None else ())


def _shot(night: Night, at: int, view: View, names: Sequence[str], shown: Sequence[SumView]) -> Shot:
    """The table after line ``at``, in a moment about the players ``names``. ``shown``: whose payments are in it."""
    before, now = night.moments[at - 1], night.moments[at]
    ruling, paid = view.ruling, {row.player for row in shown}
    said, told, gains = "", tuple[str, ...](), 0
    if ruling is not None and shown:
        why = _reasons(ruling, [row for row in shown if row.player in names] or shown)
        said = _DOT.join(_at_most(why, MOST_REASONS, night.lang))
    if ruling is not None and shown and paid == {row.player for row in ruling.sums if row.delta}:
        told = ruling.headline
        many = sum(row.delta > 0 for row in shown)
        gains = many if len(told) == len(shown) else len(told) if many else 0
    if now.event is not None and not said:
        said = sentence(night.pages.line_text(before.seen, now.event, now.seen, night.lang))
        said = perhaps(said, sure=is_sure(now, night.settings.sure_from) or is_tagged(now, "end"))
    figures = tuple((one.label, f"{one.text} {one.tag}".strip()) for one in view.figures if not one.dim)[:MOST_FIGURES]
    surely = ruling is None or ruling.sure
    plates = tuple(_plate(seat, names, changed=seat.name in paid, sure=surely) for seat in view.seats)
    open_cards = any(kind for plate in plates for kind in plate.cards)
    return Shot(at, TABLE_SECONDS if open_cards or told else BEFORE_SECONDS, said, plates, figures, told, gains)


def _plate(seat: SeatView, names: Sequence[str], *, changed: bool, sure: bool) -> Plate:
    """``changed``: the ruling's payments to and by this player are shown; ``sure``: it is. What they have may hang on another."""
    change = seat.amount if seat.change else ""
    if seat.change and not change:
        change = signed(seat.change)
    change = perhaps(change, sure=sure) if change and changed else ""
    has = perhaps(seat.has, sure=not (seat.believed and seat.has))
    faces = tuple(card.face or "" for card in _cards(seat))[:MOST_CARDS]
    return Plate(
        seat.name, has, faces, change, bool(change) and (seat.change or 0) < 0, seat.dealer, not seat.in_play,
        seat.name in names or short(seat.name) in map(name_only, names),
    )  # fmt: skip


def _without_money(found: Scene) -> Scene:
    """The scene without a sum of money: of what tells of one, the parts without it are left."""
    shots = tuple(
        replace(
            shot, says=without_sums(shot.says), ruling=() if any(map(has_money, shot.ruling)) else shot.ruling,
            figures=tuple(one for one in shot.figures if not has_money(" ".join(one))),
            plates=tuple(
                replace(one, has="" if has_money(one.has) else one.has, change="" if has_money(one.change) else one.change)
                for one in shot.plates
            ),
        )
        for shot in found.shots
    )  # fmt: skip
    return replace(
        found, title=discreet(found.title), names=tuple(filter(None, map(name_only, found.names))),
        beneath=tuple(filter(None, (without_sums(text) for text in found.beneath))), shots=shots,
    )  # fmt: skip
