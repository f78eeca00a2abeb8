"""`tarry run`: which results of before it believes, and data that comes through a pipe."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT, ProgramTest, tarry

SPEC = """name = "small"
seeds = 2
[set]
type = "l2_ball"
dimension = "stream"
radius = 50
[stream]
type = "csv"
path = "PATH"
label = "minutes"
loss = "squared"
features = ["km"]
[[learners]]
type = "gauge_ftrl"
"""


def table(factor):
    return "km,minutes\n" + "".join(f"{km},{factor * km}\n" for km in range(1, 30))


class KeptTest(ProgramTest):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.spec = self.folder / "small.toml"
        self.out = self.folder / "out"

    def write_spec(self, path):
        self.spec.write_text(SPEC.replace("PATH", str(path)))

    def run_lab(self, stdin=b""):
        done = tarry("run", str(self.spec), "--out", str(self.out), stdin=stdin)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.decode()

    def losses(self):
        with open(self.out / "curves.csv") as file:
            return [row["loss"] for row in csv.DictReader(file)]


class Believed(KeptTest):
    def setUp(self):
        super().setUp()
        data = self.folder / "data.csv"
        data.write_text(table(3))
        self.write_spec(data)
        self.run_lab()
        self.true = self.losses()
        self.files = sorted((self.out / "runs").glob("run-*"))
        self.assertEqual(len(self.files), 2)

    def test_a_file_that_was_altered_is_not(self):
        whole = self.files[0].read_text()
        loss = re.search(r'"loss": \[([\d.]+)', whole)[1]
        for altered in (whole.replace(f'"loss": [{loss}', '"loss": [7'), re.sub(r'"seed": \d', '"seed": 5', whole),
                        re.sub(r'"checksum": "\w+"', '"checksum": "00000000"', whole)):
            self.assertNotEqual(altered, whole)
            self.files[0].write_text(altered)
            self.assertIn("(1 kept from before)", self.run_lab())
            self.assertEqual(self.losses(), self.true)

    def test_a_file_under_another_ones_name_is_not(self):
        shutil.copy(self.files[0], self.files[1])
        self.assertIn("(1 kept from before)", self.run_lab())
        self.assertNotEqual(self.files[0].read_text(), self.files[1].read_text())

    def test_an_altered_comparator_is_not(self):
        file = next((self.out / "runs").glob("comparator-*"))
        whole = file.read_text()
        file.write_text(re.sub(r'"low": \[[^]]*\]', lambda found: found[0].replace("0", "1"), whole))
        self.assertNotEqual(file.read_text(), whole)
        self.run_lab()
        self.assertEqual(file.read_text(), whole)


class LearningCode(KeptTest):
    """The hash of the sources in the names of what is kept."""

    def code_of(self, source):
        out = self.folder / "code.cpp"
        subprocess.run(["cmake", "-D", f"SOURCE={source}", "-D", f"CPP={out}", "-P", ROOT / "cmake/learning_code.cmake"],
                       check=True)
        return re.search(r'"(\w{64})"', out.read_text())[1]

    def test_the_program_has_that_of_its_sources(self):
        data = self.folder / "data.csv"
        data.write_text(table(3))
        self.write_spec(data)
        self.run_lab()
        kept = json.loads(next((self.out / "runs").glob("run-*")).read_text())
        self.assertEqual(kept["code"], self.code_of(ROOT / "src/tarry"))

    def test_what_learns_changes_it_and_what_shows_does_not(self):
        source = self.folder / "source"
        for name in "learners/adagrad.cpp", "lab/game.h", "lab/report.cpp", "cli/table.cpp", "lab/verify_rates.cpp":
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text("one")
        before = self.code_of(source)
        for name in "lab/report.cpp", "cli/table.cpp", "lab/verify_rates.cpp":
            (source / name).write_text("two")
            self.assertEqual(self.code_of(source), before, name)
        for name in "learners/adagrad.cpp", "lab/game.h":
            (source / name).write_text("two")
            self.assertNotEqual(self.code_of(source), before, name)
            (source / name).write_text("one")
        (source / "learners/new.cpp").write_text("")
        self.assertNotEqual(self.code_of(source), before)


class Pipes(KeptTest):
    def test_what_came_through_a_pipe_is_not_known_by_its_name(self):
        self.write_spec("/dev/stdin")
        for factor in 3, 30:
            text = self.run_lab(stdin=table(factor).encode())
            self.assertNotIn("kept", text)
            piped = self.losses()
            data = self.folder / "data.csv"
            data.write_text(table(factor))
            self.write_spec(data)
            self.run_lab()
            self.assertEqual(self.losses(), piped)
            self.write_spec("/dev/stdin")

    def test_what_is_redirected_from_a_file_is(self):
        self.write_spec("/dev/stdin")
        data = self.folder / "data.csv"
        for factor, kept in ((3, False), (3, True), (4, False)):
            data.write_text(table(factor))
            with open(data) as file:
                done = subprocess.run([PROGRAM, "run", self.spec, "--out", self.out], stdin=file, capture_output=True)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(b"2 kept" in done.stdout, kept)

    def waits(self):
        """A run on a pipe that nobody writes to, once it has said so."""
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.write_spec(pipe)
        program = subprocess.Popen([PROGRAM, "run", self.spec, "--out", self.out], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(program.stdout.close)
        self.addCleanup(program.stderr.close)
        self.addCleanup(program.kill)
        began = time.monotonic()
        self.assertEqual(program.stderr.readline().decode(), f"small: waiting for data from {pipe}\n")
        self.assertLess(time.monotonic() - began, 20)
        return program, pipe

    def test_it_says_what_it_waits_for(self):
        program, pipe = self.waits()
        pipe.write_text(table(3))
        self.assertEqual(program.wait(TIMEOUT), 0)
        self.assertNotIn("waiting", program.stderr.read().decode())

    def test_waiting_ends_by_an_interrupt(self):
        program, _ = self.waits()
        program.send_signal(signal.SIGINT)
        self.assertEqual(program.wait(20), 130)
        self.assertIn(b"tarry: stopped", program.stderr.read())

    def test_a_pipe_that_gives_little_at_a_time(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.write_spec(pipe)
        program = subprocess.Popen([PROGRAM, "run", self.spec, "--out", self.out], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        with open(pipe, "w") as into:
            for line in table(3).splitlines(keepends=True):
                into.write(line)
                into.flush()
                time.sleep(0.01)
        self.assertEqual(program.wait(TIMEOUT), 0)
        piped = self.losses()
        self.write_spec(self.folder / "data.csv")
        (self.folder / "data.csv").write_text(table(3))
        self.run_lab()
        self.assertEqual(self.losses(), piped)

    def test_columns_are_not_found_in_a_pipe(self):
        self.spec.write_text('[stream]\ntype = "late_labels"\npath = "/dev/stdin"\n[set]\ntype = "box"\n'
                             'dimension = "stream"\nlower = -10\nupper = 10\n[[learners]]\ntype = "auto"\n')
        self.fails("run", str(self.spec), "--out", str(self.out), stdin=b"a,b\n1,2\n",
                   says="path must be a file, not a pipe: it is read more than once")


if __name__ == "__main__":
    unittest.main()
