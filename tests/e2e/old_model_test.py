"""Model files that were written before labels could be corrected and before rounds had due times: they go on.

fixtures/models-1.tar.xz has, for each of three tasks, a file that `tarry replay --save` wrote, events that follow, and what that program answered to
them, its hash included."""

import json
import pathlib
import re
import tarfile
import tempfile
import unittest

from program import ROOT, tarry

FIXTURE = ROOT / "tests" / "e2e" / "fixtures" / "models-1.tar.xz"
ARITHMETIC = 2  # of the program that wrote it


class OldModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with tarfile.open(FIXTURE) as tar:
            tar.extractall(folder.name, filter="data")
        self.models = pathlib.Path(folder.name) / "models-1"

    def test_they_go_on(self):
        number = int(re.search(r"kArithmetic = (\d+)", (ROOT / "src/tarry/base/arithmetic.h").read_text()).group(1))
        for file in sorted(self.models.glob("*.tarry")):
            with self.subTest(file.name):
                done = tarry("replay", file.with_suffix(".more.jsonl"), "--load", file, "--hash")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                said = done.stdout.decode()
                wanted = file.with_suffix(".expected.jsonl").read_text()
                if number == ARITHMETIC:
                    self.assertEqual(said, wanted)
                    continue
                for line, before in zip(map(json.loads, said.splitlines()), map(json.loads, wanted.splitlines()), strict=True):
                    self.assertEqual([line.get(key) for key in ("round", "rounds", "outstanding")],
                                     [before.get(key) for key in ("round", "rounds", "outstanding")])


if __name__ == "__main__":
    unittest.main()
