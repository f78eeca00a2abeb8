"""What each release wrote, from 0.2 on (fixtures/release-*.tar.xz, by make_fixtures.py): later programs read it and go on. Files of 0.1 are in old_model_test and old_store_test."""

import json
import re
import tarfile
import tempfile
import unittest
from pathlib import Path

from program import ROOT, ProgramTest, tarry
from service import Service

FIXTURES = ROOT / "tests" / "e2e" / "fixtures"


class OldReleases(ProgramTest):
    def each(self):
        """Every release's folder, whether its arithmetic is ours, and what it is called."""
        number = int(re.search(r"kArithmetic = (\d+)", (ROOT / "src/tarry/base/arithmetic.h").read_text()).group(1))
        for fixture in sorted(FIXTURES.glob("release-*.tar.xz")):
            with self.subTest(fixture.name), tempfile.TemporaryDirectory() as folder:
                with tarfile.open(fixture) as tar:
                    tar.extractall(folder, filter="data")
                (root,) = Path(folder).iterdir()
                yield root, json.loads((root / "release.json").read_text())["arithmetic"] == number

    def test_its_models_go_on_with_the_same_answers(self):
        for root, same in self.each():
            files = sorted(root.glob("*.tarry"))
            self.assertGreaterEqual(len(files), 5)
            for file in files:
                done = tarry("replay", file.with_suffix(".more.jsonl"), "--load", file, "--hash")
                self.assertEqual((done.returncode, done.stderr), (0, b""), file.name)
                said, wanted = done.stdout.decode(), file.with_suffix(".expected.jsonl").read_text()
                if same:
                    self.assertEqual(said, wanted, file.name)
                    continue
                for line, before in zip(map(json.loads, said.splitlines()), map(json.loads, wanted.splitlines()), strict=True):
                    for key in ("round", "rounds", "outstanding"):
                        self.assertEqual(line.get(key), before.get(key), file.name)

    def test_its_store_is_checked_and_goes_on(self):
        for root, same in self.each():
            data = root / "store"
            wanted = json.loads((data / "expected.json").read_text())
            (data / "expected.json").unlink()
            self.succeeds("store", "check", str(data))
            service = Service(data)
            self.addCleanup(service.kill)
            for name, model in wanted["models"].items():
                self.assertEqual(service.model(name)["rounds"], model["rounds"])
                if same:
                    self.assertEqual(service.hash(name), model["hash"], name)
            self.assertEqual(service.ask("POST", "/v1/feedback", {"ticket": wanted["ticket"], "label": True}).status, 200)
            service.stop()


if __name__ == "__main__":
    unittest.main()
