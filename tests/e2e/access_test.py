"""When tokens are asked for: at a start, once one was there, when the last one goes, and in the moment when one is made."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
import unittest
from pathlib import Path

from program import PROGRAM, TIMEOUT, ProgramTest, tarry
from service import PATIENCE, ServiceTest

EVERYTHING = "admin,decide,feedback,read"
SPEC = {"task": "binary"}


class AccessTest(ServiceTest, ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = self.folder / "data"
        self.tokens = self.data / "tokens"

    def add(self, name="one", data=None):
        """The headers that bring a new token."""
        done = tarry("token", "add", name, "--data", str(data or self.data), "--scope", EVERYTHING)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return {"Authorization": f"Bearer {done.stdout.decode().strip()}"}

    def remove(self, name="one"):
        self.assertEqual(tarry("token", "remove", name, "--data", str(self.data)).returncode, 0)

    def refuses_to_start(self, *options, says, data=None, listen="127.0.0.1:0"):
        self.fails("serve", "--data", str(data or self.data), "--listen", listen, *options, says=says, status=2)

    def port_of(self, *options):
        """Where a service listens that is no plain one; `first` is the first line that it prints."""
        process = subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        for clean in (process.stdout.close, process.wait, process.kill):  # the last one first
            self.addCleanup(clean)
        self.first = process.stdout.readline()
        return int(self.first.rsplit(":", 1)[1])

    def wait_until(self, truth, what):
        end = time.monotonic() + PATIENCE
        while not truth():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)


class Start(AccessTest):
    def test_without_tokens_it_does_not_start_unless_told(self):
        both = ("has no token", f"tarry token add NAME --data {self.data} ", "--without-tokens")
        self.refuses_to_start(says=both)
        self.assertFalse(self.data.exists())
        service = self.serve("--without-tokens")
        service.create("m", SPEC)
        self.assertIn("without tokens: every user of this machine may do everything", "".join(service.said))
        self.assertEqual(service.stop(), 0)
        self.refuses_to_start(says=both)
        self.add()
        self.remove()  # the file stays, and is empty
        self.refuses_to_start(says=both)
        self.tokens.unlink()
        self.refuses_to_start(says=both)

    def test_the_flag_and_tokens_exclude_each_other(self):
        headers = self.add()
        for flag in ("--without-tokens", "--demo"):
            self.refuses_to_start(flag, says=(f"{self.tokens}: is there", "--without-tokens", "--demo"))
        self.remove()
        self.refuses_to_start("--without-tokens", says=f"{self.tokens}: is there")  # tokens were wanted here once
        headers = self.add()
        self.assert_status(self.serve().ask("PUT", "/v1/models/m", SPEC, headers), 201)

    def test_the_flag_is_for_this_machine(self):
        for options in (("--without-tls",), ("--tls-cert", "c", "--tls-key", "k")):
            self.refuses_to_start("--without-tokens", *options, listen="0.0.0.0:0", says="needs a loopback address")

    def test_damaged_tokens_are_named(self):
        self.data.mkdir()
        self.tokens.write_text('{"name": "a"}\n')
        self.refuses_to_start(says="tokens: ")

    def test_a_gateway_has_the_same_rules(self):
        gateway = ("--kafka", "127.0.0.1:1")
        done = tarry("serve", "--data", str(self.data), *gateway)
        if b"built without Kafka" in done.stderr:
            self.skipTest("the program was built without Kafka")
        self.refuses_to_start(*gateway, says=("tarry token add NAME", "--without-tokens"))
        self.add()
        self.refuses_to_start(*gateway, "--without-tokens", says=f"{self.tokens}: is there")

    def test_the_demo_needs_no_directory_and_leaves_none(self):
        demo = subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0", "--demo"], stdout=subprocess.PIPE, text=True)
        for clean in (demo.stdout.close, demo.wait, demo.kill):  # the last one first
            self.addCleanup(clean)
        kept = Path(demo.stdout.readline().split()[2])
        self.assertTrue(kept.is_dir())
        demo.terminate()
        self.assertEqual(demo.wait(PATIENCE), 0)
        self.assertFalse(kept.exists())
        self.fails("serve", says="--data is required", status=2)

    def test_the_demo_goes_without_and_says_so_first(self):
        self.port_of("--data", self.data, "--demo")
        self.assertRegex(self.first, r"^tarry serves .* as a demo, without tokens, at http://127\.0\.0\.1:\d+\n$")

    def test_probes_need_no_token(self):
        self.add()
        service = self.serve()
        for path in ("/healthz", "/readyz"):
            self.assert_status(service.ask("GET", path), 200)
            self.assert_status(service.ask("GET", path, headers={"Host": "pod.example.org"}), 200)


class Closed(AccessTest):
    def asked(self, service, headers=None):
        """The statuses of what a stranger would like to do."""
        return [service.ask(method, path, body, headers).status
                for method, path, body in (("PUT", "/v1/models/mine", SPEC), ("GET", "/v1/models", None),
                                           ("DELETE", "/v1/models/m", None), ("GET", "/v1/models/m/snapshot", None))]

    def assert_closed(self, service, headers, why):
        """Everyone is refused, with the token that was good too, and the log says why, once."""
        self.wait_until(lambda: service.ask("GET", "/v1/models", headers=headers).status == 401, "it closes")
        self.assertEqual(self.asked(service) + self.asked(service, headers), [401] * 8)  # and looks again for the token
        self.assert_status(service.ask("GET", "/healthz"), 200)

        def told():
            lines = [json.loads(line) for line in service.said if line.startswith("{")]
            return [line for line in lines if line["event"] == "no token is left: every request is refused"]

        self.wait_until(told, "the log says why")  # its lines come through a pipe
        lines = told()
        self.assertEqual([line["why"].split(":")[0] for line in lines], [why], lines)
        self.assertEqual(lines[0]["file"], str(self.tokens))

    def started(self):
        headers = self.add()
        service = self.serve()
        self.assert_status(service.ask("PUT", "/v1/models/m", SPEC, headers), 201)
        return service, headers

    def test_the_last_token_removed_closes(self):
        service, headers = self.started()
        self.remove()
        self.assert_closed(service, headers, "is empty")
        again = self.add("two")
        self.assert_status(service.ask("GET", "/v1/models", headers=again), 200)
        self.assertEqual(service.stop(), 0)

    def test_a_file_that_goes_closes(self):
        service, headers = self.started()
        os.rename(self.tokens, self.folder / "kept")
        self.assert_closed(service, headers, "is missing")
        os.rename(self.folder / "kept", self.tokens)
        self.assert_status(service.ask("GET", "/v1/models", headers=headers), 200)

    def test_a_file_that_cannot_be_read_closes(self):
        for make in (lambda: self.tokens.write_text("no JSON\n"), lambda: self.tokens.mkdir()):
            service, headers = self.started()
            self.tokens.unlink()
            make()
            self.assert_closed(service, headers, "cannot be read")
            service.kill()
            shutil.rmtree(self.data)

    def test_a_token_ends_tokenless_service_for_good(self):
        service = self.serve("--without-tokens")
        service.create("m", SPEC)
        self.add()
        self.wait_until(lambda: service.ask("GET", "/v1/models").status == 401, "it asks for the token")
        unknown = {"Authorization": "Bearer tarry.any.thing"}  # makes it look
        self.remove()
        self.assertEqual(self.asked(service, unknown) + self.asked(service), [401] * 8)
        self.tokens.unlink()
        self.assertEqual(self.asked(service, unknown) + self.asked(service), [401] * 8)
        time.sleep(1.5)  # and after a look of its own
        self.assertEqual(self.asked(service), [401] * 4)

    def test_a_token_that_came_and_went_between_two_looks_closes_too(self):
        service = self.serve("--without-tokens")
        self.tokens.write_text("")
        self.wait_until(lambda: service.ask("GET", "/v1/models").status == 401, "it closes")


class New(AccessTest):
    def test_a_token_is_good_at_the_first_request(self):
        self.add()
        service = self.serve()
        for i in range(10):
            headers = self.add(f"new-{i}")
            self.assert_status(service.ask("GET", "/v1/models", headers=headers), 200)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give files to others")
    def test_what_root_makes_is_its_owners(self):
        """A file of root's could not be read by the service's own user, and would close it."""
        self.data.mkdir(mode=0o700)
        os.chown(self.data, 65534, 65534)
        self.folder.chmod(0o755)
        self.add()
        self.assertEqual((self.tokens.stat().st_uid, self.tokens.stat().st_mode & 0o777), (65534, 0o600))
        self.assertEqual(tarry("token", "remove", "one", "--data", str(self.data)).returncode, 0)
        self.assertEqual(self.tokens.stat().st_uid, 65534)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Suites(AccessTest):
    def serve_tls(self, kind, *words):
        """A service with a certificate of this kind: its port."""
        key, certificate, data = self.folder / f"{kind}-key.pem", self.folder / f"{kind}.pem", self.folder / kind
        subprocess.run(["openssl", "req", "-x509", "-newkey", *words, "-nodes", "-keyout", key, "-out", certificate,
                        "-subj", "/CN=localhost", "-days", "2"], capture_output=True, check=True)
        self.add(data=data)
        return self.port_of("--data", data, "--tls-cert", certificate, "--tls-key", key)

    def handshake(self, port, suite=None):
        """The suite that a client ends up with who offers this one; nothing: none is shared."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        if suite:
            context.maximum_version = ssl.TLSVersion.TLSv1_2
            context.set_ciphers(f"{suite}:@SECLEVEL=0")
        try:
            with socket.create_connection(("127.0.0.1", port), TIMEOUT) as line, context.wrap_socket(line) as secured:
                return secured.cipher()[0]
        except (ssl.SSLError, ConnectionResetError):
            return None

    def test_all_have_authenticated_encryption(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.set_ciphers("ALL:@SECLEVEL=0")
        old = [suite for suite in context.get_ciphers() if suite["protocol"] != "TLSv1.3"]
        self.assertGreater(sum(not suite["aead"] for suite in old), 10)
        for kind, words in (("rsa", ["rsa:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])):
            port = self.serve_tls(kind, *words)
            taken = [suite for suite in old if self.handshake(port, suite["name"])]
            self.assertEqual([suite["name"] for suite in taken if not suite["aead"]], [], kind)
            self.assertGreaterEqual(len(taken), 3, kind)
            self.assertRegex(self.handshake(port), "GCM|POLY1305")


if __name__ == "__main__":
    unittest.main()
