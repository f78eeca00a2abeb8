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
        for name, objects in (("workers.yaml", 4), ("gateways.yaml", 3)):
            done = subprocess.run([VALIDATOR, "--strict", ROOT / "deploy" / "kafka" / name], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual((done.stdout + done.stderr).count("passed"), objects, name)

    def test_options_exist(self):
        found = []
        for manifest in MANIFESTS:
            for verb, rest in re.findall(r"command: \[(?:tarry, )?(\w+),(.*)\]", manifest.read_text()):
                found.append((manifest.name, verb))
                known = "\n".join(self.succeeds(verb, "--help"))
                for option in re.findall(r"--[a-z-]+", rest):
                    self.assertIn(option + " ", known, manifest.name)
        self.assertEqual(found, [("compose.yaml", "worker"), ("compose.yaml", "serve"),
                                 ("gateways.yaml", "serve"), ("workers.yaml", "worker")])

    def test_gateways_have_probes_and_a_budget(self):
        text = (ROOT / "deploy" / "kafka" / "gateways.yaml").read_text()
        for part in ("path: /healthz", "path: /readyz", "kind: PodDisruptionBudget", "readOnly: true"):
            self.assertIn(part, text)

    def test_versions_agree(self):
        version = self.succeeds("--version")[0].split()[1]
        for name in ("workers.yaml", "gateways.yaml"):
            self.assertIn(f"image: tarry:{version}\n", (ROOT / "deploy" / "kafka" / name).read_text(), name)
        self.assertIn(f"TARRY_IMAGE=tarry:{version} ", (ROOT / "deploy" / "kafka" / "compose.yaml").read_text())


if __name__ == "__main__":
    unittest.main()
