"""What a hand of Stoppa came to, in sentences."""

from __future__ import annotations

from companion.games.stoppa import words
from companion.games.stoppa.rules.state import HandRulings, Pot

UNBET = tuple(Pot(f"piccolo-{n}", 100, 0, "Dino", "dealer", ()) for n in (1, 2, 3))
GROSSO = Pot("grosso", 2000, 0, "Dino", "dealer", ())
ALONE = Pot("piccolo-4", 100, 50, "Anna", "alone", ())


def hand(*pots: Pot) -> HandRulings:
    return HandRulings(1, "Dino", "Anna", pots, None, None, (), (), void=False)


def test_punti_piccoli_on_which_nobody_bet_are_told_in_one_sentence() -> None:
    assert words.hand(hand(*UNBET, ALONE, GROSSO), "it") == (
        "nessuno punta sui punti piccoli 1, 2 e 3: vanno al mazziere, Dino, per 1,00 € l’uno (regola 7)",
        "Anna prende il punto piccolo 4, gli altri hanno passato: 1,50 € (regola 7)",
        "nessuno punta sul punto grosso: va al mazziere, Dino: 20,00 € (regola 8)",
    )


def test_one_that_is_not_sure_or_for_another_sum_is_told_alone() -> None:
    other = Pot("piccolo-3", 300, 0, "Dino", "dealer", ())
    assert words.hand(hand(*UNBET), "en", doubtful=(UNBET[1],)) == (
        "nobody bets on the punto piccolo 1: the dealer, Dino, takes it: €1.00 (rule 7)",
        "nobody bets on the punto piccolo 2: the dealer, Dino, takes it: €1.00 (rule 7)?",
        "nobody bets on the punto piccolo 3: the dealer, Dino, takes it: €1.00 (rule 7)",
    )
    assert words.hand(hand(*UNBET[:2], other), "en") == (
        "nobody bets on the punti piccoli 1 and 2: the dealer, Dino, takes them: €1.00 each (rule 7)",
        "nobody bets on the punto piccolo 3: the dealer, Dino, takes it: €3.00 (rule 7)",
    )
