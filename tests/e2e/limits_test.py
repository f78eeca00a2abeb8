"""Inputs that are too large: refused soon, in one line, and without taking the memory they ask for.

Not run under sanitizers, which need more memory than the program and stop it at a failed allocation.
"""

import json
import os
import resource
import subprocess
import time
import unittest

from program import PROGRAM, TIMEOUT, ProgramTest, as_log, header

MIB = 1 << 20
LONGEST = 256 * MIB


class LongLines(ProgramTest):
    def feed(self, arguments, start, most):
        """Writes `start`, then spaces without a newline until the program stops reading; how many bytes it took."""
        program = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        piece, written = b" " * MIB, 0
        pipe = program.stdin.fileno()
        try:
            os.write(pipe, start)
            while written < most:
                written += os.write(pipe, piece)
        except BrokenPipeError:
            pass
        program.stdin.close()
        with program.stdout, program.stderr:
            message = program.stderr.read().decode()
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        return program.returncode, message, written, used.ru_maxrss * 1024

    def test_a_line_without_end_is_refused_once_it_is_too_long(self):
        began = time.monotonic()
        for arguments, line in ((["replay", "-"], 2), (["oracle", "--set", '{"type": "simplex", "dimension": 2}'], 1)):
            start = as_log(header()) if line == 2 else b""
            status, message, written, memory = self.feed(arguments, start, 4 * LONGEST)
            self.assertEqual(message, f"tarry: line {line}: longer than {LONGEST} bytes\n")
            self.assertEqual(status, 2)
            self.assertLess(written, LONGEST + 4 * MIB)
            self.assertLess(memory, 3 * LONGEST)
        self.assertLess(time.monotonic() - began, 30)

    def test_a_blank_line_just_short_of_the_limit_is_read(self):
        status, message, written, memory = self.feed(["replay", "-"], as_log(header()), LONGEST)
        self.assertEqual((status, message, written), (0, "", LONGEST))
        self.assertLess(memory, 3 * LONGEST)


class LargeDimensions(ProgramTest):
    """Under a limit on memory, so that the outcome does not depend on what the system promises beyond it."""

    def refuses_within(self, memory, *lines):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        done = subprocess.run([PROGRAM, "replay", "-"], input=as_log(*lines), capture_output=True, timeout=TIMEOUT,
                              preexec_fn=limit)
        self.assertIn(done.returncode, (1, 2))
        self.assertRegex(done.stderr.decode(), r"\Atarry: line \d+: [^\n]+\n\Z")
        return done.stderr.decode()

    def test_a_decision_that_does_not_fit_is_refused(self):
        for spec in ({"type": "l1_ball", "dimension": 2**40, "radius": 1},
                     {"type": "simplex", "dimension": 2**40},
                     {"type": "l2_ball", "dimension": 2**40, "radius": 1},
                     {"type": "hypersimplex", "dimension": 2**40, "k": 3},
                     {"type": "permutahedron", "dimension": 2**40},
                     {"type": "box", "dimension": 2**40, "lower": 0, "upper": 1},
                     {"type": "nuclear_ball", "rows": 2**20, "cols": 2**20, "radius": 1}):
            with self.subTest(set=spec):
                message = self.refuses_within(4096 * MIB, header(set=spec), {"play": 1})
                self.assertIn("not enough memory", message)

    def test_sparse_feedback_in_a_huge_dimension_needs_no_memory(self):
        spec = {"type": "l1_ball", "dimension": 2**40, "radius": 1}
        log = as_log(header(set=spec, learner={"type": "delayed_ofw", "eta": 1, "storage": "sparse"}))
        self.assertEqual(self.succeeds("replay", "-", stdin=log), [])

    def test_a_short_gradient_for_a_huge_set(self):
        spec = {"type": "simplex", "dimension": 2**40}
        self.fails("oracle", "--set", json.dumps(spec), stdin=b"[1, 2]\n",
                   says="must have 1099511627776 entries")

    def test_running_out_of_memory_in_the_middle(self):
        spec = {"type": "l1_ball", "dimension": 10**8, "radius": 1}
        self.assertIn("not enough memory", self.refuses_within(512 * MIB, header(set=spec), {"play": 1}))


if __name__ == "__main__":
    unittest.main()
