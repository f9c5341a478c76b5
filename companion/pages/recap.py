"""A recap of the night: which moments of a game are worth half a minute, and how long each is shown. Pure.

It is a value of plain texts and cards, made of what everybody at the table has seen (`Moment.seen`, public lines) and of nothing
else; to draw it no game is needed. What is not sure is left out, or has its question mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.pages.commentary import as_far_as_sure
from companion.pages.discreet import discreet, has_money
from companion.pages.doubts import doubts, hands_told, unsure_rulings
from companion.pages.moments import Moment, is_sure, is_tagged
from companion.pages.protocol import Pages
from companion.pages.ruling import as_sure_as_its_end
from companion.pages.view import AnnouncementView, SeatView, View, ViewSettings
from companion.table.game import Rules
from companion.table.language import Lang, catalogue
from companion.table.text import perhaps, sentence, short

MOST_SECONDS = 30.0
"""Greatest length of a recap, seconds: what is looked at to its end when it is sent round."""
TITLE_SECONDS, END_SECONDS = 2.5, 4.5
"""Seconds for which the title is shown, and the end."""
WORDS_SECONDS, SHOT_SECONDS = 1.4, 1.6
"""Seconds for which the words of a moment fill the picture, and each picture of its table."""
MOST_MOMENTS, MOST_SHOTS = 5, 2
MOST_FIGURES, MOST_CARDS = 3, 9
"""Number of figures of the whole game in a picture, and of cards before a player."""

WEIGHT = {"won": 100, "split": 90, "restart": 85, "closed": 80, "back": 70, "rare": 65, "out": 40, "card": 30}
"""`AnnouncementView.kind` → how much hangs on it."""
LARGEST_WEIGHT, RULING_WEIGHT = 60, 10
"""The same of the ruling by which most was paid at once, and of any other by which somebody pays."""
MOST_OF_A_KIND = 2
"""Number of moments of one kind that stand in a recap while there are others."""


class Plate(Struct, frozen=True):
    """A player in a picture of the table. ``cards``: ids of the kinds that lie open before them, "" for a back; ``change``: what
    the ruling does to them; ``pays``: that is a loss."""

    name: str
    has: str
    cards: tuple[str, ...] = ()
    change: str = ""
    pays: bool = False
    dealer: bool = False
    out: bool = False


class Shot(Struct, frozen=True):
    """The table as it lay after line ``line`` (an index, from 0) of the log. ``says``: what has just happened; ``ruling``: who
    pays, in parts."""

    line: int
    seconds: float
    says: str
    plates: tuple[Plate, ...]
    figures: tuple[tuple[str, str], ...]
    ruling: tuple[str, ...]


class Scene(Struct, frozen=True):
    """A moment of the ``hand`` with this number. ``title``, ``names``, ``beneath``, ``card``: the words that fill the picture for
    ``seconds``, as of `AnnouncementView`; then come the ``shots``."""

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


class Standing(Struct, frozen=True):
    """A player in the end: what they have, or what they have won or lost."""

    name: str
    has: str
    won: bool


class Recap(Struct, frozen=True):
    """Half a minute. ``hands``: how many were played; ``over``: the line above the ``winner``; ``clockwise``: how the players
    sit; ``symbol``: the kind of card that stands for the game, "" for none; ``note``: how many hands are not sure."""

    title: str
    players: tuple[str, ...]
    hands: str
    scenes: tuple[Scene, ...]
    over: str
    winner: str
    standings: tuple[Standing, ...]
    clockwise: bool
    symbol: str
    note: str = ""
    title_seconds: float = TITLE_SECONDS
    end_seconds: float = END_SECONDS

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.title_seconds + sum(scene.lasts for scene in self.scenes) + self.end_seconds


class _Candidate(NamedTuple):
    """A hand that may be shown: what is said of it, and ``at``, the index of the moment that this is about. ``size``: how much
    was paid by its largest ruling, in what the game pays with."""

    weight: int
    size: int
    hand: int
    at: int
    said: AnnouncementView


def recap(
    rules: Rules, pages: Pages, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, *, money: bool
) -> Recap | None:
    """The recap of a game as far as its hands are over; None before the first is. ``money``: whether sums of money may be in it:
    without them it has not one."""
    moments = moments[: _between(rules, moments)]
    if not moments or not rules.hands(moments[-1].seen):
        return None
    view = as_sure_as_its_end(pages.view(moments, lang, settings))
    chosen = _chosen(list(_candidates(rules, pages, moments, view, lang, settings)))
    scenes = [_scene(rules, pages, moments, one, lang, settings) for one in chosen]
    say, hands, kinds = catalogue(lang), rules.hands(moments[-1].seen), pages.cards(lang)
    won = view.winner
    found = Recap(
        title=pages.title,
        players=rules.names(moments[-1].seen),
        hands=say.ngettext("{n} hand", "{n} hands", hands).format(n=hands),
        scenes=tuple(scenes),
        over=say.gettext("The winner") if won is not None else say.gettext("How it stands"),
        winner=won or "",
        standings=_standings(view, lang, money=money),
        clockwise=pages.clockwise,
        symbol=kinds[-1][0] if kinds else "",
        note=unsure_text(len({*unsure_rulings(rules, moments, settings.sure_from)}), lang),
    )
    return found if money else _without_money(found)


def unsure_text(unsure: int, lang: Lang) -> str:
    """How many hands are not sure, and nobody has confirmed them, as a sentence; "" for none."""
    said = catalogue(lang).ngettext(
        "{n} hand was not sure, and nobody has confirmed it", "{n} hands were not sure, and nobody has confirmed them", unsure
    )
    return said.format(n=unsure) if unsure else ""


def _between(rules: Rules, moments: Sequence[Moment]) -> int:
    """How many moments there are up to the last one between two hands: what lies in a hand that goes on is no story yet."""
    many = len(moments)
    while many and rules.in_hand(moments[many - 1].seen):
        many -= 1
    return many


def _candidates(
    rules: Rules, pages: Pages, moments: Sequence[Moment], view: View, lang: Lang, settings: ViewSettings
) -> Iterator[_Candidate]:
    """The hands whose rulings are sure and not void, each with what hangs most on it."""
    unsure = {*unsure_rulings(rules, moments, settings.sure_from)}
    doubtful = doubts(rules, pages, moments, settings.sure_from)
    begins = [at for at, moment in enumerate(moments) if moment.begins]
    found = list[_Candidate]()
    for (n, _), begun, until in zip(hands_told(rules, moments), begins, (*begins[1:], len(moments)), strict=True):
        if n in unsure or any(is_tagged(moment, "void") for moment in moments[begun:until]):
            continue
        size, at, ruling = _largest(rules, pages, moments, (begun, until), lang, settings)
        if size:
            title = catalogue(lang).gettext("Hand {n}").format(n=n)
            found.append(_Candidate(RULING_WEIGHT, size, n, at, AnnouncementView("rare", title, (), n, (ruling,))))
        for at, said in _announced(pages, moments, (begun, until), view, lang, settings.sure_from):
            if said.kind != "rare" or n not in doubtful:
                found.append(_Candidate(WEIGHT[said.kind], size, n, at, said))
    rulings = sorted((one for one in found if one.weight == RULING_WEIGHT), key=lambda one: one.size)
    if rulings and (len(rulings) == 1 or rulings[-1].size > rulings[-2].size):  # else it is not one alone
        said = replace(rulings[-1].said, title=catalogue(lang).gettext("The biggest hit"))
        found.append(rulings[-1]._replace(weight=LARGEST_WEIGHT, said=said))
    for n in sorted({one.hand for one in found}):
        yield max((one for one in found if one.hand == n), key=lambda one: one.weight)


def _largest(
    rules: Rules, pages: Pages, moments: Sequence[Moment], within: tuple[int, int], lang: Lang, settings: ViewSettings
) -> tuple[int, int, str]:
    """How much was paid by the largest ruling of a hand, where it first stood (an index), and its headline; 0 where nobody
    paid."""
    found = 0, within[0], ""
    for at in range(within[0] + 1, within[1]):
        before, now = moments[at - 1].seen, moments[at].seen
        if rules.in_hand(before) and (not rules.in_hand(now) or rules.outcome(now) != rules.outcome(before)):
            ruling = pages.view(moments[: at + 1], lang, settings).ruling
            sums = [one.delta for one in ruling.sums] if ruling is not None and ruling.sure else []
            size = max(sum(one for one in sums if one > 0), -sum(one for one in sums if one < 0))
            if ruling is not None and size > found[0]:
                found = size, at, " · ".join(ruling.headline)
    return found


def _announced(
    pages: Pages, moments: Sequence[Moment], within: tuple[int, int], view: View, lang: Lang, sure_from: float
) -> Iterator[tuple[int, AnnouncementView]]:
    """What filled the TV's screen between these indices, with where it did."""
    for at in range(max(1, within[0]), within[1]):
        before, now = moments[at - 1], moments[at]
        for said in pages.announcements(before.seen, now.event, now.seen, lang):
            sure = as_far_as_sure(said, view, now, sure_from)
            if sure is not None and is_sure(now, sure_from):
                yield at, sure


def _chosen(found: Sequence[_Candidate]) -> list[_Candidate]:
    """At most `MOST_MOMENTS` of them, in the order of play: those on which most hangs, and of equals by which more was paid;
    more than `MOST_OF_A_KIND` of a kind only where nothing else is left."""
    ranked = sorted(found, key=lambda one: (one.weight, one.size, one.hand), reverse=True)
    kinds: dict[tuple[str, int], int] = {}
    first, rest = list[_Candidate](), list[_Candidate]()
    for one in ranked:
        kind = one.said.kind, one.weight
        kinds[kind] = kinds.get(kind, 0) + 1
        (first if kinds[kind] <= MOST_OF_A_KIND else rest).append(one)
    return sorted((first + rest)[:MOST_MOMENTS], key=lambda one: one.hand)


def _scene(
    rules: Rules, pages: Pages, moments: Sequence[Moment], one: _Candidate, lang: Lang, settings: ViewSettings
) -> Scene:
    said = one.said
    shown = _shown_at(rules, pages, moments, one.at, lang, settings)
    shots = tuple(_shot(rules, pages, moments, at, lang, settings) for at in shown)
    names = tuple(short(name) for name in said.names)
    return Scene(one.hand, said.kind, WORDS_SECONDS, said.title, names, said.beneath, said.card, shots)


def _shown_at(
    rules: Rules, pages: Pages, moments: Sequence[Moment], at: int, lang: Lang, settings: ViewSettings
) -> list[int]:
    """At which moments the table is shown: before a face lay open in the hand, what the moment with the index ``at`` is about,
    and what came of it."""
    begun = max(index for index in range(at + 1) if moments[index].begins)
    over = next((index for index in range(begun, len(moments)) if not rules.in_hand(moments[index].seen)), at)
    told = [index for index in range(begun + 1, min(at, over)) if moments[index].event is not None]
    covered = next((index for index in reversed(told) if not _open(pages.view(moments[: index + 1], lang, settings))), None)
    return sorted({*(index for index in (covered, at, over) if index is not None)})[-MOST_SHOTS:]


def _open(view: View) -> bool:
    """Whether a face lies open before a player."""
    return any(card.face for seat in view.seats for card in (*seat.cards, *((seat.card,) if seat.card is not None else ())))


def _shot(
    rules: Rules, pages: Pages, moments: Sequence[Moment], at: int, lang: Lang, settings: ViewSettings
) -> Shot:
    before, now = moments[at - 1], moments[at]
    view = as_sure_as_its_end(pages.view(moments[: at + 1], lang, settings))
    said = ""
    if now.event is not None:
        said = sentence(pages.line_text(before.seen, now.event, now.seen, lang))
        said = perhaps(said, sure=is_sure(now, settings.sure_from) or is_tagged(now, "end"))
    ruling = view.ruling
    if ruling is not None and is_tagged(now, "end"):
        said = ""  # the ruling says it
    figures = tuple((one.label, f"{one.text} {one.tag}".strip()) for one in view.figures if not one.dim)[:MOST_FIGURES]
    plates = tuple(_plate(seat) for seat in view.seats)
    return Shot(at, SHOT_SECONDS, said, plates, figures, ruling.headline if ruling is not None else ())


def _plate(seat: SeatView) -> Plate:
    cards = seat.cards or ((seat.card,) if seat.card is not None else ())
    change = seat.amount if seat.change else ""
    if seat.change and not change:
        change = f"{seat.change:+d}".replace("-", "−")
    faces = tuple(card.face or "" for card in cards)[:MOST_CARDS]
    change = perhaps(change, sure=not seat.believed or not change)
    return Plate(seat.name, seat.has, faces, change, (seat.change or 0) < 0, seat.dealer, not seat.in_play)


def _standings(view: View, lang: Lang, *, money: bool) -> tuple[Standing, ...]:
    """Everybody in the end: what they have won or lost where the game is over and that is known, else what they have; without
    money in which place they finished, where that is known."""
    known = view.accounts and all(one.net is not None for one in view.accounts)
    nets = [(one.name, one.net) for one in view.accounts if one.net is not None and one.person] if known else []
    if nets and money:
        return tuple(Standing(name, net.text, name == view.winner) for name, net in nets)
    if nets and any(has_money(seat.has) for seat in view.seats):
        places = [1 + sum(other.minor > net.minor for _, other in nets) for _, net in nets]
        return tuple(Standing(name, str(place), name == view.winner) for (name, _), place in zip(nets, places, strict=True))
    seats = sorted(view.seats, key=lambda seat: seat.name != view.winner)
    return tuple(Standing(seat.name, perhaps(seat.has, sure=not seat.believed or not seat.has), seat.winner) for seat in seats)


def _without_money(found: Recap) -> Recap:
    """The recap without a sum of money: lines that tell of one are left out; in sentences and headlines stand dots."""
    return replace(
        found, scenes=tuple(_scene_without_money(scene) for scene in found.scenes),
        standings=tuple(replace(one, has="" if has_money(one.has) else one.has) for one in found.standings),
    )  # fmt: skip


def _scene_without_money(scene: Scene) -> Scene:
    def kept(texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(text for text in texts if not has_money(text))

    shots = tuple(
        replace(
            shot, says=discreet(shot.says), ruling=tuple(map(discreet, shot.ruling)),
            figures=tuple(one for one in shot.figures if not has_money(" ".join(one))),
            plates=tuple(
                replace(one, has="" if has_money(one.has) else one.has, change="" if has_money(one.change) else one.change)
                for one in shot.plates
            ),
        )
        for shot in scene.shots
    )  # fmt: skip
    return replace(scene, title=discreet(scene.title), names=kept(scene.names), beneath=kept(scene.beneath), shots=shots)
