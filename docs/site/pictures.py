"""pictures.py PROGRAM [FOLDER]: runs the demo and takes the picture of its report that the README shows, docs/report.png; with a
folder, also pictures of it at 1280 and 390 pixels, light and dark, to look at. Needs Chromium and its driver."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from browser import Browser  # noqa: E402


def look(browser, report, width, height, dark=False):
    scheme = "dark" if dark else "light"
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.resize(width, height, phone=width < 500)
    browser.open(report)
    browser.next_frame()


def main():
    program = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([program, "run", "examples/demo.toml", "--out", out], cwd=ROOT, check=True, capture_output=True)
        report = Path(out, "report.html")
        browser = Browser()
        try:
            look(browser, report, 1280, 860)
            browser.screenshot(ROOT / "docs/report.png", whole=False)
            for folder in sys.argv[2:]:
                for width, height in ((1280, 900), (390, 800)):
                    for dark in (False, True):
                        look(browser, report, width, height, dark)
                        browser.screenshot(Path(folder, f"demo-{width}-{'dark' if dark else 'light'}.png"))
        finally:
            browser.close()


if __name__ == "__main__":
    main()
