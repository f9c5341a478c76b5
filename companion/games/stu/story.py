"""The moviola: a hand told step by step, with who held which card, as far as the faces seen by its end prove it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.decks.stu import RANK, Kind
from companion.games.stu import words
from companion.games.stu.rules import log
from companion.games.stu.rules.between import begin
from companion.games.stu.rules.engine import apply
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.state import NOBODY, Hand, Irregularity, Payment, Position, State
from companion.table.language import LANGS, N_, Lang, catalogue
from companion.table.log import Line
from companion.table.story import ALL_SURE, Doubts, act_sure
from companion.table.text import sentence

Deed = Literal[
    "sto", "passo", "passo_back", "passo_dealer", "swap", "swap_back", "taverna", "handed_back", "refused", "jumped",
    "draw", "shown", "penalty", "end", "void",
]  # fmt: skip
"""What a step is: the event, told apart by its place in the play."""


class Step(Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a hand, and how it left the cards.

    Attributes:
        line: the event's place among the lines, from 1.
        deed: what it was. ``who`` did it, to or with ``whom``.
        card: the card that mattered (given, shown or drawn) as far as it is known; ``other``: the one it went against.
        cards: player → kind held after this step, None where no face seen ever proves it; only those still in.
        payments, irregularities: what fell due, or came to light, at this step.
        says: the step as a sentence, by language.
    """

    line: int
    deed: Deed
    cards: dict[str, Kind | None]
    says: dict[str, str]
    who: str | None = None
    whom: str | None = None
    card: Kind | None = None
    other: Kind | None = None
    payments: tuple[Payment, ...] = ()
    irregularities: tuple[Irregularity, ...] = ()


class HandStory(Struct, frozen=True):
    """A hand from the deal on: ``dealt`` is player → kind as dealt, None where no face seen proves it."""

    n: int
    dealer: str
    order: tuple[str, ...]
    dealt: dict[str, Kind | None]
    steps: tuple[Step, ...]
    virgins: tuple[str, ...]


class _Moment(Struct, frozen=True):
    """An event in a hand, with the states around it."""

    number: int
    line: Line
    before: State
    after: State

    @property
    def event(self) -> Event:
        found: Event = self.line.event
        return found


def story(
    lines: Iterable[Line], state: State | None = None, *, doubts: Doubts | None = None
) -> tuple[HandStory, ...]:  # fmt: skip
    """All hands of a log, the one in progress included; ``state``: the game before these lines, None before its first.
    ``doubts``: see `companion.table.story.Telling`.

    Raises:
        GameError: the log cannot have happened.
    """
    hands: list[HandStory] = []
    moments: list[_Moment] = []
    for number, line in enumerate(lines, start=1):
        if state is None:
            assert isinstance(line.event, log.Game)
            state = begin(line.event)
            continue
        after = apply(state, line.event)
        if state.hand is not None:
            moments.append(_Moment(number, line, state, after))
        if moments and after.hand is None:
            hands.append(_story_of(moments, doubts))
            moments = []
        elif state.hand is None and after.hand is not None:
            moments = []
        state = after
    if moments:
        hands.append(_story_of(moments, doubts))
    return tuple(hands)


def _story_of(moments: list[_Moment], doubts: Doubts | None) -> HandStory:
    first = moments[0].before
    opening = first.hand
    assert opening is not None
    names = tuple(first.table.names[seat] for seat in opening.order)
    faces = _proven(moments[-1])
    doubtful = (doubts or ALL_SURE).get(opening.n, ())
    steps = list[Step]()
    for moment in moments:
        sure = doubts is None or act_sure(moment.line)
        if (step := _step(moment, faces, names, doubtful, sure=sure)) is not None:
            steps.append(step)
    return HandStory(
        n=opening.n,
        dealer=first.table.names[opening.dealer],
        order=names,
        dealt=dict(zip(names, faces, strict=False)),
        steps=tuple(steps),
        virgins=tuple(player.name for player in first.players if player.virgin),
    )


def _proven(last: _Moment) -> tuple[Kind | None, ...]:
    """The faces of all tokens of the hand, as far as they are known at its end."""
    hand = last.after.hand or last.before.hand
    assert hand is not None
    if last.after.hand is None and isinstance(last.event, log.Reveal):
        token = hand.holds[_at(last.before, hand, last.event.by)]
        return (*hand.faces[:token], last.event.card, *hand.faces[token + 1 :])
    return hand.faces


def _at(state: State, hand: Hand, name: str) -> Position:
    return hand.order.index(state.table.names.index(name))


def _step(
    moment: _Moment, faces: tuple[Kind | None, ...], names: tuple[str, ...], doubtful: Collection[Any], *, sure: bool
) -> Step | None:  # fmt: skip
    """The step that this event makes, or None when it tells nothing (a deal, a passo already implied, a face seen before)."""
    before, event = moment.before.hand, moment.event
    assert before is not None
    after = moment.after.hand
    if moment.after is moment.before or isinstance(event, log.Deal | log.Split):
        return None
    rulings = moment.after.hands[-1] if after is None else after
    holds, present = (before.holds, before.present) if after is None else (after.holds, after.present)
    deed, who, whom, card, other = _deed(moment.before, before, after, event, faces, names)
    void = isinstance(event, log.Void)
    gone = rulings.out if after is None and not isinstance(event, log.End) else ()
    step = Step(
        line=moment.number,
        deed=deed,
        who=who,
        whom=whom,
        card=card,
        other=other,
        cards={name: faces[holds[p]] for p, name in enumerate(names) if present >> p & 1 and name not in gone},
        says={},
        payments=() if void else rulings.payments[len(before.payments) :],
        irregularities=rulings.irregularities[len(before.irregularities) :],
    )
    dealer = names[-1]
    return replace(step, says={language: tell(step, dealer, language, doubtful, sure=sure) for language in LANGS})


def _deed(
    state: State, before: Hand, after: Hand | None, event: Event, faces: tuple[Kind | None, ...], names: tuple[str, ...]
) -> tuple[Deed, str | None, str | None, Kind | None, Kind | None]:
    """What the event was: the deed, who, whom, the card given, shown or drawn, and the one it met."""
    ask = before.asking
    match event:
        case log.Sto(by=by):
            return "sto", by, None, faces[before.holds[_at(state, before, by)]], None
        case log.Passo(by=by):
            position = _at(state, before, by)
            card = faces[before.holds[position]]
            if position == before.back:
                asked = names[after.asking.asked] if after is not None and after.asking is not None else None
                return "passo_back", by, asked, card, None
            if position == before.dealer_position:
                return "passo_dealer", by, None, card, None
            return "passo", by, names[before.after(position)], card, None
        case log.Swap() | log.Taverna() if ask is not None:
            given, taken = faces[before.holds[ask.asker]], faces[before.holds[ask.asked]]
            deed: Deed = "taverna" if isinstance(event, log.Taverna) else "swap_back" if ask.back else "swap"
            if ask.back and any(c.giver == ask.asker and c.taker == ask.asked for c in before.ceded) and taken == "taverna":
                deed = "handed_back"
            return deed, names[ask.asker], names[ask.asked], given, taken
        case log.Reveal(by=by, card=card) if ask is not None and names[ask.asked] == by:
            asker = faces[before.holds[ask.asker]]
            return "jumped" if card == "salta" else "refused", by, names[ask.asker], card, asker
        case log.Reveal(by=by, card=card):
            return "shown", by, None, card, None
        case log.Draw(by=by):
            position = _at(state, before, by)
            drawn = faces[after.holds[position]] if after is not None and after.holds[position] != NOBODY else None
            return "draw", by, None, drawn, faces[before.holds[position]]
        case log.Penalty(player=player):
            return "penalty", player, None, None, None
        case log.Void():
            return "void", None, None, None, None
    return "end", None, None, None, None


# Each step as a sentence, in Italian and English.


_DEEDS: Final[dict[Deed, str]] = {
    "sto": N_("{who} stays"),
    "passo": N_("{who} passes{with_card}{to_whom}"),
    "passo_back": N_("{who} sends the card back{to_whom}"),
    "passo_dealer": N_("{who}, the dealer, goes to the deck"),
    "swap": N_("{who} and {whom} exchange{exchange}"),
    "swap_back": N_("“cart’arrit”: {who} and {whom} exchange{exchange}"),
    "taverna": N_("{whom} has the Taverna and gives it{to_who}{in_return}"),
    "handed_back": N_("{whom} hands the Taverna back{to_who}{in_return}"),
    "refused": N_("{who} shows {card}{cry}{stopped}"),
    "jumped": N_("{who} shows the Salta, “zumb”: {whom} jumps it"),
    "draw": N_("{who} puts {old} under the deck and draws {card}"),
    "shown": N_("{who} shows {card}"),
    "penalty": N_("a penalty for {who}"),
    "end": N_("the cards are shown"),
    "void": N_("the hand is void and played again"),
}

_CRIES: Final[dict[Kind, str]] = {
    "taverna": "fatt nu bicchijr",
    "gnao": "Gnaff, cart’arrit",
    "bragon": "BBum",
}
"""Trump → what people in Montorio call out when they show it."""

_STOPPED: Final[dict[Kind, str]] = {
    "taverna": N_(": {whom} is stopped"),
    "cucco": N_(": {whom} is blinded (cecata)"),
}


def tell(step: Step, dealer: str, language: Lang, doubtful: Collection[Any] = (), *, sure: bool = True) -> str:
    """The step as one sentence, with what fell due and what was irregular after it; ``dealer`` is who dealt the hand.
    ``doubtful``: what of that is not sure, ``sure``: whether the step itself is."""
    say = catalogue(language)
    _ = say.gettext

    def name(kind: Kind | None) -> str:
        return _("an unseen card") if kind is None else words.card(kind, language)

    def to(player: str | None) -> str:
        if player is None:
            return ""
        vowel = player[:1].lower() == "a"
        return (say.pgettext("a name that begins with A", " to {name}") if vowel else _(" to {name}")).format(name=player)

    card = step.card
    known = card is not None or step.other is not None
    lower = card is not None and step.other is not None and RANK[step.other] < RANK[card]
    gives = _(": {who} gives {card} and gets {other}")
    exchange = gives.format(who=step.who, card=name(card), other=name(step.other)) if known else ""
    said = _(_DEEDS[step.deed]).format(
        who=step.who,
        whom=step.whom,
        card=name(card),
        old=name(step.other),
        to_who=to(step.who),
        to_whom=to(step.whom),
        with_card=_(" with {card}").format(card=name(card)) if card else "",
        exchange=exchange + (_(" (“passo e sto”)") if step.deed == "swap" and lower else ""),
        in_return=_(", for {card}").format(card=name(card)) if card else "",
        cry=_(", “{cry}”").format(cry=_CRIES[card]) if card in _CRIES else "",
        stopped=_(_STOPPED[card]).format(whom=step.whom) if card in _STOPPED else "",
    )
    told = [(said, sure)]
    told += [(words.payment(paid, language, dealer), paid not in doubtful) for paid in step.payments]
    told += [(words.irregularity(found, language), found not in doubtful) for found in step.irregularities]
    return " ".join(sentence(text) + ("." if certain else "?") for text, certain in told)
