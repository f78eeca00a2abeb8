"""Tarry's `auto`, nothing set, beside River and Vowpal Wabbit on streams of late labels.

    rivals.py [--data DIR] [--only NAME] [--seeds N] [--unseen | --windows]

Every contestant sees the same features and learns each label at the same moment; the metric counts every prediction,
also those whose label never came. A rival's grid is chosen in hindsight: the best of its runs on the very stream. Each
rival also plays with a maturity window: it learns no label before the wait in which nine in ten labels of the stream
come, which is known in hindsight too. Where order or delays are drawn there are N seeds; on all but the first, only the
grid's best of the first are tried again. What rivals did is kept in build/rivals/kept (kept_runs.py); Tarry plays always.
"""
import argparse
import importlib.metadata
import itertools
import json
import math
import os
import pathlib
import resource
import shutil
import subprocess
import time

import vowpalwabbit
from river import linear_model, optim, preprocessing

from kept_runs import KeptRuns, hash_of
from late_streams import known_streams
from unseen_streams import unseen_streams
from window_streams import window_streams

VERSIONS = [importlib.metadata.version(package) for package in ("river", "vowpalwabbit")]
HALF_WIDTH = 10.0  # of Tarry's box, in standardised units: one for all streams
RIVER_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]  # 0.01 is River's own
VW_RATES = [0.02, 0.1, 0.5, 2, 8, 32]  # 0.5 is Vowpal Wabbit's own
VW_UPDATES = {"": "all three", "--sgd": "plain", "--adaptive": "adaptive", "--adaptive --invariant": "adaptive invariant",
              "--normalized --invariant": "normalized invariant"}
VW_OTHERS = {"--coin": "coin betting", **{f"--ftrl --ftrl_alpha {rate}": f"FTRL, alpha {rate}" for rate in (0.005, 0.05, 0.5, 2)},
             **{f"-l {rate} --power_t 0": f"constant rate {rate}" for rate in (0.02, 0.1, 0.5)}}
PAIRS = {f"-l {rate} {update} -q ::": f"pairs, {VW_UPDATES[update]}, rate {rate}"
         for rate in (0.02, 0.1, 0.5, 2) for update in ("", "--adaptive --invariant")}
RIVER_OTHERS = {"AdaGrad": (optim.AdaGrad, (0.01, 0.1, 1)), "Adam": (optim.Adam, (0.001, 0.01, 0.1)),
                "FTRL": (lambda rate: optim.FTRLProximal(alpha=rate), (0.05, 0.5))}
AS_THEY_COME = ("numbers scaled, SGD 0.01", "every column scaled, SGD 0.01", "all three, rate 0.5")
SCALE_ALL = 10_000_000  # rows × dimension up to which River also gets every column, zeros too, through its scaler
LIMIT_S = 600  # of the processor, for one run of one contestant
MATURED = ", after the wait of nine in ten labels"
KEPT = 4  # of each rival's grid and schedule, on all seeds but the first
SHOWN = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)  # rounds at which the curves are told


class TooSlow(Exception):
    pass


def loss_of(stream):
    """What one prediction costs, and what the table shows of the mean cost."""
    if stream.loss == "squared":
        return lambda p, y: (p - y) ** 2, lambda mean: math.sqrt(mean), "RMSE"
    return lambda p, y: max(0.0, -y * p) + math.log1p(math.exp(-abs(p))), lambda mean: mean, "log-loss"


def rounds_shown(stream):
    return [rounds for rounds in SHOWN if rounds < len(stream.rows)] + [len(stream.rows)]


def play(stream, arrivals, player):
    """The progressive metrics, after each of the rounds shown, of the models that `player` leads through the stream side
    by side; one that has diverged counts as infinitely bad."""
    cost, shown, _ = loss_of(stream)
    total, at, curves = None, set(rounds_shown(stream)), []
    start = time.process_time()
    for row, y in enumerate(stream.labels):
        for k in arrivals[row]:
            player.learn(k)
        costs = [cost(p, y) if abs(p) < 1e100 else math.inf for p in player.predict(row)]
        total = [before + now for before, now in zip(total or [0.0] * len(costs), costs)]
        if row + 1 in at:
            curves.append([shown(sum_ / (row + 1)) for sum_ in total])
        if row % 256 == 0 and time.process_time() - start > LIMIT_S:
            raise TooSlow
    return [list(curve) for curve in zip(*curves)]


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


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(member)}" for key, member in value.items()) + " }"
    return json.dumps(value)


def run_tarry(stream, arrivals, folder, products):
    """`auto` with the features alone, or with their products too: the metric after each of the rounds shown."""
    keys = lambda table: "\n".join(f"{key} = {toml(value)}" for key, value in table.items())
    curve = []
    start = time.perf_counter()
    for rounds in rounds_shown(stream):
        spec = folder / "auto.toml"
        spec.write_text("\n".join([
            f'name = "rivals"\nrounds = {rounds}\ncheckpoints = 2\nstandardise = true\nproducts = {toml(products)}\n[set]',
            keys({"type": "box", "dimension": "stream", "lower": -HALF_WIDTH, "upper": HALF_WIDTH}), "[stream]",
            keys({"name": "stream", **stream.spec}), '[[delays]]\ntype = "recorded"\n[[learners]]\ntype = "auto"\n']))
        shutil.rmtree(folder / "out", ignore_errors=True)  # results kept there would not be played again
        subprocess.run(["build/release/tarry", "run", spec, "--jobs", "1", "--out", folder / "out"], check=True,
                       capture_output=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S)))
        run = json.loads((folder / "out" / "summary.json").read_text())["runs"][0]
        curve.append(run["checkpoints"]["metrics"]["rmse" if stream.loss == "squared" else "log_loss"][-1])
    answered = sum(map(len, arrivals))
    assert (run["rounds"], run["delays"]["answered"]) == (len(stream.rows), answered), "Tarry saw another schedule"
    return {"who": "tarry", "how": "auto, products" if products else "auto", "curve": curve, "metric": curve[-1],
            "tuned": False, "seconds": time.perf_counter() - start}


def compete(stream, folder, kept=None):
    """Every contestant's metric on one stream: {"who": …, "how": …, "tuned": whether the user had to choose it}. With
    `kept`, only the contestants named there."""
    arrivals = stream.arrivals()
    runs = [run_tarry(stream, arrivals, folder, products) for products in (False, True)]
    before = KeptRuns(folder / "kept", hash_of(stream, VERSIONS, SHOWN, LIMIT_S))
    texts = ["|f " + " ".join(f"{i}:{x:.9g}" for i, x in row) for row in stream.rows]
    for when, schedule in {"": arrivals, MATURED: stream.arrivals(stream.maturity())}.items():
        for who, settings, player in rivals_of(stream, texts):
            wanted = {how: setting for how, setting in settings.items() if kept is None or (who, how + when) in kept}
            missing = {how: setting for how, setting in wanted.items() if before.find(who, how + when) is None}
            start = time.process_time()
            for how, curve in zip(missing, curves_of(stream, schedule, player, list(missing.values()))):
                before.keep({"who": who, "how": how + when, "curve": curve, "metric": curve[-1],
                             "tuned": bool(when) or how not in AS_THEY_COME, "seconds": time.process_time() - start})
            runs += [before.find(who, how + when) for how in wanted]
    return runs


def curves_of(stream, schedule, player, settings):
    """Those of a group that plays side by side; one that is too slow counts as infinitely bad."""
    try:
        return play(stream, schedule, player(settings)) if settings else []
    except TooSlow:
        return [[math.inf]] * len(settings)


def rivals_of(stream, texts):
    """Groups that can play side by side: who, settings by their names, and what makes a player of several settings."""
    scalings = [False] if stream.numbers != set(range(stream.dimension)) else []
    if len(stream.rows) * stream.dimension <= SCALE_ALL:
        scalings.append(True)
    for scale_all in scalings:
        how = "every column scaled" if scale_all else "numbers scaled"
        yield "river", {f"{how}, {name}": make for name, make in river_grid()}, lambda makes: River(stream, makes, scale_all)
    grid = {f"-l {rate} {update}": f"{name}, rate {rate:g}" for rate, (update, name) in itertools.product(VW_RATES, VW_UPDATES.items())}
    for options, name in (grid | VW_OTHERS | PAIRS).items():
        yield "vw -q" if "-q" in options else "vw", {name: options}, lambda settings: VowpalWabbit(stream, texts, *settings)


def order(run):
    return run["metric"] if run["metric"] == run["metric"] else math.inf


def best(runs, who, tuned=True):
    """A contestant as it comes, or the best of all its runs in hindsight."""
    return min((run for run in runs if run["who"] in who and (tuned or not run["tuned"])), key=order)


def worth_trying(runs):
    """On other seeds: the best of each rival's grid, with labels as they come and after the wait, and what was not tuned."""
    matured = lambda run: MATURED in run["how"]
    wanted = [run for run in runs if not run["tuned"]]
    for who, waits in itertools.product(("river", "vw", "vw -q"), (False, True)):
        wanted += sorted((run for run in runs if run["who"] == who and matured(run) == waits), key=order)[:KEPT]
    return {(run["who"], run["how"]) for run in wanted}


def row_of(stream, runs, seed):
    linear = best(runs, ("river", "vw"))
    cells = [runs[0], runs[1], best(runs, ("river",), False), best(runs, ("river",)), best(runs, ("vw",), False),
             best(runs, ("vw",)), best(runs, ("vw -q",))]
    of_linear = [run["metric"] / linear["metric"] for run in runs[:2]]
    of_pairs = runs[1]["metric"] / cells[-1]["metric"]
    numbers = " ".join(f"{run['metric']:8.4f}" if run["metric"] < 1e4 else "diverges" for run in cells)
    print(f"{stream.name:<34} {seed:>4} {numbers} {of_linear[0]:6.3f} {of_linear[1]:6.3f} {of_pairs:6.3f}", flush=True)
    at_once, matured = ([run for run in runs if run["who"] != "tarry" and (MATURED in run["how"]) == waits] for waits in (False, True))
    print(f"    best linear rival: {linear['who']}, {linear['how']}; with pairs: {cells[-1]['how']}; best of all as labels come "
          f"{min(map(order, at_once)):.4f}, after the wait {min(map(order, matured)):.4f}", flush=True)
    of_all = runs[1]["metric"] / min(map(order, at_once + matured))
    curves = {"rounds": rounds_shown(stream), "auto": [a / b for a, b in zip(runs[0]["curve"], linear["curve"])],
              "products": [a / b for a, b in zip(runs[1]["curve"], linear["curve"])]}
    untuned = min(cells[2]["metric"], cells[4]["metric"])
    return {"stream": stream.name, "metric": loss_of(stream)[2], "rows": len(stream.rows), "seed": seed, "ratio": of_linear[0],
            "ratio_products": of_linear[1], "ratio_pairs": of_pairs, "ratio_all": of_all, "ahead": runs[0]["metric"] <= untuned,
            "ahead_products": runs[1]["metric"] <= untuned, "curves": curves,
            "runs": runs}


def geometric(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def summary(rows):
    """Each stream over its seeds: the means and the worst of the ratios, and where along the stream they stood. The last ratio is
    that of `auto` with products to the best of all rivals, pairs and maturity windows included."""
    print(f"\n{'over seeds':<34} {'seeds':>5} {'auto':>6} {'worst':>6} {'prod.':>6} {'worst':>6} {'/ -q':>6} {'worst':>6} {'/ all':>6} {'worst':>6}")
    names = dict.fromkeys(row["stream"] for row in rows)
    means = []
    for name in names:
        own = [row for row in rows if row["stream"] == name]
        cells = [f(row[key] for row in own) for key in ("ratio", "ratio_products", "ratio_pairs", "ratio_all")
                 for f in (lambda x: geometric(list(x)), max)]
        means.append(cells[::2])
        print(f"{name:<34} {len(own):>5} " + " ".join(f"{cell:6.3f}" for cell in cells))
    print(f"{'geometric mean over streams':<40} " + "        ".join(f"{geometric(column):6.3f}" for column in zip(*means)))
    print(f"\n{'auto / best linear rival after':<34} " + " ".join(f"{rounds:>8}" for rounds in SHOWN) + "      all")
    for name in names:
        for key in ("auto", "products"):
            own = [row["curves"] for row in rows if row["stream"] == name]
            curve = [geometric([c[key][i] for c in own]) for i in range(len(own[0]["rounds"]))]
            cells = [f"{x:8.3f}" for x in curve[:-1]] + [" " * 8] * (len(SHOWN) - len(curve) + 1) + [f"{curve[-1]:8.3f}"]
            print(f"{name if key == 'auto' else '    with products':<34} " + " ".join(cells))


HEADER = (f"{'stream':<34} {'seed':>4} {'auto':>8} {'products':>8} {'River':>8} {'tuned':>8} {'VW':>8} {'tuned':>8} {'VW -q':>8} "
          f"{'auto/':>6} {'prod./':>6} {'prod./':>6}\n{'':<102} {'linear':>6} {'linear':>6} {'-q':>6}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--unseen", action="store_true", help="only the streams that no design was chosen on")
    parser.add_argument("--windows", action="store_true", help="only the streams with a real window")
    options = parser.parse_args()
    results = pathlib.Path("build/rivals.json")
    folder = pathlib.Path("build/rivals")
    folder.mkdir(parents=True, exist_ok=True)
    print(HEADER)
    rows, kept = [], {}
    for seed in range(1, options.seeds + 1):
        known = () if options.unseen or options.windows else known_streams(options.data.absolute(), folder, seed)
        unseen = () if options.windows else unseen_streams(folder, seed)
        for stream in itertools.chain(window_streams(folder, seed), unseen, known):
            if not any(part in stream.name for part in options.only.split("|")) or (seed > 1 and not stream.drawn):
                continue
            runs = compete(stream, folder, kept.get(stream.name))
            if seed == 1:
                kept[stream.name] = worth_trying(runs)
            rows.append(row_of(stream, runs, seed))
            results.write_text(json.dumps({"load": os.getloadavg()[0], "rows": rows}, indent=1))
    summary(rows)


main()
