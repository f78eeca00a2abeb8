"""`tarry run my.csv`: a table of late labels, nothing else said; its predictions and its model are there to go on with."""

import csv
import json
import math
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, as_log, tarry


def orders(count, classes=("no", "yes"), shuffled=True):
    """A table in which shoes come back, the rest does not; rows in no order of time."""
    draw = random.Random(5)
    rows = []
    for i in range(count):
        article = draw.choice(["shoes", "book", "lamp"])
        label = classes[-1] if article == "shoes" else classes[draw.randrange(len(classes) - 1)]
        known = "" if i % 25 == 0 else 1000 * i + draw.randrange(40000)
        rows.append(f"{1000 * i},{known},{article},{draw.uniform(5, 90):.2f},{label if known else ''}")
    if shuffled:
        draw.shuffle(rows)
    return "ordered_at,returned_at,article,price,outcome\n" + "\n".join(rows) + "\n"


class OwnData(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_in_folder(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, timeout=TIMEOUT)

    def run_on(self, text, *more, name="my.csv"):
        (self.folder / name).write_text(text)
        done = self.run_in_folder("run", name, *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        self.out = self.folder / "runs/my"
        return done.stdout.decode()

    def predictions(self):
        with open(self.out / "predictions.csv", newline="") as file:
            return list(csv.DictReader(file))

    def metric(self, name, learner="auto", delay="as recorded"):
        groups = json.loads((self.out / "summary.json").read_text())["groups"]
        group, = (g for g in groups if g["learner"] == learner and g["delay"] == delay)
        return group["metrics"][name]

    def test_a_table_runs_by_its_name_alone(self):
        said = self.run_on(orders(600))
        for line in ("event time ordered_at", "base rate", "leaderboard, delay as recorded",
                     "runs/my/predictions.csv", "runs/my/model.tarry"):
            self.assertIn(line, said)
        self.assertLess(self.metric("log_loss"), self.metric("log_loss", "base rate"))

    def test_the_base_rate_is_the_share_of_labels_that_have_come(self):
        text = orders(400, shuffled=False)
        self.run_on(text)
        rows = list(csv.DictReader(text.splitlines()))
        loss = judged = 0
        for row in rows:
            now = float(row["ordered_at"])
            came = [r["outcome"] == "yes" for r in rows if r["returned_at"] and float(r["returned_at"]) < now]
            share = (sum(came) + 0.5) / (len(came) + 1)
            if row["outcome"]:
                loss -= math.log(share if row["outcome"] == "yes" else 1 - share)
                judged += 1
        self.assertAlmostEqual(loss / judged, self.metric("log_loss", "base rate"), places=9)

    def test_waiting_learns_after_the_wait_of_nine_in_ten(self):
        text = orders(400, shuffled=False)
        said = self.run_on(text)
        board = said[said.index("leaderboard, delay as recorded"):]
        self.assertIn("waiting", board)
        self.assertNotRegex(said, r"at once +waiting")
        rows = [row for row in csv.DictReader(text.splitlines()) if row["returned_at"]]
        waits = sorted(float(row["returned_at"]) - float(row["ordered_at"]) for row in rows)
        wait = waits[(len(waits) - 1) * 9 // 10]
        waiting = self.metric("log_loss", "waiting")
        self.run_on(text, "--override", f"delays.1.wait={wait}")
        self.assertEqual(waiting, self.metric("log_loss"))  # auto itself, where every label comes so late
        self.assertEqual(waiting, self.metric("log_loss", "waiting"))

    def test_labels_of_a_class_that_come_later_are_told_of(self):
        rows = "".join(f"{1700000000 + 60 * i},{1700000000 + 60 * i + (7200 if i % 3 == 0 else 600) + i % 5},{i % 7},{'ny'[i % 3 == 0]}\n"
                       for i in range(300))
        said = self.run_on("event_time,feedback_time,x,late\n" + rows)
        self.assertIn('labels of "y" come later: half of them within 2 hours, of the others within 10 minutes', said)
        reading, = json.loads((self.out / "summary.json").read_text())["readings"]
        self.assertEqual([(one["label"], one["labels"]) for one in reading["by_class"]], [("not y", 200), ("y", 100)])
        self.assertEqual(reading["by_class"][1]["seconds"], {"half": 7202, "nine_in_ten": 7204, "longest": 7204})
        same = "".join(f"{1700000000 + 60 * i},{1700000000 + 60 * i + 600},{i % 7},{'ny'[i % 3 == 0]}\n" for i in range(300))
        self.assertNotIn("come later", self.run_on("event_time,feedback_time,x,late\n" + same))

    def test_predictions_are_those_that_the_summary_tells_of(self):
        self.run_on(orders(600))
        rows = self.predictions()
        self.assertEqual([int(row["round"]) for row in rows], list(range(1, 601)))
        self.assertEqual(sorted(int(row["row"]) for row in rows), list(range(1, 601)))
        judged = [row for row in rows if row["label"]]
        self.assertEqual(len(judged), 600 - 24)
        loss = [-math.log(float(row["prediction"]) if row["label"] == "1" else 1 - float(row["prediction"]))
                for row in judged]
        self.assertAlmostEqual(sum(loss) / len(loss), self.metric("log_loss"), places=9)

    def test_rows_and_times_are_those_of_the_file(self):
        text = orders(200)
        self.run_on(text)
        table = list(csv.DictReader(text.splitlines()))
        for row in self.predictions():
            own = table[int(row["row"]) - 1]
            self.assertEqual(float(row["seen"]), float(own["ordered_at"]))
            self.assertEqual(row["known"] and float(row["known"]), own["returned_at"] and float(own["returned_at"]))
            self.assertEqual(row["label"], {"yes": "1", "no": "0", "": ""}[own["outcome"]])
            last = 1000 * 199
            self.assertEqual(row["feedback"], "lost" if not row["known"] else "came" if float(row["known"]) < last else "on its way")

    def test_classes_keep_their_names_and_numbers_their_size(self):
        self.run_on(orders(300, ("kept", "swapped", "back")))
        self.assertLessEqual({row["label"] for row in self.predictions()}, {"kept", "swapped", "back", ""})
        late = [row for row in self.predictions()[150:] if row["label"]]
        self.assertGreater(sum(row["prediction"] == row["label"] for row in late), len(late) / 2)
        rows = "".join(f"{i},{i + 3},{i % 7},{200 * (i % 7) + 1}\n" for i in range(300))
        self.run_on("event_time,feedback_time,x,minutes\n" + rows)
        last = self.predictions()[-7:]
        for row in last:
            self.assertLess(abs(float(row["prediction"]) - float(row["label"])), 200)

    def test_again_gives_the_same_bytes(self):
        self.run_on(orders(300))
        before = {name: (self.out / name).read_bytes() for name in ("predictions.csv", "model.tarry")}
        said = self.run_on(orders(300))
        self.assertIn("(6 kept from before)", said)
        for name, content in before.items():
            self.assertEqual((self.out / name).read_bytes(), content)

    def test_the_model_goes_on_in_a_replay(self):
        self.run_on(orders(600))
        log = as_log({"format": "tarry-replay/2", "model": {"task": "binary"}},
                     {"play": 601, "features": {"article": "shoes", "price": 40}},
                     {"play": 602, "features": {"article": "book", "price": 40}}, {"label": 601, "value": True})
        done = tarry("replay", "-", "--load", str(self.out / "model.tarry"), "--hash", stdin=log)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        shoes, book = (json.loads(line)["prediction"] for line in done.stdout.splitlines()[:2])
        self.assertGreater(shoes, 0.7)
        self.assertLess(book, 0.3)

    def test_overrides_say_what_the_columns_do_not(self):
        text = orders(200).replace("ordered_at", "a").replace("returned_at", "b")
        (self.folder / "my.csv").write_text(text)
        done = self.run_in_folder("run", "my.csv")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("event_time", done.stderr.decode())
        said = ["--override", "stream.event_time=a", "--override", "stream.feedback_time=b"]
        self.run_on(text, *said)
        done = self.run_in_folder("init", "--csv", "my.csv", "mine.toml", *said)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertIn('event_time = "a"\nfeedback_time = "b"\n', (self.folder / "mine.toml").read_text())
        done = self.run_in_folder("run", "mine.toml")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        done = self.run_in_folder("run", "my.csv", "--override", "stream.lable=x")
        self.assertIn("did you mean label?", done.stderr.decode())

    def test_a_difference_of_times_is_predicted(self):
        rows = "".join(f"{i},{1700000000 + 60 * i},{1700000000 + 60 * i + 60 * (5 + 3 * (i % 7))},{i % 7}\n" for i in range(300))
        said = self.run_on("trip_id,pickup_s,dropoff_s,km\n" + rows, "--override", "stream.label=dropoff − pickup")
        self.assertIn("label dropoff_s − pickup_s, in minutes; loss squared", said)
        for row in self.predictions():
            self.assertEqual(float(row["label"]), 5 + 3 * ((int(row["row"]) - 1) % 7))

    def test_missing_numbers_are_not_zeros(self):
        """A number of mean 1000 that is sometimes missing, on the same rows with every cell given: nearly as good."""
        draw = random.Random(3)
        rows, full = "", ""
        for i in range(2000):
            x, z = 1000 + draw.gauss(0, 1), draw.gauss(0, 1)
            start = f"{i},{i + 3},{z:.4f}"
            full += f"{start},{x:.4f},{x - 1000 + z:.4f}\n"
            rows += f"{start},{'' if i % 20 == 0 else f'{x:.4f}'},{x - 1000 + z:.4f}\n"
        spread = {}
        for name, text in (("full", full), ("missing", rows)):
            self.run_on("event_time,feedback_time,z,x,y\n" + text)
            for learner in ("auto", "SGD 0.01"):
                spread[name, learner] = self.metric("rmse", learner)
        for learner in ("auto", "SGD 0.01"):
            self.assertLess(spread["missing", learner], spread["full", learner] + 0.3, spread)

    def test_init_writes_the_same_experiment_with_what_was_found(self):
        said = self.run_on(orders(200))
        done = self.run_in_folder("init", "--csv", "my.csv", "mine.toml")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        spec = (self.folder / "mine.toml").read_text()
        self.assertIn("#   event time ordered_at, feedback time returned_at", spec)
        done = self.run_in_folder("run", "mine.toml", "--out", "again")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertEqual((self.folder / "again/predictions.csv").read_bytes(), (self.out / "predictions.csv").read_bytes())

    def test_files_lie_beside_the_specification(self):
        (self.folder / "there").mkdir()
        (self.folder / "there/my.csv").write_text(orders(50))
        self.run_in_folder("init", "--csv", "there/my.csv", "there/mine.toml")
        spec = self.folder / "there/mine.toml"
        self.assertIn('path = "my.csv"\n', spec.read_text())  # as it is seen from the specification
        done = self.run_in_folder("run", "there/mine.toml")
        self.assertEqual(done.returncode, 0, done.stderr.decode())

    def test_results_of_another_experiment_are_not_replaced_in_silence(self):
        self.run_on(orders(50))
        again = self.run_in_folder("run", "my.csv")
        self.assertNotIn("replaced", again.stderr.decode())
        self.assertTrue(again.stderr.decode().startswith("reading my.csv …\n"), again.stderr)
        other = self.run_in_folder("run", "my.csv", "--override", "name=other", "--out", "runs/my")
        self.assertIn('runs/my held the results of "my", which are replaced', other.stderr.decode())

    def test_tables_of_one_name_in_two_folders_have_a_folder_of_results_each(self):
        for folder in ("spring", "autumn"):
            (self.folder / folder).mkdir()
            (self.folder / folder / "orders.csv").write_text(orders(50 if folder == "spring" else 60))
        for folder, out in (("spring", "orders"), ("autumn", "autumn-orders"), ("autumn", "autumn-orders"), ("spring", "orders")):
            done = self.run_in_folder("run", f"{folder}/orders.csv")
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertNotIn("replaced", done.stderr.decode())
            self.assertIn(f"report   runs/{out}/report.html", done.stdout.decode())
            self.assertEqual(json.loads((self.folder / "runs" / out / "summary.json").read_text())["title"], f"{folder}/orders.csv")
        other = self.run_in_folder("run", "autumn/orders.csv", "--out", "runs/orders")
        self.assertIn('runs/orders held the results of "spring/orders.csv", which are replaced', other.stderr.decode())

    def test_what_cannot_be_kept_is_refused(self):
        (self.folder / "my.csv").write_text(orders(50))
        spec = self.folder / "spec.toml"
        self.run_in_folder("init", "--csv", "my.csv", "spec.toml")
        spec.write_text(spec.read_text().replace('keep = "auto"', 'keep = "nobody"').replace('"my.csv"', f'"{self.folder}/my.csv"'))
        self.fails("run", str(spec), "--out", str(self.folder / "out"), says='keep must be the name of a learner (keep = "nobody")')
        raw = (ROOT / "examples/quickstart.toml").read_text()
        spec.write_text('keep = "delayed OFW"\n' + raw)
        self.fails("run", str(spec), "--out", str(self.folder / "out"), says="has no predictions to keep")
        self.fails("run", str(self.folder / "none.csv"), says="none.csv")


if __name__ == "__main__":
    unittest.main()
