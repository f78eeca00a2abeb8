"""Runs the real program: what the tests of this folder share. The binary's path is in $TARRY."""

import json
import os
import pty
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.environ["TARRY"]
ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 400  # seconds: what takes longer hangs, on a busy machine too

HEADER = {
    "format": "tarry-replay/1",
    "set": {"type": "l1_ball", "dimension": 3, "radius": 2},
    "learner": {"type": "delayed_ofw", "eta": 0.5},
}


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def tarry(*arguments, stdin=b""):
    """The finished process, its stdout and stderr as bytes."""
    return subprocess.run([PROGRAM, *arguments], input=as_bytes(stdin), capture_output=True, timeout=TIMEOUT)


def read_terminal(ours):
    """All that is shown until the other end is closed."""
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # it is closed
        pass
    os.close(ours)
    return shown.decode()


def on_a_terminal(*arguments):
    """The finished process with its stdout, and what it showed on a terminal as stderr."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryFile() as out:
        program = subprocess.Popen([PROGRAM, *arguments], stdout=out, stderr=theirs)
        os.close(theirs)
        shown = read_terminal(ours)
        status = program.wait(TIMEOUT)
        out.seek(0)
        return subprocess.CompletedProcess(arguments, status, out.read()), shown


def as_log(*lines):
    """Lines of a log: objects become JSON, text and bytes stay as they are."""
    return b"".join((as_bytes(line) if isinstance(line, (str, bytes)) else json.dumps(line).encode()) + b"\n"
                    for line in lines)


def log_of(spec, events):
    """A log of a model with this specification."""
    return as_log({"format": "tarry-replay/2", "model": spec}, *events)


def replay(spec, events):
    """What the program answers to such a log, line by line."""
    done = tarry("replay", "-", stdin=log_of(spec, events))
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()]


def header(**changes):
    return HEADER | changes


def listed(command):
    """What `tarry sets --json` or `tarry learners --json` prints, parsed."""
    return [json.loads(line) for line in tarry(command, "--json").stdout.splitlines()]


def examples(command):
    return [example for entry in listed(command) for example in entry["examples"]]


def gradients(dimension, count, seed=1):
    numbers = random.Random(seed)
    return [[round(numbers.uniform(-1, 1), 6) for _ in range(dimension)] for _ in range(count)]


class ProgramTest(unittest.TestCase):
    def succeeds(self, *arguments, stdin=b""):
        """The lines on stdout of a run that must go well."""
        done = tarry(*arguments, stdin=stdin)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(done.returncode, 0)
        return done.stdout.decode().splitlines()

    def fails(self, *arguments, stdin=b"", says=(), status=2):
        """A run that must fail with one line on stderr, and perhaps lines to paste, holding each text of `says`."""
        done = tarry(*arguments, stdin=stdin)
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, message)
        self.assertRegex(message, r"\A(reading [^\n]+\n)?tarry: [^\n]+\n(  [^\n]+\n)*\Z")  # lines to paste follow
        self.assertLess(len(message), 1500)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, message)
        return done

    def replays(self, *lines, arguments=()):
        """The decisions of a log given on standard input."""
        return [json.loads(line) for line in self.succeeds("replay", "-", *arguments, stdin=as_log(*lines))]

    def refuses(self, *lines, says=(), status=2):
        """A log that must be refused."""
        return self.fails("replay", "-", stdin=as_log(*lines), says=says, status=status)
