"""What runs around the service: alert rules that promtool accepts and tests, a board and rules over metrics that exist, a
unit that is hardened, and a package that installs."""

import functools
import json
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ROOT, TIMEOUT
from service import ServiceTest

DEPLOY = ROOT / "deploy"
METRIC = re.compile(r"\btarry_[a-z0-9_]+")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, **options)


@functools.cache
def built_package():
    """The package's path; it is built once for all tests."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    done = run(DEPLOY / "build_deb", PROGRAM, folder.name)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout.strip()


def expressions(value):
    """Every "expr" below a value of JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "expr":
                yield inner
            yield from expressions(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from expressions(inner)


class Metrics(ServiceTest):
    def told(self):
        """The names of what a service tells that has seen every kind of answer."""
        service = self.serve()
        service.create("m", {"task": "binary"})
        ticket = service.decide("m", {"x": 1})["ticket"]
        for label in (True, True, False):
            service.feedback(ticket=ticket, label=label)
        service.feedback(ticket="forged", label=True)
        text = service.ask("GET", "/metrics").body.decode()
        self.assertEqual(
            run("promtool", "check", "metrics", input=text).returncode,
            0,
            run("promtool", "check", "metrics", input=text).stderr,
        )
        helped = set(re.findall(r"^# HELP (\S+) \S", text, re.MULTILINE))
        types = dict(re.findall(r"^# TYPE (\S+) (\w+)$", text, re.MULTILINE))
        self.assertEqual(helped, set(types))
        names = set(types)
        for name, kind in types.items():
            if kind == "histogram":
                names |= {f"{name}_bucket", f"{name}_sum", f"{name}_count"}
        return names

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_the_board_and_the_rules_ask_for_what_is_told(self):
        told = self.told()
        board = " ".join(expressions(json.loads((DEPLOY / "grafana.json").read_text())))
        rules = (DEPLOY / "alerts.yml").read_text()
        for text in (board, rules):
            asked = set(METRIC.findall(re.sub(r"(?m)^ *(#|(- alert|- name|summary|description):).*$", "", text)))
            self.assertGreater(len(asked), 3)
            self.assertEqual(asked - told, set())


@unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
class Rules(unittest.TestCase):
    def test_promtool_accepts_them(self):
        done = run("promtool", "check", "rules", DEPLOY / "alerts.yml")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_they_fire_when_they_should(self):
        done = run("promtool", "test", "rules", "alerts_test.yml", cwd=DEPLOY)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_has_a_test(self):
        alerts = set(re.findall(r"- alert: (\w+)", (DEPLOY / "alerts.yml").read_text()))
        tested = set(re.findall(r"alertname: (\w+)", (DEPLOY / "alerts_test.yml").read_text()))
        self.assertEqual(alerts, tested)


class Board(unittest.TestCase):
    def test_it_is_whole(self):
        board = json.loads((DEPLOY / "grafana.json").read_text())
        ids = [panel["id"] for panel in board["panels"]]
        self.assertEqual(len(ids), len(set(ids)))
        for panel in board["panels"]:
            self.assertTrue(panel["title"])
            if panel["type"] != "row":
                self.assertTrue(panel["description"], panel["title"])
                self.assertTrue(panel["targets"], panel["title"])
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)


@unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not installed")
class Unit(unittest.TestCase):
    def test_it_is_hardened(self):
        done = run("systemd-analyze", "security", "--offline=true", "--threshold=20", str(DEPLOY / "tarry.service"))
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)

    def test_it_is_well_formed(self):
        with tempfile.TemporaryDirectory() as folder:
            unit = Path(folder) / "tarry.service"
            unit.write_text((DEPLOY / "tarry.service").read_text().replace("/usr/bin/tarry", PROGRAM))
            done = run("systemd-analyze", "verify", "--man=no", str(unit))
            ours = [line for line in done.stderr.splitlines() if "tarry" in line]
            self.assertEqual(ours, [])


class Installed(unittest.TestCase):
    def files(self, root):
        return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}

    def test_a_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run(DEPLOY / "install", PROGRAM, folder, "/opt/tarry").returncode, 0)
            root = Path(folder) / "opt" / "tarry"
            self.assertIn("bin/tarry", self.files(root))
            self.assertIn(
                "ExecStart=/opt/tarry/bin/tarry serve", (root / "lib/systemd/system/tarry.service").read_text()
            )
            self.assertEqual(run(root / "bin" / "tarry", "--version").returncode, 0)

    @unittest.skipUnless(
        shutil.which("dpkg-deb") and shutil.which("readelf"), "there is no dpkg-deb, or no readelf, here"
    )
    def test_a_package(self):
        with tempfile.TemporaryDirectory() as folder:
            package = built_package()
            self.assertRegex(package, r"tarry_[0-9.]+_\w+\.deb$")
            fields = run("dpkg-deb", "--field", package, "Package", "Depends").stdout
            self.assertIn("libc6 (>=", fields)
            root = Path(folder) / "root"
            self.assertEqual(run("dpkg-deb", "--extract", package, root).returncode, 0)
            here = self.files(root)
            for path in (
                "usr/bin/tarry",
                "usr/lib/systemd/system/tarry.service",
                "etc/default/tarry",
                "usr/share/doc/tarry/copyright",
                "usr/share/tarry/alerts.yml",
                "usr/share/tarry/grafana.json",
            ):
                self.assertIn(path, here)
            version = run(root / "usr/bin/tarry", "--version")
            self.assertEqual((version.returncode, version.stdout), (0, run(PROGRAM, "--version").stdout))
            for script in ("postinst", "prerm", "postrm"):
                self.assertEqual(run("sh", "-n", DEPLOY / "debian" / script).returncode, 0)


class FirstToken(unittest.TestCase):
    """The package's script, below a root of its own and with commands that leave this machine alone."""

    STUBS = {
        "getent": "exit 0",
        "systemctl": 'echo "systemctl $*" >>"$DPKG_ROOT/calls"',
        # The user is not on this machine.
        "install": 'for word; do shift; case "$word" in -o|-g) ;; tarry) ;; *) set -- "$@" "$word";; esac; done; exec /usr/bin/install "$@"',
    }

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("usr/bin", "etc/default", "var/lib", "stubs"):
            (self.root / name).mkdir(parents=True)
        (self.root / "usr/bin/tarry").symlink_to(PROGRAM)
        for name, body in self.STUBS.items():
            (self.root / "stubs" / name).write_text(f"#!/bin/sh\n{body}\n")
            (self.root / "stubs" / name).chmod(0o755)
        self.data, self.kept = self.root / "var/lib/tarry", self.root / "etc/tarry/admin-token"

    def configure(self, *before):
        """What the script says at an installation, or an upgrade from a version before."""
        environment = {"PATH": f"{self.root / 'stubs'}:/usr/sbin:/usr/bin:/sbin:/bin", "DPKG_ROOT": str(self.root)}
        done = run("sh", DEPLOY / "debian" / "postinst", "configure", *before, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def listed(self):
        return run(PROGRAM, "token", "list", "--data", self.data).stdout.split()

    def test_an_installation_makes_one_and_says_where_it_is(self):
        self.assertIn("/etc/tarry/admin-token", self.configure())
        self.assertEqual(self.listed(), ["admin", "decide,", "feedback,", "admin,", "read"])
        self.assertRegex(self.kept.read_text(), r"^tarry\.admin\.\S{40,}\n$")
        for path in (self.kept, self.data / "tokens"):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        self.assertNotIn(self.kept.read_text().strip().rsplit(".", 1)[1], (self.data / "tokens").read_text())

    def test_an_upgrade_makes_one_only_where_there_is_none(self):
        self.assertIn("/etc/tarry/admin-token", self.configure("0.1.0"))
        first = self.kept.read_text()
        self.assertEqual(self.configure("0.1.0"), "")
        self.assertEqual(self.kept.read_text(), first)
        run(PROGRAM, "token", "remove", "admin", "--data", self.data)
        self.assertIn("/etc/tarry/admin-token", self.configure("0.1.0"))
        self.assertNotEqual(self.kept.read_text(), first)

    def test_a_decision_to_go_without_is_kept(self):
        (self.root / "etc/default/tarry").write_text('# --without-tokens\nTARRY_OPTIONS="--listen 127.0.0.1:1 --without-tokens"\n')
        self.assertEqual(self.configure("0.1.0"), "")
        self.assertFalse((self.data / "tokens").exists())
        (self.root / "etc/default/tarry").write_text('# --without-tokens\nTARRY_OPTIONS="--listen 127.0.0.1:1"\n')
        self.assertNotEqual(self.configure("0.1.0"), "")


# In a copy of this machine's files that is gone afterwards: $1 is the package, $2 a folder.
INSTALLED = r"""
set -e
mount -t tmpfs none "$2"
mkdir "$2/new" "$2/work" "$2/root"
mount -t overlay none -o lowerdir=/,upperdir="$2/new",workdir="$2/work" "$2/root"
[ "$3" = try ] && exit 0
cp "$1" "$2/root/tarry.deb"
cat >"$2/root/inside" <<'INSIDE'
set -e
dpkg -i /tarry.deb
stat -c '%U %a %n' /var/lib/tarry /var/lib/tarry/tokens /etc/tarry/admin-token
setpriv --reuid=tarry --regid=tarry --clear-groups tarry serve --data /var/lib/tarry --listen 127.0.0.1:0 >/tmp/said &
trap "kill $!" EXIT
while ! grep -q ' at http' /tmp/said; do sleep 0.05; done
at=$(sed 's/.* at //' /tmp/said)
curl -s -o /dev/null -w 'without %{http_code}\n' "$at/v1/models"
curl -s -o /dev/null -w 'with %{http_code}\n' -H "Authorization: Bearer $(cat /etc/tarry/admin-token)" "$at/v1/models"
INSIDE
chroot "$2/root" sh /inside
"""


class RealInstallation(unittest.TestCase):
    def inside(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            return run("unshare", "-m", "sh", "-c", INSTALLED, "sh", words[0], folder, *words[1:])

    def test_the_service_runs_with_the_token_that_was_made(self):
        if not (shutil.which("unshare") and shutil.which("dpkg-deb") and shutil.which("curl")):
            self.skipTest("there is no unshare, dpkg-deb or curl here")
        if self.inside("", "try").returncode != 0:
            self.skipTest("no file system can be mounted here")
        done = self.inside(built_package())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for line in ("tarry 700 /var/lib/tarry", "tarry 600 /var/lib/tarry/tokens", "root 600 /etc/tarry/admin-token",
                     "without 401", "with 200"):
            self.assertIn(f"{line}\n", done.stdout)
        self.assertIn("is in /etc/tarry/admin-token", done.stdout)


if __name__ == "__main__":
    unittest.main()
