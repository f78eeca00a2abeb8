"""What the tests of the wheel share: the program beside it, and the folders of the checkout."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TARRY", str(ROOT / "build" / "release" / "tarry"))


def run_program(*arguments, **options):
    """What the program prints, line by line."""
    command = [PROGRAM, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120, **options).stdout.splitlines()


def replay(log, *options):
    """The program's answers to a log, and the last line's hash."""
    lines = [json.loads(line) for line in run_program("replay", log, "--hash", *options)]
    return lines[:-1], lines[-1]["hash"]


@pytest.fixture(scope="session")
def root():
    return ROOT
