"""The documents' settings for nginx, as they stand there, in a real nginx: a stranger gets nowhere, however the request is forged."""

import json
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program import ROOT, TIMEOUT, tarry
from service import PATIENCE, ServiceTest

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
SNIPPET = re.compile(r"^```nginx\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPEC = json.dumps({"task": "binary"})

# What a stranger may try: Host, and headers beside it. None: no Host at all, which HTTP/1.0 allows.
FORGED = [
    ("tarry.example.org", {}),
    ("127.0.0.1:8080", {}),
    ("localhost", {}),
    ("[::1]", {}),
    (None, {}),
    ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}),
    ("127.0.0.1", {"X-Forwarded-For": ""}),
    ("127.0.0.1", {"Connection": "close, X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto, X-Real-IP, Via"}),
    ("127.0.0.1", {"X-Forwarded-Host": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"}),
    ("127.0.0.1", {"Origin": "http://127.0.0.1", "Authorization": "Bearer "}),
    ("127.0.0.1", {"Authorization": "Bearer tarry.one.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}),
]
ADMIN = [("PUT", "/v1/models/theirs", SPEC), ("DELETE", "/v1/models/ours", None), ("GET", "/v1/models/ours/snapshot", None),
         ("GET", "/v1/models", None), ("GET", "/v1/models/ours", None)]


def snippets():
    """(document, setting) for each in the documents."""
    return [(path.name, text) for path in sorted((ROOT / "docs").glob("*.md")) for text in SNIPPET.findall(path.read_text())]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as line:
        return line.getsockname()[1]


class Proxy:
    """nginx with a snippet. Only ports and the paths of certificates are others than in the document."""

    def __init__(self, snippet, upstream, folder):
        self.folder, self.port, self.secure = Path(folder), free_port(), "ssl" in snippet
        text, self.replaced = re.subn(r"http://127\.0\.0\.1:8080\b", f"http://127.0.0.1:{upstream}", snippet)
        if "server {" in text:
            text = re.sub(r"listen 443\b", f"listen 127.0.0.1:{self.port}", text)
            self.certify()
            text = re.sub(r"/etc/\S*fullchain\.pem", str(self.folder / "cert.pem"), text)
            text = re.sub(r"/etc/\S*privkey\.pem", str(self.folder / "key.pem"), text)
        else:  # a part of somebody's server
            text = f"server {{\nlisten 127.0.0.1:{self.port};\nserver_name tarry.example.org;\n{text}}}\n"
        found = re.search(r"location (\S+)", text).group(1)
        self.prefix = found.rstrip("/") if re.search(r"proxy_pass [^;]*/;", text) else ""
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};\n"
                            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\nmaster_process off;\npid {self.folder}/pid;\nerror_log {self.folder}/error.log;\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{temporary}{text}}}\n")

    def certify(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.folder / "key.pem", "-out",
                        self.folder / "cert.pem", "-subj", "/CN=tarry.example.org", "-days", "2"], capture_output=True, check=True)

    def __enter__(self):
        self.process = subprocess.Popen([NGINX, "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", self.folder / "error.log"],
                                        stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.02)
        self.process.kill()
        said = self.process.communicate()[1]
        raise AssertionError(f"nginx does not take it: {said}")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(TIMEOUT)
        self.process.stderr.close()

    def connect(self):
        line = socket.create_connection(("127.0.0.1", self.port), TIMEOUT)
        if not self.secure:
            return line
        context = ssl.create_default_context(cafile=self.folder / "cert.pem")
        context.check_hostname = False
        return context.wrap_socket(line)

    def ask(self, method, path, body=None, host="tarry.example.org", headers=None):
        """The status and the body of an answer to exactly these bytes."""
        lines = [f"{method} {self.prefix}{path} HTTP/1.{1 if host else 0}"]
        sent = ({"Host": host} if host else {}) | {"Connection": "close"} | (headers or {})
        if body:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
        lines += [f"{name}: {value}" for name, value in sent.items()]
        with self.connect() as line:
            line.sendall(("\r\n".join(lines) + "\r\n\r\n" + (body or "")).encode())
            answer = b""
            while piece := line.recv(65536):
                answer += piece
        return int(answer.split(b" ", 2)[1]), answer.partition(b"\r\n\r\n")[2]


@unittest.skipUnless(NGINX, "nginx is not installed")
class Nginx(ServiceTest):
    def with_each(self, service, check):
        """Calls check with an nginx for each snippet in turn."""
        found = snippets()
        self.assertGreaterEqual(len(found), 2)
        for name, snippet in found:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                with Proxy(snippet, service.port, folder) as proxy:
                    self.assertEqual(proxy.replaced, 1)
                    check(proxy)

    def attack(self, proxy, *wanted):
        for host, headers in FORGED:
            for method, path, body in ADMIN:
                status, answer = proxy.ask(method, path, body, host, headers)
                self.assertIn(status, wanted, (method, path, host, headers, answer))

    def test_with_tokens_nobody_gets_in_without_one(self):
        token = tarry("token", "add", "one", "--data", str(self.folder / "data"), "--scope", "admin,decide,feedback,read")
        bearer = {"Authorization": f"Bearer {token.stdout.decode().strip()}"}
        service = self.serve()
        self.assert_status(service.ask("PUT", "/v1/models/ours", {"task": "binary"}, bearer), 201)

        def check(proxy):
            self.attack(proxy, 400, 401)
            self.assertEqual([model["name"] for model in json.loads(proxy.ask("GET", "/v1/models", headers=bearer)[1])["models"]],
                             ["ours"])
            self.assertEqual(proxy.ask("PUT", "/v1/models/more", SPEC, headers=bearer)[0], 201)
            self.assertEqual(proxy.ask("DELETE", "/v1/models/more", headers=bearer)[0], 200)

        self.with_each(service, check)

    def test_a_service_without_tokens_answers_nobody_through_it(self):
        service = self.serve()
        service.create("ours", {"task": "binary"})

        def check(proxy):
            self.attack(proxy, 400, 403)
            self.assertEqual([model["name"] for model in service.ask("GET", "/v1/models").json["models"]], ["ours"])

        self.with_each(service, check)


class Documents(unittest.TestCase):
    def test_every_proxy_setting_is_marked_as_one(self):
        """What is not marked is not tried above."""
        for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            text = path.read_text()
            self.assertEqual(text.count("proxy_pass"), "".join(SNIPPET.findall(text)).count("proxy_pass"), path.name)


if __name__ == "__main__":
    unittest.main()
