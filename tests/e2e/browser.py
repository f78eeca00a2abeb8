"""A headless Chromium spoken to over WebDriver: what the tests of pages share. Standard library only."""

import base64
import http.client
import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-dev-shm-usage", "--hide-scrollbars")
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key under which WebDriver hands out elements
KEYS = {"left": "\ue012", "right": "\ue014", "enter": "\ue007", "escape": "\ue00c"}
PATIENCE = 90  # seconds: machines may be busy


class Browser:
    """One browser with an empty profile, its own driver and a folder for downloads; close it in the end."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = Path(self.folder.name) / "downloads"
        self.downloads.mkdir()
        self.log = open(Path(self.folder.name) / "driver.log", "w+", encoding="utf-8")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT)
        self.session = None
        try:
            self.port = self._port()
            options = {"args": [*FLAGS, f"--user-data-dir={self.folder.name}/profile"]}
            if chromium := shutil.which("chromium"):
                options["binary"] = chromium
            made = self._send("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
            self.session = made["sessionId"]
            self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))
        except BaseException:
            self.close()
            raise

    def _port(self):
        """The port that the driver says it chose."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            text = Path(self.log.name).read_text(encoding="utf-8")
            if "started successfully on port " in text:
                return int(text.split("started successfully on port ")[1].split()[0].rstrip("."))
            time.sleep(0.05)
        raise RuntimeError(f"chromedriver did not start: {text}")

    def _send(self, method, path, body=None):
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2 * PATIENCE)
        try:
            line.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            answer = json.loads(line.getresponse().read())["value"]
        finally:
            line.close()
        if isinstance(answer, dict) and "error" in answer:
            raise RuntimeError(f"{answer['error']}: {answer.get('message', '')[:800]}")
        return answer

    def _ask(self, method, path, body=None):
        return self._send(method, f"/session/{self.session}{path}", body)

    def open(self, path):
        self.visit(Path(path).resolve().as_uri())

    def visit(self, address):
        self._ask("POST", "/url", {"url": address})

    def resize(self, width, height, phone=False):
        """The size of the page itself, whatever the window's borders are."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=phone,
                     deviceScaleFactor=2 if phone else 1)
        self.next_frame()

    def next_frame(self):
        """Waits until what was asked for has been drawn."""
        self.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def run(self, script, *arguments):
        """What a script's `return` gives; promises are waited for."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self._ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self._ask("POST", f"/element/{self.find(selector)}/click", {})

    def keys(self, *names):
        """Presses keys, by name or as text, wherever the focus is."""
        strokes = [{"type": kind, "value": KEYS.get(name, name)} for name in names for kind in ("keyDown", "keyUp")]
        self._ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def point(self, selector, x=0, y=0):
        """Moves the mouse to an element's middle, plus an offset."""
        move = {"type": "pointerMove", "x": x, "y": y, "origin": {ELEMENT: self.find(selector)}}
        self._ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def drag(self, selector, start, end):
        """Presses the mouse at an offset from an element's middle, moves it to another one, and lets go."""
        element = {ELEMENT: self.find(selector)}
        move = lambda x: {"type": "pointerMove", "x": x, "y": 0, "origin": element}
        steps = [move(start), {"type": "pointerDown", "button": 0}, move((start + end) // 2), move(end),
                 {"type": "pointerUp", "button": 0}]
        self._ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]})

    def command(self, name, **parameters):
        """A command of the browser's own protocol."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def console(self):
        """What the console has said since the last time."""
        return self._ask("POST", "/se/log", {"type": "browser"})

    def screenshot(self, path, whole=True):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        taken = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(taken["data"]))

    def print_pdf(self, path):
        Path(path).write_bytes(base64.b64decode(self._ask("POST", "/print", {})))

    def wait_for(self, script, *arguments, patience=PATIENCE):
        """What a script returns, once that is not false."""
        until = time.monotonic() + patience
        while True:
            if found := self.run(script, *arguments):
                return found
            if time.monotonic() > until:
                raise AssertionError(f"not within {patience} s: {script} {arguments}")
            time.sleep(0.05)

    def type(self, selector, text):
        """Replaces what a field holds."""
        element = self.find(selector)
        self._ask("POST", f"/element/{element}/clear", {})
        self._ask("POST", f"/element/{element}/value", {"text": text})

    def downloaded(self, click, suffix=".svg"):
        """The one file that a click brings, read and removed. A click is lost where the page is drawn anew meanwhile."""
        click()
        until, again = time.monotonic() + PATIENCE, time.monotonic() + 3
        while time.monotonic() < until:
            if time.monotonic() > again:
                click()
                again += 3
            files = [path for path in self.downloads.iterdir() if path.suffix == suffix]
            if files and files[0].stat().st_size > 0:
                text = files[0].read_bytes()
                files[0].unlink()
                return files[0].name, text
            time.sleep(0.05)
        raise RuntimeError("nothing was downloaded")

    def close(self):
        try:
            if self.session:
                self._ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(PATIENCE)
            self.log.close()
            self.folder.cleanup()
