"""What can be said to have happened next, a tap each, the likeliest first: how a game is run by thumb. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from companion.decks.stu import Kind
from companion.games.stu import words
from companion.games.stu.pages.waiting import waiting
from companion.games.stu.rules import Hand, Report, State, apply, check, report
from companion.games.stu.rules.faces import possible_faces
from companion.games.stu.rules.log import Close, Draw, End, Event, Passo, Rebuy, Reveal, Set, Split, Standing, Sto, Swap, Taverna
from companion.games.stu.rules.log import Hand as Begin
from companion.games.stu.rules.trumps import TRUMPS
from companion.pages import sets
from companion.pages.phone import Amounts, Choice, Field, More, Next, Offer
from companion.table.game import Turn
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.play import possible
from companion.table.text import sentence, short


class Refusals(Struct, frozen=True):
    """How the asked player may refuse: a trump each. ``title`` says who refuses whom."""

    title: str
    offers: tuple[Offer, ...]


class Covered(Struct, frozen=True):
    """A player whose card has not been seen, and the kinds that it can still be."""

    player: str
    kinds: tuple[Kind, ...]


class Ransom(Struct, frozen=True):
    """The players who may come back, and the price (minor units, and as people read it)."""

    players: tuple[str, ...]
    price: int
    text: str


class StuNext(Next, frozen=True, kw_only=True):
    """What may come next.

    Attributes:
        refusals: of the player who is or would be asked.
        covered: whose cards can be shown, in the order of play. showdown: nothing else is left to do.
        rebuy, penalty, split, dealers: who may; empty or None where nobody may. matti: in the deck now; None in mid-hand.
        close: there may be no more ricompere from now on.
    """

    refusals: Refusals | None = None
    covered: tuple[Covered, ...] = ()
    showdown: bool = False
    rebuy: Ransom | None = None
    penalty: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    dealers: tuple[str, ...] = ()
    matti: int | None = None
    close: bool = False


def offers(state: State, lang: Lang, *, just_over: bool = False, perhaps: Sequence[int] = ()) -> StuNext:
    """What may come next in this game. ``just_over``: a hand has just ended and can still be void."""
    if state.hand is None:
        return _between(state, lang, just_over)
    return _in_hand(state, state.hand, lang)


def _between(state: State, lang: Lang, just_over: bool) -> StuNext:
    _ = catalogue(lang).gettext
    if state.won:
        return StuNext(title=_("{winner} has won").format(winner=short(state.winner or "")), void=just_over)
    names = state.table.names
    dealer = names[state.next_dealer()]
    told = report(state)
    hangs = state.status == "won_unless_reentry"
    if hangs:
        first = Offer(_("Nobody comes back: {winner} has won").format(winner=short(state.winner or "")), (Close(),))
    else:
        first = Offer(_("New hand: {dealer} deals").format(dealer=short(dealer)), (Begin(),))
    back = tuple(player.name for player in state.players if not player.in_play) if state.ricompere_open else ()
    playing = tuple(names[seat] for seat in state.in_play)
    return StuNext(
        title=_("Between hands"),
        offers=(first,),
        likely=not hangs,
        rebuy=Ransom(back, told.ricompera.price, money(told.ricompera.price, lang)) if back else None,
        penalty=playing if state.table.piazza and state.last_ended >= 0 else (),
        split=playing if len(playing) == 2 else (),
        dealers=tuple(name for name in playing if name != dealer) if len(playing) > 1 else (),
        matti=state.matti,
        void=just_over,
        close=state.ricompere_open and not hangs,
        more=(*_due(state, told, back, playing, lang), _setting(state, lang)),
    )


_DUE_RICOMPERE = 4
"""Buttons for ricompere, at most: of those who went out last; of all others, where there are more, in one."""


def _due(state: State, told: Report, back: Sequence[str], playing: Sequence[str], lang: Lang) -> Iterator[More]:
    """What is wanted between two hands: a ricompera of those who have gone out, an agreement of the last two on equal shares.
    Partners and other shares are rarer."""
    _ = catalogue(lang).gettext
    gone = [name for hand in reversed(told.hands) for name in hand.out if name in back]
    price, names = money(told.ricompera.price, lang), list(dict.fromkeys((*gone, *back)))
    labels = [_("{player} comes back · {price}").format(player=short(name), price=price) for name in names]
    offers = [Offer(label, (Rebuy(by=name),)) for name, label in zip(names, labels, strict=True)]
    many = len(offers) if len(offers) <= _DUE_RICOMPERE else _DUE_RICOMPERE - 1
    for name, offer in zip(names[:many], offers, strict=False):
        yield More(key=f"back {name}", label=offer.label, offers=(offer,), due=True)
    if rest := tuple(offers[many:]):
        yield More(key="others", label=_("Somebody else comes back"), offers=rest, due=True)
    halves = Split(shares=dict.fromkeys(playing, Decimal("0.5")))
    if len(playing) == 2 and not any(agreed.kind == "split" for agreed in state.agreements):
        label = _("Agreement: half of {sum} each").format(sum=money(told.pot, lang))
        yield More(key="halves", label=label, offers=(Offer(label, (halves,)),), due=True)


_CHIPS, _MOST_PEDINE = 5, 99
"""Numbers of pedine: up to the first each has a button, up to the second it can be typed."""


def _setting(state: State, lang: Lang) -> More:
    """How it stands, to be set by hand: each player's pedine, who is a virgin, and how many ricompere were paid."""
    _ = catalogue(lang).gettext
    standing = {player.name: Standing(player.pedine, player.virgin) for player in state.players}
    event = Set(standing=standing, ricompere=state.ricompere)
    fields: list[Field] = []
    for name, stands in standing.items():
        within, label = ("standing", name), short(name)
        fields.append(_count("pedine", label, stands.pedine, event, _("out"), within))
        choices = Choice(True, _("virgin")), Choice(False, _("has paid before"))
        fields.append(Field(key="virgin", label=label, choices=choices, within=within))
    fields.append(_count("ricompere", _("Ricompere paid so far"), state.ricompere, event, "0"))
    return sets.form(event, fields, lang)


def _count(key: str, label: str, now: int, event: Event, none: str, within: tuple[str, ...] = ()) -> Field:
    """A number: the small ones a tap each, the one that stands among them, any other on the pad."""
    choices = tuple(Choice(n, str(n) if n else none) for n in sorted({*range(_CHIPS + 1), now}))
    typed = Amounts(label=label, event=event, key=key, likely=(), least=0, most=_MOST_PEDINE, points=True)
    return Field(key=key, label=label, choices=choices, amounts=typed, within=within)


def _in_hand(state: State, hand: Hand, lang: Lang) -> StuNext:
    _ = catalogue(lang).gettext
    names = state.table.names

    def name(position: int) -> str:
        return names[hand.order[position]]

    quiet = hand.asking is None and hand.drawing < 0
    covered = tuple(
        Covered(name(position), possible_faces(hand, hand.holds[position]))
        for position in hand.positions()
        if not hand.is_shown(hand.holds[position])
    )
    playing = tuple(names[seat] for seat in state.in_play)
    always = StuNext(
        title="",
        covered=covered if quiet else (),
        penalty=tuple(name(position) for position in hand.positions()) if state.table.piazza and quiet else (),
        split=playing if len(playing) == 2 else (),
        void=True,
    )
    match waiting(state):
        case Turn("answer", str(asked), str(asker)):
            title = _("{asked} answers {asker}").format(asked=short(asked), asker=short(asker))
            swap = Offer(_("{asker} and {asked} exchange").format(asker=short(asker), asked=short(asked)), (Swap(with_=asked),))
            forward = hand.asking is not None and not hand.asking.back
            refusals = _refusals(state, (), asker, asked, forward=forward, lang=lang)
            return replace(always, title=title, offers=_legal(state, [swap]), refusals=refusals)
        case Turn("draw", str(drawer)):
            draw = Offer(_("{player} draws").format(player=short(drawer)), (Draw(by=drawer),))
            return replace(always, title=_("{player} must draw").format(player=short(drawer)), offers=_legal(state, [draw]))
        case Turn("keep"):
            return _travelling(state, hand, lang, always)
        case Turn("decide"):
            return _deciding(state, hand, lang, always)
    ending = _legal(state, [Offer(_("End of the hand"), (End(),))])
    return replace(always, title=catalogue(lang).pgettext("phone", "Show the cards"), offers=ending, likely=False, showdown=True)


def _deciding(state: State, hand: Hand, lang: Lang, always: StuNext) -> StuNext:
    """The player in turn stays, or passes their card on."""
    _ = catalogue(lang).gettext
    order = [state.table.names[seat] for seat in hand.order]
    player, dealing = order[hand.turn], hand.turn == hand.dealer_position
    title = _("{player} to decide, with the deck") if dealing else _("{player} to decide")
    found = [Offer(_("{player} stays").format(player=short(player)), (Sto(by=player),))]
    refusals = None
    after = hand.after(hand.turn)
    if dealing:
        label = _("{player} changes with the deck").format(player=short(player))
        found.append(Offer(label, (Passo(by=player), Draw(by=player))))
    elif after < len(hand.order):
        asked = order[after]
        label = _("{asker} passes, exchanged with {asked}").format(asker=short(player), asked=short(asked))
        found.append(Offer(label, (Passo(by=player), Swap(with_=asked))))
        refusals = _refusals(state, (Passo(by=player),), player, asked, forward=True, lang=lang)
    last = max(hand.positions())
    if hand.turn < last:
        found.append(Offer(_("All stay: show the cards"), (Sto(by=order[last]),)))
    if not dealing:
        found.append(Offer(_("{player} passes (answer later)").format(player=short(player)), (Passo(by=player),)))
    return replace(always, title=title.format(player=short(player)), offers=_legal(state, found), refusals=refusals)


def _travelling(state: State, hand: Hand, lang: Lang, always: StuNext) -> StuNext:
    """The player with the travelling card keeps it or sends it on (rule 14)."""
    _ = catalogue(lang).gettext
    names = state.table.names
    player = names[hand.order[hand.back]]
    before = hand.before(hand.back)
    found = [Offer(_("{player} keeps it").format(player=short(player)), (Sto(by=player),))]
    refusals = None
    if before >= 0:
        asked = names[hand.order[before]]
        label = _("{asker} sends it on to {asked}, exchanged").format(asker=short(player), asked=short(asked))
        found.append(Offer(label, (Passo(by=player), Swap(with_=asked))))
        refusals = _refusals(state, (Passo(by=player),), player, asked, forward=False, lang=lang)
    found.append(Offer(_("{player} sends it on (answer later)").format(player=short(player)), (Passo(by=player),)))
    title = _("Backwards: {player} has the card").format(player=short(player))
    return replace(always, title=title, offers=_legal(state, found), refusals=refusals)


def _refusals(state: State, first: tuple[Event, ...], asker: str, asked: str, *, forward: bool, lang: Lang) -> Refusals | None:
    _ = catalogue(lang).gettext
    found = [Offer(card_name(kind, lang), (*first, Reveal(by=asked, card=kind)), kind) for kind in TRUMPS]
    if forward:
        found.append(Offer(_("Taverna ceded"), (*first, Taverna(by=asked)), "taverna"))
    legal = _legal(state, found)
    return Refusals(_("{asked} refuses with…").format(asked=short(asked), asker=short(asker)), legal) if legal else None


def card_name(kind: Kind, lang: Lang) -> str:
    """The card with its article and a capital letter, as on a button."""
    return sentence(words.card(kind, lang))


def _legal(state: State, found: Sequence[Offer]) -> tuple[Offer, ...]:
    return tuple(offer for offer in found if possible(apply, state, offer.events))


def by_itself(state: State, event: Event) -> Event | None:
    """The `end` of the hand, once the last card was shown; None before."""
    hand = state.hand
    if not isinstance(event, Reveal):
        return None
    if hand is not None and not (_all_open(hand) and check(state, End()) is None):
        return None
    return End()


def _all_open(hand: Hand) -> bool:
    return all(hand.is_shown(hand.holds[position]) for position in hand.positions())


def order(state: State) -> tuple[str, ...]:
    """The players in the hand in progress, di mano first; empty between hands."""
    return tuple(state.table.names[seat] for seat in state.hand.order) if state.hand is not None else ()


def exchanges(state: State) -> tuple[tuple[Event, ...], ...]:
    """Every passo that could come next, with its exchange or, for the dealer, its draw: a camera misses these two together."""
    hand = state.hand
    if hand is None:
        return ()
    found: list[tuple[Event, ...]] = []
    for position in hand.positions():
        name = state.table.names[hand.order[position]]
        asked = hand.before(position) if position == hand.back else hand.after(position)
        if position == hand.dealer_position and position != hand.back:
            found.append((Passo(by=name), Draw(by=name)))
        elif 0 <= asked < len(hand.order):
            found.append((Passo(by=name), Swap(with_=state.table.names[hand.order[asked]])))
    return tuple(events for events in found if possible(apply, state, events))


def bridge(state: State) -> tuple[Event, ...]:
    """The plainest act that must come next: an exchange where an answer is awaited, a draw where one must follow."""
    match waiting(state):
        case Turn("answer", str(asked)):
            return (Swap(with_=asked),)
        case Turn("draw", str(drawer)):
            return (Draw(by=drawer),)
    return ()


def due(state: State) -> bool:
    """Whether an answer or a draw is awaited."""
    return bool(bridge(state))


def whole_acts(state: State, done: Event, lang: Lang) -> tuple[Offer, ...]:
    """What the player who has ``done`` this could have done instead, or how the asked player could have answered: each with what
    must follow at once."""
    _ = catalogue(lang).gettext
    state = _at_turn(state, done)
    if state.hand is None:
        return ()
    next_acts = offers(state, lang)
    found = [offer for offer in next_acts.offers if not isinstance(offer.events[-1], End)]
    found = [offer for offer in found if len(offer.events) > 1 or not isinstance(offer.events[0], Passo)]  # without its answer
    turn = waiting(state)
    if isinstance(turn, Turn):  # "all stay" says something of the others, too
        found = [offer for offer in found if not isinstance(offer.events[-1], Sto) or offer.events[-1].by == turn.who]
    if next_acts.refusals is not None:
        for offer in next_acts.refusals.offers:
            answer, label = offer.events[-1], offer.label
            if isinstance(answer, Reveal):
                label = _("{player} refuses with {card}").format(player=short(answer.by), card=words.card(answer.card, lang))
            found.append(Offer(label, _answered(state, offer.events), offer.card))
    return tuple(found)


def _at_turn(state: State, done: Event) -> State:
    """The state in which it is the turn of the player who has done this: those before them have stayed."""
    if not isinstance(done, Sto | Passo | Draw):
        return state
    for _ in range(2):  # the player with the travelling card keeps it; those between stay
        turn, hand = waiting(state), state.hand
        if hand is None or not isinstance(turn, Turn) or turn.who == done.by or turn.step not in ("decide", "keep"):
            return state
        earlier = hand.before(hand.places[state.table.names.index(done.by)])
        stays = Sto(by=turn.who or "") if turn.step == "keep" else Sto(by=state.table.names[hand.order[earlier]])
        if check(state, stays) is not None:
            return state
        state = apply(state, stays)
    return state


def _answered(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events together with those that must follow them at once, in their plainest form."""
    for event in events:
        state = apply(state, event)
    while more := bridge(state):
        events = (*events, *more)
        for event in more:
            state = apply(state, event)
    return events
