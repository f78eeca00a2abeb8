"""Packages that tests use and nobody else: those of requirements.txt and package.json, installed below build/ once."""

import fcntl
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from program import ROOT

HERE = Path(__file__).parent
PYTHON = ROOT / "build" / "test-packages"
NODE = ROOT / "build" / "test-modules"
INSTALLED = "installed"  # a copy of the list that was installed


@contextmanager
def alone(folder):
    """Tests run beside each other: one of them installs."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(folder, wanted, *commands):
    with alone(folder):
        marker = folder / INSTALLED
        if marker.exists() and marker.read_text() == wanted.read_text():
            return True
        if any(subprocess.run(command, capture_output=True, cwd=folder).returncode != 0 for command in commands):
            return False
        marker.write_text(wanted.read_text())
        return True


def python_packages():
    """The folder with the environment's programs; None where pip finds nothing."""
    wanted = HERE / "requirements.txt"
    pip = [PYTHON / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", "-r", wanted]
    return PYTHON / "bin" if install(PYTHON, wanted, [sys.executable, "-m", "venv", PYTHON], pip) else None


def node_packages():
    """The folder that holds node_modules; None where npm finds nothing."""
    if not (shutil.which("node") and shutil.which("npm")):
        return None
    wanted = HERE / "package.json"
    npm = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
    return NODE if install(NODE, wanted, ["cp", wanted, "package.json"], npm) else None
