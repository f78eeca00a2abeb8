"""Personalizer's real clients, unchanged, against a service: Python's, and both of JavaScript's."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from packages import node_packages, python_packages
from program import ROOT, tarry
from service import PATIENCE, ServiceTest

SPEC = {"task": "choose", "reward": "number", "features": {"capacity": 64}, "expiry": {"seconds": 600, "then": {"label": 0}}}
EVERYTHING = "admin,decide,feedback,read"

SESSION = """
import json, sys
from azure.cognitiveservices.personalizer import PersonalizerClient
from azure.cognitiveservices.personalizer.models import ErrorResponseException, RankRequest, RankableAction
from msrest.authentication import CognitiveServicesCredentials
from msrest.exceptions import HttpOperationError
endpoint, key = sys.argv[1:]
client = PersonalizerClient(endpoint, CognitiveServicesCredentials(key))
actions = [RankableAction(id=name, features=[{"topic": name}]) for name in ("news", "sport", "film")]
def ask(event, **more):
    return client.rank(RankRequest(actions=actions, context_features=[{"day": "monday"}], event_id=event, **more), raw=True)
def refused(call, kind):
    try:
        call()
    except kind as error:
        return error.response.status_code, error.response.json()["error"]["code"]
rank = ask("from-python", excluded_actions=["sport"])
told = {"rank": {"status": rank.response.status_code, "eventId": rank.output.event_id, "rewardActionId": rank.output.reward_action_id,
                 "ranking": [{"id": each.id, "probability": each.probability} for each in rank.output.ranking]}}
told["reward"] = client.events.reward("from-python", 0.5, raw=True).response.status_code
told["deferred"] = ask("deferred-from-python", defer_activation=True).response.status_code
told["activate"] = client.events.activate("deferred-from-python", raw=True).response.status_code
told["noActions"] = refused(lambda: client.rank(RankRequest(actions=[])), ErrorResponseException)
told["unknown"] = refused(lambda: client.events.reward("never asked", 1.0), HttpOperationError)
other = PersonalizerClient(endpoint, CognitiveServicesCredentials("wrong"))
told["wrongKey"] = refused(lambda: other.rank(RankRequest(actions=actions)), ErrorResponseException)
print(json.dumps(told))
"""


class Clients(ServiceTest):
    def ready(self, *options):
        """A service with a model, and a key that selects it."""
        data = self.folder / "data"
        words = [tarry("token", "add", name, "--data", str(data), *more).stdout.decode().strip()
                 for name, more in (("admin", ("--scope", EVERYTHING)), ("front", ("--model", "menu")))]
        self.admin, self.key = {"Authorization": f"Bearer {words[0]}"}, words[1]
        self.service = self.serve(*options)
        return self.service

    def run_session(self, *command, **environment):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE, env=os.environ | environment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def check(self, told, kind):
        rank = told["rank"]
        self.assertEqual((rank["status"], rank["eventId"]), (201, f"from-{kind}"))
        self.assertEqual(rank["ranking"][1], {"id": "sport", "probability": 0})
        self.assertEqual(rank["ranking"][0]["id"], rank["rewardActionId"])
        self.assertEqual((told["reward"], told["deferred"], told["activate"]), (204, 201, 204))
        self.assertEqual(told["noActions"], [400, "InvalidRankRequest"])


class Python(Clients):
    def setUp(self):
        super().setUp()
        self.packages = python_packages()
        if self.packages is None:
            self.skipTest("pip could not install azure-cognitiveservices-personalizer")

    def start(self):
        service = self.ready()
        self.assert_status(service.ask("PUT", "/v1/models/menu", SPEC, self.admin), 201)
        return f"http://127.0.0.1:{service.port}"

    def test_its_session(self):
        told = json.loads(self.run_session(self.packages / "python", "-c", SESSION, self.start(), self.key))
        self.check(told, "python")
        self.assertEqual(told["unknown"], [404, "ResourceNotFound"])
        self.assertEqual(told["wrongKey"], [401, "401"])
        state = self.service.ask("GET", "/v1/models/menu", None, self.admin).json
        self.assertEqual((state["rounds"], state["settled"]), (2, 1))

    def test_the_quick_start_with_two_lines_changed(self):
        endpoint, rounds = self.start(), 3
        done = subprocess.run([self.packages / "python", ROOT / "examples" / "personalizer" / "quick_start.py"],
                              input="1\n2\ny\n\n" * (rounds - 1) + "9\n1\nn\nq\n", capture_output=True, text=True, timeout=PATIENCE,
                              env=os.environ | {"PERSONALIZER_ENDPOINT": endpoint, "PERSONALIZER_KEY": self.key})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(re.findall(r"You would like to have (pasta|ice cream|salad)\.", done.stdout)), rounds)
        self.assertEqual(done.stdout.count("juice : 0"), rounds)
        state = self.service.ask("GET", "/v1/models/menu", None, self.admin).json
        self.assertEqual((state["rounds"], state["settled"]), (rounds, rounds))


class JavaScript(Clients):
    def setUp(self):
        super().setUp()
        if not shutil.which("node"):
            self.skipTest("node is not installed")
        self.modules = node_packages()
        if self.modules is None:
            self.skipTest("npm could not install Personalizer's clients")

    def session(self, kind, endpoint, **environment):
        script = Path(__file__).with_name("personalizer_clients.js")
        return json.loads(self.run_session("node", script, kind, endpoint, self.key, self.modules, **environment))

    def test_the_first_one(self):
        service = self.ready()
        self.assert_status(service.ask("PUT", "/v1/models/menu", SPEC, self.admin), 201)
        told = self.session("first", f"http://127.0.0.1:{service.port}")
        self.check(told, "first")
        self.assertEqual(told["wrongKey"], [401, "401"])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_the_one_that_wants_tls(self):
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "1",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        # Made while it speaks plainly: the tests' own client knows no certificates.
        service = self.ready()
        self.assert_status(service.ask("PUT", "/v1/models/menu", SPEC, self.admin), 201)
        self.assertEqual(service.stop(), 0)
        service.options = ("--tls-cert", str(certificate), "--tls-key", str(key))
        service.start(wait=False)
        told = self.session("rest", f"https://localhost:{service.port}", NODE_EXTRA_CA_CERTS=str(certificate))
        self.check(told, "rest")
        self.assertEqual(told["slots"], [400, "InvalidMultiSlotApiAccess"])
        self.assertEqual(told["configuration"], 200)


if __name__ == "__main__":
    unittest.main()
