"""The container image: small, without a shell, not root, and the service runs in it."""

import json
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import urllib.request
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT

MOST_BYTES = 80_000_000


def why_not():
    if not shutil.which("buildah"):
        return "buildah is not installed"
    return subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode and "nothing can be mounted here"


@unittest.skipIf(why_not(), why_not())
class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        done = subprocess.run([ROOT / "deploy/build_image", PROGRAM, cls.folder], capture_output=True, text=True, timeout=TIMEOUT)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.image = Path(done.stdout.strip())
        cls.own = ["buildah", "--root", f"{folder.name}/store", "--runroot", f"{folder.name}/run", "--storage-driver", "vfs"]
        cls.container = subprocess.run(
            [*cls.own, "from", "--quiet", f"docker-archive:{cls.image}"], capture_output=True, text=True, check=True, timeout=TIMEOUT
        ).stdout.strip()

    def inside(self, *words):
        # The host's network, and no privileges of a container engine: that is how a test can run it anywhere.
        return [*self.own, "run", "--isolation", "chroot", self.container, "--", "/usr/bin/tarry", *words]

    def configuration(self):
        with tarfile.open(self.image) as archive:
            manifest = json.load(archive.extractfile("manifest.json"))[0]
            return json.load(archive.extractfile(manifest["Config"]))["config"]

    def test_it_is_small(self):
        self.assertLess(self.image.stat().st_size, MOST_BYTES)

    def test_it_is_not_root_and_starts_the_program(self):
        configuration = self.configuration()
        self.assertEqual(configuration["User"], "65532:65532")
        self.assertEqual(configuration["Entrypoint"], ["/usr/bin/tarry"])

    def test_the_program_has_all_its_libraries(self):
        done = subprocess.run(self.inside("--version"), capture_output=True, text=True, timeout=TIMEOUT)
        here = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual((done.returncode, done.stdout), (0, here.stdout), done.stderr)

    def test_a_service_decides_in_it(self):
        serving = subprocess.Popen(
            self.inside("serve", "--data", "/data", "--listen", "127.0.0.1:0", "--without-tokens"), stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(serving.stdout.close)
        self.addCleanup(serving.wait)
        self.addCleanup(serving.terminate)
        address = serving.stdout.readline().split(" at ")[1].strip()

        def ask(method, path, body):
            request = urllib.request.Request(address + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)

        ask("PUT", "/v1/models/m", {"task": "binary"})
        self.assertEqual(ask("POST", "/v1/models/m/decisions", {"features": {"x": 1}})["prediction"], 0.5)


if __name__ == "__main__":
    unittest.main()
