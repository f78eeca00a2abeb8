"""Two prices, set every day. What they earned is known weeks later, and nothing else is: not what another price would have brought."""

import random

import numpy as np
from numpy.typing import NDArray

import tarry

DAYS, LONGEST = 60_000, 42
draw = random.Random(1)
# Each price from 0 to 1 of its list price. A loss is 1 − the day's profit as a share of the most that could be earned.
model = tarry.Model(set={"type": "box", "dimension": 2, "lower": 0, "upper": 1},
                    learner={"type": "delayed_bandit_ofw", "horizon": DAYS, "lipschitz": 2, "largest_delay": LONGEST, "seed": 1})


def share_earned(prices: NDArray[np.float64]) -> float:
    """Demand falls as prices rise: the best prices are 0.8 and 0.3."""
    return float(1 - (prices[0] - 0.8) ** 2 / 1.28 - (prices[1] - 0.3) ** 2 / 0.98)


coming: dict[int, list[tuple[str, float]]] = {}
earned: list[float] = []
for day in range(DAYS):
    decision = model.decide()
    assert decision.decision is not None  # a model without features decides
    earned.append(share_earned(decision.decision))
    coming.setdefault(day + draw.randint(14, LONGEST), []).append((decision.ticket, 1 - earned[-1]))
    for ticket, loss in coming.pop(day, []):
        model.learn(ticket, loss=loss)

month, year = earned[:30], earned[-365:]
print(f"first month {sum(month) / len(month):.3f} of the most that could be earned")
print(f"last year   {sum(year) / len(year):.3f}")
