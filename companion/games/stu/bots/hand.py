"""One hand, played from the shuffled deck to the showdown."""

from __future__ import annotations

from decimal import Decimal
from random import Random
from typing import Literal

from companion.decks.stu import KINDS
from companion.games.stu.bots import styles
from companion.games.stu.bots.settings import PlayingStyle, Settings
from companion.games.stu.bots.view import Memory, View
from companion.games.stu.rules import apply, log
from companion.games.stu.rules.log import Event
from companion.games.stu.rules.run import must_hand_back
from companion.games.stu.rules.state import NOBODY, Hand, Position, State
from companion.games.stu.rules.trumps import is_trump
from companion.games.stu.rules.waiting import Awaited, awaited

Incident = Literal["penalty", "void", "exposed"]
_SHARES = tuple(map(Decimal, ("0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.5")))
_TERMS = ("un caffè", "un giro di vino", "la prossima mano mi fai passare", "due soldi subito", "una bbirra")


class PlayedHand:
    """Plays the hand that ``state`` has just begun; ``state`` and ``events`` grow with what happens.

    The deck is shuffled here and dealt from the top, so that a token of the state is a place in it. The bots know only what
    their `View` shows.
    """

    def __init__(self, settings: Settings, state: State, styles_of: tuple[PlayingStyle, ...], rng: Random) -> None:
        assert state.hand is not None
        self.settings = settings
        self.state = state
        self.rng = rng
        self.events: list[Event] = []
        hand = state.hand
        self.names = tuple([state.table.names[seat] for seat in hand.order])
        self.styles = tuple([styles_of[seat] for seat in hand.order])
        self.deck = list(KINDS) * 2
        if hand.matti == 1:
            self.deck.remove("matto")
        rng.shuffle(self.deck)
        self.memory = Memory(len(hand.order), self.deck)
        self.dealt = 0
        self.incident, self.when = self._incident(len(hand.order))
        self.who = rng.randrange(len(hand.order))

    def _incident(self, players: int) -> tuple[Incident | None, int]:
        """A rare event, and the decision of this hand before which it happens."""
        often = self.settings.event_probabilities
        chance = self.rng.random()
        penalty = often.penalty if self.state.table.piazza else 0.0
        for name, share in (("void", often.void), ("exposed", often.exposed), ("penalty", penalty)):
            if chance < share:
                return name, self.rng.randrange(players + 1)  # type: ignore[return-value]
            chance -= share
        return None, 0

    def play(self) -> None:
        """To the end of the hand."""
        if self.settings.dealing == "at-once":
            self._deal_until(len(self.names))
        decision = 0
        while (hand := self.state.hand) is not None:
            wait = awaited(hand)
            if wait.step == "answer":
                self._answer(hand, wait)
            elif wait.step == "draw":
                self._draw(hand, wait.who)
            elif self.incident is not None and decision >= self.when:
                self._happen(hand, self.incident)
            elif wait.step == "show":
                self._show_down(hand)
                return
            else:
                self._decide(hand, wait.who, wait.whom)
                decision += 1
        if self.state.end_may_follow:
            self._do(log.End())

    def _do(self, event: Event) -> Hand | None:
        self.state = apply(self.state, event)
        self.events.append(event)
        return self.state.hand

    def _deal_until(self, position: Position) -> None:
        """Everybody before this position has a card, and has looked at it."""
        for to in range(self.dealt, position):
            # a player who is to show a card early has it dealt unseen: a face known before would be no news
            unseen = self.incident == "exposed" and to == self.who
            self._do(log.Deal(to=self.names[to], card=None if unseen else self.deck[to]))
            self.memory.look(to, to)
        self.dealt = max(self.dealt, position)

    def _view(self, hand: Hand, position: Position, asked: Position) -> View:
        return self.memory.view(hand, position, asked)

    def _decide(self, hand: Hand, position: Position, asked: Position) -> None:
        """Sto or passo, forward or sent further back."""
        if position >= self.dealt:
            self._deal_until(position + 1)
            hand = self._hand()
        name, style = self.names[position], self.styles[position]
        nobody_to_ask = asked == NOBODY and position != hand.dealer_position
        view = self._view(hand, position, asked)
        bit = 1 << hand.holds[position]
        if nobody_to_ask or styles.stays(style, view, self.rng, self.settings.event_probabilities.mistake):
            self.memory.kept |= bit
            self._do(log.Sto(by=name))
        else:
            self.memory.passed |= bit
            self._do(log.Passo(by=name))

    def _answer(self, hand: Hand, wait: Awaited) -> None:
        """What the asked player does, by the card and the rules."""
        asked, asker = wait.who, wait.whom
        if asked >= self.dealt:
            self._deal_until(asked + 1)
            hand = self._hand()
        name, style, token = self.names[asked], self.styles[asked], hand.holds[asked]
        card = self.deck[token]
        mistake = self.settings.event_probabilities.mistake
        if not is_trump(card) or (wait.back and must_hand_back(hand, asker, asked)):
            lets_go = True
        else:
            lets_go = not hand.is_shown(token) and styles.swaps_by_mistake(style, self.rng, mistake)
        if lets_go:
            self._swap(log.Swap(with_=name), wait)
        elif card == "taverna" and not wait.back and self._agree(hand, asker, asked):
            self.memory.show(token)
            self._swap(self._terms(name), wait)
        else:
            self.memory.show(token)
            self._do(log.Reveal(by=name, card=card))

    def _swap(self, event: log.Swap | log.Taverna, wait: Awaited) -> None:
        hand = self._do(event)
        for position in (wait.whom, wait.who):
            if hand is not None and hand.still_in(position):  # an offer that follows by itself may send one out at once
                self.memory.look(position, hand.holds[position])

    def _agree(self, hand: Hand, asker: Position, asked: Position) -> bool:
        """Whether the two find terms for the Taverna (rule 13). The asker has seen it by then."""
        if not styles.offers_taverna(self.styles[asked], asked == hand.dealer_position, self.rng):
            return False
        return styles.takes_taverna(self.styles[asker], self._view(hand, asker, asked), self.rng)

    def _terms(self, name: str) -> log.Taverna:
        if not self.settings.event_probabilities.bargain:
            return log.Taverna(by=name)
        rng = self.rng
        terms = rng.choice(_TERMS) if rng.random() < 0.4 else None
        share = rng.choice(_SHARES) if terms is None or rng.random() < 0.5 else None
        return log.Taverna(by=name, terms=terms, share=share)

    def _draw(self, hand: Hand, position: Position) -> None:
        """The true top card: the next of the shuffled deck, or the first put under it."""
        self._deal_until(len(self.names))
        hand = self._hand()
        card = self.deck[len(hand.faces) if hand.fresh else (*hand.under, hand.holds[position])[0]]
        after = self._do(log.Draw(by=self.names[position], card=card))
        assert after is not None
        self.memory.look(position, after.holds[position])

    def _happen(self, hand: Hand, incident: Incident) -> None:
        """A rare event happens."""
        self.incident = None
        rng = self.rng
        if incident == "void":
            self._do(log.Void(reason=rng.choice(("carta scoperta dal mazziere", "carte contate male"))))
            return
        self._deal_until(self.who + 1)
        hand, name = self._hand(), self.names[self.who]
        if not hand.still_in(self.who):
            return
        token = hand.holds[self.who]
        if incident == "penalty":
            self._do(log.Penalty(player=name, reason="ha parlato troppo"))
        elif token == self.who and not hand.is_shown(token):
            self.memory.show(token)
            self._do(log.Reveal(by=name, card=self.deck[token]))

    def _show_down(self, hand: Hand) -> None:
        self._deal_until(len(self.names))
        hand = self._hand()
        to_show = [position for position in hand.positions() if not hand.is_shown(hand.holds[position])]
        self.rng.shuffle(to_show)
        for position in to_show:
            self._do(log.Reveal(by=self.names[position], card=self.deck[hand.holds[position]]))
        self._do(log.End())

    def _hand(self) -> Hand:
        assert self.state.hand is not None
        return self.state.hand
