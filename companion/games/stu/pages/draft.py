"""What setting up an evening of Lu Stù asks for besides the players: stake, rules, first dealer, how things stand. Pure."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.games.stu.rules.log import MAX_RICOMPERE, MAX_STAKE, Close, Event, Game, HouseRules, Standing, new_game
from companion.games.stu.rules.seats import Seating, seat_draw
from companion.games.stu.rules.state import State
from companion.pages.setup import Wrong, amount, count
from companion.table.language import N_, NN_

Edition = Literal["booklet", "piazza-2010"]

NO_VIRGIN = NN_(
    "{name} with {pedine} pedina has paid before: no virgin.", "{name} with {pedine} pedine has paid before: no virgin.", "pedine"
)


class StuDraft(msgspec.Struct, frozen=True):
    """What is known so far.

    Attributes:
        stake: minor units (cents).
        dealer: who deals first; "" while open.
        late: the evening began without the camera: ``standing`` and ``ricompere`` count.
        drawn: the rounds of the seat draw so far, player → kind.
        staked: who has put a stake into the pot that is played for already.
        closed: the game that goes on as this one had no ricompere any more.
    """

    stake: int = 100
    dealer: str = ""
    edition: Edition = "booklet"
    house_rules: HouseRules = HouseRules()
    late: bool = False
    standing: dict[str, Standing] = {}
    ricompere: int = 0
    drawn: tuple[dict[str, str], ...] = ()
    staked: tuple[str, ...] = ()
    closed: bool = False

    def seating(self) -> Seating | None:
        """What the seat draw has come to; None before the first card. Raises Illegal, Contradictory as `seat_draw`."""
        return seat_draw(*self.drawn) if self.drawn else None


def game_line(names: tuple[str, ...], own: StuDraft) -> Game:
    """The first line of the log. Raises Wrong while nobody deals first."""
    if own.dealer not in names:
        raise Wrong(N_("Choose who deals first."))
    return new_game(
        names, own.stake, own.dealer, edition=own.edition, house_rules=own.house_rules,
        standing=own.standing if own.late else {}, ricompere=own.ricompere if own.late else 0,
    )  # fmt: skip


def said_at_once(own: StuDraft) -> tuple[Event, ...]:
    """That ricompere are closed for good: the first line of a log cannot say it, and a newcomer is a virgin (rule 10)."""
    return (Close(),) if own.closed else ()


def again(first: Game, state: State) -> StuDraft:
    """Another evening after this one: the same stake and rules, three pedine each; the deck goes on to the next dealer."""
    dealer = state.table.names[state.next_dealer()]
    return StuDraft(stake=first.stake, dealer=dealer, edition=first.edition, house_rules=first.house_rules)


def continued(first: Game, state: State) -> StuDraft:
    """The draft of the game that goes on with another player, who has three pedine, is a virgin, and puts in a stake. All pedine
    and the pot stay, whether or not a hand was played since the game last went on, or was taken over; ricompere that are closed
    stay closed. Raises Wrong where it would be forgotten who has paid what, or has been promised a share."""
    own = again(first, state)
    if state.status == "won":
        return own
    own = replace(own, closed=not state.ricompere_open)  # also once no virgin is left: they are over for good then
    if state.paid or state.agreements or state.settings:
        raise Wrong(N_("Ricompere, shares or set pedine are part of this game already: a newcomer plays in the next one."))
    standing = {one.name: Standing(one.pedine, one.virgin) for one in state.players}
    if not state.hands and not state.ricompere and set(standing.values()) == {_fresh(state)}:
        return own  # nothing has been played for: who goes home takes the stake along
    return replace(own, late=True, standing=standing, ricompere=state.ricompere, staked=state.table.names)


def _fresh(state: State) -> Standing:
    return Standing(state.table.variant.pedine, virgin=True)


def seated(own: StuDraft, before: tuple[str, ...], names: tuple[str, ...]) -> StuDraft:
    """The draft after the players were named again: what was said of players who are gone is dropped, and so is the draw unless
    all are the same. Raises Wrong where somebody is missing who has a stake in the pot."""
    if gone := [name for name in own.staked if name not in names]:
        said = N_("{name}’s stake is in the pot: leave the name. Set a player who leaves to 0 pedine, under More.")
        raise Wrong(said, name=gone[0])
    return replace(
        own,
        dealer=own.dealer if own.dealer in names else "",
        standing={name: own.standing[name] for name in names if name in own.standing},
        drawn=own.drawn if set(names) == set(before) else (),
    )


def with_stakes(
    names: tuple[str, ...], own: StuDraft, stake: str, dealer: str, edition: str, house_rules: dict[str, str]
) -> StuDraft:
    """The draft with the stake and the rules. ``stake``: as people write it, "2", "2,50". Raises Wrong."""
    if dealer and dealer not in names:
        raise Wrong(N_("Choose who deals first."))
    try:
        chosen = msgspec.convert({"edition": edition, "house_rules": house_rules}, _Choices)
    except msgspec.ValidationError as error:
        raise Wrong(N_("The page sent a rule that does not exist: load it again.")) from error
    return replace(own, stake=stake_of(stake), dealer=dealer, edition=chosen.edition, house_rules=chosen.house_rules)


class _Choices(msgspec.Struct):
    edition: Edition
    house_rules: HouseRules


def stake_of(text: str) -> int:
    """Cents from "2", "2,5", "2.50" or "€ 2". Raises Wrong for anything else, and for sums that are no stake."""
    return amount(text, 1, MAX_STAKE, no_sum=N_("The stake is a sum in euros, such as 2 or 2.50."))


def with_standing(names: tuple[str, ...], own: StuDraft, standing: dict[str, tuple[str, bool]], ricompere: str) -> StuDraft:
    """The draft with the state of a game that is under way. ``standing``: name → pedine as typed, and whether the player is a
    virgin. Raises Wrong."""
    found = {}
    for name in names:
        typed, virgin = standing.get(name, ("3", True))
        pedine = count(typed, 99, N_("{name}’s pedine are a number from 0 to {most}."), name=name)
        if virgin and pedine < 3:
            raise Wrong(NO_VIRGIN, name=name, pedine=pedine)
        found[name] = Standing(pedine, virgin)
    paid = count(ricompere, MAX_RICOMPERE, N_("The ricompere paid are a number from 0 to {most}."))
    if not any(one.pedine for one in found.values()):
        raise Wrong(N_("Somebody must have a pedina."))
    return replace(own, late=True, standing=found, ricompere=paid)


def with_draw(names: tuple[str, ...], own: StuDraft, cards: dict[str, str]) -> tuple[tuple[str, ...], StuDraft]:
    """The names, and the draft with one more round of the seat draw. ``cards``: player → kind, of everybody or of those who drew
    equal cards.

    Once it is decided, the names are put in the order in which people sit down: the dealer keeps their place, the others follow
    at their right, anticlockwise. Raises Wrong where a card is missing or cannot be.
    """
    due = still_to_draw(names, own)
    missing = [name for name in due if not cards.get(name)]
    if missing:
        raise Wrong(N_("{name}’s card is missing."), name=missing[0])
    drawn = (*own.drawn, {name: cards[name] for name in due})
    try:
        seating = seat_draw(*drawn)
    except ValueError as error:
        raise Wrong(N_("The same card three times: the deck has two. Check again.")) from error
    own = replace(own, drawn=drawn)
    if seating.dealer is None or seating.again:
        return names, own
    # The dealer keeps their seat; the others follow, seat after seat, anticlockwise from there.
    at = names.index(seating.dealer)
    order = (seating.dealer, *seating.players[:-1])
    sat_down = tuple(order[(seat - at) % len(order)] for seat in range(len(order)))
    return sat_down, replace(own, dealer=seating.dealer)


def still_to_draw(names: tuple[str, ...], own: StuDraft) -> tuple[str, ...]:
    """Who draws a card next: everybody, or those who drew equal cards; nobody once it is decided."""
    seating = own.seating()
    if seating is None:
        return names
    return tuple(name for group in seating.again for name in group)
