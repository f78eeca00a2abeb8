"""Tarry's `auto`, nothing set, beside River and Vowpal Wabbit on streams of late labels. Usage: rivals.py [--data DIR]

Every contestant sees the same features and learns each label at the same moment; the metric counts every prediction,
also those whose label never came. A rival's grid is chosen in hindsight: the best of its runs on the very stream.
"""
import argparse
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import time

import vowpalwabbit
from river import linear_model, optim, preprocessing

from late_streams import late_streams

HALF_WIDTH = 10.0  # of Tarry's box, in standardised units: one for all streams
RIVER_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]  # 0.01 is River's own
VW_RATES = [0.02, 0.1, 0.5, 2, 8, 32]  # 0.5 is Vowpal Wabbit's own
VW_UPDATES = {"": "all three", "--sgd": "plain", "--adaptive": "adaptive", "--adaptive --invariant": "adaptive invariant",
              "--normalized --invariant": "normalized invariant"}
VW_OTHERS = {"--coin": "coin betting", **{f"--ftrl --ftrl_alpha {rate}": f"FTRL, alpha {rate}" for rate in (0.005, 0.05, 0.5, 2)},
             **{f"-l {rate} --power_t 0": f"constant rate {rate}" for rate in (0.02, 0.1, 0.5)}}
RIVER_OTHERS = {"AdaGrad": (optim.AdaGrad, (0.01, 0.1, 1)), "Adam": (optim.Adam, (0.001, 0.01, 0.1)),
                "FTRL": (lambda rate: optim.FTRLProximal(alpha=rate), (0.05, 0.5))}
SCALE_ALL = 10_000_000  # rows × dimension up to which River also gets every column, zeros too, through its scaler
LIMIT_S = 600  # for one run of one contestant
GOAL = 1.02


class TooSlow(Exception):
    pass


def loss_of(stream):
    """What one prediction costs, and what the table shows of the mean cost."""
    if stream.loss == "squared":
        return lambda p, y: (p - y) ** 2, lambda mean: math.sqrt(mean), "RMSE"
    return lambda p, y: max(0.0, -y * p) + math.log1p(math.exp(-abs(p))), lambda mean: mean, "log-loss"


def play(stream, arrivals, player):
    """The progressive metrics of the models that `player` leads through the stream side by side; one that has diverged
    counts as infinitely bad."""
    cost, shown, _ = loss_of(stream)
    total = None
    start = time.perf_counter()
    for row, y in enumerate(stream.labels):
        for k in arrivals[row]:
            player.learn(k)
        costs = [cost(p, y) if abs(p) < 1e100 else math.inf for p in player.predict(row)]
        total = [before + now for before, now in zip(total or [0.0] * len(costs), costs)]
        if row % 256 == 0 and time.perf_counter() - start > LIMIT_S:
            raise TooSlow
    return [shown(sum_ / len(stream.rows)) for sum_ in total]


def river_grid():
    """(name, maker of an optimizer) for every one that is tried."""
    yield from ((f"SGD {rate:g}", lambda rate=rate: optim.SGD(rate)) for rate in RIVER_RATES)
    for name, (make, rates) in RIVER_OTHERS.items():
        yield from ((f"{name} {rate:g}", lambda make=make, rate=rate: make(rate)) for rate in rates)


class River:
    """`StandardScaler | LinearRegression` or `LogisticRegression` for several optimizers. The scaler is the same for all of
    them, so that one pass serves all: transform at the prediction, learn then transform at the label, as a pipeline."""

    def __init__(self, stream, optimizers, scale_all):
        self.stream, self.scale_all = stream, scale_all
        self.scaler = preprocessing.StandardScaler()
        kind = linear_model.LinearRegression if stream.loss == "squared" else linear_model.LogisticRegression
        self.models = [kind(optimizer=make()) for make in optimizers]
        self.empty = dict.fromkeys(range(stream.dimension), 0.0) if scale_all else {}

    def parts(self, row):
        features = self.stream.rows[row]
        if self.scale_all:
            return self.empty | dict(features), {}
        numbers = self.stream.numbers
        return ({i: 0.0 for i in numbers} | {i: x for i, x in features if i in numbers},
                {i: x for i, x in features if i not in numbers})

    def predict(self, row):
        numbers, others = self.parts(row)
        x = self.scaler.transform_one(numbers) | others
        if self.stream.loss == "squared":
            return [model.predict_one(x) for model in self.models]
        return [model._raw_dot_one(x) for model in self.models]  # the log-odds, exactly

    def learn(self, row):
        numbers, others = self.parts(row)
        self.scaler.learn_one(numbers)
        x, y = self.scaler.transform_one(numbers) | others, self.stream.labels[row]
        for model in self.models:
            model.learn_one(x, y if self.stream.loss == "squared" else y > 0)


class VowpalWabbit:
    def __init__(self, stream, texts, options):
        self.labels, self.texts = stream.labels, texts
        self.vw = vowpalwabbit.Workspace(f"--quiet --no_stdin --loss_function {stream.loss} {options}")

    def predict(self, row):
        example = self.vw.example(self.texts[row])
        prediction = self.vw.predict(example)
        self.vw.finish_example(example)
        return [prediction]

    def learn(self, row):
        example = self.vw.example(f"{self.labels[row]:g} {self.texts[row]}")
        self.vw.learn(example)
        self.vw.finish_example(example)


def run_tarry(stream, arrivals, folder):
    keys = lambda table: "\n".join(f"{key} = {toml(value)}" for key, value in table.items())
    spec = folder / "auto.toml"
    spec.write_text("\n".join([
        'name = "rivals"\ncheckpoints = 2\nstandardise = true\n[set]',
        keys({"type": "box", "dimension": "stream", "lower": -HALF_WIDTH, "upper": HALF_WIDTH}), "[stream]",
        keys({"name": "stream", **stream.spec}), '[[delays]]\ntype = "recorded"\n[[learners]]\ntype = "auto"\n']))
    shutil.rmtree(folder / "out", ignore_errors=True)  # results kept there would not be played again
    start = time.perf_counter()
    subprocess.run(["build/release/tarry", "run", spec, "--jobs", "1", "--out", folder / "out"], check=True,
                   capture_output=True, timeout=LIMIT_S)
    seconds = time.perf_counter() - start
    run = json.loads((folder / "out" / "summary.json").read_text())["runs"][0]
    answered, rounds = sum(map(len, arrivals)), len(stream.rows)
    assert (run["rounds"], run["delays"]["answered"]) == (rounds, answered), "Tarry saw another schedule"
    return run["checkpoints"]["metrics"]["rmse" if stream.loss == "squared" else "log_loss"][-1], seconds


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(member)}" for key, member in value.items()) + " }"
    return json.dumps(value)


def compete(stream, folder):
    """Every contestant's metric on one stream: {"who": …, "how": …, "tuned": whether the user had to choose it}."""
    arrivals = stream.arrivals()
    ours, seconds = run_tarry(stream, arrivals, folder)
    runs = [{"who": "tarry", "how": "auto", "metric": ours, "tuned": False, "seconds": seconds}]

    def add(who, how, metric, tuned, start):
        runs.append({"who": who, "how": how, "metric": metric, "tuned": tuned, "seconds": time.perf_counter() - start})

    scalings = [False] if stream.numbers != set(range(stream.dimension)) else []
    if len(stream.rows) * stream.dimension <= SCALE_ALL:
        scalings.append(True)
    for scale_all in scalings:
        start = time.perf_counter()
        how = "every column scaled" if scale_all else "numbers scaled"
        try:
            names, makers = zip(*river_grid())
            for name, metric in zip(names, play(stream, arrivals, River(stream, makers, scale_all))):
                add("river", f"{how}, {name}", metric, name != "SGD 0.01", start)
        except TooSlow:
            add("river", f"{how}, stopped after {LIMIT_S} s", math.inf, True, start)
    texts = ["|f " + " ".join(f"{i}:{x:.9g}" for i, x in row) for row in stream.rows]
    grid = {f"-l {rate} {update}": f"{name}, rate {rate:g}" for rate, (update, name) in itertools.product(VW_RATES, VW_UPDATES.items())}
    for options, name in (grid | VW_OTHERS).items():
        start = time.perf_counter()
        try:
            [metric] = play(stream, arrivals, VowpalWabbit(stream, texts, options))
            add("vw", name, metric, options != "-l 0.5 ", start)
        except TooSlow:
            add("vw", f"{name}, stopped after {LIMIT_S} s", math.inf, True, start)
    return runs


def best(runs, who, tuned):
    """A contestant as it comes, or the best of all its runs in hindsight."""
    of_it = [run for run in runs if run["who"] == who and (tuned or not run["tuned"])]
    return min(of_it, key=lambda run: run["metric"] if run["metric"] == run["metric"] else math.inf)


HEADER = (f"{'stream':<32} {'metric':<8} {'Tarry':>8} {'River':>8} {'tuned':>8} {'VW':>8} {'tuned':>8} {'ratio':>6} "
          f"{'<= 1.02':<7} {'ahead of untuned':<16}")


def row_of(stream, runs):
    ours = runs[0]["metric"]
    cells = {(who, tuned): best(runs, who, tuned) for who in ("river", "vw") for tuned in (False, True)}
    rival = min((cells[who, True] for who in ("river", "vw")), key=lambda run: run["metric"])
    ratio = ours / rival["metric"]
    ahead = all(ours <= cells[who, False]["metric"] for who in ("river", "vw"))
    numbers = " ".join(f"{run['metric']:8.4f}" if run["metric"] < 1e4 else "diverges" for run in cells.values())
    print(f"{stream.name:<32} {loss_of(stream)[2]:<8} {ours:8.4f} {numbers} {ratio:6.3f} "
          f"{'yes' if ratio <= GOAL else 'NO':<7} {'yes' if ahead else 'NO'}", flush=True)
    print(f"    best rival: {rival['who']}, {rival['how']}", flush=True)
    return {"stream": stream.name, "metric": loss_of(stream)[2], "rows": len(stream.rows), "ours": ours,
            "rival": rival, "ratio": ratio, "met": ratio <= GOAL, "ahead": ahead, "runs": runs}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this")
    options = parser.parse_args()
    folder = pathlib.Path("build/rivals")
    folder.mkdir(parents=True, exist_ok=True)
    print(HEADER)
    rows = [row_of(stream, compete(stream, folder)) for stream in late_streams(options.data.absolute(), folder)
            if options.only in stream.name]
    pathlib.Path("build/rivals.json").write_text(json.dumps({"load": os.getloadavg()[0], "rows": rows}, indent=1))


main()
