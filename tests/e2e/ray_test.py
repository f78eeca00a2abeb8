"""The example for Ray in docs/sweeps.md, as it stands there, on a cluster of two nodes that are both on this machine. Only in
make soak: Ray is large, and comes from PyPI into build/ray-venv."""

import csv
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, ProgramTest, tarry

VENV = ROOT / "build" / "ray-venv"
PATIENCE = 600
PARTS = 4
SMALL = ["--override", "rounds=2000", "--override", "seeds=2"]


def install():
    """What is missing, in words; nothing: Ray is there."""
    if not (VENV / "bin" / "ray").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        done = subprocess.run([VENV / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "ray"], capture_output=True, text=True)
        if done.returncode != 0:
            return "Ray cannot be had: " + (done.stderr.strip().splitlines() or ["pip failed"])[-1][:200]
    return None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def example():
    """The code of docs/sweeps.md below "Ray"."""
    text = (ROOT / "docs" / "sweeps.md").read_text()
    return re.search(r"## Ray\n.*?```python\n(.*?)```", text, re.DOTALL)[1]


@unittest.skipUnless(os.environ.get("TARRY_SOAK"), "Ray is started where TARRY_SOAK is set")
class RayTest(ProgramTest):
    def setUp(self):
        if missing := install():
            self.skipTest(missing)
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="ray", dir="/tmp")))  # its sockets need short names
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        shutil.copy(ROOT / "examples" / "quickstart.toml", self.shared / "sweep.toml")
        self.nodes = []
        self.addCleanup(self.stop)
        self.address = f"127.0.0.1:{free_port()}"
        self.environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": self.address,
                            "PATH": f"{self.write_program()}:{os.environ['PATH']}"}

    def write_program(self):
        """`tarry` for the path: small runs, and a note of which node it was started by."""
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "tarry").write_text(f"#!/bin/sh\ncut -d' ' -f4 /proc/$PPID/stat >>{self.folder}/by\nexec {PROGRAM} \"$@\" {' '.join(SMALL)}\n")
        (programs / "tarry").chmod(0o755)
        return programs

    def node(self, *arguments):
        said = self.folder / f"node{len(self.nodes)}"
        with open(said, "wb") as out:
            self.nodes.append(subprocess.Popen(
                [VENV / "bin" / "ray", "start", "--node-ip-address=127.0.0.1", "--num-cpus=1", "--object-store-memory=80000000", "--block",
                 *arguments], stdout=out, stderr=out, cwd=self.folder,
                env={key: value for key, value in self.environment.items() if key != "RAY_ADDRESS"}))
        end = time.monotonic() + PATIENCE
        while "Ray runtime started" not in said.read_text(errors="replace"):
            self.assertIsNone(self.nodes[-1].poll(), said.read_text(errors="replace")[-500:])
            self.assertLess(time.monotonic(), end)
            time.sleep(0.2)

    def stop(self):
        for process in reversed(self.nodes):
            process.terminate()
            process.wait(PATIENCE)

    def table(self, out):
        """curves.csv without the seconds, which no two runs share."""
        with open(self.shared / out / "curves.csv", newline="") as file:
            return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]

    def merge(self, out, *more):
        done = tarry("run", str(self.shared / "sweep.toml"), "--out", str(self.shared / out), *SMALL, *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-500:])

    def test_two_nodes_run_the_example(self):
        self.node("--head", f"--port={self.address.split(':')[1]}", "--include-dashboard=false", f"--temp-dir={self.folder}/t")
        self.node(f"--address={self.address}")
        code = example().replace("/shared", str(self.shared)).replace("n=64", f"n={PARTS}").replace("range(1, 65)", f"range(1, {PARTS + 1})")
        done = subprocess.run([VENV / "bin" / "python", "-c", code], env=self.environment, cwd=self.folder, capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertEqual(len(set((self.folder / "by").read_text().split())), 2, "both nodes worked")
        shutil.copytree(self.shared / "results", self.shared / "again")
        self.merge("results", "--merge")
        self.merge("whole")
        self.assertEqual(self.table("results"), self.table("whole"))
        self.merge("again")  # one run that finds all of its runs there: the same bytes as the merge
        for name in ("curves.csv", "summary.json"):
            self.assertEqual((self.shared / "again" / name).read_bytes(), (self.shared / "results" / name).read_bytes(), name)


if __name__ == "__main__":
    unittest.main()
