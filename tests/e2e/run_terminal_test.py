"""What `tarry run` shows on a terminal: the plot, its colours and letters, tables that fit, and progress."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import unittest

from program import PROGRAM, TIMEOUT, on_a_terminal, read_terminal, tarry
from run_test import QUICKSTART, SMALL, SPEC, RunTest

LEGEND = re.compile(r"^ {11}([A-Z]) ", re.MULTILINE)


def shown_by_a_terminal(out, columns=100, **environment):
    """What `tarry run --terminal` prints where its standard output is a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    program = subprocess.Popen([PROGRAM, "run", QUICKSTART, "--out", str(out), *SMALL, "--terminal"], stdout=theirs,
                               stderr=subprocess.DEVNULL, env=os.environ | {"TERM": "xterm"} | environment)
    os.close(theirs)
    shown = read_terminal(ours)
    assert program.wait(TIMEOUT) == 0
    return shown.replace("\r\n", "\n")


class Terminal(RunTest):
    def test_terminal_draws_the_curve(self):
        text = self.runs(QUICKSTART, *SMALL, "--terminal")
        self.assertIn("regret over rounds, log-log (random linear, heavy tail, 10% lost, mean of 2 seeds)", text)
        self.assertGreater(sum("⠀" < c <= "⣿" for c in text), 60, "braille dots")
        self.assertEqual(LEGEND.findall(text), list("ABCDE"))
        plot = text[text.index("over rounds"):text.index("└")]
        drawn = {c for c in plot.split("\n", 1)[1] if c.isupper()}
        behind = set(re.findall(r"^ {11}([A-Z]) .*\(behind the others\)$", text, re.MULTILINE))
        self.assertEqual(sorted([*drawn, *behind]), list("ABCDE"))
        self.assertGreaterEqual(len(drawn), 3)
        self.assertNotIn("\x1b", text)

    def test_colours_are_for_terminals_that_want_them(self):
        text = shown_by_a_terminal(self.out)
        self.assertEqual(text.count("━━"), 5)
        self.assertIn("\x1b[36m", text)
        self.assertEqual(LEGEND.findall(text), [])
        for plain in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            text = shown_by_a_terminal(self.out, **plain)
            self.assertNotIn("\x1b", text)
            self.assertEqual(LEGEND.findall(text), list("ABCDE"))

    def test_a_plot_is_no_wider_than_its_terminal(self):
        lines = shown_by_a_terminal(self.out, columns=40, NO_COLOR="1").splitlines()
        self.assertEqual(max(len(line) for line in lines if "│" in line or "┤" in line), 39)

    def test_a_table_leaves_out_what_its_terminal_has_no_room_for(self):
        wide = shown_by_a_terminal(self.out, columns=200, NO_COLOR="1")
        self.assertIn("state, kB", wide)
        self.assertNotIn("wider terminal", wide)
        lines = shown_by_a_terminal(self.out, columns=70, NO_COLOR="1").splitlines()
        head = next(line for line in lines if line.startswith("delay  "))
        self.assertIn("regret", head)
        self.assertNotIn("state, kB", head)
        table = lines[lines.index(head):]
        note = next(line for line in table if "wider terminal" in line)
        self.assertLessEqual(max(len(line) for line in table[:table.index(note)]), 70)
        self.assertRegex(note, r"^\(\d more columns? on a wider terminal, and in the report\)$")

    def test_letters_stand_along_each_line_where_there_is_no_colour(self):
        spec = self.write(SPEC.replace("rounds = ", "rounds = 3000 # "))
        text = self.runs(spec, "--terminal")
        plot = text[text.index("over rounds"):text.index("└")].split("\n", 1)[1]
        self.assertGreaterEqual(plot.count("A"), 3)

    def test_terminal_leaves_out_learners_without_regret(self):
        more = '[[learners]]\nname = "free"\ntype = "delayed_ogd"\neta = 0.2\nregret = false\n'
        text = self.runs(self.write(SPEC + more), "--terminal")
        self.assertEqual(len(LEGEND.findall(text)), 1)
        free = next(line for line in text.splitlines() if line.startswith("free"))
        self.assertEqual(free.split()[2], "-")  # regret; one seed has no deviation
        text = self.runs(self.write(SPEC), "--terminal", "--override", "comparator=false")
        self.assertIn("loss over rounds", text)

    def test_progress_is_plain_lines_elsewhere_than_on_a_terminal(self):
        lines = tarry("run", QUICKSTART, "--out", self.out, *SMALL).stderr.decode().splitlines()
        self.assertEqual(len(lines), 10)
        for line in lines:
            self.assertRegex(line, r"\Aquickstart: \d+% \(\d+ of 30\)\Z")
        self.assertEqual(lines[-1], "quickstart: 100% (30 of 30)")

    def test_progress_is_bars_on_a_terminal_that_leave_nothing_behind(self):
        done, shown = on_a_terminal("run", QUICKSTART, "--out", self.out, "--override", "rounds=1000",
                                    "--override", "seeds=2")
        self.assertEqual(done.returncode, 0)
        lines = shown.replace("\x1b[1A\x1b[2K", "").split("\r\n")
        self.assertRegex(lines[0], r"\A░{32}   0%  quickstart: 0 of 30\Z")
        self.assertRegex(lines[-2], r"\A█{32} 100%  quickstart: 30 of 30\Z")
        self.assertTrue(any("random linear | " in line for line in lines), "a bar for a run under way")
        self.assertTrue(all(len(line) < 80 for line in lines), "no line wraps")
        erase = "\x1b[1A\x1b[2K"
        self.assertEqual(shown.count("\n"), shown.count(erase))
        self.assertTrue(shown.endswith(erase))


if __name__ == "__main__":
    unittest.main()
