"""Between two hands, by thumb: the next hand as it follows by itself, and all that can be changed in it. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.betting import buying
from companion.games.stoper.rules import State, check, joining, log
from companion.games.stoper.rules.between import dealt_with
from companion.games.stoper.rules.cards import DECKS, LEVELS
from companion.games.stoper.rules.log import MOST, Event
from companion.games.stoper.rules.state import Seat
from companion.pages import sets
from companion.pages.phone import Amounts, Choice, Field, Form, More, Offer
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.text import listed, short

_MAX_BUY_IN_CIP = 100
"""The largest buy-in, in cip, where nobody has said what is played for."""


def next_hand(state: State) -> log.Hand:
    """The next hand as it follows by itself: players who sat the last one out still do; the first one is played for what the
    table has settled. It need not be legal."""
    usual, taking = state.table.usual, joining.expected_in(state)
    away = taking & state.away
    if state.carried.parola or (taking & ~away).bit_count() < 2:
        away = 0  # nobody of a parola pot can be absent
    event = log.Hand(absent=state.table.named(away))
    if not state.cip:
        cip = usual.cip if usual is not None else max(state.table.buy_in // _MAX_BUY_IN_CIP, 1)
        event = replace(event, cip=cip, invito=usual.invito if usual is not None else 0)
    if usual is not None and usual.deck is not None and check(state, replace(event, deck=usual.deck)) is None:
        event = replace(event, deck=usual.deck)
    return event


def beginnings(state: State, lang: Lang) -> Iterator[Offer]:
    """The next hand, and the same with each player who may join it; before them, where too few players have chips, chips to
    buy."""
    _ = catalogue(lang).gettext
    plain = next_hand(state)
    if check(state, plain) is None:
        yield Offer(_begins(state, plain, lang), (plain,))
    names = state.table.names
    for name in plain.absent:
        back = replace(plain, absent=tuple(other for other in plain.absent if other != name))
        yield Offer(_("{player} is back").format(player=short(name)), (back,))
    joins = [seat for seat in range(len(names)) if _can_join(state, plain, seat)]
    for seat in joins:
        said = _("{player} joins (+{sum})").format(player=short(names[seat]), sum=money(joining.price(state, seat), lang))
        yield Offer(said, (replace(plain, join=(names[seat],)),))
    if len(joins) > 1:
        everybody = replace(plain, join=tuple(names[seat] for seat in joins))
        if check(state, everybody) is None:
            yield Offer(_("{players} join").format(players=listed([short(names[seat]) for seat in joins], lang)), (everybody,))
    if state.table.mode == "cash":
        yield from _refills(state, lang)


def _begins(state: State, event: log.Hand, lang: Lang) -> str:
    """What the button of a hand says: who deals, what it costs where that is new, who sits it out."""
    _ = catalogue(lang).gettext
    said = [_("New hand: {dealer} deals").format(dealer=short(state.table.names[dealt_with(state, event)]))]
    if event.cip is not None:
        cip = _("cip {sum}").format(sum=money(event.cip, lang))
        said.append(cip + (_(", invito {sum}").format(sum=money(event.invito, lang)) if event.invito else ""))
    if event.absent:
        said.append(_("without {players}").format(players=listed([short(name) for name in event.absent], lang)))
    return " · ".join(said)


def _can_join(state: State, plain: log.Hand, seat: Seat) -> bool:
    return check(state, replace(plain, join=(state.table.names[seat],))) is None


def _refills(state: State, lang: Lang) -> Iterator[Offer]:
    """For each player who has lost all chips: buying in once more."""
    amount = min(state.table.buy_in, MOST)
    said = catalogue(lang).gettext("{player} buys {sum}")
    for seat, stack in enumerate(state.stacks):
        if not stack and amount:
            name = state.table.names[seat]
            yield Offer(said.format(player=short(name), sum=money(amount, lang)), (log.Chips(by=name, amount=amount),))


def rarer(state: State, lang: Lang) -> Iterator[More]:
    """Forms: the next hand with changes, chips to buy, and how the game stands."""
    _ = catalogue(lang).gettext
    if check(state, next_hand(state)) is None:
        yield More(key="hand", label=_("A hand, but…"), form=_form(state, lang))
    if state.table.mode == "cash":
        yield More(key="chips", label=_("Somebody buys chips"), amounts=buying(state, lang))
    yield setting_by_hand(state, lang)


def setting_by_hand(state: State, lang: Lang) -> More:
    """Everybody's chips, and the pot that is carried with what opens it, to be set by hand."""
    _ = catalogue(lang).gettext
    carried, names = state.carried, state.table.names
    event = log.Set(stacks=dict(zip(names, state.stacks, strict=True)), level=carried.level, pot=carried.pot)
    fields = [_sum(name, short(name), now, event, lang, ("stacks",)) for name, now in event.stacks.items()]
    fields.append(_sum("pot", _("Left in the pot"), carried.pot, event, lang))
    levels = tuple(Choice(level, phrases.figure(level, lang)) for level in LEVELS)
    fields.append(Field(key="level", label=_("To open"), choices=levels))
    return sets.form(event, fields, lang)


def _sum(key: str, label: str, now: int, event: Event, lang: Lang, within: tuple[str, ...] = ()) -> Field:
    """An amount: as it stands, nothing, or any other."""
    choices = tuple(Choice(amount, money(amount, lang)) for amount in dict.fromkeys((now, 0)))
    typed = Amounts(label=label, event=event, key=key, likely=(), least=0, most=MOST)
    return Field(key=key, label=label, choices=choices, amounts=typed, within=within)


def _form(state: State, lang: Lang) -> Form:
    """All that can be changed in the next hand."""
    _ = catalogue(lang).gettext
    plain, names = next_hand(state), state.table.names
    taking = joining.expected_in(state)
    fields = [_stake(state, "cip", _("Cip"), 1, lang), _stake(state, "invito", _("Invito"), 0, lang)]
    due = names[dealt_with(state, plain)]
    choices = [
        Choice(None if name == due else name, short(name)) for name in names if check(state, replace(plain, dealer=name)) is None
    ]
    fields.append(Field(key="dealer", label=_("Who deals"), choices=tuple(choices)))
    absent = [
        Choice(name, short(name)) for seat, name in enumerate(names)
        if taking >> seat & 1 and (name in plain.absent or check(state, replace(plain, absent=(*plain.absent, name))) is None)
    ]  # fmt: skip
    if absent:
        fields.append(Field(key="absent", label=_("Who sits out"), choices=tuple(absent), several=True))
    joins = [seat for seat in range(len(names)) if _can_join(state, plain, seat)]
    if joins:
        costs = (f"{short(names[seat])} +{money(joining.price(state, seat), lang)}" for seat in joins)
        choices = [Choice(names[seat], said) for seat, said in zip(joins, costs, strict=True)]
        fields.append(Field(key="join", label=_("Who joins"), choices=tuple(choices), several=True))
    decks = [size for size in DECKS if check(state, replace(plain, deck=size)) is None]
    said = _("{n} cards")
    usual = Choice(None, _("as always"))
    fields.append(Field(key="deck", label=_("Deck"), choices=(usual, *(Choice(size, said.format(n=size)) for size in decks))))
    return Form(label=_("New hand"), event=plain, fields=tuple(fields))


def _stake(state: State, key: str, label: str, least: int, lang: Lang) -> Field:
    """What is put in before the cards: as it is, twice, half, or any other amount."""
    plain = next_hand(state)
    now = getattr(plain, key)
    was = state.cip if key == "cip" else state.invito
    here = was if now is None else now
    none = catalogue(lang).gettext("no invito")
    found = dict.fromkeys(amount for amount in (here, 2 * here, here // 2, state.cip or 0, 0) if least <= amount <= MOST)
    values = [None if now is None and amount == here else amount for amount in found]
    texts = [money(amount, lang) if amount else none for amount in found]
    choices = tuple(map(Choice, values, texts))
    event = replace(plain, **{key: max(here, least)})
    amounts = Amounts(label=label, event=event, key=key, likely=(), least=least, most=MOST)
    return Field(key=key, label=label, choices=choices, amounts=amounts)
