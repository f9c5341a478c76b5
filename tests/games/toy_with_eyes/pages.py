"""How Bassa is shown and kept."""

from msgspec.structs import replace

from companion.decks.stu import KINDS, NAMES
from companion.pages.plain import PlainPages
from companion.pages.view import CardView, PaymentView, View
from companion.table.log import tag
from toy_with_eyes import rules
from toy_with_eyes.rules import Show


class BassaPages(PlainPages):
    title = "Bassa"

    def has(self, state, player, lang):
        return f"{state.tokens[state.players.index(player)]} tokens"

    def payments(self, state, lang):
        payer, card = rules.outcome(state)
        return (PaymentView(payer, -1, "lowest", 0, f"{payer} has the lowest card", card),) if payer else ()

    def comment(self, before, event, after, lang):
        return f"{event.by} shows {event.card}" if isinstance(event, Show) else f"The {tag(event)}"

    def winner(self, state):
        return max(state.players, key=lambda name: state.tokens[state.players.index(name)])

    def laid(self, laid, before, event, after):
        """The cards that lie open; they stay until the next hand."""
        return after.hand.shown if after.hand is not None else laid or ()

    def view(self, moments, lang, settings) -> View:
        view = super().view(moments, lang, settings)
        laid = (moments[-1].laid or ()) if moments else ()
        cards = {name: CardView(card, getattr(NAMES[card], lang)) for name, card in laid}
        return replace(view, seats=tuple(replace(seat, card=cards.get(seat.name)) for seat in view.seats))

    def cards(self, lang):
        return tuple((kind, getattr(NAMES[kind], lang)) for kind in KINDS)


PAGES = BassaPages("bassa", rules, most_players=6)
