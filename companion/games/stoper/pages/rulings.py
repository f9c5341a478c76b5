"""What a hand of Stoper comes to, as the pages show it: who takes which pot and with what, what goes back, what stays. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from companion.games.stoper import words
from companion.games.stoper.pages import phrases
from companion.games.stoper.pages.public import UnsureLines
from companion.games.stoper.rules import State, ruling
from companion.games.stoper.rules.phases import one_left
from companion.games.stoper.rules.report import carried
from companion.games.stoper.rules.state import NOBODY, Hand, HandRulings, Irregularity, Pot
from companion.pages.moments import Moment, ruling_sure, unsure_hands
from companion.pages.ruling import ruling_view
from companion.pages.view import PaymentView, RulingView, ViewSettings
from companion.table.language import Lang, catalogue
from companion.table.money import money
from companion.table.story import only_the_outcome
from companion.table.text import listed, perhaps, sentence, short


def hand_ruling(now: Moment, lang: Lang, settings: ViewSettings, unsure: UnsureLines) -> RulingView | None:
    """The ruling of the last hand, once it is over; None during a hand, as the pots are nobody's before its end. ``unsure``: what
    of it is not sure."""
    state: State = now.seen
    book = ruling(state, len(state.hands)) if state.hand is None else None
    if book is None:
        return None
    sure = ruling_sure(now, settings.sure_from)
    laid: Hand | None = now.laid
    payments = () if book.void or laid is None else tuple(payments_of(book, laid, state, lang, unsure.shown))
    return ruling_view(
        book.n, payments, lang, final=True, sure=sure, confidence=now.confidence, void=book.void,
        notes=() if book.void else tuple(_notes(book, state, unsure.mistakes, lang)), amount=lambda sum: money(sum, lang),
        said=() if book.void else _headline(book, lang, sure=sure),
    )  # fmt: skip


def _headline(book: HandRulings, lang: Lang, *, sure: bool) -> tuple[str, ...]:
    """Who takes how much of the pots, the most first; or that the pot stays. Where only the outcome is known, who has how much
    more than before."""
    _ = catalogue(lang).gettext
    if book.unassigned is not None:
        said = _("Nobody opens: {sum} stay") if book.unassigned == "no_opening" else _("All say parola: {sum} stay")
        return (said.format(sum=money(left(book), lang)),)
    if book.stated:
        gained = sorted((paid for paid in book.payments if paid.delta > 0), key=lambda paid: -paid.delta)
        return tuple(f"{short(paid.player)} {words.signed(paid.delta, lang)}" for paid in gained)
    won: dict[str, int] = {}
    for pot in book.pots:
        won[pot.winner] = won.get(pot.winner, 0) + pot.amount
    first = _("{player} takes {n}") if sure else _("Perhaps {player} takes {n}")
    ordered = sorted(won.items(), key=lambda one: -one[1])
    return tuple(
        (first if at == 0 else "{player} {n}").format(player=short(name), n=money(sum, lang))
        for at, (name, sum) in enumerate(ordered)
    )


def pots_taken(book: HandRulings, name: str) -> int:
    """How many pots somebody is known to have taken. Where only the outcome is known, one if they have won by it."""
    if book.stated:
        return int(any(paid.player == name and paid.delta > 0 for paid in book.payments))
    return sum(pot.winner == name for pot in book.pots)


def left(book: HandRulings) -> int:
    """What a hand whose pot is nobody's leaves for the next."""
    return book.carried_in - sum(paid.delta for paid in book.payments)


def payments_of(
    book: HandRulings, laid: Hand, state: State, lang: Lang, unsure: Collection[str] = ()
) -> Iterator[PaymentView]:
    """The pots, with who takes each and why, and the cards of those who lost a showdown. Where only the outcome of the hand is
    known: by how much it has changed every stack. ``unsure``: players whose open cards may be others: these have a question
    mark."""
    if book.stated:
        said = catalogue(lang).gettext("as the table has said")
        for paid in book.payments:
            yield PaymentView(paid.player, paid.delta, "stated", 0, f"{short(paid.player)}: {said}", brief=said)
        return
    _ = catalogue(lang).gettext
    many, told = len(book.pots), set[str]()
    for n, pot in enumerate(book.pots, start=1):
        name = phrases.pot(n, many, lang)
        how = words.how(pot)
        why = _unshown(pot, laid, lang) if pot.how == "alone" else _hand_of(laid, pot.winner, state, lang)
        if pot.how == "shown" and pot.winner in told:
            brief = name  # with what is said already
        else:
            said = _("{pot} with {hand}") if pot.how == "shown" else "{pot}: {hand}"
            brief = said.format(pot=name, hand=why) if many > 1 else why
        ties = words.ties(pot, book.pots, lang, cited=False)
        told |= {pot.winner} if pot.how == "shown" else set()
        sure = words.compared(pot, book.pots).isdisjoint(unsure)
        text, brief = (perhaps("; ".join((said, *ties)), sure=sure) for said in (f"{name}, {why}", brief))
        yield PaymentView(pot.winner, pot.amount, how, words.RULE_OF[how], text, brief=brief)
    ranked = sorted((one for pot in book.pots for one in pot.ranking), key=lambda one: -one.score)
    for name in dict.fromkeys(one.player for one in ranked if one.player not in told):
        said = perhaps(_hand_of(laid, name, state, lang), sure=name not in unsure)
        yield PaymentView(name, 0, "shown", words.RULE_OF["shown"], f"{short(name)}: {said}", brief=said)
    conceded = _("does not show")
    for seat in laid.conceded:
        name = state.table.names[seat]
        yield PaymentView(name, 0, "muck", words.RULE_OF["conceded"], f"{short(name)}: {conceded}", brief=conceded)


def _unshown(pot: Pot, laid: Hand, lang: Lang) -> str:
    """Why a pot is somebody's who showed nothing for it."""
    _ = catalogue(lang).gettext
    if len(pot.entitled) > 1:
        return _("all others have conceded")
    return _("all others have passed") if one_left(laid) else _("nobody else can win it")


def _hand_of(laid: Hand, name: str, state: State, lang: Lang) -> str:
    """The three cards that this player has shown, with their score."""
    return phrases.hand(laid.known[state.table.names.index(name)].shown, state.table.house, lang)


def _notes(book: HandRulings, state: State, doubtful: Collection[Irregularity], lang: Lang) -> Iterator[str]:
    """What else there is to say: what nobody matched, what was irregular, which of that is ``doubtful``, what the next hand is
    played for."""
    _ = catalogue(lang).gettext
    if book.stated:
        yield only_the_outcome(lang)
    for back in book.returned:
        said = _("{player} takes back {sum}, which nobody matched")
        yield said.format(player=short(back.player), sum=money(back.amount, lang))
    for found in book.irregularities:
        yield perhaps(sentence(words.irregularity(found, lang)), sure=found not in doubtful)
    if book.unassigned is None or state.over:
        return
    yield _("To open it takes {figure}").format(figure=phrases.figure(state.carried.level, lang))
    if state.carried.said:
        said = listed([short(name) for name in state.table.named(state.carried.said)], lang)
        yield _("The pot is of {players}").format(players=said)
    costs = [f"{short(name)} {money(due, lang)}" for name, due in carried(state).join.items()]
    if costs:
        yield _("To join: {players}").format(players=", ".join(costs))


def believed(now: Moment, shown: RulingView | None, settings: ViewSettings, unsure: UnsureLines) -> set[str]:
    """The players whose stack is not sure: a ruling that was not sure changed it, and the table has not said since how it stands.
    ``shown``: the ruling of the last hand."""
    state: State = now.seen
    hands = set(unsure_hands(now, settings.sure_from))
    if shown is not None and not shown.sure:
        hands.add(len(state.hands))
    known = {name: setting.after for setting in state.settings for name in setting.event.names}
    return {paid.player for n in hands for paid in state.hands[n - 1].payments if known.get(paid.player, 0) < n}


def winner(state: State) -> str | None:
    """The winner of the tournament, or of a game for cash that is over: the player who has won most. None while it goes on, where
    two have won the same, and where nobody has won anything."""
    names = state.table.names
    if state.winner != NOBODY:
        return names[state.winner]
    if not state.over or state.table.mode == "torneo" or not money_known(state):
        return None
    nets = balances(state)
    most = max(nets)
    return names[nets.index(most)] if most > 0 and nets.count(most) == 1 else None


def left_over(state: State) -> int:
    """What the hands that are over have left in the pot, minor units, less what lay there before the first."""
    return -sum(balances(state))


def balances(state: State) -> tuple[int, ...]:
    """Per seat, what everybody has won or lost, minor units: by the hands that are over, and by what the table has said of the
    stacks."""
    found = dict.fromkeys(state.table.names, 0)
    for book in state.hands:
        for paid in book.payments:
            found[paid.player] += paid.delta
    for setting in state.settings:
        for name, by in zip(state.table.names, setting.moved, strict=True):
            found[name] += by
    return tuple(found.values())


def money_known(state: State) -> bool:
    """Whether it is known who has brought which chips. It is not where the table has set that there are more of them, or
    fewer."""
    return not any(setting.made for setting in state.settings)
