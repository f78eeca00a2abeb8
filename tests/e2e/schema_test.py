"""Schemathesis against /openapi.json: requests made from the description find no 5xx, and answers that it does not tell of."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from program import ROOT
from service import SOAK, ServiceTest

ENVIRONMENT = ROOT / "build" / "schemathesis"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
EXAMPLES = 500 if SOAK else 15
# A batch answers each item by itself, and a specification can be wrong in ways that no schema tells.
BESIDES = "negative_data_rejection,positive_data_acceptance"


def installed():
    """Schemathesis in an environment of its own; None where pip finds nothing."""
    program = ENVIRONMENT / "bin" / "schemathesis"
    if not (ENVIRONMENT / "bin" / "pip").exists():
        if subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], capture_output=True).returncode != 0:
            return None
    done = subprocess.run(
        [ENVIRONMENT / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS],
        capture_output=True,
    )
    return program if done.returncode == 0 else None


class Schema(ServiceTest):
    def test_the_description_is_whole(self):
        service = self.serve()
        described = service.ask("GET", "/openapi.json").json
        self.assertRegex(described["openapi"], r"\A3\.")
        paths = set(described["paths"])
        for path in (
            "/v1/models",
            "/v1/models/{name}",
            "/v1/models/{name}/decisions",
            "/v1/models/{name}/predict",
            "/v1/models/{name}/snapshot",
            "/v1/feedback",
            "/healthz",
            "/readyz",
            "/metrics",
        ):
            self.assertIn(path, paths)
        self.assertNotIn("127.0.0.1:", json.dumps(described.get("servers", [])).replace("127.0.0.1:8080", ""))

    def test_schemathesis_finds_nothing(self):
        program = installed()
        if program is None:
            self.skipTest("pip could not install schemathesis")
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 64}})
        done = subprocess.run(
            [
                program,
                "run",
                f"http://127.0.0.1:{service.port}/openapi.json",
                "--checks",
                "all",
                "--exclude-checks",
                BESIDES,
                "--max-examples",
                str(EXAMPLES),
                "--seed",
                "1",
                "--url",
                f"http://127.0.0.1:{service.port}",
                "--no-color",
                "--generation-database",
                "none",
            ],
            capture_output=True,
            text=True,
            timeout=3000,
            cwd=self.folder,
        )
        self.assertTrue(service.alive(), "".join(service.said[-20:]))
        self.assertEqual(done.returncode, 0, done.stdout[-6000:] + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
