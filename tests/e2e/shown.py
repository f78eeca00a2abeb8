"""shown.py [--update] [--long] [DOCUMENT…]: runs the commands whose output the documents show, and says which output is stale;
with --update, writes what they print now. Its marks are comments in the Markdown:

    <!-- shown by: COMMAND -->            before a block of code, or before text that ends with <!-- end -->
    <!-- shown at length by: COMMAND -->  the same for what takes minutes: run with --long, or where TARRY_SOAK is set
    <!-- shown by its commands -->        before a block of `$ COMMAND` lines, each followed by what it prints
    <!-- the same, with the Python package -->    skipped where `import tarry` finds nothing
    <!-- the same, with tarry serve -->           skipped where the program cannot serve
    <!-- file NAME -->                    before a block of code: written to NAME for the commands that follow

The commands of one document run in order in one empty folder, with `tarry` on the path and the folders `examples` and
`docs` of the checkout. `COMMAND &` runs until the document ends; 127.0.0.1:8080 stands for a port that is free. How long something took
and what tickets look like is not compared."""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 3600  # seconds, for one command

MARK = re.compile(
    r"<!-- shown (?P<long>at length )?by: (?P<command>.*?) -->(?:\n```\w*\n(?P<block>.*?)^```$|(?P<text>.*?)<!-- end -->)"
    r"|<!-- (?:shown by its commands|the same, with (?P<needs>the Python package|tarry serve)) -->\n```console\n(?P<session>.*?)^```$"
    r"|<!-- file (?P<file>\S+) -->\n```\w*\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def documents():
    """Those with anything marked."""
    candidates = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [path for path in candidates if MARK.search(path.read_text())]


def less_times(text):
    """The text without what differs from run to run: columns of tables that tell how long something took, and tickets."""
    lines, place, width = [], None, None
    for line in re.sub(r'"ticket": *"[^"]*"', '"ticket": "…"', text).splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if "µs/round" in cells:
            place, width = cells.index("µs/round"), len(cells)
        elif len(cells) != width:
            place = None
        if place is not None:
            line = "  ".join(cell.strip("─") for i, cell in enumerate(cells) if i != place)
        lines.append(line.rstrip())
    return "\n".join(lines)


def free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


class Folder:
    """Where the commands of one document run."""

    def __init__(self, path, program):
        self.path, programs = Path(path, "here"), Path(path, "bin")
        for folder in (self.path, programs):
            folder.mkdir()
        for name in ("examples", "docs"):
            (self.path / name).symlink_to(ROOT / name)
        for name, command in (("tarry", f'"{program}"'), ("python3", f'"{sys.executable}" -B')):
            (programs / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
            (programs / name).chmod(0o755)
        self.port, self.running = free_port(), []
        self.environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "NO_COLOR": "1"}

    def start(self, command):
        """A server, which listens when this returns."""
        self.running.append(subprocess.Popen(["sh", "-c", f"exec {command}"], cwd=self.path, env=self.environment,
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with socket.socket() as line:
                if line.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"{command}: nothing listens")

    def close(self):
        for server in self.running:
            server.terminate()
            server.wait(60)

    def can(self, needs):
        if needs == "the Python package":
            return find_spec("tarry") is not None
        return "\n  serve " in self.run("tarry --help")

    def run(self, command):
        command = command.replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
        if command.endswith(" &"):
            self.start(command[:-2])
            return ""
        done = subprocess.run(["sh", "-c", command], cwd=self.path, env=self.environment, capture_output=True, text=True,
                              timeout=TIMEOUT, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise RuntimeError(f"{command}: {done.stderr[-500:]}")
        return done.stdout


class Document:
    """One document with what its commands print now: `text`, and `stale`, (command, shown, printed) for each difference."""

    def __init__(self, path, program, long=bool(os.environ.get("TARRY_SOAK"))):
        self.path, self.stale, self.skipped, self.long = path, [], [], long
        with tempfile.TemporaryDirectory() as folder:
            self.folder = Folder(folder, program)
            try:
                self.text = MARK.sub(self._again, path.read_text())
            finally:
                self.folder.close()

    def _again(self, mark):
        if mark["file"]:
            (self.folder.path / mark["file"]).write_text(mark["content"])
            return mark[0]
        if mark["needs"] and not self.folder.can(mark["needs"]):
            self.skipped.append(mark["needs"])
            return mark[0]
        if mark["long"] and not self.long:
            return mark[0]
        if mark["session"] is not None:
            again = COMMAND.sub(lambda c: f"$ {c[1]}\n" + self._printed(c[1], c[2]), mark["session"])
            return mark[0].replace(mark["session"], again)
        name = "block" if mark["block"] is not None else "text"
        start = mark.start(name) - mark.start()
        shown, printed = mark[name], self._printed(mark["command"], mark[name], in_text=name == "text")
        return mark[0][:start] + printed + mark[0][start + len(shown):]

    def _printed(self, command, shown, in_text=False):
        printed = self.folder.run(command)
        if printed and not printed.endswith("\n"):
            printed += "\n"
        if in_text:  # a word in a line, or lines between two comments
            printed = f"\n{printed}" if shown.startswith("\n") else printed.strip()
        if less_times(printed) == less_times(shown):
            return shown
        self.stale.append((command, shown, printed))
        return printed


def main():
    words = sys.argv[1:]
    update, long = "--update" in words, "--long" in words or bool(os.environ.get("TARRY_SOAK"))
    program = Path(os.environ.get("TARRY", ROOT / "build" / "release" / "tarry")).resolve()
    paths = [Path(word).resolve() for word in words if not word.startswith("--")] or documents()
    stale = 0
    for path in paths:
        document = Document(path, program, long)
        stale += len(document.stale)
        for command, _, _ in document.stale:
            print(f"{path.relative_to(ROOT)}: {'rewritten' if update else 'stale'}: {command}")
        if document.skipped:
            print(f"{path.relative_to(ROOT)}: left alone for want of {', '.join(document.skipped)}")
        if update and document.stale:
            path.write_text(document.text)
    return 0 if update or not stale else 1


if __name__ == "__main__":
    sys.exit(main())
