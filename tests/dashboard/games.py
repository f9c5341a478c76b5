"""Small games by hand, for tests that look at one thing."""

from companion.games.stu.rules.log import read_lines
from companion.table.log import Line

GAME = '{"e":"game","v":1,"game":"stu","players":["Anna","Bruno","Carla"],"stake":200,"currency":"EUR","dealer":"Carla"}'

GNAFFATA = (
    GAME,
    '{"e":"hand"}',
    '{"e":"deal","to":"Anna","card":"3"}',
    '{"e":"passo","by":"Anna"}',
    '{"e":"reveal","by":"Bruno","card":"gnao","confidence":0.99}',
    '{"e":"passo","by":"Carla"}',
    '{"e":"draw","by":"Carla","card":"7"}',
    '{"e":"reveal","by":"Anna","card":"3"}',
    '{"e":"reveal","by":"Carla","card":"7"}',
    '{"e":"end","confidence":0.98}',
)
"""Anna is gnaffed by Bruno, and has the lowest card too. Carla deals, and draws a 7."""


def lines(*text: str) -> tuple[Line, ...]:
    return read_lines("\n".join(text).encode())
