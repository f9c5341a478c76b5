"""The rulings as people say them, in Italian and English, with Montorio's own words where the booklet has them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from companion.decks.stu import Kind
from companion.games.stu import agreed
from companion.games.stu.rules.log import Set
from companion.games.stu.rules.report import Report, report, virgins_by_hand
from companion.games.stu.rules.state import Cause, HandRulings, Irregularity, IrregularityKind, Payment, State, Status
from companion.table.language import N_, Lang, catalogue
from companion.table.money import exact
from companion.table.setting import sets_by_hand
from companion.table.story import (
    ALL_SURE,
    STANDS,
    Between,
    Doubts,
    hand_title,
    nothing_paid,
    only_the_outcome,
    printed,
    ruling_sure,
)  # fmt: skip
from companion.table.text import listed, perhaps, short, signed

RULE_OF_IRREGULARITY: Final[dict[IrregularityKind, int]] = {
    "passed_unbeatable": 2,
    "should_have_refused": 11,
    "exposed_early": 24,
    "wrong_dealer": 7,
}
"""The rule that each mistake goes against."""

_PAYMENTS: Final[dict[Cause, str]] = {
    "gnaffata": N_("{player} takes a gnaffata from {by}: one pedina"),
    "bbummata": N_("{player} takes a bbummata from {by}: one pedina"),
    "lowest": N_("{player} has the lowest card, {card}: one pedina"),
    "matto": N_("{player} is left with the Matto, which pays and makes others pay: one pedina"),
    "two_matti": N_("both Matti are out: {player} gains one pedina"),
    "n_llev_e_n_matt": N_("{player} has the Matto di mano: “n llev e n matt”, neither pays nor gains"),
    "taverna_for_nulla": N_("the lowest is the Nulla that the Taverna stopped: {player} pays the pedina for it"),
    "penalty": N_("{player} pays one pedina as a penalty"),
    "stated": N_("{player} {n}: as the table has said"),
}

_BRIEF: Final[dict[Cause, str]] = {
    "gnaffata": N_("gnaffata from {by}"),
    "bbummata": N_("bbummata from {by}"),
    "lowest": N_("lowest card, {card}"),
    "matto": N_("left with the Matto"),
    "two_matti": N_("both Matti are out"),
    "n_llev_e_n_matt": N_("Matto di mano: neither pays nor gains"),
    "taverna_for_nulla": N_("the Nulla that the Taverna stopped"),
    "penalty": N_("penalty"),
    "stated": N_("as the table has said"),
}

_IRREGULARITIES: Final[dict[IrregularityKind, str]] = {
    "passed_unbeatable": N_("{player} passed a card that could not be bettered"),
    "should_have_refused": N_("{player} held a trump and should have refused the exchange"),
    "exposed_early": N_("{player} showed the card too early"),
    "wrong_dealer": N_("{player} dealt out of turn"),
}

_STATUS: Final[dict[Status, str]] = {
    "in_play": N_("play goes on; {dealer} deals"),
    "hand_in_progress": N_("a hand is in progress; {dealer} deals the next"),
    "won_unless_reentry": N_("{winner} has won, unless somebody comes back"),
    "won": N_("{winner} has won"),
    "restarted": N_("nobody is left: all come back with three pedine, and no more ricompere (rule 21); {dealer} deals"),
}

_FIGURES: Final[dict[Kind, str]] = {
    "matto": N_("the Matto"),
    "leone": N_("the Leone"),
    "mascherone": N_("the Mascherone"),
    "secchia": N_("the Secchia"),
    "nulla": N_("the Nulla"),
    "taverna": N_("the Taverna"),
    "gnao": N_("the Gnao"),
    "salta": N_("the Salta"),
    "bragon": N_("the Bragon"),
    "cucco": N_("the Cucco"),
}


def card(kind: Kind, language: Lang) -> str:
    """The card with its article.

    >>> [card(kind, "it") for kind in ("secchia", "gnao", "8", "2")], card("secchia", "en")
    (['la Secchia', 'lo Gnao', 'l’8', 'il 2'], 'the Secchia')
    """
    say = catalogue(language)
    if kind in _FIGURES:
        return say.gettext(_FIGURES[kind])
    said = say.pgettext("1 or 8", "the {number}") if kind in ("1", "8") else say.gettext("the {number}")
    return said.format(number=kind)


def payment(paid: Payment, language: Lang, dealer: str | None = None) -> str:
    """One payment as a sentence with its rule; ``dealer`` is who dealt that hand."""
    _ = catalogue(language).gettext
    which = card(paid.card, language) if paid.card else ""
    said = _(_PAYMENTS[paid.cause]).format(player=paid.player, by=paid.by, card=which, n=signed(paid.delta))
    if paid.cause == "lowest" and paid.player == dealer:
        said += _("; the deck itself pays (si va col mazzo)")
    return said + _since_set(paid, language) + _rule(paid, language) + tie(paid, language)


def brief(paid: Payment, language: Lang, dealer: str | None = None) -> str:
    """Why a payment falls due, in few words with its rule; ``dealer`` is who dealt that hand."""
    _ = catalogue(language).gettext
    said = _(_BRIEF[paid.cause]).format(by=paid.by, card=card(paid.card, language) if paid.card else "")
    if paid.cause == "lowest" and paid.player == dealer:
        said += _(": the deck itself pays")
    return said + _since_set(paid, language) + _rule(paid, language) + tie(paid, language)


def _since_set(paid: Payment, language: Lang) -> str:
    return catalogue(language).gettext(", after the table has said how it stands") if paid.since_set else ""


def _rule(paid: Payment, language: Lang) -> str:
    return catalogue(language).gettext(" (rule {rule})").format(rule=paid.rule) if paid.rule else ""


def tie(paid: Payment, language: Lang) -> str:
    """Why this card pays, where several are as low, to stand after the payment; "" where there are no others."""
    if not paid.tied:
        return ""
    _ = catalogue(language).gettext
    lowest, nulla = _("; as low as {players}’s, but nearest di mano"), _("; of two Nulle the one nearest di mano")
    players = listed([short(name) for name in paid.tied], language)
    return (lowest if paid.cause == "lowest" else nulla).format(players=players) + _(" (rule {rule})").format(rule=19)


def irregularity(found: Irregularity, language: Lang) -> str:
    """One mistake as a sentence with the rule that it goes against."""
    _ = catalogue(language).gettext
    said = _(_IRREGULARITIES[found.kind]).format(player=found.player)
    return said + _(" (rule {rule})").format(rule=RULE_OF_IRREGULARITY[found.kind])


def out(player: str, language: Lang) -> str:
    """The sentence that a player has lost the last pedina (rule 18)."""
    return catalogue(language).gettext("{player} is out (su saupr)").format(player=player)


def all_back(language: Lang) -> str:
    """The sentence that a hand has left nobody with a pedina (rule 21)."""
    return catalogue(language).gettext("All come back, no more ricompere (rule 21)")


def fine_del_vergine(rulings: HandRulings, virgins: Collection[str]) -> str | None:
    """The virgin who paid for a gnaffata, a bbummata and the lowest card in this hand (rule 22); None where nobody did."""
    for player in virgins:
        causes = {paid.cause for paid in rulings.payments if paid.player == player}
        if causes >= {"gnaffata", "bbummata", "lowest"}:
            return player
    return None


def hand(
    rulings: HandRulings, language: Lang, *, over: bool = True, doubtful: Collection[Payment | Irregularity] = ()
) -> tuple[str, ...]:
    """Who paid what in this hand and why, a sentence each; that it is void, that nobody paid, or that it is not ``over``.
    ``doubtful``: what of it is not sure."""
    _ = catalogue(language).gettext
    if not rulings.payments:
        return (_("void: the same dealer deals again") if rulings.void else nothing_paid(language, over=over),)
    return tuple(perhaps(payment(paid, language, rulings.dealer), sure=paid not in doubtful) for paid in rulings.payments)


def aftermath(
    rulings: HandRulings, language: Lang, virgins: Collection[str] = (), doubtful: Collection[Payment | Irregularity] = ()
) -> tuple[str, ...]:
    """Who is out, whose virginity met its end, and what was irregular, a sentence each; ``doubtful``: what of it is not sure.

    ``virgins`` are those who were virgins when the hand began: one of them may meet the fine del vergine (rule 22).
    """
    _ = catalogue(language).gettext
    said = [out(player, language) for player in rulings.out]
    if (ended := fine_del_vergine(rulings, virgins)) is not None:
        end = _("gnaffata, bbummata and lowest card: the virgin's end (fine del vergine) for {player}")
        said.insert(0, end.format(player=ended) + _(" (rule {rule})").format(rule=22))
    irregular = _("irregular: {mistake}")
    said += [
        perhaps(irregular.format(mistake=irregularity(found, language)), sure=found not in doubtful)
        for found in rulings.irregularities
    ]
    return (*said, only_the_outcome(language)) if rulings.stated else tuple(said)


def status(rulings: Report, language: Lang) -> str:
    """What the game is doing, and who deals or has won."""
    said = catalogue(language).gettext(_STATUS[rulings.status])
    return said.format(dealer=rulings.dealer, winner=rulings.winner)


def has(pedine: int, virgin: bool, language: Lang) -> str:
    """What a player has: "2 pedine, virgin"."""
    say = catalogue(language)
    if not pedine:
        return say.gettext("out")
    count = say.ngettext("{n} pedina", "{n} pedine", pedine).format(n=pedine)
    return f"{count}, {say.gettext('virgin')}" if virgin else count


def stands(event: Set, language: Lang) -> tuple[str, ...]:
    """What a `set` line says: of each player it names, and how many ricompere were paid."""
    found = [f"{short(name)}: {has(one.pedine, one.virgin, language)}" for name, one in event.standing.items()]
    if (n := event.ricompere) is not None:
        found.append(catalogue(language).ngettext("{n} ricompera paid", "{n} ricompere paid", n).format(n=n))
    return tuple(found)


def standing(
    rulings: Report, language: Lang, *, sure: bool = True, believed: Collection[str] = ()
) -> tuple[str, ...]:  # fmt: skip
    """How everybody stands: status, players, pot and ricompera, and the settlement of a game that is won; ``sure``: the last
    ruling is, by which it may be. ``believed``: players for whom it is not sure what they have."""
    _ = catalogue(language).gettext
    goes_on = rulings.status in ("in_play", "hand_in_progress")
    sure = sure and not believed
    said = [perhaps(status(rulings, language), sure=sure or goes_on)]
    for player in rulings.players:
        pedine = "●" * min(player.pedine, 20) if player.in_play else _("out")
        virgin = _(", virgin") if player.virgin else ""
        said.append(perhaps(f"{player.name}: {pedine}{virgin}", sure=player.name not in believed))
    price = _("ricompera open at {price}") if rulings.ricompera.open else _("no ricompera")
    price = price.format(price=exact(rulings.ricompera.price, language))
    said.append(_("pot {pot}; {ricompera}").format(pot=exact(rulings.pot, language), ricompera=price))
    for name, amount in (rulings.settlement or {}).items():
        said.append(perhaps(_("{name} gets {sum}").format(name=name, sum=exact(amount, language)), sure=sure))
    return tuple(said)


def rulings(
    state: State, language: Lang, steps: Mapping[int, Sequence[str]] | None = None, between: Between | None = None,
    doubts: Doubts = ALL_SURE,
) -> str:  # fmt: skip
    """The whole game as `companion rule` prints it: each hand with who paid and why, then how everybody stands.

    ``steps``: number of a hand → the sentences that tell it step by step, said in place of its payments. ``between``: what was
    said between the hands; None for what the state has of it, how it was set. ``doubts``: what of each hand is not sure.
    """
    result, told = report(state), steps or {}

    def sentences(one: HandRulings, virgins: Collection[str]) -> tuple[str, ...]:
        doubtful = doubts.get(one.n, ())
        told_or_paid = told.get(one.n) or hand(one, language, over=one.n <= len(state.hands), doubtful=doubtful)
        restart = (all_back(language), *agreed.lapsed(state, one.n, language, str)) if one.n in state.restarts else ()
        return (*told_or_paid, *aftermath(one, language, virgins, doubtful), *agreed.in_full(state, one.n, language), *restart)

    hands = [
        (hand_title(one, language), sentences(one, virgins))
        for one, virgins in zip(result.hands, virgins_by_hand(state), strict=True)
    ]
    if between is None:
        between = sets_by_hand(state.settings, lambda event: stands(event, language), language)
    sure = ruling_sure(doubts, len(result.hands))
    stand = standing(result, language, sure=sure, believed=doubts.get(STANDS, ()))
    return printed(hands, stand, between, ALL_SURE if steps else doubts)
