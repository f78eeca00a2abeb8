"""The manifests of deploy/ are what Kubernetes takes, and name options that the program has."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from program import ROOT, ProgramTest

VENV = ROOT / "build" / "deploy-venv"
VALIDATOR = VENV / "bin" / "kubernetes-validate"
MANIFESTS = sorted((ROOT / "deploy" / "kafka").glob("*.yaml"))


class Deploy(ProgramTest):
    def test_manifests_have_kubernetes_schema(self):
        if not VALIDATOR.exists():
            made = subprocess.run([sys.executable, "-m", "venv", VENV], capture_output=True)
            got = subprocess.run([VENV / "bin" / "pip", "install", "-q", "kubernetes-validate==1.37.0"], capture_output=True)
            if made.returncode or got.returncode:
                self.skipTest("pip finds no kubernetes-validate here")
        done = subprocess.run([VALIDATOR, "--strict", ROOT / "deploy" / "kafka" / "workers.yaml"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("passed"), 4)

    def test_options_exist(self):
        known = "\n".join(self.succeeds("worker", "--help"))
        for manifest in MANIFESTS:
            command = re.search(r"command: \[(tarry, worker,.*)\]", manifest.read_text()).group(1)
            for option in re.findall(r"--[a-z-]+", command):
                self.assertIn(option, known, manifest.name)

    def test_versions_agree(self):
        version = self.succeeds("--version")[0].split()[1]
        self.assertIn(f"image: tarry:{version}", (ROOT / "deploy" / "kafka" / "workers.yaml").read_text())


if __name__ == "__main__":
    unittest.main()
