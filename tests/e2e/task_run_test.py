"""Tasks as learners of an experiment: the same predictions as a replay of the same rows, from a CSV file and from a log."""

import csv
import json
import math
import random
import shutil
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, tarry

ROWS = 300


def make_rows():
    """(seen, known, age, city, label), some ages missing."""
    draw = random.Random(5)
    rows = []
    for t in range(1, ROWS + 1):
        city = draw.choice(["Paris", "Rome", "Oslo"])
        age = draw.randint(18, 80) if t == 1 or draw.random() < 0.9 else None
        label = draw.random() < (0.8 if city == "Paris" else 0.3)
        rows.append((t, t + draw.randint(0, 30) + 0.5, age, city, label))
    return rows


def in_order(rows):
    """(kind, row): 0 for a play, 1 for its label, in the order of their times."""
    events = [(row[0], 0, i) for i, row in enumerate(rows)] + [(row[1], 1, i) for i, row in enumerate(rows)]
    return [(kind, i) for _, kind, i in sorted(events)]


def replay_log(rows, task="binary"):
    log = [{"format": "tarry-replay/2", "model": {"task": task}}]
    for kind, i in in_order(rows):
        _, _, age, city, label = rows[i]
        log.append({"label": i + 1, "value": label} if kind else {"play": i + 1, "features": {"age": age, "city": city}})
    return log


def write_csv(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["seen_at", "known_at", "age", "city", "paid"])
        for seen, known, age, city, label in rows:
            word = label if isinstance(label, str) else "true" if label else "false"
            writer.writerow([seen, known, "" if age is None else age, city, word])


def write_arff(path, rows):
    with path.open("w") as file:
        file.write("@relation rows\n@attribute id numeric\n@attribute age numeric\n")
        file.write("@attribute city {Paris,Rome,Oslo}\n@attribute paid {true,false}\n@data\n")
        for kind, i in in_order(rows):
            _, _, age, city, label = rows[i]
            file.write(f"{i},{age},{city},{('true' if label else 'false') if kind else '?'}\n")


def experiment(stream, path, task="binary", more=""):
    return f"""name = "task"
checkpoints = 2
[stream]
type = "{stream}"
path = "{path}"
{more}
[delay]
type = "recorded"
[learner]
task = "{task}"
"""


class Task(ProgramTest):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def metrics(self, stream, path, task="binary", more=""):
        spec = self.folder / f"{stream}.toml"
        spec.write_text(experiment(stream, path, task, more))
        ran = tarry("run", str(spec), "--out", str(self.folder / stream))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads((self.folder / stream / "summary.json").read_text())["groups"][0]["metrics"]

    def replayed(self, log):
        path = self.folder / "history.jsonl"
        path.write_text("".join(json.dumps(event) + "\n" for event in log))
        ran = tarry("replay", str(path))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return path, [json.loads(line) for line in ran.stdout.splitlines()]

    def log_loss(self, rows):
        log, replies = self.replayed(replay_log(rows))
        p = [reply["prediction"] for reply in replies]
        return log, sum(-math.log(q if row[4] else 1 - q) for q, row in zip(p, rows, strict=True)) / len(rows)

    def test_is_the_replay_of_the_same_rows(self):
        rows = make_rows()
        log, own = self.log_loss(rows)
        table = self.folder / "rows.csv"
        write_csv(table, rows)
        self.assertAlmostEqual(self.metrics("late_labels", table)["log_loss"], own, delta=1e-12)
        self.assertAlmostEqual(self.metrics("log", log)["log_loss"], own, delta=1e-12)

    def test_reads_queries_and_answers(self):
        rows = [(seen, known, age or 30, city, label) for seen, known, age, city, label in make_rows()]
        _, own = self.log_loss(rows)
        events = self.folder / "rows.arff"
        write_arff(events, rows)
        keys = 'label = "paid"\npositive = "true"\nid = "id"\nloss = "logistic"\nintercept = false'
        self.assertAlmostEqual(self.metrics("arff_events", events, more=keys)["log_loss"], own, delta=1e-12)

    def test_names_classes_as_they_come(self):
        draw = random.Random(6)
        words = {"Paris": ["paid", "late"], "Rome": ["late", "never"], "Oslo": ["never", "paid"]}
        rows = [(*row[:4], draw.choice(words[row[3]])) for row in make_rows()]
        log, replies = self.replayed(replay_log(rows, "classes"))
        known = [(reply, row[4]) for reply, row in zip(replies, rows, strict=True)]
        hits = sum(reply["prediction"] == label for reply, label in known) / len(rows)
        late = [-math.log(reply["scores"][label]) for reply, label in known if label in reply["scores"]]
        table = self.folder / "rows.csv"
        write_csv(table, rows)
        for stream, path in ("late_labels", table), ("log", log):
            metrics = self.metrics(stream, path, "classes")
            self.assertAlmostEqual(metrics["accuracy"], hits, delta=1e-12)
            # Before a class is known a replay has no number for it.
            self.assertGreater(metrics["log_loss"] * len(rows), sum(late))
            self.assertLess(metrics["log_loss"] * len(rows), sum(late) + 2 * (len(rows) - len(late)))

    def test_rates_by_names(self):
        draw = random.Random(7)
        taste = {user: draw.uniform(1, 3) for user in "abcdefgh"}
        ratings = [(draw.choice("abcdefgh"), draw.choice("uvwxyz")) for _ in range(200)]
        rows = [(user, item, round(taste[user] + (item > "w"))) for user, item in ratings]
        model = {"task": "ratings", "users": 8, "items": 6, "range": [1, 5]}
        log = [{"format": "tarry-replay/2", "model": model}]
        for t, (user, item, rating) in enumerate(rows, 1):
            log += [{"play": t, "features": {"user": user, "item": item}}, {"label": t, "value": rating}]
        _, replies = self.replayed(log)
        clipped = [min(5, max(1, reply["prediction"])) for reply in replies]
        rmse = math.sqrt(sum((p - row[2]) ** 2 for p, row in zip(clipped, rows, strict=True)) / len(rows))
        table = self.folder / "ratings.csv"
        table.write_text("user,item,rating\n" + "".join(f"{u},{i},{r}\n" for u, i, r in rows))
        spec = experiment("ratings", table, 'ratings"\nusers = 8\nitems = 6\nrange = [1, 5]\nname = "all', "range = [1, 5]")
        spec = spec.replace('type = "recorded"', 'type = "none"')
        (self.folder / "ratings.toml").write_text(spec)
        ran = tarry("run", str(self.folder / "ratings.toml"), "--out", str(self.folder / "out"))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        metrics = json.loads((self.folder / "out" / "summary.json").read_text())["groups"][0]["metrics"]
        self.assertAlmostEqual(metrics["rmse"], rmse, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
