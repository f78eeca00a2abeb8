"""Model files that were written before labels could be corrected, before rounds had due times, before apprentices kept count, before choices were compared with simple rules, before single actions were compared by DR, before trees were tried apart, and before each tree saw a part of the rows: they go on.

fixtures/models-1.tar.xz has, for each of three tasks, models-2.tar.xz to models-4.tar.xz for a model that chooses, and models-5.tar.xz and models-6.tar.xz for two with trees (one of 6 in the midst of growing them), a file that `tarry replay --save` wrote, events that follow, and what that program answered to
them, its hash included."""

import json
import pathlib
import re
import tarfile
import tempfile
import unittest

from program import ROOT, tarry

FIXTURES = ROOT / "tests" / "e2e" / "fixtures"
# Of the program that wrote it, and those that give the same replies: 4 changed only what models that choose keep.
ARITHMETIC = {"models-1": (2,), "models-2": (2,), "models-3": (3, 4), "models-4": (3, 4), "models-5": (5,), "models-6": (6,)}


class OldModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name in ARITHMETIC:
            with tarfile.open(FIXTURES / f"{name}.tar.xz") as tar:
                tar.extractall(folder.name, filter="data")
        self.models = pathlib.Path(folder.name)

    def test_they_go_on(self):
        number = int(re.search(r"kArithmetic = (\d+)", (ROOT / "src/tarry/base/arithmetic.h").read_text()).group(1))
        for file in sorted(self.models.glob("*/*.tarry")):
            with self.subTest(file.name):
                done = tarry("replay", file.with_suffix(".more.jsonl"), "--load", file, "--hash")
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                said = done.stdout.decode()
                wanted = file.with_suffix(".expected.jsonl").read_text()
                if number in ARITHMETIC[file.parent.name]:
                    chooses = "ranking" in wanted  # such a model keeps more by now, and its hash is another one
                    self.assertEqual(said.splitlines()[:-1] if chooses else said, wanted.splitlines()[:-1] if chooses else wanted)
                    continue
                for line, before in zip(map(json.loads, said.splitlines()), map(json.loads, wanted.splitlines()), strict=True):
                    self.assertEqual([line.get(key) for key in ("round", "rounds", "outstanding")],
                                     [before.get(key) for key in ("round", "rounds", "outstanding")])


if __name__ == "__main__":
    unittest.main()
