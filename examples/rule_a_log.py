"""Who pays in a table log: python examples/rule_a_log.py [LOG]"""

import sys
from pathlib import Path

from companion.assets import asset
from companion.games import stu


def main(path: Path) -> None:
    try:
        state = stu.replay_log(path.read_bytes())
    except stu.GameError as error:  # what cannot have happened; the error names the line, the rule and what was expected
        sys.exit(f"{path}: {error}")
    print(f"{state:en}\n")
    for hand in stu.report(state).hands:  # the same as values
        for paid in hand.payments:
            print(f"hand {hand.n}: {paid.player} {paid.delta:+d} by {paid.cause}, rule {paid.rule}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else asset("datasets/demo/log.jsonl"))
