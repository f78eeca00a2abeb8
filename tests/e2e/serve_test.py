"""`tarry serve` from outside: every status, restarts, tokens, and what HTTP itself can get wrong."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, tarry
from service import without_tokens

BALL = {"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.1},
        "loss": {"type": "squared"}}


class ServeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "data"
        self.process = None
        self.addCleanup(self.kill)

    def start(self, *options):
        """Kills the one that runs, if one does."""
        self.kill()
        log = open(self.folder / "log", "ab")
        command = [PROGRAM, "serve", "--data", str(self.data), "--listen", "127.0.0.1:0", *without_tokens(self.data), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        log.close()
        line = self.process.stdout.readline()
        self.assertRegex(line, r"^tarry serves .* at https?://127\.0\.0\.1:\d+$", (self.folder / "log").read_text())
        self.port = int(re.search(r":(\d+)$", line).group(1))

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process:
            self.process.stdout.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.process.wait(TIMEOUT), 0)

    def ask(self, method, path, value=None, headers=None):
        """Status and answer of one request; bytes are sent as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            body = value if value is None or isinstance(value, bytes) else json.dumps(value).encode()
            connection.request(method, path, body, {"Content-Type": "application/json"} | (headers or {}))
            answer = connection.getresponse()
            text = answer.read()
            self.headers = dict(answer.getheaders())
            return answer.status, json.loads(text) if "json" in answer.getheader("Content-Type") else text
        finally:
            connection.close()

    def raw(self, text):
        """What the server sends back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as connection:
            connection.sendall(text)
            try:
                connection.shutdown(socket.SHUT_WR)
            except OSError:  # it has answered and closed already
                pass
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
            return answer

    def decide(self, name="m", **body):
        status, answer = self.ask("POST", f"/v1/models/{name}/decisions", {"features": [1, 0.5]} | body)
        self.assertEqual(status, 200, answer)
        return answer

    def feed(self, **body):
        return self.ask("POST", "/v1/feedback", body)

    def refused(self, status, code, answer):
        self.assertEqual(answer[0], status, answer)
        self.assertEqual(answer[1]["error"]["code"], code, answer)
        self.assertEqual(answer[1]["error"]["status"], status, answer)

    def test_every_status_of_feedback(self):
        self.start()
        self.assertEqual(self.ask("PUT", "/v1/models/m", BALL | {"expiry": {"rounds": 2}})[0], 201)
        first, second = self.decide(), self.decide(key="order")
        self.assertEqual(self.feed(ticket=second["ticket"], label=0.5), (200, {"status": "accepted", "round": 2}))
        self.assertEqual(self.feed(model="m", key="order", label=0.5)[1].get("duplicate"), True)
        self.refused(409, "conflict", self.feed(ticket=second["ticket"], label=0.75))
        self.decide()  # gives up the first round
        self.refused(410, "expired", self.feed(ticket=first["ticket"], label=1))
        self.refused(403, "forged", self.feed(ticket="A" * 55, label=1))
        self.refused(404, "unknown_key", self.feed(model="m", key="none", label=1))
        self.refused(404, "no_such_model", self.feed(model="none", key="none", label=1))
        self.refused(400, "bad_json", self.ask("POST", "/v1/feedback", b"{"))
        self.refused(400, "bad_input", self.feed(ticket=5, label=1))
        third = self.decide()
        self.refused(422, "bad_input", self.feed(ticket=third["ticket"], gradient=[1, 2, 3]))
        self.refused(422, "bad_input", self.feed(ticket=third["ticket"], label=1e150))
        self.refused(413, "too_large", self.ask("POST", "/v1/feedback", [{"void": True}] * 10001))
        self.refused(415, "unsupported_media_type",
                     self.ask("POST", "/v1/feedback", {"label": 1}, {"Content-Type": "text/plain"}))
        self.refused(405, "method_not_allowed", self.ask("GET", "/v1/feedback"))
        self.assertEqual(self.headers["Allow"], "POST")
        self.ask("DELETE", "/v1/models/m")
        self.refused(500, "lost", self.feed(ticket=third["ticket"], label=1))
        self.assertIn(b"\ntarry_lost_tickets_total 1\n", self.ask("GET", "/metrics")[1])

    def test_a_loss_is_enough_for_a_bandit_and_survives_a_restart(self):
        prices = {"set": {"type": "box", "dimension": 2, "lower": 0, "upper": 1},
                  "learner": {"type": "delayed_bandit_ofw", "horizon": 100, "lipschitz": 1}}
        self.start()
        self.assertEqual(self.ask("PUT", "/v1/models/m", prices)[0], 201)
        first = self.ask("POST", "/v1/models/m/decisions", {"key": "shop"})[1]
        self.refused(422, "bad_input", self.feed(ticket=first["ticket"], loss=1e150))
        self.refused(400, "bad_input", self.feed(ticket=first["ticket"], loss="much"))
        self.refused(400, "bad_input", self.feed(ticket=first["ticket"], loss=1, label=1))
        self.assertEqual(self.feed(ticket=first["ticket"], loss=0.25), (200, {"status": "accepted", "round": 1}))
        self.stop()
        self.start()
        self.assertEqual(self.feed(model="m", key="shop", loss=0.25)[1].get("duplicate"), True)
        self.refused(409, "conflict", self.feed(ticket=first["ticket"], loss=0.5))
        self.assertEqual(self.ask("PUT", "/v1/models/b", BALL)[0], 201)
        other = self.ask("POST", "/v1/models/b/decisions", {"features": [1, 0.5]})[1]
        self.refused(422, "bad_input", self.feed(ticket=other["ticket"], loss=0.5))

    def test_a_restart_keeps_everything_and_the_hash_is_that_of_a_replay(self):
        self.start("--snapshot-every", "20")
        self.ask("PUT", "/v1/models/m", BALL)
        log = [{"format": "tarry-replay/2", "model": BALL}]
        tickets = []
        for t in range(1, 31):
            tickets.append(self.decide()["ticket"])
            log.append({"play": t, "features": [1, 0.5]})
            if t % 3 == 0:
                self.assertEqual(self.feed(ticket=tickets[t - 3], label=t / 10)[0], 200)
                log.append({"label": t - 2, "value": t / 10})
            if t == 10:
                self.start("--snapshot-every", "20")
            if t == 20:
                self.stop()
                self.start("--snapshot-every", "20")
        self.assertEqual(self.feed(ticket=tickets[1], void=True)[0], 200)
        log.append({"void": 2})
        time.sleep(1.2)  # a snapshot is due
        state = self.ask("GET", "/v1/models/m")[1]
        self.assertTrue(list((self.data / "snapshots").iterdir()))
        self.start()
        self.assertEqual(self.ask("GET", "/v1/models/m")[1]["hash"], state["hash"])
        done = tarry("replay", "-", "--hash", stdin="\n".join(map(json.dumps, log)))
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["hash"], state["hash"])
        snapshot = self.ask("GET", "/v1/models/m/snapshot")[1]
        (self.folder / "state").write_bytes(snapshot)
        done = tarry("replay", "-", "--hash", "--load", str(self.folder / "state"), stdin=json.dumps(log[0]))
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["hash"], state["hash"])

    def test_an_idempotency_key_survives_a_kill(self):
        self.start()
        self.ask("PUT", "/v1/models/m", BALL)
        batch = {"requests": [{"features": [1, 0]}, {"features": [0, 1]}]}
        path, key = "/v1/models/m/decisions", {"Idempotency-Key": "k"}
        status, first = self.ask("POST", path, batch, key)
        self.assertEqual((status, len(first["results"])), (200, 2))
        self.start()
        self.assertEqual(self.ask("POST", path, batch, key), (200, first))
        self.refused(422, "idempotency_key_reused", self.ask("POST", path, {"features": [1, 1]}, key))
        self.refused(400, "bad_input", self.ask("POST", path, batch, {"Idempotency-Key": ""}))
        self.assertEqual(self.ask("GET", "/v1/models/m")[1]["rounds"], 2)

    def test_tokens(self):
        made = {scope: tarry("token", "add", scope, "--data", str(self.data), "--scope", scope).stdout.decode().strip()
                for scope in ("decide", "feedback", "admin", "read")}
        self.start()
        as_ = lambda scope: {"Authorization": f"Bearer {made[scope]}"}
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        self.refused(401, "unauthorized", self.ask("PUT", "/v1/models/m", BALL))
        self.refused(403, "forbidden", self.ask("PUT", "/v1/models/m", BALL, as_("decide")))
        self.assertEqual(self.ask("PUT", "/v1/models/m", BALL, as_("admin"))[0], 201)
        self.refused(403, "forbidden", self.ask("POST", "/v1/models/m/decisions", {"features": [1, 1]}, as_("read")))
        status, decision = self.ask("POST", "/v1/models/m/decisions", {"features": [1, 1]}, as_("decide"))
        self.assertEqual(status, 200)
        label = {"ticket": decision["ticket"], "label": 1}
        self.refused(403, "forbidden", self.ask("POST", "/v1/feedback", label, as_("decide")))
        self.assertEqual(self.ask("POST", "/v1/feedback", label, as_("feedback"))[0], 200)
        self.assertEqual(self.ask("GET", "/v1/models/m", None, as_("read"))[0], 200)
        self.assertEqual(self.ask("GET", "/metrics", None, as_("read"))[0], 200)
        self.assertEqual(tarry("token", "remove", "read", "--data", str(self.data)).returncode, 0)
        end = time.monotonic() + TIMEOUT
        while self.ask("GET", "/v1/models", None, as_("read"))[0] != 401 and time.monotonic() < end:
            time.sleep(0.1)
        self.refused(401, "unauthorized", self.ask("GET", "/v1/models", None, as_("read")))
        listed = tarry("token", "list", "--data", str(self.data)).stdout.decode()
        self.assertEqual([line.split() for line in listed.splitlines()],
                         [["decide", "decide"], ["feedback", "feedback"], ["admin", "admin"]])
        for name in ("tokens", "../log"):
            text = (self.data / name).read_text()
            for token in made.values():
                self.assertNotIn(token.rsplit(".", 1)[1], text)

    def test_without_tokens_other_web_pages_do_not_reach_it(self):
        self.start()
        for headers in ({"Host": "example.org"}, {"Origin": "https://example.org"}, {"X-Forwarded-For": "10.0.0.1"}):
            self.refused(403, "forbidden", self.ask("PUT", "/v1/models/m", BALL, headers))
        self.refused(415, "unsupported_media_type",
                     self.ask("PUT", "/v1/models/m", BALL, {"Content-Type": "application/x-www-form-urlencoded"}))
        self.assertEqual(self.ask("PUT", "/v1/models/m", BALL, {"Origin": f"http://localhost:{self.port}"})[0], 201)

    def test_doubtful_and_large_requests(self):
        self.start("--max-body", "1000")
        head = b"POST /v1/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        for lines in (b"Content-Length: 2\r\nContent-Length: 2\r\n", b"Content-Length: 2\r\nContent-Length: 3\r\n",
                      b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip\r\n",
                      b"Content-Length: -2\r\n", b"Content-Length: 2, 2\r\n", b"Host: localhost\r\nContent-Length: 2\r\n"):
            self.assertTrue(self.raw(head + lines + b"\r\n[]").startswith(b"HTTP/1.1 400 "), lines)
        chunks = b"".join(b"64\r\n" + b" " * 100 + b"\r\n" for _ in range(11)) + b"2\r\n[]\r\n0\r\n\r\n"
        self.assertTrue(self.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunks).startswith(b"HTTP/1.1 413 "))
        self.assertTrue(self.raw(head + b"Content-Length: 1001\r\n\r\n" + b" " * 1001).startswith(b"HTTP/1.1 413 "))
        self.assertTrue(self.raw(head + b"X: " + b"a" * 20000 + b"\r\n\r\n").startswith(b"HTTP/1.1 431 "))
        self.assertTrue(self.raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 "))
        small = b"2\r\n[]\r\n0\r\n\r\n"
        self.assertTrue(self.raw(head + b"Transfer-Encoding: chunked\r\n\r\n" + small).startswith(b"HTTP/1.1 200 "))

    def test_specs_name_no_files(self):
        self.start()
        spec = {"set": {"type": "polytope", "lp_file": "/etc/hostname"}, "learner": {"type": "auto"}}
        self.refused(400, "names_a_file", self.ask("PUT", "/v1/models/m", spec))
        wrapped = {"set": {"type": "scale", "by": 2, "set": spec["set"]}, "learner": {"type": "auto"}}
        self.refused(400, "names_a_file", self.ask("PUT", "/v1/models/m", wrapped))

    def test_what_it_refuses_to_start_with(self):
        self.start()
        for arguments, says in ((["--data", str(self.data)], "another process"),
                                (["--data", str(self.folder / "b"), "--listen", "0.0.0.0:0"], "--tls-cert"),
                                (["--data", str(self.folder / "b"), "--listen", "nowhere"], "--listen must be"),
                                (["--data", str(self.folder / "b"), "--tls-cert", "x"], "--tls-key")):
            listen = [] if "--listen" in arguments else ["--listen", "127.0.0.1:0"]
            done = tarry("serve", *arguments, *listen, "--without-tokens")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(says, done.stderr.decode())
        self.stop()
        (self.data / "key").unlink()
        done = tarry("serve", "--data", str(self.data), "--listen", "127.0.0.1:0", "--without-tokens")
        self.assertEqual(done.returncode, 2)
        self.assertIn("key: is missing", done.stderr.decode())

    def test_tls(self):
        key, certificate = self.folder / "key.pem", self.folder / "cert.pem"
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                               "-subj", "/CN=localhost", "-days", "2"], capture_output=True)
        if made.returncode != 0:
            self.skipTest("openssl cannot make a certificate")
        self.start("--tls-cert", str(certificate), "--tls-key", str(key))
        import ssl
        context = ssl.create_default_context(cafile=str(certificate))
        context.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=TIMEOUT, context=context)
        connection.request("GET", "/v1/models", headers={"Host": "localhost"})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        self.stop()

    def test_the_demo_plays(self):
        self.start("--demo")
        past = self.ask("GET", "/v1/models/parcels")[1]
        self.assertGreaterEqual(past["rounds"], 7200)  # of an hour before it began
        self.assertGreater(past["settled"], 6500)
        view = self.ask("GET", "/v1/models/parcels/view")[1]
        self.assertEqual(view["quality"]["health"], "better", view["quality"]["sentence"])
        self.assertGreater(view["labels"], 6500)
        end = time.monotonic() + TIMEOUT
        while self.ask("GET", "/v1/models/parcels")[1].get("settled", 0) < past["settled"] + 3 and time.monotonic() < end:
            time.sleep(0.2)
        self.assertGreaterEqual(self.ask("GET", "/v1/models/parcels")[1]["settled"], past["settled"] + 3)
        offers = self.ask("GET", "/v1/models/offers")[1]
        self.assertIn("choose", offers["spec"])
        self.assertGreater(offers["rounds"], 3)
        self.stop()

    def test_logs_are_json_lines_without_what_is_secret(self):
        self.start("--log-requests")
        self.ask("PUT", "/v1/models/m", BALL)
        ticket = self.decide(key="customer-77")["ticket"]
        self.feed(ticket=ticket, label=0.123)
        self.stop()
        text = (self.folder / "log").read_text()
        events = [json.loads(line)["event"] for line in text.splitlines()]
        self.assertEqual(events.count("request"), 3)
        for secret in (ticket, "customer-77", "0.123"):
            self.assertNotIn(secret, text)


if __name__ == "__main__":
    unittest.main()
