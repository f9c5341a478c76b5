"""The rulings of Stoppa as people say them, in Italian and English."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Final

from companion.decks import italian_words
from companion.games.stoppa.rules.log import Set, What
from companion.games.stoppa.rules.report import Report, report
from companion.games.stoppa.rules.state import Cause, Doubtful, HandRulings, Irregularity, Payment, Pot, Ranked, State
from companion.table.language import N_, Lang, catalogue
from companion.table.money import exact, stake
from companion.table.setting import sets_by_hand
from companion.table.story import ALL_SURE, STANDS, Between, Doubts, hand_title, nothing_paid, only_the_outcome, printed
from companion.table.text import listed, perhaps, short

RULE_OF: Final[dict[str, int]] = {
    "stoppata": 15, "misera": 9, "four_kings": 9, "wrong_dealer": 3, "omitted": 16, "undeclared": 9, "piccolo": 7, "grosso": 8,
}  # fmt: skip
"""The rule that each payment, mistake and punto goes by."""

_POTS: Final[dict[str, str]] = {
    "shown": N_("{winner} takes the {punto} with {group}: {sum}"),
    "conceded": N_("{winner} takes the {punto}, all others having conceded: {sum}"),
    "alone": N_("{winner} takes the {punto}, all others having passed: {sum}"),
    "dealer": N_("nobody bets on the {punto}: the dealer, {winner}, takes it: {sum}"),
    "carried": N_("nobody bets on the {punto}: {sum} stay on the table for the next hand"),
    "stated": N_("{winner} takes the {punto}, as the table has said: {sum}"),
}
_PAYMENTS: Final[dict[Cause, str]] = {
    "stoppata": N_("{player} pays {to} {sum} for the stoppata, with {cards} cards left"),
    "misera": N_("{player} pays {to} {sum} for the misera, a hand without figures"),
    "four_kings": N_("{player} pays {to} {sum} for the four Re"),
}
_DECLARED: Final[dict[What, str]] = {
    "four_kings": N_("{player} declares the four Re: there is no stoppata"),
    "misera": N_("{player} declares misera: there is no stoppata"),
    "no_stoppata": N_("{player} declares a hand that does not stop: there is no stoppata"),
}
_IRREGULARITIES: Final[dict[str, str]] = {
    "wrong_dealer": N_("{player} dealt out of turn"),
    "omitted": N_("{player} held the {card} and did not lay it"),
    "undeclared": N_("{player} held a hand that prevents the stoppata, and did not declare it"),
}
_STATUS: Final[dict[str, str]] = {
    "in_play": N_("play goes on; {dealer} deals"),
    "hand_in_progress": N_("a hand is in progress; {dealer} deals the next"),
    "last_hand": N_("the last hand is in progress: it has no stoppata (rule 18)"),
    "over": N_("the game is over"),
}


def amount(minor: int, lang: Lang, *, points: bool = False) -> str:
    """A sum of money, exact at any size, or of ``points``."""
    return stake(minor, lang, points=True) if points else exact(minor, lang)


def signed_sum(minor: int, lang: Lang, *, points: bool = False) -> str:
    """A balance: "+12,00 €", "−€6.00", "+12 punti"."""
    sign = "+" if minor > 0 else "−" if minor < 0 else ""
    return sign + amount(abs(minor), lang, points=points)


def punto(phase: str) -> str:
    """What is played for, in any language: "punto piccolo 2", "punto grosso".

    >>> punto("piccolo-2")
    'punto piccolo 2'
    """
    return f"punto {phase.replace('-', ' ')}"


def group(cards: int, score: int, lang: Lang) -> str:
    """A group at a comparison: "3 cards of a suit, 55"."""
    said = catalogue(lang).ngettext("{n} card, {score}", "{n} cards of a suit, {score}", cards)
    return str(said.format(n=cards, score=score))


_MORE: Final = {2: N_("two cards beat one of {score}"), 3: N_("three cards beat two of {score}")}
_THREE_BEAT_ONE = N_("three cards beat one of {score}")


def ties(found: Pot, lang: Lang, *, cited: bool = True) -> tuple[str, ...]:
    """Why a punto is not theirs who have shown as much as its winner, or more: a few words each; ``cited``: with the rule."""
    _ = catalogue(lang).gettext
    said = []
    for other in _tied(found):
        best = found.ranking[0]
        if other.cards == best.cards:
            said.append(_("{score} against {score}: the player served first takes it").format(score=best.score))
        else:
            message = _THREE_BEAT_ONE if best.cards - other.cards > 1 else _MORE[best.cards]
            said.append(_(message).format(score=other.score))
    rule = _(" (rule {rule})").format(rule=6) if cited else ""
    return tuple(one + rule for one in dict.fromkeys(said))


def _tied(found: Pot) -> tuple[Ranked, ...]:
    """Those who have shown as much as the winner, or more."""
    return tuple(other for other in found.ranking[1:] if other.score >= found.ranking[0].score)


def compared(found: Pot) -> frozenset[str]:
    """The players whose cards a sentence on who takes a punto names: the winner, and those whom `ties` names."""
    return frozenset(one.player for one in (*found.ranking[:1], *_tied(found)))


def pot(found: Pot, lang: Lang, *, points: bool = False) -> str:
    """Whose a punto is, and why, with its rule."""
    _ = catalogue(lang).gettext
    best = group(found.ranking[0].cards, found.ranking[0].score, lang) if found.ranking else ""
    message = _POTS[found.how]
    if found.how == "stated" and not found.bets:
        message = (
            N_("nobody has entered a bet on the {punto}: the dealer, {winner}, takes it: {sum}") if found.winner is not None
            else N_("nobody has entered a bet on the {punto}: {sum} stay on the table for the next hand")
        )  # fmt: skip
    said = _(message).format(
        winner=found.winner, punto=punto(found.phase), group=best, sum=amount(found.prize + found.bets, lang, points=points)
    )
    if found.how == "stated":
        return said
    cited = _(" (rule {rule})").format(rule=RULE_OF[found.phase.partition("-")[0]])
    return "; ".join((said + cited, *ties(found, lang)))


def _unbet_piccolo(found: Pot, doubtful: Collection[Doubtful]) -> tuple[str | None, int] | None:
    """Whose a punto piccolo is on which nobody bet, and for how much, where that is sure: several alike are told together. None
    for any other punto."""
    alike = found.how == "dealer" and found.phase.startswith("piccolo-") and found not in doubtful
    return (found.winner, found.prize + found.bets) if alike else None


def _several(pots: Sequence[Pot], lang: Lang, *, points: bool) -> str:
    """Whose several punti piccoli are on which nobody bet, each for the same sum, with the rule."""
    _ = catalogue(lang).gettext
    said = _("nobody bets on the punti piccoli {which}: the dealer, {winner}, takes them: {sum} each").format(
        which=listed([found.phase.partition("-")[2] for found in pots], lang), winner=pots[0].winner,
        sum=amount(pots[0].prize + pots[0].bets, lang, points=points),
    )  # fmt: skip
    return said + _(" (rule {rule})").format(rule=RULE_OF["piccolo"])


def payment(paid: Payment, lang: Lang, *, points: bool = False) -> str:
    """Who pays whom, and why, with the rule."""
    _ = catalogue(lang).gettext
    owed = amount(paid.amount, lang, points=points)
    said = _(_PAYMENTS[paid.cause]).format(player=paid.payer, to=paid.to, sum=owed, cards=paid.cards)
    return said + _(" (rule {rule})").format(rule=RULE_OF[paid.cause])


def irregularity(found: Irregularity, lang: Lang, *, where: bool = True) -> str:
    """One mistake, with the rule that it goes against; ``where``: and with the line of the log at which it happened."""
    _ = catalogue(lang).gettext
    which = italian_words.card(found.card, lang) if found.card else ""
    said = _(_IRREGULARITIES[found.kind]).format(player=found.player, card=which)
    if where and found.line is not None:
        said += _(", line {line}").format(line=found.line)
    return said + _(" (rule {rule})").format(rule=RULE_OF[found.kind])


def declared(player: str, what: What, lang: Lang) -> str:
    """The sentence that a player has declared a hand."""
    return catalogue(lang).gettext(_DECLARED[what]).format(player=player)


def hand(
    rulings: HandRulings, lang: Lang, *, points: bool = False, over: bool = True, doubtful: Collection[Doubtful] = ()
) -> tuple[str, ...]:
    """What a hand came to: its punti, declarations, the stoppata and who pays, a sentence each; ``over``: the hand is;
    ``doubtful``: what of it is not sure."""
    _ = catalogue(lang).gettext
    if rulings.void:
        return (_("void: the same dealer deals again"),)
    said = []
    for _key, alike in groupby(enumerate(rulings.pots), lambda at: _unbet_piccolo(at[1], doubtful) or at[0]):
        pots = [found for _at, found in alike]
        told = pot(pots[0], lang, points=points) if len(pots) == 1 else _several(pots, lang, points=points)
        said.append(perhaps(told, sure=pots[0] not in doubtful))
    said += [declared(one.player, one.what, lang) for one in rulings.declared or ()]
    stoppata = rulings.stoppata
    if stoppata is not None and stoppata.annulled:
        said.append(_("all agree that there is no stoppata") + _(" (rule {rule})").format(rule=16))
    elif stoppata is not None and stoppata.winner is not None:
        said.append(_("{player} stops: the stoppata is over").format(player=stoppata.winner))
    said += [payment(paid, lang, points=points) for paid in rulings.payments]
    return tuple(said) or (nothing_paid(lang, over=over),)


def mistakes(rulings: HandRulings, lang: Lang, doubtful: Collection[Doubtful] = ()) -> tuple[str, ...]:
    """What was irregular in a hand, and that only its outcome is known, a sentence each; ``doubtful``: what of it is not sure."""
    irregular = catalogue(lang).gettext("irregular: {mistake}")
    said = tuple(
        perhaps(irregular.format(mistake=irregularity(found, lang)), sure=found not in doubtful)
        for found in rulings.irregularities
    )
    return (*said, only_the_outcome(lang)) if rulings.stated else said


def stands(event: Set, lang: Lang, *, points: bool = False) -> tuple[str, ...]:
    """What a `set` line says of each player that it names."""
    return tuple(f"{short(name)}: {signed_sum(balance, lang, points=points)}" for name, balance in event.standing.items())


def standing(
    rulings: Report, lang: Lang, *, points: bool = False, believed: Collection[str] = ()
) -> tuple[str, ...]:  # fmt: skip
    """How everybody stands: status, balances, what lies on the table, the giro. ``believed``: players for whom it is not sure
    what they have won or lost."""
    _ = catalogue(lang).gettext
    said = [_(_STATUS[rulings.status]).format(dealer=rulings.dealer)]
    sums = ((one.name, signed_sum(one.balance, lang, points=points)) for one in rulings.players)
    said += [perhaps(f"{name}: {balance}", sure=name not in believed) for name, balance in sums]
    if left := -sum(player.balance for player in rulings.players):
        said.append(_("on the table: {sum}").format(sum=amount(left, lang, points=points)))
    giro = rulings.giro
    said.append(
        _("giro {n}, hand {hand} of {of}").format(n=giro.n, hand=giro.hand, of=giro.of) + (_(", called") if giro.called else "")
    )
    return tuple(said)


def rulings(
    state: State, lang: Lang, steps: Mapping[int, Sequence[str]] | None = None, between: Between | None = None,
    doubts: Doubts = ALL_SURE,
) -> str:  # fmt: skip
    """The whole game as `companion rule` prints it: each hand with who won and paid what, then how everybody stands.

    ``steps``: number of a hand → the sentences that tell it step by step, said in place of its payments. ``between``: what was
    said between the hands; None for what the state has of it, how it was set. ``doubts``: what of each hand is not sure.
    """
    result, told, points = report(state), steps or {}, state.table.points
    def sentences(one: HandRulings) -> tuple[str, ...]:
        doubtful, over = doubts.get(one.n, ()), one.n <= len(state.hands)
        return (*hand(one, lang, points=points, over=over, doubtful=doubtful), *mistakes(one, lang, doubtful))

    hands = ((hand_title(one, lang), told.get(one.n, sentences(one))) for one in result.hands)

    if between is None:
        between = sets_by_hand(state.settings, lambda event: stands(event, lang, points=points), lang)
    stand = standing(result, lang, points=points, believed=doubts.get(STANDS, ()))
    return printed(hands, stand, between, ALL_SURE if told else doubts)
