"""axe-core, the accessibility checks, as a wheel from PyPI brings it; downloaded once, below build/."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "axe"
PACKAGE = "axe-playwright-python==0.1.8"  # axe 4.12.1
CHECK = """
const run = axe.run(document, {resultTypes: ['violations']});
return run.then(({violations}) => violations.map((one) => `${one.id}: ${one.help} (${
    one.nodes.slice(0, 3).map((node) => `${node.target.join(' ')}: ${node.any.concat(node.all).map((c) => c.message).join(', ')}`).join('; ')})`));
"""


def pip():
    """A command that is pip; None where there is none and none can be made."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode == 0:
        return [sys.executable, "-m", "pip"]
    made = FOLDER / "venv"
    if not (made / "bin/pip").exists():
        if subprocess.run([sys.executable, "-m", "venv", made], capture_output=True, check=False).returncode != 0:
            return None
    return [made / "bin/pip"]


def source():
    """The script, or None where no registry is within reach."""
    script = FOLDER / "axe.min.js"
    if script.exists():
        return script.read_text(encoding="utf-8")
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = pip()
    if command is None:
        return None
    done = subprocess.run([*command, "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", FOLDER, PACKAGE],
                          capture_output=True, check=False, timeout=120)
    wheels = sorted(FOLDER.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        return None
    with zipfile.ZipFile(wheels[-1]) as wheel:
        name = next(name for name in wheel.namelist() if name.endswith("/axe.min.js"))
        script.write_bytes(wheel.read(name))
    return script.read_text(encoding="utf-8")


def violations(browser, script):
    """What axe finds wrong with the page that is shown."""
    return browser.run(f"{script}\n{CHECK}")
