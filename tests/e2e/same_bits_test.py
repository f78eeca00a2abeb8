"""The same bits whatever the CPU: everything once plainly, and once with a C library that believes in an old CPU."""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, as_log, examples, gradients

GAMES = ROOT / "tests" / "golden" / "games"
# The first two are glibc's names since 2.33, the others those before.
OLD_CPU = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable,-AVX512F"}

# What the C library itself answers.
LIBM = """
import hashlib, math, struct
numbers = [f(0.1 + i / 1e4) for i in range(100000) for f in (math.exp, math.log, math.cos)]
print(hashlib.sha256(struct.pack(f"{len(numbers)}d", *numbers)).hexdigest())
"""

ROWS = "asked,known,a,b,kind\n" + "".join(
    f"{10 * i},{10 * i + 7 + 40 * (i * i % 7)},{a},{b},{1 if a + b * i / 300 > 0.2 else 0}\n"
    for i, (a, b) in enumerate(gradients(2, 300)))

LABELS = """name = "labels"
seeds = 2
standardise = true
[set]
type = "box"
dimension = "stream"
lower = -5
upper = 5
[stream]
type = "csv"
path = "PATH"
label = "kind"
loss = LOSS
features = ["a", "b"]
event_time = "asked"
feedback_time = "known"
[[delays]]
type = "recorded"
[[delays]]
type = "geometric"
mean = 20
[[learners]]
type = "auto"
[[learners]]
type = "adagrad"
[[learners]]
name = "OFW on an lp ball"
type = "delayed_ofw"
eta = 0.05
set = { type = "lp_ball", dimension = "stream", p = 1.3, radius = 4.0 }
[[learners]]
name = "GaugeFTRL on an lp ball"
type = "gauge_ftrl"
light = true
set = { type = "lp_ball", dimension = "stream", p = 1.3, radius = 4.0 }
"""

STREAM = """name = "stream"
rounds = 1000
seeds = 2
[set]
type = "SET"
dimension = 6
[[streams]]
name = "random"
type = "random_linear"
dimension = 6
[[streams]]
name = "drifting"
type = "drifting"
dimension = 6
period = 77
[[delays]]
type = "geometric"
mean = 10
[[delays]]
type = "pareto"
shape = 1.3
scale = 3
[[learners]]
type = "auto"
[[learners]]
name = "OFW"
type = "delayed_ofw"
horizon = "rounds"
gradient_bound = "stream"
[[learners]]
name = "restarting"
type = "delayed_ofw"
horizon = "unknown"
gradient_bound = "stream"
[[learners]]
name = "largest gradient unknown"
type = "delayed_ofw"
horizon = "rounds"
gradient_bound = "unknown"
[[learners]]
name = "OSPF"
type = "delayed_ospf"
horizon = "rounds"
gradient_bound = "stream"
"""


def answer(*command, old_cpu=False, stdin=b""):
    return subprocess.run(command, input=stdin, capture_output=True, timeout=TIMEOUT,
                          env=os.environ | (OLD_CPU if old_cpu else {}))


def without_times(name, content):
    """What a run wrote, less when it was and how long it took, and the checksum over both."""
    if name.suffix == ".csv":
        rows = list(csv.reader(content.decode().splitlines()))
        at = rows[0].index("seconds")
        return [row[:at] + row[at + 1:] for row in rows]
    content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"", content)
    content = re.sub(rb'"checksum": "\w+"', b"", content)
    return re.sub(rb'"(micro)?seconds(_per_round)?": (\[[^]]*\]|[^],}]*)', b"", content)


def libm(**options):
    return answer(sys.executable, "-c", LIBM, **options).stdout


@unittest.skipIf(libm() == libm(old_cpu=True), "this C library or this CPU has only one exp")
class SameBits(ProgramTest):
    def both(self, *arguments, stdin=b""):
        """The output of the program, the same with either C library."""
        plain, old = (answer(PROGRAM, *arguments, stdin=stdin, old_cpu=old) for old in (False, True))
        self.assertEqual(plain.returncode, 0, plain.stderr.decode())
        self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (old.returncode, old.stdout, old.stderr))
        return plain.stdout

    def test_recorded_games(self):
        logs = sorted(GAMES.glob("*-heavy.log.jsonl"))
        self.assertGreater(len(logs), 10)
        for log in logs:
            self.assertTrue(self.both("replay", str(log)))

    def test_every_learner_that_can_play_a_ball_or_a_simplex(self):
        played = set()
        kinds = [{"type": "lp_ball", "dimension": 5, "p": 1.4, "radius": 2}, {"type": "simplex", "dimension": 5},
                 {"type": "box", "dimension": 5, "lower": -1, "upper": 1}]
        for learner in examples("learners"):
            for kind in kinds:
                header = {"format": "tarry-replay/1", "set": kind, "learner": learner}
                lines = [header]
                for t, g in enumerate(gradients(5, 60), 1):
                    lines.append({"play": t})
                    if t > 4:
                        lines.append({"receive": t - 4, "gradient": g})
                if answer(PROGRAM, "replay", "-", stdin=as_log(header)).returncode == 0:
                    self.assertTrue(self.both("replay", "-", stdin=as_log(*lines)))
                    played.add(learner["type"])
        self.assertGreaterEqual(played, {"auto", "hedge", "delayed_eg", "delayed_ospf", "gauge_ftrl", "delayed_ofw"})

    def runs_alike(self, spec):
        with tempfile.TemporaryDirectory() as folder:
            data, file = Path(folder, "rows.csv"), Path(folder, "spec.toml")
            data.write_text(ROWS)
            file.write_text(spec.replace("PATH", str(data)))
            written = []
            for old in (False, True):
                out = Path(folder, f"out{old}")
                done = answer(PROGRAM, "run", str(file), "--out", str(out), old_cpu=old)
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                written.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()})
            self.assertEqual(written[0].keys(), written[1].keys())
            for name, content in written[0].items():
                self.assertEqual(without_times(name, content), without_times(name, written[1][name]), name)
            self.assertGreater(len(written[0]), 2)

    def test_labels(self):
        for loss in ('"logistic"', '{ type = "softmax", classes = 2 }'):
            self.runs_alike(LABELS.replace("LOSS", loss))

    def test_streams(self):
        self.runs_alike(STREAM.replace('"SET"', '"l2_ball"\nradius = 1.0'))
        self.runs_alike(STREAM.replace('"SET"', '"lp_ball"\np = 1.5\nradius = 1.0'))
        self.runs_alike(STREAM.replace('"SET"', '"simplex"') + '[[learners]]\ntype = "delayed_eg"\n')


def one_core():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


class SnapshotBytes(ProgramTest):
    """A model's file has the same bytes on one core and on all, on an old CPU, and whatever memory held before."""

    def saved(self, log, environment=None, start=None):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model")
            done = subprocess.run([PROGRAM, "replay", "-", "--save", str(path)], input=log, capture_output=True,
                                  timeout=TIMEOUT, env=os.environ | (environment or {}), preexec_fn=start)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            return path.read_bytes()

    def test_do_not_depend_on_the_machine(self):
        def labelled(model, features, label):
            lines = [{"format": "tarry-replay/2", "model": model}]
            for t in range(1, 201):
                lines.append({"play": t, "features": features(t)})
                if t > 9 and t % 7:
                    lines.append({"label": t - 9, "value": label(t - 9)})
            return as_log(*lines)

        def row(t):
            return {"city": f"c{t * t % 23}", "hour": t % 24, "tags": [f"t{t % 5}", f"t{t % 11}"]}

        wide = [{"format": "tarry-replay/2", "model": {"set": {"type": "l1_ball", "dimension": 150000, "radius": 2},
                                                       "learner": {"type": "delayed_ofw", "eta": 0.1}}}]
        for t in range(1, 4):
            wide += [{"play": t}, {"receive": t, "gradient": [(i * t % 101 - 50) / 7 for i in range(150000)]}]
        logs = [labelled({"task": "binary"}, row, lambda t: t % 3 == 0),
                labelled({"task": "regression", "features": {"interactions": "pairs"}}, row, lambda t: t % 10),
                labelled({"task": "classes"}, row, lambda t: f"k{t % 4}"),
                labelled({"task": "ratings", "users": 40, "items": 30}, lambda t: {"user": t * t % 37, "item": t % 29},
                         lambda t: 1 + t % 5),
                as_log(*wide)]
        for log in logs:
            plain = self.saved(log)
            self.assertEqual(self.saved(log, start=one_core), plain)
            self.assertEqual(self.saved(log, OLD_CPU | {"MALLOC_PERTURB_": "171"}), plain)


if __name__ == "__main__":
    unittest.main()
