"""The rulings of Stoper as people say them, in Italian and English."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from companion.decks import italian_words
from companion.decks.italian import SUITS
from companion.decks.italian_sets import INDEX
from companion.games.stoper.rules.log import Set
from companion.games.stoper.rules.report import Report, report
from companion.games.stoper.rules.state import Doubtful, HandRulings, Irregularity, Pot, Returned, State
from companion.table.language import N_, Lang, catalogue
from companion.table.money import exact
from companion.table.setting import sets_by_hand
from companion.table.story import ALL_SURE, STANDS, Between, Doubts, hand_title, only_the_outcome, printed, ruling_sure
from companion.table.text import perhaps, short

RULE_OF: Final[dict[str, int]] = {
    "shown": 14, "alone": 12, "conceded": 14, "returned": 13, "no_opening": 7, "parola": 11,
    "wrong_dealer": 2, "false_opening": 6,
}  # fmt: skip
"""What can come of a hand → the rule that says so."""

_POTS: Final[dict[str, str]] = {
    "shown": N_("{winner} takes {pot} with {score}: {sum}"),
    "alone": N_("{winner} takes {pot}, all others having passed: {sum}"),
    "conceded": N_("{winner} takes {pot}, all others having conceded: {sum}"),
}
_UNASSIGNED: Final[dict[str, str]] = {
    "no_opening": N_("nobody opens: {sum} stay for the next hand"),
    "parola": N_("all say parola: {sum} stay for the next hand"),
}
_IRREGULARITIES: Final[dict[str, str]] = {
    "wrong_dealer": N_("{player} dealt out of turn"),
    "false_opening": N_("{player} opened without what it takes"),
}
_STATUS: Final[dict[str, str]] = {
    "in_play": N_("play goes on; {dealer} deals"),
    "hand_in_progress": N_("a hand is in progress; {dealer} deals the next"),
    "won": N_("{winner} has won the tournament"),
    "over": N_("the game is over"),
}
_LEVELS: Final[dict[str, str]] = {
    "donna": N_("a knave (Donna) opens"), "cavallo": N_("a knight (Cavallo) opens"), "re": N_("a king (Re) opens"),
}  # fmt: skip


_TIE_RULE: Final = 16
_TIES: Final[dict[str, str]] = {
    "of_one_suit": N_("{score} against {score}: three cards of one suit come first"),
    "suit": N_("{score} against {score}: {better} before {worse}"),
    "third_suit": N_("{score} against {score}: by the third card, {better} before {worse}"),
    "ace_suit": N_("{score} against {score}: by the better ace, {better} before {worse}"),
    "card": N_("{score} against {score}: {better} before {worse}"),
    "false_opening": N_("{player} showed {score}, but opened without what it takes"),
}


def ties(found: Pot, pots: Sequence[Pot], lang: Lang, *, cited: bool = True) -> tuple[str, ...]:
    """Why players who have shown the winner's score, or more, do not take this pot, one of ``pots``: a few words each. ``cited``:
    with the rule."""
    _ = catalogue(lang).gettext
    scores = {one.player: one.score for pot in pots for one in pot.ranking}
    if found.how != "shown":
        return ()
    said = []
    for one in found.ties:
        better, worse = _tied(one.better, lang), _tied(one.worse, lang)
        text = _(_TIES[one.by]).format(player=short(one.player), score=scores[one.player], better=better, worse=worse)
        said.append((text, RULE_OF["false_opening"] if one.by == "false_opening" else _TIE_RULE))
    for name in _not_entitled(found, pots):
        text = _("{player} showed {score}, but had not put in as much").format(player=short(name), score=scores[name])
        said.append((text, RULE_OF["returned"]))
    cite = _(" (rule {rule})") if cited else ""
    return tuple(dict.fromkeys(text + cite.format(rule=rule) for text, rule in said))


def compared(found: Pot, pots: Sequence[Pot]) -> frozenset[str]:
    """The players whose cards a sentence on who takes this pot, one of ``pots``, names: the winner, and those whom `ties` names.
    Whatever else was shown, the winner takes it with these."""
    if found.how != "shown":
        return frozenset()
    return frozenset({found.winner, *(one.player for one in found.ties), *_not_entitled(found, pots)})


def _not_entitled(found: Pot, pots: Sequence[Pot]) -> tuple[str, ...]:
    """The players whose cards come before the winner's, and who have not put in enough for this pot."""
    names = dict.fromkeys(one.player for pot in pots for one in pot.ranking)
    return tuple(name for name in names if name not in found.entitled and _ranks_before(name, found.winner, pots))


def _ranks_before(one: str, other: str, pots: Sequence[Pot]) -> bool:
    """Whether one player's cards come before the other's in a pot for which both have shown."""
    rankings = ([shown.player for shown in pot.ranking] for pot in pots)
    return any(one in names and other in names and names.index(one) < names.index(other) for names in rankings)


def _tied(what: str, lang: Lang) -> str:
    """A suit, or a card by its number: what decides between equal scores."""
    if what in SUITS:
        return SUITS[what].it if lang == "it" else SUITS[what].en
    if what == "denari-1":
        return italian_words.of_a_suit([INDEX[what]], lang)
    return italian_words.number(1 if what == "ace" else int(what), lang) if what else ""


def with_rule(said: str, what: str, lang: Lang) -> str:
    """A sentence with the number of the rule that it goes by."""
    return said + catalogue(lang).gettext(" (rule {rule})").format(rule=RULE_OF[what])


def how(found: Pot) -> str:
    """How a pot was taken, as `RULE_OF` has it: where others could have shown for it, they have conceded."""
    return "conceded" if found.how == "alone" and len(found.entitled) > 1 else found.how


def pot(found: Pot, n: int, of: int, lang: Lang) -> str:
    """Whose pot ``n``, from 1, of ``of`` pots is, and why."""
    _ = catalogue(lang).gettext
    named = _("the pot") if of == 1 else _("pot {n}").format(n=n)
    why = how(found)
    score = next((one.score for one in found.ranking if one.player == found.winner), None)
    said = _(_POTS[why]).format(winner=found.winner, pot=named, score=score, sum=exact(found.amount, lang))
    return with_rule(said, why, lang)


def returned(back: Returned, lang: Lang) -> str:
    """What nobody has matched."""
    said = catalogue(lang).gettext("{player} takes back {sum}, which nobody matched")
    return with_rule(said.format(player=back.player, sum=exact(back.amount, lang)), "returned", lang)


def irregularity(found: Irregularity, lang: Lang) -> str:
    """One mistake."""
    said = catalogue(lang).gettext(_IRREGULARITIES[found.kind]).format(player=found.player)
    return with_rule(said, found.kind, lang)


def results(rulings: HandRulings, lang: Lang, doubtful: Collection[Doubtful] = ()) -> tuple[str, ...]:
    """What goes back, whose each pot is, or what stays: a sentence each; ``doubtful``: what of it is not sure."""
    said = [returned(back, lang) for back in rulings.returned]
    pots = rulings.pots
    for n, found in enumerate(pots, start=1):
        whose = "; ".join((pot(found, n, len(pots), lang), *ties(found, pots, lang)))
        said.append(perhaps(whose, sure=found not in doubtful))
    if rulings.unassigned is not None:
        left = rulings.carried_in - sum(paid.delta for paid in rulings.payments)
        one = catalogue(lang).gettext(_UNASSIGNED[rulings.unassigned]).format(sum=exact(left, lang))
        said.append(with_rule(one, rulings.unassigned, lang))
    return tuple(said)


def hand(rulings: HandRulings, lang: Lang, doubtful: Collection[Doubtful] = ()) -> tuple[str, ...]:
    """What a hand came to: its pots, and by how much every stack has changed; ``doubtful``: what of it is not sure."""
    _ = catalogue(lang).gettext
    if rulings.void:
        return (_("void: the same dealer deals again"),)
    changed = ", ".join(f"{paid.player} {signed(paid.delta, lang)}" for paid in rulings.payments)
    irregular = _("irregular: {mistake}")
    mistakes = [
        perhaps(irregular.format(mistake=irregularity(found, lang)), sure=found not in doubtful)
        for found in rulings.irregularities
    ]
    only = [only_the_outcome(lang)] if rulings.stated else []
    return (*results(rulings, lang, doubtful), *([changed] if changed else ()), *only, *mistakes)


def signed(minor: int, lang: Lang) -> str:
    """By how much a stack has changed: "+12,00 €", "−€6.00"."""
    return ("+" if minor > 0 else "−") + exact(abs(minor), lang)


def stands(event: Set, lang: Lang) -> tuple[str, ...]:
    """What a `set` line says: of each player that it names, of the pot that is carried, of what opens it."""
    _ = catalogue(lang).gettext
    found = [f"{short(name)}: {exact(stack, lang)}" for name, stack in event.stacks.items()]
    if event.pot is not None:
        found.append(_("left in the pot: {sum}").format(sum=exact(event.pot, lang)))
    if event.level is not None:
        found.append(_(_LEVELS[event.level]))
    return tuple(found)


def standing(rulings: Report, lang: Lang, *, sure: bool = True, believed: Collection[str] = ()) -> tuple[str, ...]:
    """How everybody stands: status, stacks, what lies on the table or is carried; ``sure``: the last ruling is. ``believed``:
    players for whom it is not sure what they have."""
    _ = catalogue(lang).gettext
    status = _(_STATUS[rulings.status]).format(dealer=rulings.dealer, winner=rulings.winner)
    said = [perhaps(status, sure=(sure and not believed) or rulings.status != "won")]
    said += [perhaps(f"{one.name}: {exact(one.stack, lang)}", sure=one.name not in believed) for one in rulings.players]
    carried, table = rulings.carried, rulings.table
    if table is not None:
        said.append(_("on the table: {sum}").format(sum=exact(table.pot, lang)))
    if carried.pot:
        left = _("parola pot: {sum}") if carried.parola else _("left in the pot: {sum}")
        said.append(f"{left.format(sum=exact(carried.pot, lang))}; {_(_LEVELS[carried.level])}")
    if carried.said:
        said.append(_("of the pot: {players}").format(players=", ".join(carried.said)))
    said += [_("{player} joins for {sum}").format(player=name, sum=exact(due, lang)) for name, due in carried.join.items()]
    return tuple(said)


def rulings(
    state: State, lang: Lang, steps: Mapping[int, Sequence[str]] | None = None, between: Between | None = None,
    doubts: Doubts = ALL_SURE,
) -> str:  # fmt: skip
    """The whole game as `companion rule` prints it: each hand with who won what, then how everybody stands.

    ``steps``: number of a hand → the sentences that tell it step by step, said in place of what it came to. ``between``: what
    was said between the hands; None for what the state has of it, how it was set. ``doubts``: what of each hand is not sure.
    """
    result, told = report(state), steps or {}
    hands = ((hand_title(one, lang), told.get(one.n, hand(one, lang, doubts.get(one.n, ())))) for one in result.hands)

    if between is None:
        between = sets_by_hand(state.settings, lambda event: stands(event, lang), lang)
    sure = ruling_sure(doubts, len(result.hands))
    stand = standing(result, lang, sure=sure, believed=doubts.get(STANDS, ()))
    return printed(hands, stand, between, ALL_SURE if told else doubts)
