"""The streams of bench/rivals: the same rows for every contestant, and when each label is revealed."""
import csv
import dataclasses
import datetime
import gzip
import heapq
import itertools
import math
import pathlib
import random

HASH_SLOTS = 256
INCIDENT_SLOTS = 4096
WORD_SLOTS = 512


@dataclasses.dataclass
class LateStream:
    """Rows of features (index, value), labels, and for Tarry the keys of its own reader of the same file."""

    name: str
    loss: str  # "squared" or "logistic"; labels of the latter are −1 and 1
    rows: list
    labels: list
    numbers: set  # the indices of numeric features; the others are indicators
    event_time: list
    feedback_time: list  # None: never
    spec: dict
    drawn: bool = False  # whether order or delays are

    @property
    def dimension(self):
        """Without the intercept, which every contestant adds itself."""
        return 1 + max(index for row in self.rows for index, _ in row)

    def maturity(self):
        """The wait in which nine in ten of the labels that come have come, in the unit of the times."""
        waits = sorted(then - now for now, then in zip(self.event_time, self.feedback_time) if then is not None)
        return waits[int(0.9 * len(waits))]

    def arrivals(self, wait=0):
        """For each row, the rows whose labels are known before it is predicted: feedback strictly before its event. With
        `wait`, no label is learnt before its row is so old."""
        waiting, schedule = [], []
        for row, now in enumerate(self.event_time):
            arrived = []
            while waiting and waiting[0][0] < now:
                arrived.append(heapq.heappop(waiting)[1])
            schedule.append(arrived)
            if self.feedback_time[row] is not None:
                heapq.heappush(waiting, (max(self.feedback_time[row], now + wait), row))
        return schedule


def fnv1a(text):
    """The hash of Tarry's CSV reader."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def flights(data):
    path = data / "flights" / "derived_hflights_stream.csv.gz"
    divide = {"DepDelay": 30, "TaxiOut": 10, "Distance": 1000}
    rows, labels, event, feedback = [], [], [], []
    with gzip.open(path, "rt", newline="") as file:
        for line in csv.DictReader(file):
            row = {i: float(line[name]) / by for i, (name, by) in enumerate(divide.items())}
            for name in ("UniqueCarrier", "Dest"):
                slot = len(divide) + fnv1a(f"{name}={line[name]}") % HASH_SLOTS
                row[slot] = row.get(slot, 0) + 1
            rows.append(sorted((i, x) for i, x in row.items() if x != 0))
            labels.append(float(line["ArrDelay"]))
            event.append(float(line["t_depart_min"]))
            feedback.append(float(line["t_feedback_min"]))
    spec = {"type": "csv", "path": str(path), "label": "ArrDelay", "loss": "squared", "features": list(divide),
            "divide": divide, "categorical": ["UniqueCarrier", "Dest"], "hash_dimension": HASH_SLOTS,
            "event_time": "t_depart_min", "feedback_time": "t_feedback_min"}
    return LateStream("flights, real delays", "squared", rows, labels, set(range(len(divide))), event, feedback, spec)


def airlines(data):
    path = data / "airlines-events" / "airlines_delayed_label_events.arff"
    divide = {"Year": 2008, "Month": 12, "DayofMonth": 31, "DayOfWeek": 7, "CRSArrTime": 2400, "CRSDepTime": 2400,
              "CRSElapsedTime": 600, "Distance": 5000}
    first, words, names, numbers, size = {}, {}, [], set(), 0  # where each attribute's features begin
    rows, labels, event, feedback, row_of = [], [], [], [], {}
    with open(path) as file:
        events = 0
        for line in map(str.strip, file):
            if line.lower().startswith("@attribute"):
                name, kind = line.split(None, 2)[1:]
                names.append(name)
                if name in ("ValueToPredict", "instanceId", "timeStamp"):
                    continue
                first[name] = size
                if kind.startswith("{"):
                    words[name] = {word: i for i, word in enumerate(kind.strip("{}").split(","))}
                    size += len(words[name])
                else:
                    numbers.add(size)
                    size += 1
            elif line and line[0] not in "@%":
                events += 1
                cells = dict(zip(names, line.split(",")))
                if cells["ValueToPredict"] == "?":
                    row_of[cells["instanceId"]] = len(rows)
                    row = [(at + words[name][cells[name]], 1.0) if name in words else (at, float(cells[name]) / divide[name])
                           for name, at in first.items()]
                    rows.append([(i, x) for i, x in row if x != 0])
                    labels.append(None)
                    event.append(events)
                    feedback.append(None)
                else:
                    row = row_of[cells["instanceId"]]
                    labels[row] = 1.0 if cells["ValueToPredict"] == "delayed" else -1.0
                    feedback[row] = events
    spec = {"type": "arff_events", "path": str(path), "label": "ValueToPredict", "positive": "delayed",
            "id": "instanceId", "time": "timeStamp", "loss": "logistic", "divide": divide}
    return LateStream("airlines, real delays", "logistic", rows, labels, numbers, event, feedback, spec)


INCIDENT_WORDS = ["contact_type", "location", "category", "subcategory", "u_symptom", "impact", "urgency", "priority",
                  "assignment_group", "opened_by", "notify", "knowledge"]


def incidents(data):
    """Whether an incident met its service level, known when it is resolved: those that met it are resolved sooner."""
    path = data / "incidents" / "derived_incident_cases.csv.gz"
    words = INCIDENT_WORDS
    rows, labels, event, feedback = [], [], [], []
    with gzip.open(path, "rt", newline="") as file:
        for line in csv.DictReader(file):
            row = {}
            for name in words:
                slot = fnv1a(f"{name}={line[name]}") % INCIDENT_SLOTS
                row[slot] = row.get(slot, 0) + 1
            rows.append(sorted((i, float(x)) for i, x in row.items()))
            labels.append(1.0 if line["made_sla_final"] == "true" else -1.0)
            event.append(float(line["opened_min"]))
            feedback.append(float(line["resolved_min"]))
    spec = {"type": "csv", "path": str(path), "label": "made_sla_final", "positive": "true", "loss": "logistic",
            "features": [], "categorical": words, "hash_dimension": INCIDENT_SLOTS, "event_time": "opened_min",
            "feedback_time": "resolved_min"}
    return LateStream("incidents, real delays", "logistic", rows, labels, set(), event, feedback, spec)


def incident_hours(data, folder):
    """How long an incident takes, as the logarithm of 1 + hours: the label is the wait itself."""
    source = data / "incidents" / "derived_incident_cases.csv.gz"
    stream, path = incidents(data), folder / "incident_hours.csv"
    stream.labels = [math.log1p((then - now) / 60) for now, then in zip(stream.event_time, stream.feedback_time)]
    with gzip.open(source, "rt", newline="") as file, open(path, "w", newline="") as table:
        out = csv.writer(table)
        out.writerow(["opened", "resolved", "label", *INCIDENT_WORDS])
        for line, now, then, label in zip(csv.DictReader(file), stream.event_time, stream.feedback_time, stream.labels):
            out.writerow([now, then, repr(label), *(line[name] for name in INCIDENT_WORDS)])
    stream.name, stream.loss = "incidents, hours to close", "squared"
    stream.spec = {"type": "csv", "path": str(path), "label": "label", "loss": "squared", "features": [], "categorical": INCIDENT_WORDS,
                   "hash_dimension": INCIDENT_SLOTS, "event_time": "opened", "feedback_time": "resolved"}
    return stream


def loans(data, folder):
    """Whether a loan is approved: of those that are decided at all, by amount, hour and weekday."""
    with open(data / "loans" / "derived_cases.csv", newline="") as file:
        lines = [line for line in csv.DictReader(file) if line["outcome"] != "OPEN"]
    lines.sort(key=lambda line: int(line["submit_utc_ms"]))
    rows, labels, event, feedback = [], [], [], []
    for line in lines:
        at = datetime.datetime.fromtimestamp(int(line["submit_utc_ms"]) / 1000, datetime.timezone.utc)
        rows.append([(0, float(line["amount_req"])), (1 + at.hour, 1.0), (25 + at.weekday(), 1.0)])
        labels.append(1.0 if line["outcome"] == "A_APPROVED" else -1.0)
        event.append(float(line["submit_utc_ms"]))
        feedback.append(float(line["outcome_utc_ms"]))
    return written("loans, real delays", "loans", rows, labels, {0}, event, feedback, folder)


def libsvm(data, name, lost, folder, seed=1):
    with open(data / "libsvm" / name) as file:
        lines = [line.split() for line in file]
    random.Random(seed).shuffle(lines)
    rows = [[(int(i) - 1, float(x)) for i, x in (word.split(":") for word in line[1:])] for line in lines]
    return simulated(name, rows, [1.0 if float(line[0]) > 0 else -1.0 for line in lines], set(), folder, seed, lost)


def elec2(data, lost, folder, seed=1):
    with open(data / "elec2" / "elec.csv", newline="") as file:
        lines = list(csv.reader(file))[1:]
    rows = [[(i, float(x)) for i, x in enumerate(line[:-1]) if float(x) != 0] for line in lines]
    return simulated("elec2", rows, [1.0 if line[-1] == "1" else -1.0 for line in lines], set(range(6)), folder, seed, lost)


def simulated(name, rows, labels, numbers, folder, seed=1, lost=0.0, mean=1000, times=1):
    """Geometric delays, those of class 1 so many times as long, and a share of the labels lost: drawn here and written
    as recorded times for Tarry."""
    draw = random.Random(seed + 1)
    feedback = []
    for t, label in enumerate(labels):
        own = mean * (times if label > 0 else 1)
        delay = 1 + math.floor(math.log(1 - draw.random()) / math.log1p(-1 / own))
        feedback.append(None if draw.random() < lost else t + delay - 0.5)  # just before the query of row t + delay
    event = [float(t) for t in range(len(rows))]
    title = f"{name}, geometric {mean}" + (f", {lost:.0%} lost" if lost else "") + (f", one class {times}x" if times > 1 else "")
    stream = written(title, f"{name}_{lost}_{times}", rows, labels, numbers, event, feedback, folder)
    stream.drawn = True
    return stream


def written(title, name, rows, labels, numbers, event, feedback, folder):
    """Rows as a file that Tarry reads itself."""
    path = folder / f"{name}.csv"
    dimension = 1 + max(i for row in rows for i, _ in row)
    columns = [f"x{i}" for i in range(dimension)]
    with open(path, "w") as out:
        out.write(",".join(["event", "feedback", "label", *columns]) + "\n")
        for now, then, label, row in zip(event, feedback, labels, rows):
            cells = ["0"] * dimension
            for i, x in row:
                cells[i] = repr(x)
            out.write(",".join([repr(now), "" if then is None else repr(then), repr(label), *cells]) + "\n")
    spec = {"type": "csv", "path": str(path), "label": "label", "loss": "logistic", "features": columns,
            "event_time": "event", "feedback_time": "feedback"}
    return LateStream(title, "logistic", rows, labels, numbers, event, feedback, spec)


def spec_with_numbers(stream, folder):
    """The keys of Tarry's reader which also tell it what the rivals know: which features are numbers. Others do not bend. Indicators
    beside numbers become words, in a table of their own."""
    columns = stream.spec.get("features")
    if not stream.numbers or columns is None:
        return stream.spec
    if len(columns) == len(stream.numbers):
        return stream.spec | {"missing": "absent"}
    first = len(stream.numbers)
    assert stream.numbers == set(range(first))
    words = names_apart(len(columns) - first)
    path = folder / f"words_{pathlib.Path(stream.spec['path']).name}"
    with open(stream.spec["path"], newline="") as file, open(path, "w", newline="") as table:
        lines, out = csv.reader(file), csv.writer(table)
        out.writerow([*next(lines)[:-len(words)], *words])
        out.writerows([*line[:-len(words)], *("" if float(cell) == 0 else "1" for cell in line[-len(words):])] for line in lines)
    return stream.spec | {"path": str(path), "features": columns[:first], "categorical": words, "hash_dimension": WORD_SLOTS,
                          "missing": "absent"}


def names_apart(count):
    """Names of columns whose only word, 1, no two have in the same slot."""
    for attempt in itertools.count():
        names = [f"w{attempt}_{i}" for i in range(count)]
        if len({fnv1a(f"{name}=1") % WORD_SLOTS for name in names}) == count:
            return names


def known_streams(data, folder, seed):
    """Those that designs were chosen on. One at a time, since each takes some memory."""
    if seed == 1:
        yield flights(data)
        yield airlines(data)
        yield incidents(data)
        yield incident_hours(data, folder)
        yield loans(data, folder)
    for name in ("w8a", "phishing"):
        yield libsvm(data, name, 0, folder, seed)
    for lost in (0, 0.1):
        yield libsvm(data, "a9a", lost, folder, seed)
        yield elec2(data, lost, folder, seed)
