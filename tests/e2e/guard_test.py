"""Who may do what, what is told to nobody, and what the service refuses to start with."""

import os
import shutil
import time
import unittest

from program import ProgramTest, tarry
from service import PATIENCE, ServiceTest

SCOPES = ("decide", "feedback", "admin", "read")
SECRET = {"patient": "Rosalind-Elsewhere"}  # features that must not be told


class Tokens(ServiceTest):
    def token(self, name, *scopes):
        done = tarry(
            "token",
            "add",
            "--data",
            str(self.folder / "data"),
            name,
            *(word for scope in scopes for word in ("--scope", scope)),
        )
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().strip()

    def calls(self, ticket):
        """What each scope is for: (scope, method, path, body)."""
        return [
            ("admin", "PUT", "/v1/models/m", {"task": "binary"}),
            ("decide", "POST", "/v1/models/m/decisions", {"features": {"x": 1}}),
            ("decide", "POST", "/v1/models/m/predict", {"features": {"x": 1}}),
            ("feedback", "POST", "/v1/feedback", {"ticket": ticket, "label": True}),
            ("read", "GET", "/v1/models", None),
            ("read", "GET", "/v1/models/m", None),
            ("read", "GET", "/metrics", None),
            ("admin", "GET", "/v1/models/m/snapshot", None),
        ]

    def test_each_scope_opens_its_own_doors(self):
        tokens = {scope: self.token(f"only-{scope}", scope) for scope in SCOPES}
        everything = self.token("everything", *SCOPES)
        service = self.serve()
        ask = lambda token, method, path, body: service.ask(method, path, body, {"Authorization": f"Bearer {token}"})
        self.assert_status(ask(everything, "PUT", "/v1/models/m", {"task": "binary"}), 201)
        ticket = ask(everything, "POST", "/v1/models/m/decisions", {"features": {"x": 1}}).json["ticket"]
        for needed, method, path, body in self.calls(ticket):
            for scope, token in tokens.items():
                with self.subTest(f"{method} {path} with {scope}"):
                    self.assert_status(ask(token, method, path, body), *((200, 201) if scope == needed else (403,)))
        self.assert_status(ask(tokens["decide"], "DELETE", "/v1/models/m", None), 403)

    def test_nearly_right_tokens(self):
        token = self.token("only", *SCOPES)
        service = self.serve()
        wrong = [
            "",
            token[:-1],
            token + "x",
            token[:-1] + ("a" if token[-1] != "a" else "b"),
            token.swapcase(),
            token + " ",
            f"{token},{token}",
            "only",
            "*",
            "null",
        ]
        headers = [
            {},
            *({"Authorization": f"Bearer {text}"} for text in wrong),
            {"Authorization": token},
            {"Authorization": f"Basic {token}"},
            {"Authorization": f"Bearer  {token}"},
            {"X-Authorization": f"Bearer {token}"},
        ]
        for header in headers:
            with self.subTest(header):
                answer = service.ask("GET", "/v1/models", headers=header)
                if header.get("Authorization", "").endswith(" ") and answer.status == 200:
                    continue  # spaces at the end of a header are no part of it
                self.assert_status(answer, 401)
        self.assert_status(service.ask("GET", f"/v1/models?token={token}"), 401)
        self.assert_status(service.ask("GET", "/v1/models", headers={"Authorization": f"Bearer {token}"}), 200)
        self.assert_status(service.ask("GET", "/healthz"), 200)

    def test_a_removed_token_is_of_no_use(self):
        self.token("kept", *SCOPES)
        token = self.token("gone", *SCOPES)
        self.assertEqual(tarry("token", "remove", "--data", str(self.folder / "data"), "gone").returncode, 0)
        self.assert_status(self.serve().ask("GET", "/v1/models", headers={"Authorization": f"Bearer {token}"}), 401)

    def test_the_directory_does_not_hold_them(self):
        token = self.token("only", *SCOPES)
        secret = max(token.replace(".", "_").split("_"), key=len).encode()
        self.assertGreater(len(secret), 15)
        for path in (self.folder / "data").rglob("*"):
            if path.is_file():
                self.assertNotIn(secret, path.read_bytes(), path.name)
                self.assertEqual(path.stat().st_mode & 0o077, 0, f"{path.name} can be read by others")


class Silence(ServiceTest):
    def test_logs_hold_no_tokens_tickets_or_features(self):
        token = (
            tarry(
                "token",
                "add",
                "--data",
                str(self.folder / "data"),
                "t",
                *(word for scope in SCOPES for word in ("--scope", scope)),
            )
            .stdout.decode()
            .strip()
        )
        service = self.serve("--log-requests")
        ask = lambda method, path, body=None: service.ask(
            method, path, body, {"Authorization": f"Bearer {token}", "Idempotency-Key": "a-secret-key"}
        )
        ask("PUT", "/v1/models/m", {"task": "binary"})
        ticket = ask("POST", "/v1/models/m/decisions", {"features": SECRET, "key": "order-of-Rosalind"}).json["ticket"]
        ask("POST", "/v1/feedback", {"ticket": ticket, "label": "no label"})
        ask("POST", "/v1/feedback", {"ticket": ticket, "label": True})
        ask("POST", "/v1/models/m/decisions", {"features": SECRET | {"wrong": [[1]]}})
        ask("GET", f"/v1/models/m?ticket={ticket}")
        self.assertEqual(service.stop(), 0)
        said = "".join(service.said)
        self.assertGreater(said.count('"request"'), 4)
        for secret in (token, ticket, ticket[:20], "Rosalind", "a-secret-key"):
            self.assertNotIn(secret, said)


class Start(ServiceTest, ProgramTest):
    def test_a_second_process_is_refused(self):
        service = self.serve()
        self.fails(
            "serve", "--data", str(service.folder), "--listen", "127.0.0.1:0", "--without-tokens",
            says=("another process", str(service.folder)), status=2,
        )
        self.assert_status(service.ask("GET", "/healthz"), 200)

    def test_addresses_that_others_reach_need_tls_or_a_word(self):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:8080"):
            self.fails("serve", "--data", str(self.folder / "data"), "--listen", address, says="--without-tls")

    def test_files_are_for_its_user_alone(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        service.decide("m", SECRET)
        self.assertEqual(service.folder.stat().st_mode & 0o077, 0)
        for path in service.folder.rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)

    def test_specifications_name_no_files(self):
        service = self.serve()
        for spec in (
            {"set": {"type": "polytope", "lp_file": "/etc/passwd"}, "learner": {"type": "auto"}},
            {
                "set": {"type": "product", "parts": [{"type": "polytope", "lp_file": "/etc/passwd"}]},
                "learner": {"type": "auto"},
            },
        ):
            answer = service.ask("PUT", "/v1/models/m", spec)
            self.assert_status(answer, 400, 422)
            self.assertNotIn(b"root:", answer.body)

    def test_it_stops_when_asked(self):
        service = self.serve()
        service.create("m", {"task": "binary"})
        start = time.monotonic()
        self.assertEqual(service.stop(), 0)
        self.assertLess(time.monotonic() - start, PATIENCE)


class Restored(ServiceTest):
    def test_tickets_given_out_after_a_backup_are_lost(self):
        """They never label the decisions that later have their numbers."""
        service = self.serve()
        service.create("m", {"task": "binary"})
        early = service.decide("m", {"x": 1})["ticket"]
        self.assertEqual(service.stop(), 0)
        shutil.copytree(service.folder, self.folder / "backup")
        service.start()
        late = [service.decide("m", {"x": i})["ticket"] for i in range(5)]
        service.kill()
        shutil.rmtree(service.folder)
        os.rename(self.folder / "backup", service.folder)
        service.start()
        again = [service.decide("m", {"x": -i})["ticket"] for i in range(5)]  # rounds 2 to 6, once more
        before = service.hash("m")
        for ticket in late:
            answer = service.feedback(ticket=ticket, label=True)
            self.assert_status(answer, 500)
            self.assertEqual(answer.json["error"]["code"], "lost")
        self.assertEqual(service.hash("m"), before)
        self.assertRegex(service.ask("GET", "/metrics").body, rb"(?m)^tarry_lost_tickets_total 5$")
        for ticket in (early, *again):
            self.assert_status(service.feedback(ticket=ticket, label=True), 200)


if __name__ == "__main__":
    unittest.main()
