"""The dashboard in a real browser before a real service: what its tests share."""

import http.client
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import axe
from browser import Browser
from service import without_tokens

ROOT = Path(__file__).resolve().parents[2]
SHOTS = Path(os.environ.get("TARRY_SHOTS", ROOT / "build/dashboard"))
DESKTOP, PHONE = (1280, 900), (375, 812)
PATIENCE = 30  # seconds

# Models whose decisions are drawn.
FLOW = {"set": {"type": "flow", "nodes": 4, "edges": [[0, 1], [0, 2], [1, 3], [2, 3]], "source": 0, "sink": 3},
        "learner": {"type": "auto"}}
MATRIX = {"set": {"type": "nuclear_ball", "rows": 6, "cols": 5, "radius": 2},
          "learner": {"type": "auto"}}
BUDGET = {"task": "allocation", "options": ["search", "social", "mail"]}


class Serving:
    """`tarry serve` on a port of its own."""

    def __init__(self, data, port=0, **options):
        command = [os.environ["TARRY"], "serve", "--data", str(data), "--listen", f"127.0.0.1:{port}", *without_tokens(data)]
        for name, value in options.items():
            command += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = self.process.stdout.readline()
        self.port = int(said.rsplit(":", 1)[1])
        self.address = f"http://127.0.0.1:{self.port}/"
        self.token = None
        self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        self.line.request(method, path, None if body is None else json.dumps(body), headers)
        reply = self.line.getresponse()
        text = reply.read()
        return reply.status, json.loads(text) if text else None

    def create(self, name, spec):
        status, answer = self.ask("PUT", f"/v1/models/{name}", spec)
        assert status == 201, answer

    def decide(self, name, body=None):
        status, answer = self.ask("POST", f"/v1/models/{name}/decisions", body or {})
        assert status == 200, answer
        return answer

    def choose(self, name, **body):
        status, answer = self.ask("POST", f"/v1/models/{name}/choices", body)
        assert status == 200, answer
        return answer

    def feed(self, body):
        return self.ask("POST", "/v1/feedback", body)

    def stop(self, kill=False):
        self.line.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.process.stdout.close()


@unittest.skipUnless("TARRY" in os.environ, "no program to serve")
class DashboardTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name) / "data"
        self.browser.resize(*DESKTOP)
        self.allowed = ()  # parts of what the console may say in this test

    def tearDown(self):
        said = [entry["message"] for entry in self.browser.console() if entry["level"] in ("SEVERE", "WARNING")]
        self.browser.visit("about:blank")  # the stream ends before the service does
        self.assertEqual([one for one in said if not any(part in one for part in self.allowed)], [])

    def serve(self, **options):
        serving = Serving(self.data, **options)
        self.addCleanup(serving.stop)
        return serving

    def show(self, serving, place="#/"):
        self.browser.visit("about:blank")
        self.browser.visit(serving.address + place)
        self.wait_live()

    def wait_live(self):
        self.wait("document.querySelector('.live')?.dataset.state === 'live' && document.querySelector('main h1')")

    def wait(self, condition, *arguments):
        """Waits until a condition holds on the page; gives the seconds that it took."""
        start = time.monotonic()
        self.browser.wait_for(f"return {condition}", *arguments)
        return time.monotonic() - start

    def check_access(self):
        """axe's checks on what is shown now, where it can be had."""
        if script := axe.source():
            self.assertEqual(axe.violations(self.browser, script), [])

    def press(self, selector):
        """A click in the middle of the window, away from the head that stays in sight."""
        self.browser.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.browser.next_frame()
        self.browser.click(selector)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0])?.textContent", selector)

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def cell(self, model, key):
        return self.text(f"tr[data-model='{model}'] [data-key={key}]")

    def tile(self, name):
        return self.browser.run(
            "return [...document.querySelectorAll('.tile')].find((one) => one.firstChild.textContent === arguments[0])"
            "?.children[1].textContent", name)
