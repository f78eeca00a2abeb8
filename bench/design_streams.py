"""Streams that bends and trees were designed on, and some with neither numbers that bend nor labels that come evenly, where they may harm."""
import csv
import gzip
import importlib.util
import random

from bend_streams import stream_of
from late_streams import elec2, incident_hours, incidents, loans
from unseen_streams import keel, nyc_flights

SCENARIO_ROWS = 30_000


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


def hotel(data, folder):
    numbers = ("lead_time", "arrival_month", "arrival_week", "arrival_weekday", "stays_in_weekend_nights", "stays_in_week_nights", "adults",
               "previous_cancellations", "previous_bookings_not_canceled")
    words = ("hotel", "market_segment", "distribution_channel", "reserved_room_type", "customer_type")
    with gzip.open(data / "hotel_bookings" / "clean.csv.gz", "rt", newline="") as file:
        lines = list(csv.DictReader(file))
    random.Random(1).shuffle(lines)  # the file's order says the label where bookings are of the same day
    cases = [(float(line["known_at"]), float(line["label_at"]), 2 * float(line["label"]) - 1, line) for line in lines]
    return stream_of("hotel bookings", "hotel", cases, numbers, words, folder, "logistic")


def with_numbers(stream):
    stream.spec.setdefault("missing", "absent")  # which tells Tarry that these are numbers: others do not bend
    return stream


def present_streams(data, folder, seed=1):
    """Those on which bends were chosen; of other seeds, those whose delays are drawn."""
    if seed == 1:
        yield traffic(data, folder)
        yield with_numbers(nyc_flights(folder))
    yield with_numbers(keel("magic", lambda cell: cell == "g", folder, seed))
    yield with_numbers(keel("phoneme", lambda cell: cell == "1", folder, seed, mean=300))
    yield with_numbers(keel("marketing", lambda cell: float(cell) > 5, folder, seed, mean=300, times=10))
    yield with_numbers(elec2(data, 0, folder, seed))
    if seed == 1:
        yield with_numbers(loans(data, folder))


def scenario(module, name, folder):
    """A planted stream whose labels come late in one way or another; a label that never comes counts for the metric, too."""
    path = folder / f"scenario_{name}.csv"
    module.make(name, str(path), rounds=SCENARIO_ROWS)
    with open(path, newline="") as file, open(path.with_suffix(".truth.csv"), newline="") as hidden:
        cases = [(float(line["event_time"]), float(line["feedback_time"]) if line["feedback_time"] else None, 2.0 * int(truth["truth"]) - 1, line)
                 for line, truth in zip(csv.DictReader(file), csv.DictReader(hidden))]
    return stream_of(f"{name}, planted", f"scenario_{name}", cases, ("x",), ("z",), folder, "logistic")


def uneven_streams(data, folder, seed=1):
    """Where labels that come first are of one kind, or rows are words alone."""
    if seed > 1:
        return
    yield hotel(data, folder)
    yield with_numbers(keel("spambase", lambda cell: cell == "1", folder, seed, mean=300))
    yield incidents(data)
    yield incident_hours(data, folder)
    path = data.parent / "scenarios" / "scenarios.py"
    if path.exists():
        spec = importlib.util.spec_from_file_location("scenarios", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        yield from (scenario(module, name, folder) for name in module.NAMES)
