#!/usr/bin/env python3
"""Tarry's `auto` with learners that forget and without, on streams that change and on others, beside Vowpal Wabbit with constant rates.

    drift.py [--only NAME] [--rows N] [--without-rivals] [--data DIR]

Log loss or RMSE of the first fifth, the last half and the whole, with the ratio to `auto` without. Runs are kept in build/drift/kept.
"""
import argparse
import csv
import importlib.metadata
import math
import pathlib
import random

from bend_streams import stream_of
from bend_rivals import VowpalWabbit, play
from design_streams import hotel
from kept_runs import KeptRuns, hash_of
from late_streams import elec2, loans
from tarry_parts import PARTS, run_tarry
from unseen_streams import keel, nyc_flights

ROWS, FEATURES, SIZE, SPAN = 20_000, 10, 0.7, 4000  # of planted streams; slow drift forgets a weight in so many rows
CONSTANT = {f"-l {rate} --power_t 0": f"constant rate {rate}" for rate in (0.02, 0.1, 0.5, 2)}


def geometric(draw, mean):
    return 1 + math.floor(math.log(1 - draw.random()) / math.log1p(-1 / mean))


def planted(kind, loss, seed, folder):
    """Normal features, labels by a linear function of them whose weights change at each quarter, all the time, or never."""
    draw, cases = random.Random(f"{kind} {loss} {seed}"), []
    weights = [draw.gauss(0, SIZE) for _ in range(FEATURES)]
    for t in range(ROWS):
        if kind == "abrupt" and t > 0 and t % (ROWS // 4) == 0:
            weights = [draw.gauss(0, SIZE) for _ in range(FEATURES)]
        if kind == "slow":
            weights = [w * (1 - 1 / SPAN) + draw.gauss(0, SIZE * math.sqrt(2 / SPAN)) for w in weights]
        row = {f"x{i}": draw.gauss(0, 1) for i in range(FEATURES)}
        margin = sum(w * x for w, x in zip(weights, row.values()))
        label = margin + draw.gauss(0, 1) if loss == "squared" else 1.0 if draw.random() < 1 / (1 + math.exp(-margin)) else -1.0
        cases.append((float(t), t + geometric(draw, 100) - 0.5, label, row))
    numbers = tuple(f"x{i}" for i in range(FEATURES))
    return stream_of(f"planted {kind}, {loss}, seed {seed}", f"{kind}_{loss}_{seed}", cases, numbers, (), folder, loss)


def prices(data, folder, ahead, label):
    """New South Wales's electricity: `label` of the row so many half hours ahead, or of this one, known by then."""
    with open(data / "elec2" / "elec.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    numbers = tuple(lines[0])[:-1]
    if label == "class":
        cases = [(float(t), t + ahead - 0.5, 1.0 if line["class"] == "1" else -1.0, line) for t, line in enumerate(lines)]
        return stream_of(f"elec2, {ahead} rows late", f"elec2_{ahead}", cases, numbers, (), folder, "logistic")
    cases = [(float(t), t + ahead - 0.5, float(lines[t + ahead][label]), lines[t]) for t in range(len(lines) - ahead)]
    return stream_of("prices, a day ahead", "prices", cases, numbers, (), folder)


def streams(data, folder):
    yield prices(data, folder, 2, "class")
    yield elec2(data, 0, folder, 1)
    yield prices(data, folder, 48, "nswprice")
    for seed in (1, 2):
        for loss in ("logistic", "squared"):
            for kind in ("abrupt", "slow", "fixed"):
                yield planted(kind, loss, seed, folder)
    yield loans(data, folder)
    yield keel("phoneme", lambda cell: cell == "1", folder, 1, mean=300)
    yield keel("magic", lambda cell: cell == "g", folder, 1)
    yield hotel(data, folder)
    yield nyc_flights(folder)


def best_constant(stream, folder):
    kept = KeptRuns(folder / "kept", hash_of(stream, "drift", importlib.metadata.version("vowpalwabbit")))
    for options, name in CONSTANT.items():
        if kept.find("vw", name) is None:
            kept.keep({"who": "vw", "how": name, "metrics": play(stream, stream.arrivals(), VowpalWabbit(stream, options))})
    return [min(metrics) for metrics in zip(*(run["metrics"] for run in kept.runs.values()))]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--rows", type=int, default=0, help="of each stream, the first so many")
    parser.add_argument("--without-rivals", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path("build/drift").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    for stream in streams(options.data.absolute(), folder):
        if not any(part in stream.name for part in options.only.split("|")):
            continue
        limit = {"rounds": min(options.rows, len(stream.rows))} if options.rows else {}
        found = {name: run_tarry(stream.spec, folder, learner={"forgets": forgets}, **limit) for name, forgets in (("auto", False), ("forgets", True))}
        if not options.without_rivals:
            found["vw, constant rates"] = best_constant(stream, folder)
        print(f"{stream.name} ({len(stream.rows)} rows): {', '.join(PARTS)}")
        for who, parts in found.items():
            ratios = " ".join(f"{part / one:7.4f}" for part, one in zip(parts, found["auto"]))
            print(f"    {who:<18} " + " ".join(f"{part:9.4f}" for part in parts) + f"   {ratios}", flush=True)


if __name__ == "__main__":
    main()
