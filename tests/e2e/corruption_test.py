"""One harm at a time to the files of a store, then `tarry store check`, `dump` and `serve`: what changes a model is never
silent, and the three agree. tests/unit/service/corruption_test.cpp does it more often, within one process."""

import json
import os
import random
import shutil
import subprocess
import unittest
from collections import Counter

from program import tarry
from store_test import TASK, Store

CASES = int(os.environ.get("TARRY_CORRUPTIONS", 1_000 if os.environ.get("TARRY_SOAK") else 15))


# What `check` says nothing about, with the model as it was: (file, harm), and why.
NEVERMIND = {
    ("clock", "any"): "no part of a model: the service says that it is damaged, and goes by the log's last time",
    ("all", "any"): "what dashboards remember: no part of a model, and begun again where it is damaged",
    (".watch", "any"): "the same, of one model",
    ("first", "gone"): "a log that begins with its first entry needs no mark",
    (".snapshot", "gone"): "an older snapshot, or the log from its beginning, gives the same",
}


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

    def pristine(self):
        """A copy without the zeros of the log, which is quick to copy again, and where there is something in each file."""
        subprocess.run(["cp", "-r", "--sparse=always", str(self.data), str(self.folder / "pristine")], check=True)
        files = sorted(file.relative_to(self.data) for file in self.data.rglob("*") if file.is_file() and file.name not in ("lock", "tokens"))
        return {file: len((self.data / file).read_bytes().rstrip(b"\0")) for file in files}

    def harm(self, data, content, draw):
        weights = [{".log": 4, ".snapshot": 2}.get(file.suffix, 1) for file in content]
        chosen = draw.choices(list(content), weights)[0]
        file, name = data / chosen, chosen.suffix or chosen.name
        kind = draw.choice(("flip", "flip", "flip", "zeros", "cut", "gone"))
        if kind == "gone":
            file.unlink()
            return name, kind
        at = draw.randrange(content[chosen])
        if kind == "cut":
            os.truncate(file, at)
            return name, kind
        with open(file, "r+b") as out:
            out.seek(at)
            before = out.read(1 if kind == "flip" else 64)
            after = bytes([before[0] ^ 1 << draw.randrange(8)]) if kind == "flip" else bytes(len(before))
            out.seek(at)
            out.write(after)
        return name, kind if before != after else "none"

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
        content = self.pristine()
        draw = random.Random(23)
        seen = Counter()
        for case in range(CASES):
            data = self.folder / "harmed"
            subprocess.run(["cp", "-r", "--sparse=always", str(self.folder / "pristine"), str(data)], check=True)
            what = self.harm(data, content, draw)
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
                self.check_nevermind(case, what)
                seen[f"silent: {what[1]} in {what[0]}"] += 1
            shutil.rmtree(data)
            if CASES > 100 and case % 500 == 499:
                print(case + 1, json.dumps(seen), flush=True)
        self.assertGreater(seen["refused"], CASES // 10)

    def check_nevermind(self, case, what):
        """Silence has a reason: zeros were written over zeros, or the file holds nothing that a model needs."""
        name, kind = what
        if kind == "none":
            return
        self.assertTrue((name, kind) in NEVERMIND or (name, "any") in NEVERMIND, (case, what))
        if name == "clock" and kind != "gone":
            self.assertIn("clock is damaged", (self.folder / "log").read_text(), (case, what))


if __name__ == "__main__":
    unittest.main()
