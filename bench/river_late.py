"""River's own delayed progressive validation: tarry.river beside River's linear models, with the same features.

    python bench/river_late.py [--data DIR] [--rows N]

Rows are predicted when they were asked and learnt when their label was known, by the times of the data. River's models learn a late label
where they stand by then; ours meets the round that was played. Every row carries a ticket, which River hands to both methods.
"""
import argparse
import csv
import datetime as dt
import gzip
import pathlib
import time

from river import compose, evaluate, linear_model, metrics, optim, preprocessing

import tarry.river

START = dt.datetime(2000, 1, 1)
TIMES = ("asked", "known")


def flights(data, rows):
    """Minutes of delay on arrival; known when the flight has landed."""
    with gzip.open(data / "flights" / "derived_hflights_stream.csv.gz", "rt", newline="") as file:
        for line, _ in zip(csv.DictReader(file), range(rows)):
            x = {name: float(line[name]) for name in ("DepDelay", "TaxiOut", "Distance")}
            x |= {name: line[name] for name in ("UniqueCarrier", "Dest")}
            yield x | {"asked": float(line["t_depart_min"]), "known": float(line["t_feedback_min"])}, float(line["ArrDelay"])


def airlines(data, rows):
    """Before time, on time or delayed: each flight stands twice, without its label and later with it."""
    names, waiting, found = [], {}, []
    with open(data / "airlines-events" / "airlines_delayed_label_events.arff") as lines:
        for line in lines:
            if line.startswith("@attribute"):
                names.append(line.split()[1])
            elif line[0].isdigit():
                cells = dict(zip(names, line.strip().split(",")))
                label, flight, now = cells.pop("ValueToPredict"), cells.pop("instanceId"), float(cells.pop("timeStamp"))
                if label == "?":
                    waiting[flight] = (now, cells)
                elif flight in waiting:
                    asked, cells = waiting.pop(flight)
                    words = {"UniqueCarrier", "Origin", "Month", "DayOfWeek"}
                    x = {name: cell if name in words else float(cell) for name, cell in cells.items()}
                    found.append((x | {"asked": asked, "known": now}, label))
    found.sort(key=lambda row: row[0]["asked"])
    yield from found[:rows]


def score(rows, model, metric):
    """The metric and the processor's seconds of one validation."""
    dataset = ((x, y, {"ticket": i}) if "tarry" in type(model["last"]).__module__ else (x, y) for i, (x, y) in enumerate(rows))
    start = time.process_time()
    evaluate.progressive_val_score(dataset, model, metric, moment=lambda x: START + dt.timedelta(minutes=x["asked"]),
                                   delay=lambda x, _: dt.timedelta(minutes=x["known"] - x["asked"]))
    return metric, time.process_time() - start


def with_features(last, ours):
    """Without the times; for River's models numbers scaled and words one-hot, as ours does by itself."""
    if ours:
        return compose.Pipeline(("without", compose.Discard(*TIMES)), ("last", last))
    numbers = compose.SelectType(float, int) | preprocessing.StandardScaler()
    words = compose.SelectType(str) | preprocessing.OneHotEncoder()
    return compose.Pipeline(("without", compose.Discard(*TIMES)), ("features", numbers + words), ("last", last))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--rows", type=int, default=50_000)
    given = parser.parse_args()
    streams = {
        "flights": (list(flights(given.data, given.rows)), lambda: metrics.MAE() + metrics.RMSE(), {
            "tarry.river.Regressor()": (tarry.river.Regressor(), True),
            "LinearRegression()": (linear_model.LinearRegression(), False),
            "LinearRegression(SGD(0.001))": (linear_model.LinearRegression(optim.SGD(0.001)), False),
            "LinearRegression(Adam(0.01))": (linear_model.LinearRegression(optim.Adam(0.01)), False),
        }),
        "airlines": (list(airlines(given.data, given.rows)), lambda: metrics.Accuracy() + metrics.MacroF1(), {
            "tarry.river.Classifier(classes=3)": (tarry.river.Classifier(classes=3), True),
            "SoftmaxRegression()": (linear_model.SoftmaxRegression(), False),
            "SoftmaxRegression(SGD(0.1))": (linear_model.SoftmaxRegression(optim.SGD(0.1)), False),
            "SoftmaxRegression(Adam(0.01))": (linear_model.SoftmaxRegression(optim.Adam(0.01)), False),
        }),
    }
    for name, (rows, metric, models) in streams.items():
        for what, (last, ours) in models.items():
            found, seconds = score(rows, with_features(last, ours), metric())
            told = "  ".join(f"{type(m).__name__} {m.get():.4g}" for m in found)
            print(f"{name:9} {len(rows):6} rows  {what:34} {told}  {1e6 * seconds / len(rows):.0f} µs/row", flush=True)


if __name__ == "__main__":
    main()
