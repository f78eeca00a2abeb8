"""The rivals of bench/bends, each of which learns a label at the moment it comes: Vowpal Wabbit's linear models and pairs, LightGBM,
River's linear models and trees. What they did is kept (kept_runs.py)."""
import math
import time

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
                same = arrivals is late and late == at_once  # all labels are equally late
                metrics = kept.find(who, how)["metrics"] if same else play(stream, arrivals, make())
                kept.keep({"who": name, "how": how, "metrics": metrics})
            yield kept.find(name, how)


def play(stream, arrivals, player):
    parts, start = Parts(stream), time.process_time()
    for row, label in enumerate(stream.labels):
        for k in arrivals[row]:
            player.learn(k)
        parts.add(row, max(-1e50, min(1e50, player.predict(row))), label)
        if row % 256 == 0 and time.process_time() - start > LIMIT_S:
            return [math.inf] * 3
    return parts.metrics()
