"""Pages of a game with bets: derive from `BettingPages`, and say what lies in the middle, what a hand came to, and what has just
happened. The view, its seats and the sentences around them are the same for all. Its season derives from `BettingSeason`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Generic, TypeVar

from companion.decks.italian_words import kinds_by_number
from companion.pages.commentary import last_said
from companion.pages.counted import CountedSeason
from companion.pages.moments import Moment, is_sure
from companion.pages.moviola import SETTINGS, Moviola, replay_steps
from companion.pages.phone import ChoiceText, Doer, Offer
from companion.pages.plain import PlainPages
from companion.pages.ruling import changes, signed_amount
from companion.pages.view import BettingSeat, Role, RulingView, View, ViewSettings, no_game
from companion.table.game import State
from companion.table.language import Lang, catalogue
from companion.table.log import Event
from companion.table.story import frame_said
from companion.table.text import sentence

ViewOf = TypeVar("ViewOf", bound=View)
SeatOf = TypeVar("SeatOf", bound=BettingSeat)
CentreOf = TypeVar("CentreOf")


class BettingPages(PlainPages, Generic[ViewOf, SeatOf, CentreOf]):
    """See `companion.pages.protocol.Pages`. ``views``, ``seats``: what a page for spectators shows, and of each player; the third
    type is that of what lies in the middle.

    ``quiet``: kinds of lines that are no step of the moviola."""

    views: type[ViewOf]
    seats: type[SeatOf]
    quiet: tuple[type, ...] = ()
    pots = True

    # What a game says of its own.

    @property
    @abstractmethod
    def asked(self) -> Any:
        """Says what the referee asks (`question`, `choice`); imported when it is first wanted."""

    @abstractmethod
    def unsure(self, moments: Sequence[Moment], sure_from: float, /) -> Any:
        """What is not sure of the hand on the table, with its ``mistakes`` (`companion.pages.doubts.doubtful_mistakes`)."""

    @abstractmethod
    def hand_ruling(self, now: Moment, lang: Lang, settings: ViewSettings, unsure: Any, /) -> RulingView | None:
        """The ruling that stands, None for none."""

    @abstractmethod
    def believed(self, now: Moment, shown: RulingView | None, settings: ViewSettings, unsure: Any, /) -> set[str]:
        """The players for whom it is not sure what they have."""

    @abstractmethod
    def roles(self, state: State, /) -> dict[int, Role]:
        """Seat → what they are about to do."""

    @abstractmethod
    def seat(self, now: Moment, seat: int, lang: Lang, unsure: Any, /) -> dict[str, Any]:
        """What one player's seat shows beside name, role and what the ruling does to them: values of ``seats`` by their names."""

    @abstractmethod
    def amount(self, state: State, minor: int, lang: Lang, /) -> str:
        """A sum of this table, not negative."""

    @abstractmethod
    def message(self, state: State, lang: Lang, /) -> str:
        """The one sentence that says what the table waits for."""

    @abstractmethod
    def also(self, now: Moment, lang: Lang, unsure: Any, /) -> dict[str, Any]:
        """What the view has beside that of any game: values of ``views`` by their names."""

    @abstractmethod
    def happened(self, before: State, now: Moment, lang: Lang, doubtful: Collection[Any] = (), /) -> list[str]:
        """What has just happened, a sentence each: what was done, and mistakes that came to light, and which of these are
        ``doubtful``. What it came to stands in the ruling."""

    @abstractmethod
    def act_said(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        """What an event was; "" for one that tells nothing."""

    @abstractmethod
    def told_aloud(self, moments: Sequence[Moment], view: Any, lang: Lang, /) -> tuple[str, ...]:
        """As of `calls`, where no ruling stands that is not sure. ``view``: one of ``views``."""

    def goes_with(self, before: Moment, now: Moment, /) -> bool:
        """Whether two lines are one step of the moviola."""
        return False

    def step_said(self, step: Sequence[Moment], shown: Any, lang: Lang, /) -> str:
        """A step of the moviola as a sentence; ``shown``: the view after it."""
        return shown.happened[-1] if shown.happened else ""

    # What follows from it.

    def view(self, moments: Sequence[Moment], lang: Lang, settings: ViewSettings, /) -> ViewOf:
        """Nothing but `Moment.seen`, `Moment.laid` and public events go into it, so no face in it is one that nobody showed."""
        if not moments:
            return self.views(**no_game(self.game_id, lang))
        now = moments[-1]
        unsure, score = self.unsure(moments, settings.sure_from), self.score(now.seen, lang)
        shown = self.hand_ruling(now, lang, settings, unsure)
        return self.views(
            lang=lang, game_id=self.game_id, status=score.phase, hand=self._number(now.seen), ruling=shown,
            seats=tuple(self._seats(now, shown, lang, settings, unsure)), message=self.message(now.seen, lang),
            happened=last_said(
                moments, self.rules.names(now.seen), settings.happened,
                lambda before, moment: self.happened(before, moment, lang, unsure.mistakes),
                lambda moment: is_sure(moment, settings.sure_from),
            ),
            figures=score.figures, winner=score.winner, **self.also(now, lang, unsure),
        )  # fmt: skip

    def _seats(
        self, now: Moment, shown: RulingView | None, lang: Lang, settings: ViewSettings, unsure: Any
    ) -> Iterator[SeatOf]:
        state, due = now.seen, changes(shown.payments) if shown is not None else {}
        believed, best, roles = self.believed(now, shown, settings, unsure), self.winner(state), self.roles(state)
        for seat, name in enumerate(self.rules.names(state)):
            amount = signed_amount(due[name], lambda sum: self.amount(state, sum, lang)) if name in due else ""
            yield self.seats(
                name=name, role=roles.get(seat), change=due.get(name), amount=amount, believed=name in believed,
                winner=name == best, **self.seat(now, seat, lang, unsure),
            )  # fmt: skip

    def calls(self, moments: Sequence[Moment], view: View, lang: Lang, /) -> tuple[str, ...]:
        """Where a ruling is not sure, only that is said."""
        if not moments:
            return ()
        if view.ruling is not None and not view.ruling.sure:
            return (catalogue(lang).gettext("Not sure: check it yourselves."),)
        return self.told_aloud(moments, view, lang)

    def moviola(self, moments: Sequence[Moment], lang: Lang, /) -> Moviola[SeatOf, CentreOf] | None:
        """The last hand that is over; None before the first is, of a void one, and where only its outcome is known."""
        return replay_steps(
            moments, quiet=self.quiet, goes_with=self.goes_with, view=lambda so_far: self.view(so_far, lang, SETTINGS),
            says=lambda step, shown: self.step_said(step, shown, lang),
        )  # fmt: skip

    def line_text(self, before: State, event: Event, after: State, lang: Lang, /) -> str:
        """The line of a log as a sentence, with the cards in it."""
        hand = after.hand
        framed = frame_said(event, hand.n if hand else 0, after.table.names[hand.dealer] if hand else "", lang)
        return framed if framed is not None else sentence(self.act_said(before, event, after, lang))

    def cards(self, lang: Lang, /) -> tuple[tuple[str, str], ...]:
        return kinds_by_number(lang)

    def question(self, asked: Any, lang: Lang, /) -> str:
        said: str = self.asked.question(asked, lang)
        return said

    def choice(self, asked: Any, choice: str | None, names: tuple[str, ...], lang: Lang, /) -> ChoiceText:
        return ChoiceText(self.asked.choice(asked, choice, names, lang))


class BettingSeason(CountedSeason):
    """See `companion.pages.season.Season`."""

    curve: str | None = "net"
    tells_cards = True

    @abstractmethod
    def for_money(self, state: State) -> bool:
        """Whether the game is played for money, so that pages tell what everybody has won or lost."""

    @abstractmethod
    def on_table(self, state: State) -> int:
        """Minor units that earlier hands have left, for the next one."""

    def settled(self, state: State, *, ended: bool) -> bool:
        """Whether the balances are final: of a game that nobody closed they are once another has begun, if nothing lies on the
        table."""
        return not self.for_money(state) or self.final(state, ended=ended)

    def final(self, state: State, *, ended: bool) -> bool:
        """As `settled`, also of what is no money."""
        return bool(state.over or (ended and not self.on_table(state)))


def likely_acts(doer: Doer) -> Iterator[Offer]:
    """The likely amounts that this player can say, each as a whole act."""
    amounts = doer.amounts
    for sum in amounts.likely if amounts is not None else ():
        assert amounts is not None
        yield Offer(f"{amounts.label} {sum.text}", (type(amounts.event)(by=doer.name, to=sum.minor),))

