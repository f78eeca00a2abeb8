"""The examples of the service run against a real one, and print what they promise."""

import json
import os
import shutil
import subprocess
import unittest

from program import ROOT, TIMEOUT, tarry
from service import ServiceTest


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class FirstWithCurl(ServiceTest):
    def run_it(self, service, **environment):
        done = subprocess.run(
            [ROOT / "examples" / "service" / "first.sh", f"http://127.0.0.1:{service.port}"],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            env=os.environ | environment,
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return [json.loads(line) for line in done.stdout.splitlines() if line[0] in "[{"]

    def test_it_tells_the_whole_story(self):
        service = self.serve()
        made, first, again, accepted, duplicate, predicted, many, fed, state = self.run_it(service)
        self.assertEqual((first["round"], first["prediction"]), (1, 0.5))
        self.assertEqual(again["ticket"], first["ticket"])
        self.assertEqual(accepted["status"], "accepted")
        self.assertTrue(duplicate["duplicate"])
        self.assertGreater(predicted["prediction"], 0.5)
        self.assertEqual([entry["round"] for entry in many["results"]], [2, 3])
        self.assertEqual([entry["status"] for entry in fed], ["accepted"] * 2)
        self.assertEqual((state["rounds"], state["outstanding"]), (3, 0))
        self.assert_replays(service, "returns")

    def test_it_sends_its_token(self):
        words = ("token", "add", "first", "--data", str(self.folder / "data"), "--scope", "admin,decide,feedback,read")
        token = tarry(*words).stdout.decode().strip()
        *_, state = self.run_it(self.serve(), TARRY_TOKEN=token)
        self.assertEqual((state["rounds"], state["outstanding"]), (3, 0))


if __name__ == "__main__":
    unittest.main()
