"""Why the rules of Stoppa refuse something: each reason's code, and its sentence in English for gettext to translate."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_, NN_

# The first line of a log.
SECOND_GAME_LINE = Reason("second_game_line", N_("a second game line"))
NUMBER_OF_PLAYERS = Reason("number_of_players", NN_("{number} player", "{number} players", "number"))
SAME_NAME = Reason("same_name", N_("two players have the same name"))
SMALL_GROSSO = Reason("small_grosso", N_("a punto grosso of {big}, not greater than a punto piccolo"))
REMOVED_MISSING = Reason("removed_missing", N_("with 3 players a Re is taken out, and nobody has said which"))
REMOVED_NO_RE = Reason("removed_no_re", N_("the card taken out is no Re"))
REMOVED_TOO_MANY = Reason("removed_too_many", N_("a Re taken out, with {number} players"))
STANDING_NAMES = Reason("standing_names", N_("the balances are not those of exactly the players"))
STANDING_SUM = Reason("standing_sum", N_("the balances do not add up to 0"))
SET_SUM = Reason(
    "set_sum", N_("the balances would then add up to {sum}, and what some win others lose: in all it must be {wanted}")
)
SET_SUM_CARRIED = Reason(
    "set_sum_carried",
    N_("the balances would then add up to {sum}, and {left} lie on the table for the next hand: in all it must be {wanted}"),
)

# Who and when.
OUTSIDE_HAND = Reason("outside_hand", N_("{what} outside a hand"))
IN_MID_HAND = Reason("in_mid_hand", N_("{what} in mid-hand"))
GAME_OVER = Reason("game_over", N_("the game is over"))
NOT_OVER_YET = Reason("not_over_yet", N_("the hand cannot end yet"))
TOO_MANY_PICCOLI = Reason("too_many_piccoli", N_("all {number} punti piccoli have been dealt"))
PICCOLI_MISSING = Reason("piccoli_missing", N_("the punto grosso before punto piccolo {number} was dealt"))
STOPPATA_TOO_SOON = Reason("stoppata_too_soon", N_("{what} before the punto grosso is decided"))
NOT_DEALING = Reason("not_dealing", N_("cards are dealt only while the punti piccoli are played"))

# Betting and comparing.
NO_BETTING = Reason("no_betting", N_("nobody bets now"))
PUNTO_DECIDED = Reason("punto_decided", N_("this punto is decided already"))
HAS_PASSED = Reason("has_passed", N_("{player} has passed"))
OUT_OF_TURN = Reason("out_of_turn", N_("{player} acts out of turn"))
BET_STANDS = Reason("bet_stands", N_("somebody has bet already"))
NO_BET_YET = Reason("no_bet_yet", N_("nobody has bet yet"))
BET_TOO_SMALL = Reason("bet_too_small", N_("a bet of {amount}"))
RAISE_TOO_SMALL = Reason("raise_too_small", N_("a raise to {amount}, not above the highest"))
NOTHING_COMPARED = Reason("nothing_compared", N_("nothing is compared now"))
NOT_COMPARED = Reason("not_compared", N_("{player} does not take part in this comparison"))
COMPARISON_OPEN = Reason("comparison_open", N_("the comparison is not over: {player} has not shown"))
HAS_CONCEDED = Reason("has_conceded", N_("{player} has conceded"))
PUNTO_UNTOLD = Reason(
    "punto_untold", N_("somebody has bet on the {punto}: tell who takes it first, and then only the outcome")
)
PUNTO_OPEN = Reason(
    "punto_open",
    N_("whose the {punto} is has not been entered: tell who takes it or that nobody bets, and then only the outcome"),
)
NOBODY_STOPS = Reason("nobody_stops", N_("everybody has cards left by this outcome: one player must have stopped, with none"))
SEVERAL_STOP = Reason(
    "several_stop", N_("{first} and {second} have no cards left by this outcome: only one player can have stopped")
)
NO_SUCH_OUTCOME = Reason(
    "no_such_outcome",
    N_(
        "no stoppata can leave these numbers of cards: they do not go with what was entered of this hand, such as the cards that "
        "were shown. Change the numbers, or put those lines right first"
    ),
)
HAS_SHOWN = Reason("has_shown", N_("{player} has shown and cannot concede"))

# Cards.
NO_CARDS = Reason("no_cards", N_("no card is named"))
TWICE = Reason("twice", N_("{card} stands there twice"))
NOT_IN_DECK = Reason("not_in_deck", N_("{card} is not in the deck of {number} players"))
OF_ANOTHER = Reason("of_another", N_("{card} is a card of {player}"))
OTHER_PUNTO = Reason("other_punto", N_("{card} was dealt in punto piccolo {number}"))
TOO_MANY_CARDS = Reason(
    "too_many_cards",
    NN_(
        "{player} cannot have more than the {number} card dealt", "{player} cannot have more cards than the {number} dealt",
        "number",
    ),
)
FEWER_THAN_FACES = Reason(
    "fewer_than_faces",
    NN_("{number} card dealt, and more faces named", "{number} cards dealt, and more faces named", "number"),
)
LAID_ALREADY = Reason("laid_already", N_("{card} has been laid"))

# Declarations.
AFTER_A_LAY = Reason("after_a_lay", N_("nobody declares after the first card was laid"))
NO_STOPPATA_IN_LAST = Reason("no_stoppata_in_last", N_("the last hand of a called giro has no stoppata"))
DECLARED_ALREADY = Reason("declared_already", N_("{what} after a declaration"))
FIGURE_IN_MISERA = Reason("figure_in_misera", N_("{player} has declared misera and has a figure"))
KING_IN_NO_STOPPATA = Reason("king_in_no_stoppata", N_("{player} has declared a hand without a Re and has one"))
NEEDED_ELSEWHERE = Reason("needed_elsewhere", N_("{player} cannot have the cards declared: others have them"))
NO_ROOM = Reason("no_room", N_("{player} cannot have the cards declared beside those known"))
TWO_DECLARED = Reason("two_declared", N_("{player} and another have declared what one alone can have"))

# The stoppata.
DIFFERENT_NUMBERS = Reason("different_numbers", N_("cards of different numbers are laid together"))
NOT_TOGETHER = Reason("not_together", N_("{count} cards of number {number} together"))
NOT_TO_OPEN = Reason("not_to_open", N_("{player} lays, and {opener} is to open a sequence"))
WANTED = Reason("wanted", N_("wanted {wanted}, laid {number}"))
NOT_FORCED = Reason("not_forced", N_("nothing that is known forces {player} to lay this"))
NOT_ALL_ACES = Reason("not_all_aces", N_("{player} has one more ace, or a Re, and throws aces"))
TOO_FEW_LAYS = Reason(
    "too_few_lays",
    NN_("{lays} lay is taken back, of {number}", "{lays} lays are taken back, of {number}", "lays"),
)
