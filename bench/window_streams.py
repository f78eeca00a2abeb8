"""Streams of bench/rivals with a real window: "yes" when it happens, "no" when the window has passed. The data comes with
packages from PyPI. Chosen, and written down in docs/benchmarks.md, before anything was played on them.

Rows whose window the data does not cover, and which did not happen within it either, have no label and are left out."""
import csv
import datetime
import random

from late_streams import written
from unseen_streams import folder_of

SHOP_DAYS = 60
REGIME_YEARS = 4
DEATH_DAYS = 5 * 365
SENATOR_YEARS = 10
MARRIAGE_YEARS, MARRIAGES_OVER = 10, 40


class Words:
    """Indicators, one for each word of each column, numbered behind the numeric features as they come."""

    def __init__(self, numbers):
        self.numbers, self.slots = numbers, {}

    def row(self, values, words):
        """Numbers (None: missing) and words of one row, as (index, value)."""
        features = {i: float(x) for i, x in enumerate(values) if x is not None and float(x) != 0}
        for column, word in enumerate(words):
            features[self.numbers + self.slots.setdefault((column, word), len(self.slots))] = 1.0
        return sorted(features.items())


def windowed(title, name, cases, window, numbers, folder, drawn=False):
    """Of cases (event time, wait until it happened or None, days that were watched, row) in the order of their times."""
    cases = [case for case in cases if (case[1] is not None and case[1] <= window) or case[2] >= window]
    cases.sort(key=lambda case: case[0])
    event = [float(case[0]) for case in cases]
    happened = [case[1] is not None and case[1] <= window for case in cases]
    feedback = [at + (case[1] if yes else window) for at, case, yes in zip(event, cases, happened)]
    stream = written(title, name, [case[3] for case in cases], [1.0 if yes else -1.0 for yes in happened],
                     set(range(numbers)), event, feedback, folder)
    stream.drawn = drawn
    return stream


def shop(folder):
    """CDNOW, 1997 and 1998: does the customer buy again within 60 days? Each day of purchase is a row."""
    days = {}
    with open(folder_of("lifetimes") / "datasets" / "CDNOW_master.txt") as file:
        next(file)
        for customer, date, cds, dollars in map(str.split, file):
            day = datetime.date(int(date[:4]), int(date[4:6]), int(date[6:])).toordinal()
            bought = days.setdefault((customer, day), [0, 0.0])
            bought[0] += int(cds)
            bought[1] += float(dollars)
    last, cases, before = max(day for _, day in days), [], {}
    following = {}
    for customer, day in sorted(days, reverse=True):
        following[customer, day] = before.get(customer)
        before[customer] = day
    seen = {}
    for customer, day in sorted(days, key=lambda key: (key[1], key[0])):
        cds, dollars = days[customer, day]
        count, latest = seen.get(customer, (0, None))
        seen[customer] = count + 1, day
        then = following[customer, day]
        date = datetime.date.fromordinal(day)
        row = [(0, float(cds)), (1, dollars), (2, float(count)), (3, 0.0 if latest is None else float(day - latest)),
               (4 + (latest is None), 1.0), (6 + date.weekday(), 1.0), (13 + date.month - 1, 1.0)]
        cases.append((day, None if then is None else then - day, last - day, [(i, x) for i, x in row if x != 0]))
    return windowed("a shop, 60 days to buy again", "shop", cases, SHOP_DAYS, 4, folder)


def regimes(folder):
    """Political regimes since 1946: does the leader fall within four years? Those of one year in the order of the file."""
    words, cases = Words(1), []
    with open(folder_of("lifelines") / "datasets" / "dd.csv", newline="") as file:
        for line in csv.DictReader(file):
            start, lasted = int(line["start_year"]), float(line["duration"])
            row = words.row([start - 1946], [line[c] for c in ("un_region_name", "un_continent_name", "democracy", "regime")])
            cases.append((start, lasted if line["observed"] == "1" else None, lasted, row))
    return windowed("regimes, 4 years to fall", "regimes", cases, REGIME_YEARS, 1, folder)


def blood_samples(folder, seed=1):
    """A study of free light chains: does the person die within five years of the sample? The year of a sample is known: those of
    one year are spread over it in an order that is drawn."""
    text = (folder_of("sksurv") / "datasets" / "data" / "flchain.arff").read_text().splitlines()
    lines = [line.split(",") for line in text[text.index("@data") + 1:] if line]
    random.Random(seed).shuffle(lines)
    by_year, words, cases = {}, Words(4), []
    for line in lines:
        by_year.setdefault(int(line[2]), []).append(line)
    for year, own in by_year.items():
        for i, line in enumerate(own):
            age, sex, _, kappa, lam, group, creatinine, mgus, days, death, _ = line
            row = words.row([age, kappa, lam, None if creatinine == "?" else creatinine], [sex, group, mgus])
            cases.append(((year - 1995) * 365 + i * 365 / len(own), float(days) if death == "dead" else None, float(days), row))
    stream = windowed("blood samples, 5 years to die", "blood_samples", cases, DEATH_DAYS, 4, folder, drawn=True)
    return stream


def senators(folder):
    """Senators of Canada since 1867: does one leave within ten years?"""
    words, cases = Words(1), []
    with open(folder_of("lifelines") / "datasets" / "canadian_senators.csv", newline="") as file:
        for line in csv.DictReader(file):
            day = datetime.datetime.fromisoformat(line["start_date"]).toordinal()
            lasted = float(line["diff_days"])
            row = words.row([(day - 681_000) / 365], [line["Political Affiliation at Appointment"], line["Province / Territory"],
                                                      line["Appointed on the advice of"]])
            cases.append((day, lasted if line["observed"] == "True" else None, lasted, row))
    return windowed("senators, 10 years to leave", "senators", cases, SENATOR_YEARS * 365, 1, folder)


def marriages(folder, seed=1):
    """Does a marriage end within ten years? When each began is not known: spread over forty years in an order that is drawn."""
    lines = [line.split() for line in (folder_of("lifelines") / "datasets" / "divorce.dat").read_text().splitlines()[1:] if line.strip()]
    random.Random(seed).shuffle(lines)
    words, cases = Words(0), []
    for i, line in enumerate(lines):  # id, years of school in two or three words, two words, years, divorced
        years, divorced = float(line[-2]), line[-1] == "Yes"
        row = words.row([], [" ".join(line[1:-4]), line[-4], line[-3]])
        cases.append((i * MARRIAGES_OVER / len(lines), years if divorced else None, years, row))
    return windowed("marriages, 10 years to part", "marriages", cases, MARRIAGE_YEARS, 0, folder, drawn=True)


def window_streams(folder, seed):
    if seed == 1:
        yield shop(folder)
        yield regimes(folder)
        yield senators(folder)
    yield blood_samples(folder, seed)
    yield marriages(folder, seed)
