"""A River pipeline whose labels come 100 rows late: each meets the round that was played for it."""

from typing import Any

from river import datasets, evaluate, linear_model, metrics, preprocessing

import tarry.river


def with_tickets(dataset: Any) -> Any:
    """River hands the third element to predict_one and to learn_one."""
    for i, (x, y) in enumerate(dataset):
        yield x, y, {"ticket": i}


ours = evaluate.progressive_val_score(with_tickets(datasets.Phishing()), tarry.river.Classifier(), metrics.LogLoss(), delay=100)
rival = preprocessing.StandardScaler() | linear_model.LogisticRegression()
theirs = evaluate.progressive_val_score(datasets.Phishing(), rival, metrics.LogLoss(), delay=100)
print(f"tarry.river.Classifier               {ours.get():.3f}")
print(f"StandardScaler | LogisticRegression  {theirs.get():.3f}")
