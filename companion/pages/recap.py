"""A recap of the night: which moments of a game are worth half a minute, and how long each is shown. Pure.

It is a value of plain texts and cards, made of what everybody at the table has seen (`Moment.seen`, public lines) and of nothing
else; to draw it no game is needed. What is not sure is left out, or has its question mark.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.pages.commentary import as_far_as_sure
from companion.pages.discreet import has_money
from companion.pages.doubts import doubts, hands_told, unsure_rulings, unsure_text
from companion.pages.moments import Moment, hand_of, hands_that_count, is_sure, is_tagged, ruling_sure, up_to_the_last_hand
from companion.pages.protocol import Pages
from companion.pages.recap_scenes import Night, Scene, Told, hit, scene
from companion.pages.ruling import as_sure_as_its_end, believed
from companion.pages.settling import Before, accounts_of, won_last
from companion.pages.view import AccountView, AnnouncementView, Ranked, RulingView, View, ViewSettings
from companion.table.game import Rules
from companion.table.language import Lang, catalogue
from companion.table.text import perhaps

MOST_SECONDS = 30.0
"""Greatest length of a recap, seconds: what is looked at to its end when it is sent round."""
TITLE_SECONDS, END_SECONDS = 2.3, 4.4
"""Seconds for which the title is shown, and the end."""
MOST_MOMENTS = 5
"""Number of moments, at most; fewer where they would be longer than `MOST_SECONDS`."""

WEIGHT = {"won": 100, "split": 90, "restart": 85, "closed": 80, "back": 70, "rare": 65, "out": 40, "card": 30}
"""`AnnouncementView.kind` → how much hangs on it."""
LARGEST_WEIGHT, RULING_WEIGHT = 60, 10
"""How much hangs on the ruling by which most was paid at once, and on any other by which somebody pays."""
MOST_OF_A_KIND = 2
"""Number of moments of one kind that stand in a recap while there are others."""


class RecapRow(Struct, frozen=True):
    """A player in the end: what they have, or what they have won or lost; ``place``: by that, "" where it is not known."""

    name: str
    has: str
    won: bool
    place: str = ""


class Recap(Struct, frozen=True):
    """Half a minute. ``hands``: how many count; ``over``: the line above the ``winner``; ``clockwise``: how the players
    sit; ``symbol``: the kind of card that stands for the game, "" for none; ``note``: how many hands are not sure; ``part``: as
    of `companion.pages.view.View`, about the ``standings``."""

    title: str
    players: tuple[str, ...]
    hands: str
    scenes: tuple[Scene, ...]
    over: str
    winner: str
    standings: tuple[RecapRow, ...]
    clockwise: bool
    symbol: str
    note: str = ""
    part: str = ""
    title_seconds: float = TITLE_SECONDS
    end_seconds: float = END_SECONDS

    @property
    def seconds(self) -> float:
        """How long it is."""
        return self.title_seconds + sum(scene.lasts for scene in self.scenes) + self.end_seconds


class _Candidate(NamedTuple):
    """A hand that may be shown: what is said of it, and ``at``, the index of the moment that this is about. ``size``: how much
    money hangs on that, or else how much was paid by its largest ruling, in what the game pays with; ``hit``: it is that
    ruling."""

    weight: int
    size: int
    hand: int
    at: int
    said: AnnouncementView
    hit: bool = False


def recap(
    rules: Rules, pages: Pages, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, *, money: bool,
    before: Sequence[Before] = (), went_on: bool = False,
) -> Recap | None:  # fmt: skip
    """The recap of a game as far as its hands are over; None before the first is. ``money``: whether sums of money may be in it:
    without them it has not one; ``before``: the games from which this one goes on with other people, the latest first. What
    everybody has won or lost is of all of these together, as in the accounts. ``went_on``: it went on as another game itself."""
    moments = up_to_the_last_hand(rules, pages, moments)
    if not moments or not rules.hands(moments[-1].seen):
        return None
    view = as_sure_as_its_end(pages.view(moments, lang, settings))
    chosen = _chosen(list(_candidates(rules, pages, moments, view, lang, settings)))
    night = Night(rules, pages, moments, lang, settings)
    scenes, left = list[Scene](), MOST_SECONDS - TITLE_SECONDS - END_SECONDS
    for one in chosen:
        shown = scene(night, Told(one.hand, one.at, one.said, one.hit), money=money)
        if shown.lasts <= left:
            scenes.append(shown)
            left -= shown.lasts
    say, kinds, state = catalogue(lang), pages.cards(lang), moments[-1].seen
    own, whole, part = accounts_of(pages, state, view, before, lang)
    counted = before if whole else ()
    hands = hands_that_count(rules, (line for moment in moments for line in moment.lines), state)
    hands += sum(one.hands for one in counted)
    title = say.gettext("The winner of the last part") if won_last(whole, view.winner, lang) else say.gettext("The winner")
    won, ends = view.winner, say.gettext("It went on with other people") if went_on else say.gettext("How it stands")
    return Recap(
        title=pages.title,
        players=rules.names(moments[-1].seen),
        hands=say.ngettext("{n} hand", "{n} hands", hands).format(n=hands),
        scenes=tuple(sorted(scenes, key=lambda one: one.hand)),
        over=title if won is not None else ends,
        winner=won or "",
        standings=_standings(
            view, whole or own, pages.ranked(state, lang), _gone(rules, pages, moments, lang), lang, money=money
        ),
        clockwise=pages.clockwise,
        symbol=kinds[-1][0] if kinds else "",
        note=unsure_text(
            len({*unsure_rulings(rules, moments, settings.sure_from)}) + sum(one.unsure for one in counted), lang
        ),
        part=part,
    )


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
        if ruling is not None:
            title = catalogue(lang).gettext("Hand {n}").format(n=n)
            found.append(_Candidate(RULING_WEIGHT, size, n, at, hit(ruling, title, lang), hit=True))
        for at, said in _announced(pages, moments, (begun, until), view, lang, settings.sure_from):
            if said.kind != "rare" or n not in doubtful:
                hangs = pages.hangs(moments[at - 1].seen, moments[at].event, moments[at].seen)
                found.append(_Candidate(WEIGHT[said.kind], hangs or size, n, at, said))
    rulings = sorted((one for one in found if one.weight == RULING_WEIGHT), key=lambda one: one.size)
    if rulings and (len(rulings) == 1 or rulings[-1].size > rulings[-2].size):  # else it is not one alone
        said = replace(rulings[-1].said, title=catalogue(lang).gettext("The biggest hit"))
        found.append(rulings[-1]._replace(weight=LARGEST_WEIGHT, said=said))
    for n in sorted({one.hand for one in found}):
        yield max((one for one in found if one.hand == n), key=lambda one: (one.weight, one.size))


def _largest(
    rules: Rules, pages: Pages, moments: Sequence[Moment], within: tuple[int, int], lang: Lang, settings: ViewSettings
) -> tuple[int, int, RulingView | None]:
    """How much was paid by the largest ruling of a hand, where it first stood (an index), and that; None where nobody paid."""
    found: tuple[int, int, RulingView | None] = 0, within[0], None
    for at in range(within[0] + 1, within[1]):
        before, now = moments[at - 1].seen, moments[at].seen
        if rules.in_hand(before) and (not rules.in_hand(now) or rules.outcome(now) != rules.outcome(before)):
            ruling = pages.view(moments[: at + 1], lang, settings).ruling
            sums = [one.delta for one in ruling.sums] if ruling is not None and ruling.sure else []
            size = max(sum(one for one in sums if one > 0), -sum(one for one in sums if one < 0))
            if ruling is not None and size > found[0]:
                found = size, at, ruling
    return found


def _announced(
    pages: Pages, moments: Sequence[Moment], within: tuple[int, int], view: View, lang: Lang, sure_from: float
) -> Iterator[tuple[int, AnnouncementView]]:
    """What filled the TV's screen between these indices, with where it did."""
    for at in range(max(1, within[0]), within[1]):
        before, now = moments[at - 1], moments[at]
        for said in pages.announcements(before.seen, now.event, now.seen, lang, ruling_sure(now, sure_from)):
            sure = as_far_as_sure(said, view, now, sure_from)
            if sure is not None and is_sure(now, sure_from):
                yield at, sure


def _chosen(found: Sequence[_Candidate]) -> list[_Candidate]:
    """At most `MOST_MOMENTS` of them, the best first: those on which most hangs, and of equals by which more was paid; more than
    `MOST_OF_A_KIND` of a kind only where nothing else is left."""
    ranked = sorted(found, key=lambda one: (one.weight, one.size, one.hand), reverse=True)
    kinds: dict[tuple[str, int], int] = {}
    first, rest = list[_Candidate](), list[_Candidate]()
    for one in ranked:
        kind = one.said.kind, one.weight
        kinds[kind] = kinds.get(kind, 0) + 1
        (first if kinds[kind] <= MOST_OF_A_KIND else rest).append(one)
    return (first + rest)[:MOST_MOMENTS]


def _gone(rules: Rules, pages: Pages, moments: Sequence[Moment], lang: Lang) -> dict[str, tuple[int, int]]:
    """Player → where they last went out (an index), and in which hand."""
    found = dict[str, tuple[int, int]]()
    for at, (before, now) in enumerate(pairwise(moments), 1):
        for said in pages.announcements(before.seen, now.event, now.seen, lang):
            if said.kind == "out":
                found |= dict.fromkeys(said.names, (at, hand_of(rules, before.seen, now.seen)))
    return found


def _standings(
    view: View, accounts: Sequence[AccountView], ranked: Sequence[Ranked], gone: Mapping[str, tuple[int, int]], lang: Lang, *,
    money: bool,
) -> tuple[RecapRow, ...]:  # fmt: skip
    """Everybody in the end, the winner first, then who has most, then who went out last before who went out first: what they have
    won or lost where the game is over and that is known, else what they have, with places. Nobody, where names would stand there
    with nothing beside them in an order that says nothing. ``accounts``: of this game or, where others went before, of all;
    ``ranked``: by place, while the game goes on."""
    by = {seat.name: one for seat, one in zip(view.seats, ranked, strict=bool(ranked))}
    order = {
        seat.name: (
            seat.name != view.winner, not seat.in_play, -by[seat.name].by if seat.name in by else 0,
            -gone.get(seat.name, (0, 0))[0],
        )
        for seat in view.seats
    }  # fmt: skip
    known = accounts and all(one.net is not None for one in accounts)
    nets = [(one.name, one.net) for one in accounts if one.net is not None and one.person] if known else []
    nets.sort(key=lambda one: (one[0] != view.winner, -one[1].minor, *order.get(one[0], ())))
    if nets and money:
        return tuple(RecapRow(name, net.text, name == view.winner) for name, net in nets)
    if nets and any(has_money(seat.has) for seat in view.seats):
        places = [1 + sum(other.minor > net.minor for _, other in nets) for _, net in nets]
        return tuple(RecapRow(name, "", name == view.winner, f"{at}.") for (name, _), at in zip(nets, places, strict=True))
    found, text = [], catalogue(lang).gettext("{has}, hand {n}")
    places_of = {} if view.winner is not None else _places(view, by)
    for seat in sorted(view.seats, key=lambda seat: order[seat.name]):
        told = (by[seat.name].text if seat.name in by else "") or seat.has
        has = "" if has_money(told) and not money else perhaps(told, sure=not seat.believed or not told)
        if has and not seat.in_play and seat.name in gone:
            has = text.format(has=has, n=gone[seat.name][1])
        found.append(RecapRow(seat.name, has, seat.winner, places_of.get(seat.name, "")))
    return tuple(found) if any(one.has or one.place or one.won for one in found) else ()


def _places(view: View, by: Mapping[str, Ranked]) -> dict[str, str]:
    """The place of everybody who is in play: nobody's where all have the same; with a question mark where a ruling that is not
    sure took or gave of what somebody has."""
    have = {seat.name: by[seat.name].by for seat in view.seats if seat.in_play and seat.name in by}
    if len({*have.values()}) < 2:
        return {}
    sure = not believed(view)
    return {name: perhaps(f"{1 + sum(one > has for one in have.values())}.", sure=sure) for name, has in have.items()}
