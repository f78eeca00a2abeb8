"""A newcomer's file of late labels: `tarry run examples/late_labels.toml --override stream.path=my.csv`, no other key."""

import gzip
import json
import math
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, tarry

SPEC = str(ROOT / "examples/late_labels.toml")


class LateLabels(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out"

    def run_on(self, text, *more, name="my.csv"):
        """The printed lines of a run on a file with this text; its summary is in self.summary."""
        path = self.folder / name
        path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
        done = tarry("run", SPEC, "--out", str(self.out), "--override", f"stream.path={path}", *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        self.summary = json.loads((self.out / "summary.json").read_text())
        return done.stdout.decode().splitlines()

    def refuses_file(self, text, says):
        path = self.folder / "my.csv"
        path.write_text(text)
        self.fails("run", SPEC, "--out", str(self.out), "--override", f"stream.path={path}", says=says)

    def test_the_example_runs_as_it_stands(self):
        done = subprocess.run([PROGRAM, "run", "examples/late_labels.toml", "--out", str(self.out)], cwd=ROOT,
                              capture_output=True, timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])
        said = done.stdout.decode()
        self.assertIn("event time created_at, feedback time delivered_at; label late, the last column; loss logistic, "
                      '"yes" is +1', said)
        self.assertIn("numbers: distance_km, weight_kg; words: courier, district, weather; "
                      "ignored: order_id (no word comes twice)", said)
        self.assertRegex(said, r"half of the labels came within \S+ hours, 9 in 10 within \S+ (hours|days), the last after "
                               r"\S+ days; \d+ labels never come, \d+ still on their way at the last row")

    def test_its_file_is_what_the_script_writes(self):
        made = subprocess.run([sys.executable, "-B", str(ROOT / "examples/late_labels.py")], capture_output=True,
                              check=True).stdout
        self.assertEqual((ROOT / "examples/late_labels.csv").read_bytes(), made)
        self.assertLess(len(made), 60000)

    def bookings(self, count=4000):
        """Cancelled at any time before the day of arrival, which differs widely; who comes is known on that day."""
        draw = random.Random(11)
        rows = []
        for i in range(count):
            x, ahead = draw.gauss(0, 1), math.exp(4 + 5 * draw.random())
            cancelled = draw.random() < 1 / (1 + math.exp(2 - x))
            known = i + (ahead * draw.random() if cancelled else ahead)
            rows.append(f"{i},{known:.3f},{i + ahead:.3f},{x:.4f},{'yes' if cancelled else 'no'}\n")
        return "event_time,feedback_time,arrival,x,cancelled\n" + "".join(rows)

    def log_loss(self):
        group, = (g for g in self.summary["groups"] if (g["learner"], g["delay"]) == ("auto", "as recorded"))
        return group["metrics"]["log_loss"]

    def test_rows_that_share_a_key_correct_a_label(self):
        """A third of the labels "yes" is taken back 50 rows later: whoever hears of it predicts the share that is left."""
        draw = random.Random(4)
        rows = []
        for i in range(3000):
            x = draw.gauss(0, 1)
            yes = draw.random() < 1 / (1 + math.exp(-x))
            rows.append((i + 5.5, f"k{i},{i},{i + 5.5},{x:.4f},{'yes' if yes else 'no'}\n"))
            if yes and draw.random() < 1 / 3:
                rows.append((i + 55.5, f"k{i},{i},{i + 55.5},{x:.4f},no\n"))
        text = "id,event_time,feedback_time,x,kept\n" + "".join(row for _, row in rows)
        said = "\n".join(self.run_on(text, "--override", "stream.key=id"))
        self.assertRegex(said, r"\d+ labels were corrected later, by rows of the same key")
        self.assertIn("ignored: id (the key)", said)
        run, = (r for r in self.summary["runs"] if (r["learner"], r["delay"]) == ("auto", "as recorded"))
        self.assertEqual(run["rounds"], 3000)
        later = run["later_mean"]
        self.assertAlmostEqual(later["predicted"] / later["rounds"], later["outcome"] / later["rounds"], delta=0.04)
        self.assertLess(later["outcome"] / later["rounds"], 0.4)
        path = self.folder / "my.csv"
        self.fails("run", SPEC, "--out", str(self.out), "--override", f"stream.path={path}", "--override", "stream.key=order",
                   says='no column "order" (columns: id, event_time, feedback_time, x, kept)')

    def test_due_times_are_told_by_their_column(self):
        losses = {}
        for due, key in ((False, ("--override", 'stream.ignore=["arrival"]')), (True, ("--override", "stream.due=arrival"))):
            lines = self.run_on(self.bookings(), *key)
            losses[due] = self.log_loss()
            self.assertEqual(any("feedback time feedback_time, due arrival;" in line for line in lines), due, lines)
        self.assertLess(losses[True], losses[False] - 0.001)

    def test_many_lost_labels_are_warned_of(self):
        for lost, warned in ((3, False), (20, True)):
            rows = "".join(f"{i},{'' if i % 100 < lost else i + 3},{i % 7},{2 * (i % 7) + 1}\n" for i in range(200))
            self.run_on("event_time,feedback_time,x,minutes\n" + rows)
            read_as = self.summary["readings"][0]["read_as"]
            self.assertEqual(any("if those of one kind are lost more often" in line for line in read_as), warned, read_as)

    def test_what_was_inferred_is_printed_and_kept(self):
        rows = "".join(f"{i},{i + 3},{i % 7},{2 * (i % 7) + 1}\n" for i in range(60))
        lines = self.run_on("event_time,feedback_time,x,minutes\n" + rows, name="my.csv.gz")
        read_as = self.summary["readings"][0]["read_as"]
        self.assertEqual(self.summary["readings"][0]["stream"], "late labels")
        self.assertEqual(read_as, ["event time event_time, feedback time feedback_time; label minutes, the last column; "
                                   "loss squared", "numbers: x; words: none; ignored: none",
                                   "0 labels never come, 4 still on their way at the last row"])
        for line in read_as:
            self.assertIn(f"late labels: {line}", lines)
        self.assertIn("rmse", self.summary["groups"][0]["metrics"])
        self.assertEqual(self.summary["runs"][0]["rounds"], 60)
        auto = next(g for g in self.summary["groups"] if (g["learner"], g["delay"]) == ("auto", "none"))
        nothing = next(g for g in self.summary["groups"] if g["learner"] == "nothing learnt")
        self.assertLess(auto["metrics"]["rmse"], nothing["metrics"]["rmse"])

    def test_rows_in_any_order_are_the_same_stream(self):
        rows = [f"2024-01-{d:02}T0{d % 8}:00,2024-02-{d:02}T00:00,{d % 5},{'ab'[d % 2]},{'ny'[d % 3 == 0]}o\n"
                for d in range(1, 29)]
        header = "asked,known,x,kind,late\n"
        self.run_on(header + "".join(rows))
        first = [(g["loss"], g["metrics"]) for g in self.summary["groups"]]
        self.run_on(header + "".join(reversed(rows)))
        self.assertEqual([(g["loss"], g["metrics"]) for g in self.summary["groups"]], first)

    def test_more_than_two_words_are_classes(self):
        self.run_on("t_event,t_feedback,x,y\n" + "".join(f"{t},{t + 1.5},{t % 3},{'abc'[t % 3]}\n" for t in range(200)))
        auto = next(g for g in self.summary["groups"] if (g["learner"], g["delay"]) == ("auto", "none"))
        self.assertGreater(auto["metrics"]["accuracy"], 0.6)

    def test_what_cannot_be_inferred_is_asked_for(self):
        self.refuses_file("a,b,y\n1,2,3\n", says=[
            "it is not clear when the label was known, since no column looks like a time (event_time and feedback_time name",
            "(columns: a, b, y)", '\n  feedback = "none"  # known at once'])
        self.refuses_file("opened_min,resolved_min,closed_min,x,met_final,moves_final\n" +
                          "".join(f"{t},{t + 1},{t + 2},{t % 3},{t % 2},{t % 5}\n" for t in range(20)), says=[
            "not clear when the label was known (feedback_time), nor what to predict (label)",
            '\n  feedback_time = "resolved_min"\n  feedback_time = "closed_min"\n  label = "met_final"\n'
            '  label = "moves_final"\n'])
        self.refuses_file("t_event,t_feedback,x,y\n" + "".join(f"{t},{t + 1},{t % 7},w{t}\n" for t in range(120)),
                          says='too many words (w0, w1, w2…): predictions are of 2 to 100 classes, or of numbers; '
                               'positive = "w0"')
        self.refuses_file("t_event,t_feedback,x,y\n1,2,1,4\n2,1,1,5\n3,4,2,6\n",
                          says="line 3: t_feedback must not be before t_event (1 before 2)")
        self.fails("run", SPEC, "--override", "stream.lable=x", says='unknown key "lable"')

    def test_one_bad_date_is_told_with_its_line(self):
        rows = [f"2024-01-{1 + i // 100:02}T{i % 24:02}:00,2024-02-{1 + i % 20:02},{i % 7},{'ny'[i % 2]}o\n" for i in range(2000)]
        rows[810] = rows[810].replace(rows[810][:16], "2024-02-30T00:00")
        self.refuses_file("created,closed,x,late\n" + "".join(rows), says=(
            'line 812: created must be a date and time as in 2024-03-01T12:30, as in the other rows ("2024-02-30T00:00" came)'))

    def test_keys_are_checked_before_data_is_read(self):
        spec = self.folder / "spec.toml"
        (self.folder / "my.csv").write_text("not a table")
        for wrong, says in (('[[learners]]\ntype = "delayed_ogd"\netta = 1', "did you mean eta?"),
                            ('[[learners]]\ntask = "binary"\nonli = []', 'unknown key "onli"'),
                            ('[[learners]]\ntask = "binray"', "task must be one of"),
                            ('[[learners]]\ntask = "binary"\n[[delays]]\ntype = "recorded"\nwiat = 1', "did you mean wait?")):
            spec.write_text('[stream]\ntype = "late_labels"\npath = "my.csv"\n[set]\ntype = "linf_ball"\n'
                            f'dimension = "stream"\nradius = 1\n{wrong}\n')
            self.fails("run", str(spec), "--out", str(self.out), says=says)

    def test_days_and_months_are_asked_for(self):
        rows = "".join(f"{1 + i % 12:02}/0{1 + i % 3}/2024 1{i % 9}:00,{1 + i % 12:02}/0{1 + i % 3}/2024 1{i % 9}:3{i % 9},{i % 7},{i % 2}\n"
                       for i in range(60))
        self.refuses_file("created,closed,x,late\n" + rows, says=[
            "whether days or months come first", '\n  dates = "day/month/year"\n  dates = "month/day/year"\n'])
        self.run_on("created,closed,x,late\n" + rows, "--override", "stream.dates=day/month/year")
        self.run_on("created,closed,x,late\n" + rows + "13/02/2024 10:00,13/02/2024 11:00,1,0\n")

    def test_lost_and_on_its_way_are_two_numbers(self):
        rows = "".join(f"{i},{'' if i % 10 == 0 else i + 5},{i % 7},{i % 2}\n" for i in range(100))
        lines = self.run_on("created_min,closed_min,x,late\n" + rows)
        run = next(r for r in self.summary["runs"] if r["delay"] != "none")
        self.assertEqual((run["delays"]["lost"], run["delays"]["on_its_way"], run["delays"]["answered"]), (10, 6, 84))
        self.assertEqual(run["delays"]["seconds"], {"half": 300, "nine_in_ten": 300, "longest": 300})
        self.assertTrue(any("labels lost  on their way" in line for line in lines))
        self.assertTrue(any("half of the labels came within 5 minutes" in line for line in lines))


if __name__ == "__main__":
    unittest.main()
