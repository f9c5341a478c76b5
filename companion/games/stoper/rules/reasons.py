"""Why the rules of Stoper refuse something: each reason's code, and its sentence in English for gettext to translate."""

from __future__ import annotations

from companion.table.errors import Reason
from companion.table.language import N_, NN_

# The first line of a log.
SECOND_GAME_LINE = Reason("second_game_line", N_("a second game line"))
NUMBER_OF_PLAYERS = Reason("number_of_players", NN_("{number} player", "{number} players", "number"))
SAME_NAME = Reason("same_name", N_("two players have the same name"))
STACKS_NAMES = Reason("stacks_names", N_("the stacks are not those of exactly the players"))
STACKS_DIFFER = Reason("stacks_differ", N_("a tournament in which not all begin with the same stack"))
NO_STACKS = Reason("no_stacks", N_("a tournament in which nobody has chips"))
STANDING_NAMES = Reason("standing_names", N_("a standing of {player}, who does not sit at this table"))
STANDING_LEVEL = Reason("standing_level", N_("a pot of {pot} that a {level} opens"))
STANDING_PAROLA = Reason("standing_parola", N_("a parola pot in which nothing is"))
STANDING_SAID = Reason("standing_said", NN_("{number} player in the parola pot", "{number} players in the parola pot", "number"))

# Between hands.
OUTSIDE_HAND = Reason("outside_hand", N_("{what} outside a hand"))
IN_MID_HAND = Reason("in_mid_hand", N_("{what} in mid-hand"))
GAME_OVER = Reason("game_over", N_("the game is over"))
NOT_OVER_YET = Reason("not_over_yet", N_("the hand is not over"))
STAKES_MISSING = Reason("stakes_missing", N_("the first hand, and the {what} is not said"))
NAMED_TWICE = Reason("named_twice", N_("{player} is named twice"))
ABSENT_IN_TORNEO = Reason("absent_in_torneo", N_("in a tournament nobody sits a hand out"))
CHIPS_IN_TORNEO = Reason("chips_in_torneo", N_("in a tournament nobody buys chips"))
ABSENT_SAID_PAROLA = Reason("absent_said_parola", N_("{player} is of this parola pot and cannot be absent"))
NOTHING_TO_JOIN = Reason("nothing_to_join", N_("{player} joins, and nobody has to pay to be in this hand"))
IN_ALREADY = Reason("in_already", N_("{player} joins, and is in already"))
CANNOT_JOIN = Reason("cannot_join", N_("{player} joins with {stack} in chips, and it costs {amount}"))
TOO_FEW = Reason("too_few", NN_("{number} player takes part", "{number} players take part", "number"))
DEALER_OUT = Reason("dealer_out", N_("{player} deals and does not take part"))
SMALL_DECK = Reason("small_deck", N_("{number} players with {cards} cards"))

# Words.
NOT_NOW = Reason("not_now", N_("{what}, and the table waits for something else"))
OUT_OF_TURN = Reason("out_of_turn", N_("{player} acts out of turn"))
NOT_IN_HAND = Reason("not_in_hand", N_("{player} does not take part in this hand"))
HAS_PASSED = Reason("has_passed", N_("{player} has passed"))
NO_BLIND_NOW = Reason("no_blind_now", N_("a blind by {player}, whose right it is not"))
BLIND_TOO_LATE = Reason("blind_too_late", N_("a blind by {player} after the first card or word"))
BET_STANDS = Reason("bet_stands", N_("{what} after a bet"))
NO_BET_YET = Reason("no_bet_yet", N_("{what} before a bet"))
BLIND_RAISER_FIRST = Reason("blind_raiser_first", N_("{player} raises before the last blind raiser has had their word"))
BLIND_RAISER_STAYS = Reason("blind_raiser_stays", N_("{player} made the last blind and cannot pass or see it"))
NOBODY_TO_MATCH = Reason("nobody_to_match", N_("{player} raises, and nobody else in has chips"))
TOO_LITTLE = Reason("too_little", N_("{amount} is too little, and {player} has more chips"))
TOO_MUCH = Reason("too_much", N_("{amount} is more than the {most} that {player} has"))
RAISE_TOO_SMALL = Reason("raise_too_small", N_("a raise to {amount}, not above the highest"))
PAROLA_WITHOUT_CHIPS = Reason("parola_without_chips", N_("parola, and {player} is in without chips"))
MORE_THAN_ALL = Reason("more_than_all", N_("by this outcome the players have {sum} together, and there are only {total}"))
NO_SUCH_OUTCOME = Reason(
    "no_such_outcome",
    N_(
        "no hand can come to these chips: everybody in it pays cip and invito, and one player takes what the others lose, "
        "several only where somebody was all-in. Change the chips, or enter the hand as it was played"
    ),
)
PAROLA_UNTOLD = Reason("parola_untold", N_("a part of the chips is nobody's, and it is not known who has said parola"))

# Cards.
NOT_IN_DECK = Reason("not_in_deck", N_("{card} is not in a deck of {number}"))
TWICE = Reason("twice", N_("{card} stands there twice"))
OF_ANOTHER = Reason("of_another", N_("{card} is a card of {player}"))
WRONG_COUNT = Reason("wrong_count", NN_("{number} card named, of {count}", "{number} cards named, of {count}", "number"))
DO_NOT_AGREE = Reason("do_not_agree", N_("these cards do not agree with what is known of the cards of {player}"))
NOT_DEALING = Reason("not_dealing", N_("a card for {player}, and none is dealt to them now"))
TOO_MANY_CARDS = Reason(
    "too_many_cards",
    NN_("{player} is dealt {number} card, of {count}", "{player} is dealt {number} cards, of {count}", "number"),
)
FEWER_THAN_FACES = Reason(
    "fewer_than_faces",
    NN_("{number} card dealt, and more faces named", "{number} cards dealt, and more faces named", "number"),
)

# Comparing.
NOTHING_COMPARED = Reason("nothing_compared", N_("nothing is compared now"))
HAS_CONCEDED = Reason("has_conceded", N_("{player} has conceded"))
HAS_SHOWN = Reason("has_shown", N_("{player} has shown and cannot concede"))
OTHER_CARDS = Reason("other_cards", N_("{player} has shown other cards"))
