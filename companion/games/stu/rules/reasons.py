"""Why the rules refuse something: each reason's code, and its sentence in English for gettext to translate."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_, NN_

# The first line of a log.
SECOND_GAME_LINE = Reason("second_game_line", N_("a second game line"))
NUMBER_OF_PLAYERS = Reason("number_of_players", NN_("{number} player", "{number} players", "number"))
SAME_NAME = Reason("same_name", N_("two players have the same name"))
STAKE = Reason("stake", N_("a stake of {stake}"))
VIRGIN_WITHOUT_PEDINE = Reason(
    "virgin_without_pedine",
    NN_("{player} is a virgin with {pedine} pedina", "{player} is a virgin with {pedine} pedine", "pedine"),
)
NOBODY_IN_PLAY = Reason("nobody_in_play", N_("nobody has a pedina"))
PAID_NULL = Reason("paid_null", N_("what a partner has paid is null"))
SHARE_AS_TEXT = Reason("share_as_text", N_("a share is written as text"))

# Who.
NOT_IN_HAND = Reason("not_in_hand", N_("{player} is not in this hand"))
OUT_OF_TURN = Reason("out_of_turn", N_("{player} acts out of turn"))
TOO_SOON = Reason("too_soon", N_("{player} acts too soon"))
NOT_ASKED = Reason("not_asked", N_("{player} has not been asked"))
NOBODY_TO_ASK = Reason("nobody_to_ask", N_("nobody is left after {player} to be asked"))

# When.
OUTSIDE_HAND = Reason("outside_hand", N_("{what} outside a hand"))
IN_MID_HAND = Reason("in_mid_hand", N_("{what} in mid-hand"))
AFTER_THE_END = Reason("after_the_end", N_("{what} after the game is won"))
GAME_OVER = Reason("game_over", N_("the game is over"))
NOT_OVER_YET = Reason("not_over_yet", N_("the hand cannot end yet"))

# Cards.
SEEN_DIFFERENT = Reason("seen_different", N_("the card of {player} is a {seen}, not a {card}: it has been seen"))
ONE_TOO_MANY = Reason("one_too_many", N_("one {card} too many: the deck has 2 copies, seen already"))
ONE_TOO_MANY_OF_ONE = Reason("one_too_many_of_one", N_("one {card} too many: the deck has 1 copy, seen already"))
UNSEEN = Reason("unseen", N_("the card of {player} has not been seen"))
HAS_CARD = Reason("has_card", N_("{player} has a card already: one to a player"))
HAS_PLAYED = Reason("has_played", N_("{player} has played already, with a card"))
CANNOT_REFUSE = Reason("cannot_refuse", N_("{player} is asked, and a {card} cannot refuse"))
NO_BARGAINING = Reason("no_bargaining", N_("a backward run leaves no bargaining"))
HANDS_BACK = Reason("hands_back", N_("{player} got the Taverna from {giver} in this hand and hands it back"))
NO_DRAW = Reason("no_draw", N_("{player} has nothing to draw for"))

# Between hands.
TOO_FEW_CARDS = Reason("too_few_cards", N_("{number} players and {cards} cards"))
OUT_CANNOT_DEAL = Reason("out_cannot_deal", N_("{player} is out and cannot deal"))
STILL_IN_PLAY = Reason("still_in_play", N_("{player} is still in play"))
RICOMPERE_CLOSED = Reason("ricompere_closed", N_("no ricompera is possible: they are closed for good"))
NO_VIRGIN = Reason("no_virgin", N_("no ricompera is possible: no virgin is in play"))

# Penalties, shares of the pot.
NO_PENALTIES = Reason("no_penalties", N_("no penalties in this edition"))
PENALTY_OF_THE_LAST = Reason(
    "penalty_of_the_last", N_("{player} cannot pay the last pedina while an answer is pending")
)
PENALTY_BEFORE_ANY_HAND = Reason(
    "penalty_before_any_hand", N_("no hand has ended yet that a penalty could belong to")
)
NO_PEDINA_LEFT = Reason("no_pedina_left", N_("{player} has no pedina left"))
NOT_THE_LAST_TWO = Reason("not_the_last_two", N_("a split is between the last two in play"))
SHARE_OUTSIDE = Reason("share_outside", N_("a share is outside 0 to 1"))
SHARE_TOO_LONG = Reason("share_too_long", N_("a share has more than {decimals} decimals"))
PENALTY_UNCOUNTED = Reason(
    "penalty_uncounted",
    NN_(
        "a penalty in this hand has already cost {player} {number} pedina: count it in the outcome, {player} {number} or more",
        "penalties in this hand have already cost {player} {number} pedine: count them in the outcome, {player} {number} or more",
        "number",
    ),
)
PENALTY_ALONE = Reason(
    "penalty_alone",
    N_("by this outcome nobody has paid besides the penalty of {player}: tell who paid for the hand, the penalty counted"),
)
NOBODY_PAYS = Reason("nobody_pays", N_("nobody pays by this outcome: at least the lowest card pays in every hand that counts"))
MORE_THAN_LEFT = Reason(
    "more_than_left",
    NN_(
        "{player} had {number} pedina before this hand, and cannot have paid more in it",
        "{player} had {number} pedine before this hand, and cannot have paid more in it",
        "number",
    ),
)
DEALER_PAYS_MORE = Reason(
    "dealer_pays_more", N_("{player} deals in this hand, and so asks nobody: that costs one pedina at most, penalties apart")
)
NO_SUCH_OUTCOME = Reason(
    "no_such_outcome",
    N_(
        "no hand can come to this: in the end one player pays for the lowest card and one for the Matto; anybody else, "
        "and anybody who pays more, only by offering a card to a Gnao or a Bragon. Change who has paid, "
        "or enter the hand as it was played"
    ),
)
OWN_PARTNER = Reason(
    "own_partner", N_("{player} is the only partner named of their own ricompera: name who else shares it, or nobody")
)
PARTNER_TWICE = Reason("partner_twice", N_("{player} is named twice as a partner: name each once, with the whole share"))
PAID_ABOVE_PRICE = Reason("paid_above_price", N_("the partners pay {paid} of a ricompera that costs {price}"))
SHARES_ABOVE_POT = Reason("shares_above_pot", N_("the shares come to more than the whole pot"))

# The seat draw.
TOO_FEW_FOR_SEATS = Reason("too_few_for_seats", N_("a seat draw of fewer than 2 players"))
NOT_THOSE_WHO_DRAW = Reason("not_those_who_draw", N_("not the players who must draw again"))
DRAWN_TOO_OFTEN = Reason("drawn_too_often", N_("{number} times {card}"))
