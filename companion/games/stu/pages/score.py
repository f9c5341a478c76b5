"""How a game of Lu Stù stands, what a hand came to, and what a change would make of both: for organisers. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from companion.games.stu import agreed, rules, words
from companion.games.stu.pages import agreements
from companion.games.stu.pages.commentary import notes_of, why
from companion.games.stu.rules import Report, State, report
from companion.games.stu.rules.state import HandRulings, Irregularity, Payment
from companion.games.stu.words import has
from companion.pages.commentary import leads
from companion.pages.phone import Difference, HandSummary, PlayerView, Score
from companion.pages.view import Figure, Ranked
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.story import hand_title, nothing_paid
from companion.table.text import listed, perhaps, sentence, short, signed


class StuPlayer(PlayerView, frozen=True, kw_only=True):
    """A player as they stand now. ``has``: their pedine in words."""

    pedine: int
    virgin: bool


class StuScore(Score, frozen=True, kw_only=True):
    """How the game stands. ``ricompera``: the price of the next one, "" when nobody can come back."""

    players: tuple[StuPlayer, ...]
    pot: str
    ricompera: str


def score(state: State, lang: Lang) -> StuScore:
    """How the game stands."""
    _ = catalogue(lang).gettext
    told = report(state)
    dealer = state.table.names[state.hand.dealer if state.hand is not None else state.next_dealer()] if not state.won else None
    lapsed = agreed.lapsed(state, state.last_ended + 1, lang) if told.status == "restarted" else ()
    pot, price = money(told.pot, lang), money(told.ricompera.price, lang) if told.ricompera.open else ""
    return StuScore(
        phase=told.status,
        status=". ".join((sentence(words.status(told, lang)), *lapsed)),
        players=tuple(
            StuPlayer(
                name=player.name,
                has=has(player.pedine, player.virgin, lang),
                in_play=player.in_play,
                dealer=player.name == dealer,
                pedine=player.pedine,
                virgin=player.virgin,
            )
            for player in state.players
        ),
        winner=told.winner,
        figures=(Figure(_("Pot"), pot), *((Figure(_("Ricompera"), price),) if price else ())),
        pot=pot,
        ricompera=price,
    )


def figures(told: Report, lang: Lang) -> tuple[Figure, ...]:
    """What stands above the table on the TV."""
    _ = catalogue(lang).gettext
    ricompera = told.ricompera
    return (
        Figure(_("Pot"), money(told.pot, lang)),
        Figure(_("Ricompera"), money(ricompera.price, lang), _("open") if ricompera.open else _("closed"), not ricompera.open),
        Figure(_("Virgins"), str(len(told.virgins))),
    )


def standing(state: State, doubtful: Collection[str], lang: Lang) -> tuple[Figure, ...]:
    """Who the virgins are, and who leads: those with the most pedine, where not all of them have as many."""
    _, players = catalogue(lang).gettext, [player for player in state.players if player.in_play]
    virgins = [perhaps(short(player.name), sure=player.name not in doubtful) for player in players if player.virgin]
    most = max((player.pedine for player in players), default=0)
    best = [player.name for player in players if player.pedine == most]
    pedine = catalogue(lang).ngettext("one pedina", "{n} pedine", most).format(n=most)
    virgins_said = Figure(_("Virgins"), listed(virgins, lang) or _("none"))
    return virgins_said, *(leads(best, pedine, doubtful, lang) if len(best) <= _MAX_LEADING and len(best) < len(players) else ())


_MAX_LEADING = 3
"""Players who lead, at most, to be named."""


def ranked(state: State, lang: Lang) -> tuple[Ranked, ...]:
    """By pedine."""
    return tuple(Ranked(player.pedine) for player in state.players)


def hand(before: State, after: State, lang: Lang, doubtful: Collection[Payment | Irregularity] = ()) -> HandSummary:
    """What a hand came to, from the state ``before`` it to the state ``after`` its latest line; ``doubtful``: its payments and
    irregularities that are not sure."""
    _ = catalogue(lang).gettext
    number = len(before.hands) + 1
    ruling = rules.ruling(after, number)
    assert ruling is not None, "this hand has been begun"
    over = number <= len(after.hands)
    paid: Counter[str] = Counter()
    for payment in ruling.payments:
        paid[payment.player] += payment.delta
    payers = ", ".join(f"{short(player)} {signed(delta)}" for player, delta in paid.items())
    virgins = [player.name for player in before.players if player.virgin]
    restart = (words.all_back(lang), *agreed.lapsed(after, number, lang)) if number in after.restarts else ()
    return HandSummary(
        n=ruling.n,
        title=hand_title(ruling, lang),
        paid=_paid(ruling, lang, doubtful, over=over),
        notes=(*notes_of(ruling, lang, virgins, doubtful), *agreed.notes(after, ruling.n, lang), *restart),
        payers=_("void hand") if ruling.void else payers or nothing_paid(lang, over=over),
        pays=bool(ruling.payments),
        doubtful=bool(doubtful),
    )


def _paid(ruling: HandRulings, lang: Lang, doubtful: Collection[Payment | Irregularity], *, over: bool) -> tuple[str, ...]:
    """What a hand came to, a sentence for each payment; ``over``: the hand is."""
    _ = catalogue(lang).gettext
    if ruling.void:
        return (_("void hand"),)
    said = (perhaps(why(paid, lang, ruling.dealer), sure=paid not in doubtful) for paid in ruling.payments)
    return tuple(said) or (nothing_paid(lang, over=over),)


def differences(now: State, then: State, lang: Lang) -> tuple[Difference, ...]:
    """What differs between two states: pedine, money, who has won."""
    _ = catalogue(lang).gettext
    was, would = report(now), report(then)
    rows = [
        (one.name, has(one.pedine, one.virgin, lang), has(other.pedine, other.virgin, lang))
        for one, other in zip(was.players, would.players, strict=True)
    ]
    rows.append((_("Pot"), money(was.pot, lang), money(would.pot, lang)))
    rows.append((_("Ricompera"), money(was.ricompera.price, lang), money(would.ricompera.price, lang)))
    open_now, open_then = (_("open") if told.ricompera.open else _("closed") for told in (was, would))
    if now.won and then.closed and not then.won:  # the `close` by which nobody came back now forbids that they do
        open_then = _("No more ricompere")
    rows.append((_("Ricompera"), open_now, open_then))
    if (was.status, was.winner) != (would.status, would.winner):
        rows.append((_("Game"), sentence(words.status(was, lang)), sentence(words.status(would, lang))))
    for name in dict.fromkeys([*(was.settlement or {}), *(would.settlement or {})]):
        gets, would_get = (money((told.settlement or {}).get(name, 0), lang) for told in (was, would))
        rows.append((_("{name} takes").format(name=name), gets, would_get))
    return (*(Difference(*row) for row in rows if row[1] != row[2]), *agreements.differences(now, then, lang))
