"""Will a parcel be late? That is known when it has come: a frame replayed with its true delays."""

from pathlib import Path

import pandas

import tarry

frame = pandas.read_csv(Path(__file__).parents[1] / "late_labels.csv", parse_dates=["created_at", "delivered_at"])
frame["late"] = frame["late"].map({"yes": True, "no": False})

result = tarry.late_labels(frame.drop(columns="order_id"), seen="created_at", known="delivered_at", label="late")
print(result)
print(f"lateness cost {result.cost:.3f} a row")
for name, weight in result.model.weights(5).items():
    print(f"{name:20} {weight:+.2f}")
