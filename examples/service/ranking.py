"""Which article to put on the front page? What Azure Personalizer's Rank and Reward did, over a Tarry service.

    export TARRY_TOKEN=$(tarry token add ranking --data data --scope admin,decide,feedback)
    tarry serve --data data &
    python examples/service/ranking.py [http://127.0.0.1:8080]

One model predicts the reward of an action in a context. Rank asks it about every action, mostly takes the best and sometimes
another one to learn about it (that is this program's choice, not the service's), and opens a round for the one it took.
"""

from __future__ import annotations

import os
import random
import sys
from typing import Any

import tarry

ACTIONS: dict[str, dict[str, Any]] = {
    "pasta": {"kitchen": "italian", "minutes": 20},
    "sushi": {"kitchen": "japanese", "minutes": 15},
    "stew": {"kitchen": "french", "minutes": 90},
}
EXPLORE = 0.1


def features(context: dict[str, Any], action: str) -> dict[str, Any]:
    """A context and an action as one row; their pairs are made by the model ("interactions")."""
    told = {f"action_{name}": value for name, value in ACTIONS[action].items()}
    return {**context, "action": action, **told}


def rank(client: tarry.Client, context: dict[str, Any], draw: random.Random) -> tuple[str, str]:
    """The action to show and the ticket that its reward will name."""
    if draw.random() < EXPLORE:
        chosen = draw.choice(sorted(ACTIONS))
    else:
        rewards = {action: client.predict("menu", features(context, action))["prediction"] for action in ACTIONS}
        chosen = max(rewards, key=lambda action: (rewards[action], action))
    return chosen, client.decide("menu", features(context, chosen)).ticket


def main(url: str) -> None:
    draw = random.Random(1)
    with tarry.Client(url, os.environ.get("TARRY_TOKEN")) as client:
        # No reward after ten minutes counts as 0, as Personalizer's default reward did.
        client.create("menu", {"task": "regression", "features": {"interactions": [["time", "action"]]},
                               "expiry": {"seconds": 600, "then": {"label": 0}}})
        late: list[tuple[str, float]] = []
        liked: list[float] = []
        for _ in range(600):
            context = {"time": draw.choice(["noon", "evening"])}
            action, ticket = rank(client, context, draw)
            taste = {"noon": "sushi", "evening": "stew"}[context["time"]]
            liked.append(1.0 if action == taste else 0.0)
            late.append((ticket, liked[-1]))
            if len(late) >= 20:  # rewards come late, and not in order
                draw.shuffle(late)
                client.feedback_many(late[:10])
                del late[:10]
        client.feedback_many(late)
    print(f"liked in the first 100: {sum(liked[:100]):.0f}, in the last 100: {sum(liked[-100:]):.0f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080")
