"""The rivals of bench/rivals: grids of River's linear models and of Vowpal Wabbit, each of which learns a label at the moment it comes, or
after a wait. Their packages are loaded where they play."""
import importlib.metadata
import itertools
import math
import time

from kept_runs import KeptRuns, hash_of

RIVER_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3]  # 0.01 is River's own
VW_RATES = [0.02, 0.1, 0.5, 2, 8, 32]  # 0.5 is Vowpal Wabbit's own
VW_UPDATES = {"": "all three", "--sgd": "plain", "--adaptive": "adaptive", "--adaptive --invariant": "adaptive invariant",
              "--normalized --invariant": "normalized invariant"}
VW_OTHERS = {"--coin": "coin betting", **{f"--ftrl --ftrl_alpha {rate}": f"FTRL, alpha {rate}" for rate in (0.005, 0.05, 0.5, 2)},
             **{f"-l {rate} --power_t 0": f"constant rate {rate}" for rate in (0.02, 0.1, 0.5)}}
PAIRS = {f"-l {rate} {update} -q ::": f"pairs, {VW_UPDATES[update]}, rate {rate}"
         for rate in (0.02, 0.1, 0.5, 2) for update in ("", "--adaptive --invariant")}
RIVER_OTHERS = {"AdaGrad": (0.01, 0.1, 1), "Adam": (0.001, 0.01, 0.1), "FTRL": (0.05, 0.5)}
AS_THEY_COME = ("numbers scaled, SGD 0.01", "every column scaled, SGD 0.01", "all three, rate 0.5")
SCALE_ALL = 10_000_000  # rows × dimension up to which River also gets every column, zeros too, through its scaler
LIMIT_S = 600  # of the processor, for one run of one contestant
MATURED = ", after the wait of nine in ten labels"
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
    from river import optim
    makers = {"SGD": optim.SGD, "AdaGrad": optim.AdaGrad, "Adam": optim.Adam, "FTRL": lambda rate: optim.FTRLProximal(alpha=rate)}
    for name, rates in ({"SGD": RIVER_RATES} | RIVER_OTHERS).items():
        yield from ((f"{name} {rate:g}", lambda make=makers[name], rate=rate: make(rate)) for rate in rates)


class River:
    """`StandardScaler | LinearRegression` or `LogisticRegression` for several optimizers. The scaler is the same for all of
    them, so that one pass serves all: transform at the prediction, learn then transform at the label, as a pipeline."""

    def __init__(self, stream, optimizers, scale_all):
        from river import linear_model, preprocessing
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
        import vowpalwabbit
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


def versions():
    return {package: importlib.metadata.version(package) for package in ("river", "vowpalwabbit")}


def runs_of_rivals(stream, folder, wanted=None):
    """Every rival's run on one stream, or only those named in `wanted`: {"who": …, "how": …, "curve": …, "metric": its end, "tuned": whether
    the user had to choose it}."""
    runs = []
    before = KeptRuns(folder / "kept", hash_of(stream, list(versions().values()), SHOWN, LIMIT_S))
    texts = ["|f " + " ".join(f"{i}:{x:.9g}" for i, x in row) for row in stream.rows]
    for when, schedule in {"": stream.arrivals(), MATURED: stream.arrivals(stream.maturity())}.items():
        for who, settings, player in rivals_of(stream, texts):
            own = {how: setting for how, setting in settings.items() if wanted is None or (who, how + when) in wanted}
            missing = {how: setting for how, setting in own.items() if before.find(who, how + when) is None}
            start = time.process_time()
            for how, curve in zip(missing, curves_of(stream, schedule, player, list(missing.values()))):
                before.keep({"who": who, "how": how + when, "curve": curve, "metric": curve[-1],
                             "tuned": bool(when) or how not in AS_THEY_COME, "seconds": time.process_time() - start})
            runs += [before.find(who, how + when) for how in own]
    return runs
