"""Where on the table Lu Stù is played."""

from __future__ import annotations

import math

from workshop.choreography.barlife import Circle
from workshop.choreography.layout import Plan


def taken(plan: Plan) -> list[Circle]:
    """Circles over where cards lie and over the paths between neighbours."""
    circles = []
    for seat, after in zip(plan.seats, (*plan.seats[1:], plan.seats[0]), strict=True):
        circles += [(seat.place, 72.0), (seat.local(-seat.token_side * 25, 125), 66.0)]
        circles += [(seat.local(seat.token_side * right, -14), 50.0) for right in (70, 130, 190)]
        circles += [(seat.local(0, -75), 55.0)]
        steps = max(int(math.dist(seat.place, after.place) / 60), 1)
        circles += [
            ((seat.place[0] + (after.place[0] - seat.place[0]) * k / steps,
              seat.place[1] + (after.place[1] - seat.place[1]) * k / steps), 45.0)
            for k in range(1, steps)
        ]  # fmt: skip
    if plan.deck_in_middle:
        circles.append(((0.0, 0.0), 90.0))
    return circles
