"""Schemathesis against /openapi.json: requests made from the description find no 5xx, and answers that it does not tell of."""

import json
import subprocess
import unittest

from packages import python_packages
from service import SOAK, ServiceTest

EXAMPLES = 500 if SOAK else 15
# A batch answers each item by itself, and a specification can be wrong in ways that no schema tells.
BESIDES = "negative_data_rejection,positive_data_acceptance"


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
            "/v1/models/{name}/choices",
            "/v1/models/{name}/predict",
            "/v1/models/{name}/snapshot",
            "/v1/feedback",
            "/personalizer/v1.0/rank",
            "/personalizer/v1.0/events/{eventId}/reward",
            "/personalizer/v1.1-preview.3/events/{eventId}/activate",
            "/personalizer/v1.1-preview.3/configurations/service",
            "/healthz",
            "/readyz",
            "/metrics",
        ):
            self.assertIn(path, paths)
        self.assertNotIn("127.0.0.1:", json.dumps(described.get("servers", [])).replace("127.0.0.1:8080", ""))

    def test_schemathesis_finds_nothing(self):
        packages = python_packages()
        if packages is None:
            self.skipTest("pip could not install schemathesis")
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 64}})
        service.create("menu", {"task": "choose", "features": {"capacity": 64}})
        done = subprocess.run(
            [
                packages / "schemathesis",
                "run",
                f"http://127.0.0.1:{service.port}/openapi.json",
                "--checks",
                "all",
                "--exclude-checks",
                BESIDES,
                "--max-examples",
                str(EXAMPLES),
                "--header",
                "Ocp-Apim-Subscription-Key: menu",
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
