"""Collaborative filtering: ratings come some days after a film was shown, and some never do."""

import random

import tarry

draw = random.Random(1)
kindness = {f"user {u}": draw.uniform(-0.8, 0.8) for u in range(30)}
quality = {f"film {f}": draw.uniform(-1.2, 1.2) for f in range(40)}


def rating(user: str, film: str) -> float:
    return 3 + kindness[user] + quality[film]


model = tarry.Model("ratings", users=100, items=100, range=[1, 5], expiry={"rounds": 500})
waiting: list[tuple[str, float]] = []
errors = []
for _ in range(10_000):
    user, film = draw.choice(list(kindness)), draw.choice(list(quality))
    shown = model.decide({"user": user, "item": film})
    errors.append((shown.prediction - rating(user, film)) ** 2)
    waiting.append((shown.ticket, rating(user, film)))
    if len(waiting) > 50:
        ticket, stars = waiting.pop(draw.randrange(len(waiting)))
        if draw.random() < 0.9:
            model.learn(ticket, stars)

print(f"rmse of the first 1000  {(sum(errors[:1000]) / 1000) ** 0.5:.2f}")
print(f"rmse of the last 1000   {(sum(errors[-1000:]) / 1000) ** 0.5:.2f}")
