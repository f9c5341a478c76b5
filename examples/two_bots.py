"""Two bots play a game, one by its own card alone, the other by the odds: python examples/two_bots.py [SEED]"""

import sys

from companion.games import stu
from companion.games.stu.bots import Settings, simulate
from companion.games.stu.story import story


def main(seed: int) -> None:
    table = Settings(players=("Anna", "Bruno"), stake=200, styles=("card", "odds"))
    lines = simulate(table, hands=50, seed=seed)
    for hand in story(lines):
        print(f"Hand {hand.n}, dealt by {hand.dealer}")
        for step in hand.steps:
            print(f"  {step.says['en']}")
    report = stu.report(stu.replay(lines))
    print(f"\n{report.status}: {report.winner} has the pot of {report.pot} cents" if report.winner else f"\n{report.status}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1)
