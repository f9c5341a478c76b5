"""Who pays whom after the punti: for the stoppata, for a misera, for four kings (rules 9, 15)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.stoppa.rules.state import Cause, Hand, Payment, Seat, State, Table


def price(table: Table, house: str | int) -> int:
    """What a house rule says something costs: the misera, or an amount."""
    return house if isinstance(house, int) else table.misera


def of_stoppata(table: Table, hand: Hand, winner: Seat) -> tuple[Payment, ...]:
    """What the others pay the player who stopped: one unit for every two (or three) cards left, the odd ones free (rule 15)."""
    unit, to = price(table, table.house.stoppata_unit), table.names[winner]
    paid = []
    for seat in table.round_from(winner)[1:]:
        left = table.size - hand.laid[seat].bit_count()
        if amount := left // table.house.cards_per_misera * unit:
            paid.append(Payment(table.names[seat], to, amount, "stoppata", left))
    return tuple(paid)


def of_declarations(table: Table, hand: Hand) -> tuple[Payment, ...]:
    """What the declarations made so far come to, ruled together: four kings before misere (rule 9)."""
    order = table.round_from(table.after(hand.dealer))
    said = {(declared.player, declared.what) for declared in hand.declared}
    kings, misere = ([seat for seat in order if (table.names[seat], what) in said] for what in ("four_kings", "misera"))
    cause: Cause = "four_kings" if kings else "misera"
    receivers, free = kings or misere, list[Seat]()
    if not kings:
        if table.house.two_misere == "each":
            free = misere
        else:
            receivers = misere[:1]
    amount = price(table, table.house.declaration_price)
    return tuple(
        Payment(table.names[seat], table.names[to], amount, cause)
        for to in receivers
        for seat in table.round_from(to)[1:]
        if seat not in free
    )


def paid(state: State, hand: Hand, payments: tuple[Payment, ...]) -> State:
    """The game when these are the payments of the hand, in place of those so far."""
    balances, names = list(state.balances), state.table.names
    for sign, entries in ((-1, hand.payments), (1, payments)):
        for entry in entries:
            balances[names.index(entry.payer)] -= sign * entry.amount
            balances[names.index(entry.to)] += sign * entry.amount
    return replace(state, balances=tuple(balances), hand=replace(hand, payments=payments))
