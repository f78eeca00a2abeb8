"""Tasks as learners of an experiment: the same predictions as a replay of the same rows, from a CSV file and from a log."""

import csv
import json
import math
import random
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


def replay_log(rows):
    events = [(row[0], 0, i) for i, row in enumerate(rows)] + [(row[1], 1, i) for i, row in enumerate(rows)]
    log = [{"format": "tarry-replay/2", "model": {"task": "binary"}}]
    for _, kind, i in sorted(events):
        _, _, age, city, label = rows[i]
        if kind == 0:
            log.append({"play": i + 1, "features": {"age": age, "city": city}})
        else:
            log.append({"label": i + 1, "value": label})
    return log


def experiment(stream, path):
    return f"""name = "task"
checkpoints = 2
[stream]
type = "{stream}"
path = "{path}"
[delay]
type = "recorded"
[learner]
task = "binary"
"""


class Task(ProgramTest):
    def log_loss(self, folder, stream, path):
        spec = Path(folder) / f"{stream}.toml"
        spec.write_text(experiment(stream, path))
        ran = tarry("run", str(spec), "--out", str(Path(folder) / stream))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        summary = json.loads((Path(folder) / stream / "summary.json").read_text())
        return summary["groups"][0]["metrics"]["log_loss"]

    def test_is_the_replay_of_the_same_rows(self):
        rows = make_rows()
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "rows.csv"
            with table.open("w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["seen_at", "known_at", "age", "city", "paid"])
                for seen, known, age, city, label in rows:
                    writer.writerow([seen, known, "" if age is None else age, city, "true" if label else "false"])
            log = Path(folder) / "history.jsonl"
            log.write_text("".join(json.dumps(event) + "\n" for event in replay_log(rows)))
            replayed = tarry("replay", str(log))
            self.assertEqual(replayed.returncode, 0, replayed.stderr)
            p = [json.loads(line)["prediction"] for line in replayed.stdout.splitlines()]
            own = sum(-math.log(q if row[4] else 1 - q) for q, row in zip(p, rows, strict=True)) / ROWS
            self.assertAlmostEqual(self.log_loss(folder, "late_labels", table), own, delta=1e-12)
            self.assertAlmostEqual(self.log_loss(folder, "log", log), own, delta=1e-12)


if __name__ == "__main__":
    unittest.main()
