"""A whole game: hand after hand, and what happens between them."""

from __future__ import annotations

from decimal import Decimal
from random import Random

from companion.games.stu.bots import styles
from companion.games.stu.bots.hand import PlayedHand
from companion.games.stu.bots.settings import Settings
from companion.games.stu.rules import apply, begin, log, money
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.state import State
from companion.table.errors import Illegal, SimulatorError
from companion.table.log import Line

_SPLITS = tuple((Decimal(a), Decimal(b)) for a, b in (("0.5", "0.5"), ("0.6", "0.4"), ("0.45", "0.45"), ("0.3", "0.3")))
_PARTS = tuple(map(Decimal, ("0.2", "0.25", "0.3", "0.5")))


def simulate(settings: Settings, *, hands: int, seed: int) -> tuple[Line, ...]:
    """The whole log of one game: at most ``hands`` hands (void ones count), fewer when it is won before.

    The same settings and seed give the same log.

    Raises:
        SimulatorError: the settings make no table that the rules allow.
    """
    return tuple([Line(event) for event in Evening(settings, seed).play(hands)])


class Evening:
    """A game in play: ``state``, and the ``events`` that led to it."""

    def __init__(self, settings: Settings, seed: int) -> None:
        self.settings = settings
        self.rng = Random(seed)
        players = settings.players
        self.styles = tuple([settings.styles[seat % len(settings.styles)] for seat in range(len(players))])
        standing = {}
        usual = settings.first.VARIANT.pedine
        if settings.pedine not in (None, usual):
            standing = {name: log.Standing(settings.pedine, settings.pedine > usual) for name in players}
        game = log.new_game(
            players,
            settings.stake,
            self.rng.choice(players) if players else "",
            edition=settings.edition,
            house_rules=settings.house_rules,
            standing=standing,
            of=settings.first,
        )
        try:
            self.state: State = begin(game)
        except Illegal as error:
            raise SimulatorError(str(error)) from error
        self.events: list[Event] = [game]

    def play(self, hands: int) -> list[Event]:
        """Play on for at most this many hands; the events of the game so far."""
        for _ in range(hands):
            self._pause()
            if self.state.won or len(self.state.in_play) < 2:
                break
            self._begin_hand()
            played = PlayedHand(self.settings, self.state, self.styles, self.rng)
            played.play()
            self.state = played.state
            self.events += played.events
            if self.state.won:
                break
        if self.state.status == "won_unless_reentry" and self.settings.event_probabilities.close:
            self._do(log.Close())
        return self.events

    def _do(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def _begin_hand(self) -> None:
        dealer = None
        if self.rng.random() < self.settings.event_probabilities.wrong_dealer:
            dealer = self.state.table.names[self.rng.choice(self.state.in_play)]
        self._do(log.Hand(dealer=dealer))

    def _pause(self) -> None:
        """Between two hands."""
        state, rng, often = self.state, self.rng, self.settings.event_probabilities
        if state.last_ended >= 0 and state.table.piazza and rng.random() < often.penalty:
            self._do(log.Penalty(player=state.table.names[rng.choice(state.in_play)]))
            if self.state.won:
                return
        for seat, name in enumerate(state.table.names):
            if self.state.pedine[seat] == 0 and self.state.ricompere_open:
                self._perhaps_back(seat, name)
        if rng.random() < often.matto:
            self._do(log.Matto(in_deck=1 if self.state.matti == 2 else 2))
        if len(self.state.in_play) >= self.state.deck:
            self._do(log.Matto(in_deck=2))
        if len(last := self.state.in_play) == 2 and rng.random() < often.split:
            shares = rng.choice(_SPLITS)
            self._do(log.Split(shares={self.state.table.names[seat]: s for seat, s in zip(last, shares, strict=True)}))
        if rng.random() < often.close:
            self._do(log.Close())

    def _perhaps_back(self, seat: int, name: str) -> None:
        """A ricompera, if this player wants it, sometimes with partners (rule 10)."""
        state, rng = self.state, self.rng
        stake = state.table.stake
        price = money.price(stake, state.ricompere)
        pot = money.pot(stake, len(state.pedine), state.ricompere)
        if not styles.comes_back(self.styles[seat], price, pot, sum(state.pedine), stake, rng):
            return
        partners: tuple[log.Partner, ...] = ()
        if self.settings.event_probabilities.bargain and rng.random() < 0.4:
            others = [other for other in state.table.names if other != name]
            named = rng.sample(others, min(len(others), rng.choice((1, 1, 2))))
            partners = tuple([log.Partner(other, rng.choice(_PARTS)) for other in named])
        self._do(log.Rebuy(by=name, partners=partners))
