"""How well the loss of decisions is known before their labels are there, beside NannyML.

    expected.py [--data DIR] [--scenarios FILE] [--only NAME,NAME] [TABLE.csv …]

Without tables: incidents, loans and flights of DIR, and planted streams. Each table is played by `tarry run`; what `auto` predicted is
replayed by expected_bench. When 10, 30 and 60 % of the labels of a span of time are in, its loss is estimated by

- ours: quality/maturing.h, as the dashboard shows it, with its interval;
- the last known: the loss of the newest spans whose labels are all there;
- NannyML: CBPE for yes/no labels, DLE for numbers. Its reference are the newest 5,000 rows that are old enough for 99 % of labels to
  have come. NannyML leaves out the labels of the span that are in; *filled* takes those as they are and NannyML's estimate for the rest.

CBPE knows no log loss, so that yes/no labels are judged by the share of wrong answers at 1/2, too. All are compared over the same
spans, at most 40 of a stream, evenly chosen.
"""
import argparse
import bisect
import collections
import csv
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import warnings

WORK = pathlib.Path("build/expected")
PROGRAM, BENCH = "build/release/tarry", "build/release/bench/expected_bench"
PLANTED = ["conversions", "chargebacks", "rare_lost", "rare_tail", "outage", "independent", "positives_late", "by_feature"]
SPANS, REFERENCE, FEWEST = 40, 5000, 300  # at most, newest rows, labels at least
SHARES = (0.1, 0.3, 0.6)


def incidents(data):
    words = ["contact_type", "category", "impact", "urgency", "priority", "assignment_group", "notify", "knowledge"]
    with gzip.open(data / "incidents/derived_incident_cases.csv.gz", "rt", newline="") as file:
        for line in csv.DictReader(file):
            yield line["opened_min"], line["resolved_min"], int(line["made_sla_final"] == "true"), {w: line[w] for w in words}


def loans(data):
    with open(data / "loans/derived_cases.csv", newline="") as file:
        lines = sorted((line for line in csv.DictReader(file) if line["outcome"] != "OPEN"), key=lambda line: int(line["submit_utc_ms"]))
    for line in lines:
        hours = int(line["submit_utc_ms"]) // 3_600_000
        yield (int(line["submit_utc_ms"]) / 60_000, int(line["outcome_utc_ms"]) / 60_000, int(line["outcome"] == "A_APPROVED"),
               {"amount": line["amount_req"], "hour": f"h{hours % 24}", "day": f"d{hours // 24 % 7}"})


def flights(data):
    columns = ["DepDelay", "TaxiOut", "Distance", "UniqueCarrier", "Dest"]
    with gzip.open(data / "flights/derived_hflights_stream.csv.gz", "rt", newline="") as file:
        for k, line in enumerate(csv.DictReader(file)):
            if k == 60_000:
                return
            yield line["t_depart_min"], line["t_feedback_min"], line["ArrDelay"], {c: line[c] for c in columns}


def written(name, rows):
    """A table that `tarry run` reads by itself."""
    path = WORK / f"{name}.csv"
    with open(path, "w", newline="") as file:
        out = None
        for now, then, label, features in rows:
            if out is None:
                out = csv.writer(file)
                out.writerow(["event_time", "feedback_time", *features, "label"])
            out.writerow([now, then, *features.values(), label])
    return path


def tables(arguments):
    wanted = arguments.only.split(",") if arguments.only else None
    if arguments.tables:
        yield from ((path.stem, path) for path in arguments.tables)
        return
    for make in (incidents, loans, flights):
        if wanted is None or make.__name__ in wanted:
            yield make.__name__, written(make.__name__, make(arguments.data))
    for name in PLANTED:
        if wanted is None or name in wanted:
            path = WORK / f"{name}.csv"
            subprocess.run([sys.executable, arguments.scenarios, "make", name, str(path)], check=True)
            yield name, path


def predictions(name, path):
    """Where `tarry run` leaves what it predicted; not run again while table and program are older."""
    found = WORK / name / "predictions.csv"
    if not found.exists() or found.stat().st_mtime < max(path.stat().st_mtime, os.stat(PROGRAM).st_mtime):
        subprocess.run([PROGRAM, "run", str(path), "--out", str(WORK / name)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return found


class Rows:
    """What was predicted of each row of a table, its label and its times, in the order of the table."""

    def __init__(self, table, predicted):
        import pandas

        frame = pandas.read_csv(predicted)
        features = pandas.read_csv(table)
        self.names = [c for c in features.columns if c not in ("event_time", "feedback_time", "label")]
        features = features.iloc[frame["row"].to_numpy() - 1].reset_index(drop=True)
        frame = frame.reset_index(drop=True)
        for name in self.names:
            frame[f"f_{name}"] = features[name]
            if features[name].dtype == object:
                frame[f"f_{name}"] = frame[f"f_{name}"].astype("category")
        self.names = [f"f_{name}" for name in self.names]
        self.yes_no = bool(frame["prediction"].between(0, 1).all() and frame["label"].dropna().isin([0, 1]).all())
        frame["answer"] = (frame["prediction"] > 0.5).astype(int)
        self.frame = frame.sort_values("seen", kind="stable").reset_index(drop=True)
        self.seen = self.frame["seen"].tolist()
        self.known = self.frame["known"].fillna(float("inf")).tolist()
        end = self.seen[-1]
        self.came = [known <= end for known in self.known]

    def between(self, start, end):
        return self.frame.iloc[bisect.bisect_left(self.seen, start):bisect.bisect_left(self.seen, end)]

    def loss(self, frame):
        if self.yes_no:
            return (frame["answer"] != frame["label"]).mean()
        return ((frame["prediction"] - frame["label"]) ** 2).mean()

    def reference(self, at):
        """The newest rows of those that are old enough to have their labels, as far as is known then."""
        upto = bisect.bisect_left(self.seen, at)
        waits = sorted(k - s for k, s in zip(self.known[:upto], self.seen[:upto]) if k <= at)
        if len(waits) < FEWEST:
            return None
        old = bisect.bisect_left(self.seen, at - waits[int(0.99 * len(waits))])
        mature = self.frame.iloc[max(0, old - 2 * REFERENCE):old]
        mature = mature[mature["known"] <= at].tail(REFERENCE)
        return mature if len(mature) >= FEWEST else None


class NannyML:
    """CBPE or DLE; fitted again once there is a tenth more history."""

    def __init__(self, rows):
        self.rows, self.fitted, self.at, self.begin = rows, None, None, rows.seen[0]

    def fit(self, at):
        if self.fitted is not None and at - self.begin < 1.05 * (self.at - self.begin):
            return self.fitted
        reference = self.rows.reference(at)
        if reference is None:
            return None
        if self.rows.yes_no and reference["label"].nunique() < 2:
            return None
        import nannyml

        reference = reference.assign(label=reference["label"].astype(int if self.rows.yes_no else float))
        size = max(50, len(reference) // 10)
        if self.rows.yes_no:
            estimator = nannyml.CBPE(problem_type="classification_binary", y_pred_proba="prediction", y_pred="answer", y_true="label",
                                     metrics=["accuracy"], chunk_size=size)
        else:
            estimator = nannyml.DLE(feature_column_names=self.rows.names, y_pred="prediction", y_true="label", metrics=["mse"],
                                    hyperparameters={"verbosity": -1}, chunk_size=size)
        self.at, self.fitted = at, estimator.fit(reference)
        return self.fitted

    def estimate(self, at, frame):
        """The loss of these rows, whose labels it does not see; None: it cannot say."""
        fitted = self.fit(at)
        if fitted is None or frame.empty:
            return None
        analysis = frame.drop(columns=["label"])
        from nannyml.chunk import SizeBasedChunker

        fitted.chunker = SizeBasedChunker(chunk_size=len(analysis), incomplete="keep")
        result = fitted.estimate(analysis).filter(period="analysis").to_df()
        if self.rows.yes_no:
            return 1 - float(result[("accuracy", "value")].iloc[0])
        return float(result[("mse", "value")].iloc[0])


def beside(name, rows, notes):
    """Mean distances from what came: by share, ours, the last known, NannyML's and NannyML's filled."""
    spans = sorted({(float(n["from"]), float(n["to"])) for n in notes})
    chosen = set(spans[:: max(1, -(-len(spans) // SPANS))])
    rival, off = NannyML(rows), collections.defaultdict(list)
    for note in sorted(notes, key=lambda note: float(note["at"])):
        span, at = (float(note["from"]), float(note["to"])), float(note["at"])
        if span not in chosen:
            continue
        frame = rows.between(*span)
        labelled = frame[frame["known"] <= rows.seen[-1]]
        if len(labelled) < 30:
            continue
        came = rows.loss(labelled)
        said = rival.estimate(at, frame)
        missing = frame[~(frame["known"] <= at)]
        rest = rival.estimate(at, missing)
        if said is None or rest is None:
            continue
        there = frame[frame["known"] <= at]
        filled = (rows.loss(there) * len(there) + rest * len(missing)) / len(frame) if len(there) else rest
        guesses = (float(note["expected"]), float(note["last_known"]), said, filled)
        off[float(note["share"])].append([abs(guess - came) for guess in guesses])
    for share in SHARES:
        if off[share]:
            ours, last, alone, filled = (statistics.mean(column) for column in zip(*off[share]))
            print(f"{name:<16}{share:>6.2f}{len(off[share]):>7}{ours:>11.4g}{last:>12.4g}{alone:>11.4g}{filled:>11.4g}", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TARRY_DATA", "../shared/data")))
    parser.add_argument("--scenarios", default="../shared/scenarios/scenarios.py")
    parser.add_argument("--only", default="")
    parser.add_argument("tables", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    played = [(name, path, predictions(name, path)) for name, path in tables(arguments)]
    pairs = [str(word) for name, _, predicted in played for word in (name, predicted)]
    print("log loss, or squared error of numbers", flush=True)
    subprocess.run([BENCH, *pairs], check=True)
    try:
        warnings.simplefilter("ignore")
        os.environ["NML_DISABLE_USAGE_LOGGING"] = "1"  # it would report to its makers
        import nannyml  # noqa: F401
    except ImportError as error:
        raise SystemExit(f"NannyML is not here: {error}") from None
    print("\nshare of wrong answers, or squared error of numbers: mean distance from what came")
    print(f"{'stream':<16}{'in':>6}{'spans':>7}{'ours':>11}{'last known':>12}{'NannyML':>11}{'filled':>11}", flush=True)
    notes = WORK / "notes.csv"
    subprocess.run([BENCH, "--errors", "--notes", str(notes), *pairs], check=True, stdout=subprocess.DEVNULL)
    with open(notes, newline="") as file:
        noted = list(csv.DictReader(file))
    for name, path, predicted in played:
        beside(name, Rows(path, predicted), [note for note in noted if note["stream"] == name])


if __name__ == "__main__":
    main()
