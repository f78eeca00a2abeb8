"""One harm at a time to the files of a store, then `tarry store check`, `dump` and `serve`: what changes a model is never silent, and the three agree."""

import json
import os
import random
import shutil
import subprocess
import unittest
from collections import Counter

from program import tarry
from store_test import TASK, Store

CASES = 10_000 if os.environ.get("TARRY_SOAK") else 15


class Corruption(Store):
    def make(self):
        """Segments are 16 MiB of zeros: harm is done where there is something."""
        self.start("--snapshot-every", "25")
        self.assertEqual(self.ask("PUT", "/v1/models/clicks", TASK)[0], 201)
        self.play("clicks", 30)
        self.stop()
        self.start()
        for t in range(8):
            self.feed(ticket=self.decide("clicks", features={"x": t})["ticket"], label=t % 2 == 0)
        wanted = self.hash_of("clicks")
        self.kill()
        return wanted

    def harm(self, data, draw):
        file = draw.choice(sorted(file for file in data.rglob("*") if file.is_file() and file.name not in ("lock", "tokens")))
        name = file.name if file.name in ("key", "first") else file.suffix
        kind = draw.choice(("flip", "flip", "flip", "zeros", "cut", "gone"))
        if kind == "gone":
            file.unlink()
            return name, kind
        size, there = file.stat().st_size, len(file.read_bytes().rstrip(b"\0"))
        at = draw.randrange(there)
        if kind == "cut":
            os.truncate(file, at)
            return name, kind
        with open(file, "r+b") as out:
            out.seek(at)
            byte = out.read(1)[0]
            out.seek(at)
            out.write(bytes([byte ^ 1 << draw.randrange(8)]) if kind == "flip" else bytes(min(64, size - at)))
        return name, kind

    def served(self, data):
        """The hash that a service answers with; None: it refuses."""
        if why := self.refuses_to_start(data):
            self.assertTrue(why.splitlines()[-1].startswith("tarry: "), why)
            return None
        status, answer = self.ask("GET", "/v1/models/clicks")
        self.kill()
        return answer["hash"] if status == 200 else "none"

    def test_nothing_that_changes_a_model_is_silent(self):
        wanted = self.make()
        draw = random.Random(23)
        seen = Counter()
        for case in range(CASES):
            data = self.folder / "harmed"
            subprocess.run(["cp", "-r", "--sparse=always", str(self.data), str(data)], check=True)
            what = self.harm(data, draw)
            check = tarry("store", "check", str(data))
            dump = tarry("store", "dump", str(data), "--model", "clicks", "--out", str(self.folder / "dumped"))
            self.assertIn(check.returncode, (0, 2), (case, what, check.stderr))
            self.assertEqual(dump.returncode, check.returncode, (case, what, check.stderr, dump.stderr))
            says = check.stdout.decode()
            told = "torn end" in says or "seal   " in says
            served = self.served(data)
            if served is None:
                verdict = "refused"
                self.assertTrue(check.returncode == 2 or "key        none" in says, (case, what, says))
            elif served == wanted:
                verdict = "found, and an older snapshot serves" if check.returncode == 2 else "told, nothing lost" if told else "silent, nothing changed"
            else:
                self.assertTrue(told, (case, what, says, check.stderr))
                verdict = "told: the last entry cannot be known"
            seen[verdict] += 1
            if verdict.startswith("silent"):
                seen[f"silent: {what[1]} in {what[0]}"] += 1
            shutil.rmtree(data)
        if CASES > 100:
            print(json.dumps(seen), flush=True)
        self.assertGreater(seen["refused"], CASES // 10)


if __name__ == "__main__":
    unittest.main()
