"""The comparison of Nguyen, Thang and Trystram (arXiv 2402.02114) at equal oracle calls: online multiclass logistic regression on images of
digits whose labels come late. `bench/digits` runs it in a virtual environment; a figure is in the report of the folder given by --keep.

Differs from theirs: scikit-learn's 1,797 digits of 8 × 8 pixels in the place of MNIST, one image a round and one pass in shuffled order, a
central learner only. Written down before any result was seen:

  sets     an l1 ball of radius 32, theirs in kind, and an l2 ball of radius 10, where the set is strongly convex
  delays   none; geometric with mean 100
  K        oracle calls a round: 1, 4, 16 and 64. `delayed_mfw` makes K at a play, `delayed_ofw` K at an arrival, `gauge_ftrl` one in all,
           `auto` none (it needs no oracle)
  tuning   horizon T and the largest gradient of the data for all; the bases of BOLD for the T/100 rounds that each of them plays
  measure  the mean loss of predictions as they were made, over seeds that shuffle and delay
"""

import argparse
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

from sklearn.datasets import load_digits

SETS = {"l1 ball": {"type": "l1_ball", "radius": 32.0}, "l2 ball": {"type": "l2_ball", "radius": 10.0}}
DELAYS = {"none": 'type = "none"', "mean 100": 'type = "geometric"\nmean = 100'}


def write_rows(path, seed):
    """One pass over the digits in shuffled order; the largest gradient that softmax can have on them."""
    digits = load_digits()
    order = list(range(len(digits.target)))
    random.Random(seed).shuffle(order)
    with open(path, "w") as out:
        out.write(",".join(f"p{i}" for i in range(64)) + ",digit\n")
        for i in order:
            out.write(",".join(f"{x / 16:g}" for x in digits.data[i]) + f",d{digits.target[i]}\n")
    return len(order), math.sqrt(2) * max(math.sqrt(1 + sum((x / 16) ** 2 for x in row)) for row in digits.data)


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    return json.dumps(value)


def learners(over, calls, horizon, bound, copies):
    """Name → specification. `copies`: how many BOLD will have, about."""
    base = max(2, round(horizon / copies))
    of = {}
    for k in calls:
        def ofw(rounds, k=k):
            return {"type": "delayed_ofw", "horizon": rounds, "gradient_bound": bound, "oracle_calls": k}
        mfw = {"type": "delayed_mfw", "oracle_calls": k, "gradient_bound": bound}
        if over == "l1 ball":
            mfw["copies"] = "perturbed"
        of["delayed OFW", k] = ofw(horizon)
        of["delayed MFW", k] = mfw
        of["BOLD of OFW", k] = {"type": "bold", "base": ofw(base)}
        of["BOLD of MFW", k] = {"type": "bold", "base": mfw}
    if over == "l2 ball":
        of["gauge_ftrl", 1] = {"type": "gauge_ftrl", "light": True}
    of["auto", 0] = {"type": "auto"}
    return of


def experiment(path, over, delay, seed, of):
    lines = [f'name = "digits {over} {delay}"', f"seeds = [{seed}]", "comparator = false", "[set]", 'dimension = "stream"']
    lines += [f"{key} = {toml(value)}" for key, value in SETS[over].items()]
    lines += ["[stream]", 'name = "digits"', 'type = "csv"', f"path = {toml(str(path))}", 'label = "digit"',
              "features = [" + ", ".join(f'"p{i}"' for i in range(64)) + "]", "classes = [" + ", ".join(f'"d{i}"' for i in range(10)) + "]",
              'loss = { type = "softmax", classes = 10 }', "[delay]", DELAYS[delay]]
    for (name, k), spec in of.items():
        lines += ["[[learners]]", f"name = {toml(f'{name} {k}')}"] + [f"{key} = {toml(value)}" for key, value in spec.items()]
    return "\n".join(lines) + "\n"


def play(text, keep):
    keep.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([os.environ.get("TARRY", "tarry"), "run", "-", "--out", str(keep)], input=text.encode(), capture_output=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr.decode())
    with open(keep / "summary.json") as summary:
        return {group["learner"]: group for group in json.load(summary)["groups"]}


def main():
    given = argparse.ArgumentParser()
    given.add_argument("--seeds", type=int, default=5)
    given.add_argument("--calls", default="1,4,16,64")
    given.add_argument("--keep", help="a folder for the reports of the first seed")
    given = given.parse_args()
    calls = [int(k) for k in given.calls.split(",")]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for over in SETS:
            for delay in DELAYS:
                found = {}
                for seed in range(1, given.seeds + 1):
                    horizon, bound = write_rows(scratch / "digits.csv", seed)
                    of = learners(over, calls, horizon, bound, 1 if delay == "none" else 100)
                    keep = pathlib.Path(given.keep) / f"{over}, {delay}" if given.keep and seed == 1 else scratch / "out"
                    groups = play(experiment(scratch / "digits.csv", over, delay, seed, of), keep)
                    for name, k in of:
                        found.setdefault(name, {}).setdefault(k, []).append(groups[f"{name} {k}"]["loss"] / horizon)
                print_table(over, delay, calls, found)


def print_table(over, delay, calls, found):
    print(f"| {over}, delay {delay} | " + " | ".join(f"K = {k}" for k in calls) + " |\n|---" * 1 + "|---" * len(calls) + "|")
    for name, by_calls in found.items():
        cells = [f"{statistics.mean(by_calls[k]):.3f}" if k in by_calls else "" for k in calls]
        if 0 in by_calls:
            cells[0] = f"{statistics.mean(by_calls[0]):.3f} (no oracle)"
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(flush=True)


if __name__ == "__main__":
    main()
