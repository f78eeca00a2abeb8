"""pictures.py PROGRAM [FOLDER]: the pictures that the documents show, taken anew: of the demo's report, of the report of
a table of one's own (`tarry run my.csv`) and of the dashboard, light and dark, into docs/. All of them, at 1280, 768 and 390
pixels, go to FOLDER to be looked at (default: build/pictures). Needs Chromium and its driver; sizes shrink with pngquant, where that is
installed."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "e2e"), str(ROOT / "web" / "dashboard")]
import sample  # noqa: E402
from browser import Browser  # noqa: E402

SIZES = ((1280, 900), (768, 1000), (390, 800))
THEMES = ("light", "dark")
# What the documents show: the name in docs/, and the height of what is seen at 1280 pixels.
SHOWN = {"demo": ("report", 1060), "own": ("own_report", 740), "overview": ("dashboard", 1010)}


def shrunk(path):
    """With fewer colours, which pictures of text and lines can do with."""
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--skip-if-larger", "--strip", "--speed", "1", "--output", path, "96", path])


def take(browser, show, name, folder):
    """A page at every size and in both colours; `show` opens it."""
    for theme in THEMES:
        wish = {"name": "prefers-color-scheme", "value": theme}
        browser.command("Emulation.setEmulatedMedia", features=[wish])
        for width, height in SIZES:
            browser.resize(width, height, phone=width < 500)
            show(theme)
            browser.screenshot(folder / f"{name}-{width}-{theme}.png")
            print(folder / f"{name}-{width}-{theme}.png", flush=True)
        if name in SHOWN:
            short, height = SHOWN[name]
            path = ROOT / "docs" / f"{short}{'-dark' if theme == 'dark' else ''}.png"
            browser.resize(1280, height)
            show(theme)
            browser.screenshot(path, whole=False)
            shrunk(path)


def open_report(browser, report):
    def show(_theme):
        browser.visit("about:blank")
        browser.open(report)
        browser.next_frame()
    return show


def open_dashboard(browser, address, place):
    def show(theme):
        browser.visit("about:blank")
        browser.visit(f"{address}{place}?range=3h&theme={theme}&zone=utc&sort=-decisions_s")
        browser.wait_for("return document.querySelector('.live')?.dataset.state === 'live'")
        if "models" in place:
            browser.wait_for("return document.querySelector('.facts')?.children.length > 0")
        time.sleep(0.6)
        browser.next_frame()
    return show


def main(program, folder):
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as outer:
            made = Path(outer, "deliveries")  # the report names the table's folder
            made.mkdir()
            shutil.copy(ROOT / "examples/late_labels.csv", Path(made, "my.csv"))
            run = {"capture_output": True, "check": True}
            subprocess.run([program, "run", "examples/demo.toml", "--out", Path(made, "demo")], cwd=ROOT, **run)
            subprocess.run([program, "run", "my.csv", "--out", "own"], cwd=made, **run)
            for name in ("demo", "own"):
                take(browser, open_report(browser, Path(made, name, "report.html")), name, folder)
        with sample.Sample(models=10) as server:
            for name, place in (("overview", "#/"), ("model", "#/models/flights")):
                take(browser, open_dashboard(browser, server.address, place), name, folder)
    finally:
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "build/pictures"))
