"""`tarry store import`: a history becomes a store that the service opens, with the same hash."""

import json
import re
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

from program import PROGRAM, ProgramTest, as_log, tarry

SPEC = {"task": "regression", "features": {"capacity": 64}}


def history(rounds=30):
    lines = [{"format": "tarry-replay/2", "model": SPEC}]
    for i in range(1, rounds + 1):
        lines.append({"play": i, "key": f"k{i}", "features": {"x": i % 7, "c": f"w{i % 3}"}})
        if i > 4 and i % 5:
            lines.append({"label": f"k{i - 4}", "value": i / 3})
    return as_log(*lines)


def hash_of(log):
    return json.loads(tarry("replay", "-", "--hash", stdin=log).stdout.splitlines()[-1])["hash"]


class Import(ProgramTest):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.data = str(Path(self.folder.name) / "data")
        self.log = Path(self.folder.name) / "log.jsonl"
        self.log.write_bytes(history())

    def test_comes_back_as_it_was(self):
        said = json.loads(self.succeeds("store", "import", self.data, "--model", "m", str(self.log))[0])
        self.assertEqual(said["hash"], hash_of(history()))
        dumped = tarry("store", "dump", self.data, "--model", "m").stdout
        self.assertEqual([json.loads(line) for line in dumped.splitlines()[1:]],
                         [json.loads(line) for line in history().splitlines()[1:]])
        self.assertEqual(hash_of(dumped), said["hash"])
        self.succeeds("store", "check", self.data)

    def test_the_service_goes_on_with_it(self):
        self.succeeds("store", "import", self.data, "--model", "m", str(self.log))
        service = subprocess.Popen([PROGRAM, "serve", "--data", self.data, "--listen", "127.0.0.1:0", "--without-tokens"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = re.search(r"http://\S+", service.stdout.readline()).group()
            with urllib.request.urlopen(f"{address}/v1/models/m", timeout=30) as answer:
                self.assertEqual(json.load(answer)["hash"], hash_of(history()))
        finally:
            service.terminate()
            service.wait(30)
            service.stdout.close()

    def test_a_second_model_beside_the_first(self):
        for name in ("m", "n"):
            self.succeeds("store", "import", self.data, "--model", name, str(self.log))
        for name in ("m", "n"):
            self.assertEqual(hash_of(tarry("store", "dump", self.data, "--model", name).stdout), hash_of(history()))
        self.fails("store", "import", self.data, "--model", "m", str(self.log), says='there is a model "m" already')

    def test_all_or_nothing(self):
        self.log.write_bytes(history() + b'{"play": 99}\n')
        self.fails("store", "import", self.data, "--model", "m", str(self.log), says="play must be the next round")
        self.assertFalse(Path(self.data).exists())
        self.fails("store", "import", self.data, "--model", "M", str(self.log), says="a model's name must be")
        self.fails("store", "import", self.data, "--model", "m", "-", says="must be a file")


if __name__ == "__main__":
    unittest.main()
