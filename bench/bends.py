"""Tarry's `auto` with numbers that bend and without, beside linear rivals, pairs, boosted trees and River's trees.

    bends.py [--only NAME] [--present] [--rivals vw,lightgbm,linear,river,waits] [--boosters N] [--data DIR]

Without --present: the ten streams that were fixed before anything was played on them (bend_streams.py). Every contestant learns
each label at the same moment; Vowpal Wabbit and LightGBM also play with a maturity window ("waits": no label is learnt before the wait
in which nine in ten labels come). Metrics (log-loss or RMSE) of the first fifth of the rounds, the last half and all of them. A rival
is the best of its settings in hindsight, apart for each of the three. What rivals did is kept in build/bends/kept (kept_runs.py).
"""
import argparse
import csv
import gzip
import importlib.metadata
import json
import math
import pathlib
import shutil
import subprocess
import time

from bend_streams import bend_streams, stream_of
from kept_runs import KeptRuns, hash_of
from late_streams import elec2, loans
from unseen_streams import keel, nyc_flights

VW = {f"-l {rate} {update}".strip(): f"{update or 'all three'}, rate {rate}" for rate in (0.1, 0.5, 2) for update in ("", "--adaptive --invariant")}
PAIRS = {f"{options} -q ::": f"pairs, {name}" for options, name in VW.items()}
BOOSTERS = [dict(n_estimators=trees, num_leaves=leaves, learning_rate=rate)
            for trees, leaves, rate in ((100, 15, 0.1), (200, 31, 0.05), (50, 7, 0.1), (200, 7, 0.1), (400, 15, 0.03), (100, 63, 0.1))]
RIVER_RATES = {"SGD": (0.003, 0.01, 0.1), "Adam": (0.01,), "AdaGrad": (0.1,)}
WAIT = ("linear", "vw -q", "LightGBM")  # those that also play with a maturity window
LIMIT_S = 1500  # for one run of one rival


class Parts:
    """The metrics of the first fifth, the last half and the whole, summed up as predictions come."""

    def __init__(self, stream):
        self.squared, self.size = stream.loss == "squared", len(stream.rows)
        self.sums, self.rounds = [0.0] * 3, [0] * 3

    def add(self, row, prediction, label):
        if self.squared:
            cost = (prediction - label) ** 2
        else:
            cost = max(0.0, -label * prediction) + math.log1p(math.exp(-abs(prediction)))
        for part, inside in enumerate((row < self.size // 5, row >= self.size // 2, True)):
            self.sums[part] += cost if inside else 0.0
            self.rounds[part] += inside

    def metrics(self):
        means = [total / count for total, count in zip(self.sums, self.rounds)]
        return [math.sqrt(mean) for mean in means] if self.squared else means


def traffic(data, folder):
    """Cars in the hour that begins in three hours; what is missing counts as 0 here, for everybody."""
    numbers = ("target_hour", "target_weekday", "target_month", "target_yearday", "temp_now", "rain_1h_now", "snow_1h_now",
               "clouds_all_now", "volume_now")
    cases = []
    with gzip.open(data / "traffic_volume" / "clean.csv.gz", "rt", newline="") as file:
        for line in csv.DictReader(file):
            line |= {name: line[name] or 0.0 for name in numbers}
            cases.append((float(line["known_at"]), float(line["label_at"]), float(line["label"]), line))
    return stream_of("traffic, 3 hours ahead", "traffic", cases, numbers, ("holiday", "weather_main_now"), folder)


def present_streams(data, folder):
    """Those on which bends were chosen."""
    makers = (lambda: traffic(data, folder), lambda: nyc_flights(folder), lambda: keel("magic", lambda cell: cell == "g", folder, 1),
              lambda: keel("phoneme", lambda cell: cell == "1", folder, 1, mean=300),
              lambda: keel("marketing", lambda cell: float(cell) > 5, folder, 1, mean=300, times=10),
              lambda: elec2(data, 0, folder, 1), lambda: loans(data, folder))
    for make in makers:
        stream = make()
        stream.spec.setdefault("missing", "absent")  # which tells Tarry that these are numbers: others do not bend
        yield stream


def run_tarry(stream, folder, **keys):
    """The three metrics, from those of the first fifth, the first half and all rounds."""
    size, sums = len(stream.rows), []
    toml = lambda value: "{ " + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + " }" if isinstance(value, dict) else json.dumps(value)
    lines = lambda table: "\n".join(f"{key} = {toml(value)}" for key, value in table.items())
    for rounds in (size // 5, size // 2, size):
        spec = folder / "auto.toml"
        spec.write_text("\n".join([lines({"name": "bends", "rounds": rounds, "checkpoints": 2, "standardise": True, **keys}),
                                   '[set]\ntype = "box"\ndimension = "stream"\nlower = -10\nupper = 10\n[stream]',
                                   lines({"name": "stream", **stream.spec}), '[[delays]]\ntype = "recorded"\n[[learners]]\ntype = "auto"\n']))
        shutil.rmtree(folder / "out", ignore_errors=True)
        subprocess.run(["build/release/tarry", "run", spec, "--jobs", "1", "--out", folder / "out"], check=True, capture_output=True)
        metrics = json.loads((folder / "out" / "summary.json").read_text())["runs"][0]["checkpoints"]["metrics"]
        mean = metrics["rmse"][-1] ** 2 if stream.loss == "squared" else metrics["log_loss"][-1]
        sums.append(mean * rounds)
    means = [sums[0] / (size // 5), (sums[2] - sums[1]) / (size - size // 2), sums[2] / size]
    return [math.sqrt(mean) for mean in means] if stream.loss == "squared" else means


class VowpalWabbit:
    def __init__(self, stream, options):
        import vowpalwabbit
        self.labels, self.texts = stream.labels, ["|f " + " ".join(f"{i}:{x:.9g}" for i, x in row) for row in stream.rows]
        self.vw = vowpalwabbit.Workspace(f"--quiet --no_stdin --loss_function {stream.loss} {options}")

    def predict(self, row):
        example = self.vw.example(self.texts[row])
        prediction = self.vw.predict(example)
        self.vw.finish_example(example)
        return prediction

    def learn(self, row):
        example = self.vw.example(f"{self.labels[row]:g} {self.texts[row]}")
        self.vw.learn(example)
        self.vw.finish_example(example)


class LightGbm:
    """Fitted anew whenever a tenth more labels have come; until the first hundred, the mean of what came."""

    def __init__(self, stream, setting):
        import lightgbm
        import numpy
        import scipy.sparse
        self.squared, self.labels, self.came, self.fitted = stream.loss == "squared", stream.labels, [], 0
        kind = lightgbm.LGBMRegressor if self.squared else lightgbm.LGBMClassifier
        self.make = lambda: kind(**setting, n_jobs=1, verbose=-1, min_child_samples=10)
        columns = sorted({i for row in stream.rows for i, _ in row})
        at = {column: k for k, column in enumerate(columns)}
        self.rows = scipy.sparse.lil_matrix((len(stream.rows), len(columns)))
        for t, row in enumerate(stream.rows):
            for i, x in row:
                self.rows[t, at[i]] = x
        self.rows, self.numpy, self.ahead, self.until = numpy.asarray(self.rows.todense()), numpy, None, 0
        self.model = None

    def learn(self, row):
        self.came.append(row)

    def predict(self, row):
        labels = [self.labels[k] for k in self.came] if len(self.came) >= max(100, 1.1 * self.fitted) else None
        if labels and (self.squared or len(set(labels)) == 2):
            self.fitted, self.until = len(self.came), 0
            self.model = self.make().fit(self.rows[self.came], self.numpy.asarray(labels))
        if self.model is None:
            mean = sum(self.labels[k] for k in self.came) / max(1, len(self.came))
            share = (mean * len(self.came) + len(self.came) + 1) / (2 * len(self.came) + 2)
            return mean if self.squared else math.log(share / (1 - share))
        if row >= self.until:  # many rows at once, since a call costs more than a row
            self.first, self.until = row, row + 256
            rows = self.rows[row:self.until]
            self.ahead = self.model.predict(rows) if self.squared else self.model.predict(rows, raw_score=True)
        return float(self.ahead[row - self.first])


class RiverLinear:
    """River's linear models with numbers scaled."""

    def __init__(self, stream, optimiser, rate):
        from river import linear_model, optim, preprocessing
        kind = linear_model.LinearRegression if stream.loss == "squared" else linear_model.LogisticRegression
        self.stream, self.squared, self.rows = stream, stream.loss == "squared", {}
        self.scaler, self.model = preprocessing.StandardScaler(), kind(getattr(optim, optimiser)(rate))

    def predict(self, row):
        """The row is scaled by what has been seen until then, and kept so for its label."""
        given = dict(self.stream.rows[row])
        numbers = {i: given.get(i, 0.0) for i in self.stream.numbers}
        self.scaler.learn_one(numbers)
        x = self.rows[row] = given | self.scaler.transform_one(numbers)
        if self.squared:
            return self.model.predict_one(x)
        p = min(1 - 1e-9, max(1e-9, self.model.predict_proba_one(x)[True]))
        return math.log(p / (1 - p))

    def learn(self, row):
        self.model.learn_one(self.rows.pop(row), self.stream.labels[row] if self.squared else self.stream.labels[row] > 0)


class RiverTree:
    def __init__(self, stream, forest):
        from river import forest as forests
        from river import tree
        self.stream, self.squared = stream, stream.loss == "squared"
        if self.squared:
            self.model = forests.ARFRegressor(seed=1) if forest else tree.HoeffdingAdaptiveTreeRegressor(seed=1)
        else:
            self.model = forests.ARFClassifier(seed=1) if forest else tree.HoeffdingAdaptiveTreeClassifier(seed=1)

    def row(self, row):
        return dict.fromkeys(self.stream.numbers, 0.0) | dict(self.stream.rows[row])

    def predict(self, row):
        if self.squared:
            return self.model.predict_one(self.row(row)) or 0.0
        p = min(0.999, max(0.001, self.model.predict_proba_one(self.row(row)).get(True, 0.5)))
        return math.log(p / (1 - p))

    def learn(self, row):
        self.model.learn_one(self.row(row), self.stream.labels[row] if self.squared else self.stream.labels[row] > 0)


def rivals_of(stream, kinds, boosters):
    """(who, how, maker) of every one that is tried."""
    if "vw" in kinds:
        yield from (("linear", f"vw, {name}", lambda o=options: VowpalWabbit(stream, o)) for options, name in VW.items())
        yield from (("vw -q", name, lambda o=options: VowpalWabbit(stream, o)) for options, name in PAIRS.items())
    if "lightgbm" in kinds:
        yield from (("LightGBM", repr(setting), lambda s=setting: LightGbm(stream, s)) for setting in BOOSTERS[:boosters])
    if "linear" in kinds:
        yield from (("River's linear", f"{name} {rate}", lambda n=name, r=rate: RiverLinear(stream, n, r))
                    for name, rates in RIVER_RATES.items() for rate in rates)
    if "river" in kinds:
        yield "Hoeffding tree", "", lambda: RiverTree(stream, False)
        yield "ARF", "", lambda: RiverTree(stream, True)


def runs_of(stream, kinds, boosters, kept):
    """What every rival does with labels as they come, and those that wait too."""
    at_once, late = stream.arrivals(), stream.arrivals(stream.maturity())
    for who, how, make in rivals_of(stream, kinds, boosters):
        waits = [(f"{who}, waits", late)] if who in WAIT and "waits" in kinds else []
        for name, arrivals in [(who, at_once), *waits]:
            if kept.find(name, how) is None:
                kept.keep({"who": name, "how": how, "metrics": play(stream, arrivals, make())})
            yield kept.find(name, how)


def play(stream, arrivals, player):
    parts, start = Parts(stream), time.perf_counter()
    for row, label in enumerate(stream.labels):
        for k in arrivals[row]:
            player.learn(k)
        parts.add(row, max(-1e50, min(1e50, player.predict(row))), label)
        if row % 256 == 0 and time.perf_counter() - start > LIMIT_S:
            return [math.inf] * 3
    return parts.metrics()


def variance_of(labels):
    mean = sum(labels) / len(labels)
    return sum((y - mean) ** 2 for y in labels) / len(labels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--only", default="", help="streams whose name contains this, or one of several parted by |")
    parser.add_argument("--present", action="store_true", help="the streams that bends were chosen on")
    parser.add_argument("--rivals", default="vw,lightgbm,linear,river,waits")
    parser.add_argument("--boosters", type=int, default=len(BOOSTERS))
    parser.add_argument("--without-tarry", action="store_true")
    options = parser.parse_args()
    folder = pathlib.Path("build/bends").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    data = options.data.absolute()
    for stream in present_streams(data, folder) if options.present else bend_streams(folder, 1):
        if not any(part in stream.name for part in options.only.split("|")):
            continue
        found = {}
        kept = KeptRuns(folder / "kept", hash_of(stream, "bends", importlib.metadata.version("lightgbm")))
        for run in runs_of(stream, options.rivals.split(","), options.boosters, kept):
            found[run["who"]] = [min(pair) for pair in zip(found.get(run["who"], [math.inf] * 3), run["metrics"])]
        if not options.without_tarry:
            found["auto"] = run_tarry(stream, folder)
            found["auto, trees"] = run_tarry(stream, folder, trees=True)
            found["auto, no bends"] = run_tarry(stream, folder, bends=False)
            found["auto, features alone"] = run_tarry(stream, folder, products=False, bends=False)
        print(f"{stream.name} ({len(stream.rows)} rows): first fifth, last half, whole", flush=True)
        for who, metrics in found.items():
            half = stream.labels[len(stream.labels) // 2:]
            r2 = f"   R² {1 - metrics[1] ** 2 / variance_of(half):.3f}" if stream.loss == "squared" else ""
            print(f"    {who:<22} " + " ".join(f"{metric:9.4f}" for metric in metrics) + r2, flush=True)


if __name__ == "__main__":
    main()
