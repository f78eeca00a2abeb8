#!/usr/bin/env python3
"""Pictures of the dashboard over made-up models, at desktop and phone width, light and dark.

    dashboard_shots.py [FOLDER]     default: build/dashboard; `make pictures` takes those of the documents
"""

import sys
import time
from pathlib import Path

from browser import Browser

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "web/dashboard"))
import sample  # noqa: E402

DESKTOP, PHONE = (1280, 900), (375, 812)
PAGES = {"overview": "#/", "flights": "#/models/flights", "conversions": "#/models/conversions", "budget": "#/models/budget", "routing": "#/models/routing",
         "ratings": "#/models/ratings", "round": "#/models/flights/rounds", "alarm": "#/models/flights/rounds", "new": "#/new"}
MORE = {"round": "&find=flight-9013", "alarm": "&alarm=2"}


def show(browser, address, place):
    browser.visit("about:blank")
    browser.visit(address + place)
    browser.wait_for("return document.querySelector('.live')?.dataset.state === 'live'")
    if "rounds" in place:
        browser.wait_for("return document.querySelector('.rounds .state')?.children.length > 0")
    elif "models" in place:
        browser.wait_for("return document.querySelector('.facts')?.children.length > 0")
    time.sleep(0.6)
    browser.next_frame()


def main(folder):
    browser = Browser()
    try:
        with sample.Sample(models=10) as server:
            for scheme in ("light", "dark"):
                for width, height in (DESKTOP, PHONE):
                    browser.resize(width, height, phone=width == PHONE[0])
                    for name, place in PAGES.items():
                        show(browser, server.address, f"{place}?range=3h&theme={scheme}&zone=utc{MORE.get(name, '')}")
                        browser.screenshot(folder / f"{name}-{scheme}-{width}.png")
                        print(folder / f"{name}-{scheme}-{width}.png", flush=True)
                        for said in browser.console():
                            print("console:", said["message"])
    finally:
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/dashboard")
