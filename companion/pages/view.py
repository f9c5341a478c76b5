"""What one page for spectators shows, as plain frozen values: the JSON of `/api/game` and of every event of `/api/stream`.

Everything here is already said in one language and is fit for everybody's eyes. A game may add keys of its own: its view derives
from `View`, its seats from `SeatView`.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct, field

from companion.table.language import Lang, catalogue
from companion.table.money import Sum

NO_GAME = "no_game"
"""The status of a view where there is no game to show."""

Role = Literal["decides", "asks", "asked", "draws", "bets", "shows", "opens", "lays", "changes"]
"""What a player is about to do: it is their turn; they wait for an answer; they must answer; they take from the deck; they bet or
pass; they lay their cards open; they begin a sequence; they go on with one; they change cards."""


class ViewSettings(Struct, frozen=True):
    """What a view depends on besides the game. ``sure_from``: probability from which a ruling counts as sure; ``happened``: how
    many lines of commentary it carries."""

    sure_from: float
    happened: int


class CardView(Struct, frozen=True):
    """A card on the table: `face` is a kind's id once everybody has seen it, else None; `name` is what people call it."""

    face: str | None
    name: str = ""


class Figure(Struct, frozen=True):
    """A figure of the whole game, such as the pot: its ``label`` and ``text``; ``tag``: a word that goes with it; ``dim``: it
    counts for nothing now."""

    label: str
    text: str
    tag: str = ""
    dim: bool = False


class Ranked(Struct, frozen=True):
    """What a player has: ``by``, a number by which players are ranked, the greatest first; ``text``: the same as people read it,
    "" where their seat says it."""

    by: int
    text: str = ""


class SeatView(Struct, frozen=True, kw_only=True):
    """One player, in seat order. ``has``: what they have, in words. ``change``: what the shown ruling does to it, None if
    nothing; ``amount``: the same as people read it, "" for the plain number. ``believed``: a ruling that is not sure took or gave
    of what they have. ``in_hand``: they hold a card in the hand in progress. ``card``: the one that lies before them; ``cards``:
    those that lie open there, in a game in which that may be several."""

    name: str
    in_play: bool
    in_hand: bool
    dealer: bool
    has: str = ""
    role: Role | None = None
    card: CardView | None = None
    cards: tuple[CardView, ...] = ()
    change: int | None = None
    amount: str = ""
    believed: bool = False
    winner: bool = False


class BettingSeat(SeatView, frozen=True, kw_only=True):
    """A player of a game with bets. ``bet``: what they have put in of the betting that goes on, "" for nothing; ``passed``: they
    are out of it; ``score``: what ``cards`` come to where hands are compared, 0 for nothing; ``doubtful``: which cards lie open
    there is not sure."""

    bet: str = ""
    passed: bool = False
    score: int = 0
    doubtful: bool = False


class PaymentView(Struct, frozen=True):
    """One payment of a ruling: `delta` of what a player has, `text` says why in a sentence, `brief` in few words ("": as `text`),
    `rule` is the rule's number (0: none is named), `card` a kind's id, `amount` the delta as people read it ("": the plain
    number)."""

    player: str
    delta: int
    cause: str
    rule: int
    text: str
    card: str | None = None
    brief: str = ""
    amount: str = ""


class SumView(Struct, frozen=True):
    """What a ruling comes to for one player: the sum of their payments, and `why`, in few words each; ``amount``: the sum as
    people read it ("": the plain number)."""

    player: str
    delta: int
    why: tuple[str, ...]
    amount: str = ""


class RulingView(Struct, frozen=True):
    """Who pays in a hand and why, as `companion.pages.ruling` makes it. `final`: the hand is over. `sure`: not called unsure by
    the camera side. `about`: which part of the hand it rules on, as people call it; "" for the hand.

    `confidence` is the probability (0…1) that the payments are right, None where nobody measured it (a log by hand).
    `sums` has a row for each player who pays or gains; `headline` says the same in one line, in parts that are not to be broken.
    """

    hand: int
    final: bool
    sure: bool
    confidence: float | None
    void: bool
    payments: tuple[PaymentView, ...]
    notes: tuple[str, ...] = ()
    sums: tuple[SumView, ...] = ()
    headline: tuple[str, ...] = ()
    about: str = ""


class ExchangeView(Struct, frozen=True):
    """An exchange: the player who asked for it, and whom they asked. ``pending``: it is asked for, and not yet answered;
    ``past``: something else has happened since; ``back``: it goes against the order of play."""

    who: str
    whom: str
    pending: bool = False
    past: bool = False
    back: bool = False


class AnnouncementView(Struct, frozen=True):
    """What fills the screen for some seconds, of the ``hand`` with this number. ``kind``: somebody is out, has come back, has
    won; all come back; nobody comes back any more; the pot is shared; something rare; or a card that was shown and stops
    somebody. ``title``: what is said of the ``names``, players' or other words written large; ``beneath``: what follows from it,
    such as the next price; ``card``: the kind of the card that was shown."""

    kind: Literal["out", "back", "restart", "won", "closed", "split", "rare", "card"]
    title: str
    names: tuple[str, ...]
    hand: int = 0
    beneath: tuple[str, ...] = ()
    card: str = ""


class ShareView(Struct, frozen=True):
    """What one person takes home of the pot, or the place in which they finished."""

    name: str
    sum: Sum


class AccountView(Struct, frozen=True):
    """What a game that is over comes to for one person in money. ``takes``: of the pot; ``paid``: what they put in; ``net``: what
    they have won or lost by it; None where nobody can know. ``why``: for what they take it, in a few words; ``person``: it is no
    pot."""

    name: str
    takes: Sum
    paid: Sum | None = None
    net: Sum | None = None
    why: str = ""
    person: bool = True


class SetView(Struct, frozen=True):
    """How it stood, as the table has said between two hands. ``after``: number of the hand before, 0 before the first;
    ``players``: whose standing was set; ``parts``: what, a few words each; ``text``: the same as a sentence, with the reason."""

    after: int
    players: tuple[str, ...]
    parts: tuple[str, ...]
    text: str


class View(Struct, frozen=True, kw_only=True):
    """One page's worth.

    Attributes:
        game_id: of the game that is played (`companion.games.GAMES`); in JSON `wing`.
        status: `NO_GAME`, ``in_play`` (between hands), ``hand_in_progress``, ``won``, or one of the game's own.
        hand: the number of the hand in progress or, between hands, of the last one (0: none yet).
        happened: the commentary, oldest first.
        message: the one sentence for the table's middle when no ruling stands.
        settlement: who takes something of the pot, or who came in where; accounts: what the game came to for everybody; both
            empty while it goes on.
        whole: the accounts of this game and of those that it goes on from with other people, together; empty where there are
            none, or their sums are not known.
        settling: the fewest payments that settle ``whole`` or, where that is empty, the accounts, a sentence each; empty where
            the sums are not known.
        part: of which games these are, a sentence; "" for this one, where it goes on from none.
        exchange: the one of the hand in progress that is asked for, else the last one. exchange_before: the one before it, while
            another is asked for.
        sets: how it stood, each time that the table has said so.
        announced: what fills the screen when it is new, of the last two hands.
        missed: what nobody saw of the hand, such as "8 seconds not seen"; "" where nothing was missed.
        standing: how the game stands between two hands, beside the ``figures``: what is shown large once the ruling was read.
        game: the ledger's id of the game; 0: none.
        revision: grows with every correction of what had been told of the game; where that is not known, as after a start, the
            newest version. It never goes back.
        corrected: what the last one has changed, a part for each player.
        corrected_hand: the number of its hand, 0 before the first.
    """

    lang: Lang
    game_id: str = field(name="wing")
    status: str
    hand: int
    seats: tuple[SeatView, ...]
    ruling: RulingView | None
    happened: tuple[str, ...]
    message: str
    figures: tuple[Figure, ...] = ()
    winner: str | None = None
    settlement: tuple[ShareView, ...] = ()
    accounts: tuple[AccountView, ...] = ()
    whole: tuple[AccountView, ...] = ()
    part: str = ""
    settling: tuple[str, ...] = ()
    exchange: ExchangeView | None = None
    exchange_before: ExchangeView | None = None
    sets: tuple[SetView, ...] = ()
    announced: tuple[AnnouncementView, ...] = ()
    missed: str = ""
    standing: tuple[Figure, ...] = ()
    game: int = 0
    revision: int = 0
    corrected: tuple[str, ...] = ()
    corrected_hand: int = 0


def no_game(game_id: str, lang: Lang) -> dict[str, Any]:
    """What every view says where there is no game to show: the values of `View`, by their names."""
    message = catalogue(lang).gettext("No game yet: this page starts by itself when one begins")
    return {
        "lang": lang, "game_id": game_id, "status": NO_GAME, "hand": 0, "seats": (), "ruling": None, "happened": (),
        "message": message,
    }  # fmt: skip
