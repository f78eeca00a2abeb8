"""tests/run_tests and counted.py: what passed, failed and was skipped is counted, each once."""

import contextlib
import importlib.machinery
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


def load(path):
    loader = importlib.machinery.SourceFileLoader(path.stem, str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(module)
    return module


run_tests = load(HERE.parent / "run_tests")

CTEST = """<testsuite>
<testcase name="unit" classname="unit" status="run"/>
<testcase name="dies" classname="dies" status="fail"><failure message="exit 1"/></testcase>
<testcase name="lies" classname="lies" status="fail"><failure message="exit 1"/></testcase>
<testcase name="alone" classname="alone" status="run"/>
</testsuite>"""
GTEST = """<testsuites><testsuite name="All/Sets">
<testcase name="Project/box_1" classname="All/Sets" status="run" result="completed"/>
<testcase name="Project/box_2" classname="All/Sets" status="run" result="skipped">
  <skipped message="a/file.cpp:7&#x0A;has no projection&#x0A;"><![CDATA[a/file.cpp:7]]></skipped></testcase>
<testcase name="Off" classname="Sets" status="notrun" result="suppressed"/>
<testcase name="Wrong" classname="Sets" status="run" result="completed"><failure message="x"/><failure message="y"/></testcase>
</testsuite></testsuites>"""
PASSES = '<testsuite><testcase name="a"/></testsuite>'
UNITTEST = """import unittest
class T(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.fail("\\x1b[1m")
    def test_parts(self):
        for i in range(3):
            with self.subTest(i=i): self.assertEqual(i, 5)
    def test_skips(self): self.skipTest("no data")
@unittest.skip("no browser")
class U(unittest.TestCase):
    def test_never(self): pass
"""


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def test_each_test_of_each_program_counts_once(self):
        for name, text in (("ctest.xml", CTEST), ("unit.xml", GTEST), ("lies.xml", PASSES)):
            self.file(name, text)
        self.assertEqual(list(run_tests.told(self.folder)), [
            ("unit: All/Sets.Project/box_1", "passed", ""),
            ("unit: All/Sets.Project/box_2", "skipped", "has no projection"),
            ("unit: Sets.Off", "skipped", "disabled"),
            ("unit: Sets.Wrong", "failed", ""),
            ("dies", "failed", ""),
            ("lies: a", "passed", ""),
            ("lies", "failed", ""),
            ("alone", "passed", "")])

    def test_the_report_names_skips_and_ends_with_the_counts(self):
        told = [("release", f"unit: All/Sets.Project/box_{i}", "skipped", "has no projection") for i in range(3)]
        told += [("asan", "unit: Sets.Off", "skipped", "disabled"), ("asan", "dies", "failed", ""), ("asan", "a", "passed", "")]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            run_tests.report(told)
        self.assertEqual(printed.getvalue().splitlines(), [
            "failed: asan dies", "skipped:", "     3  has no projection (release: Sets.Project)",
            "     1  disabled (asan: Sets.Off)", "1 passed, 1 failed, 4 skipped"])

    def counted(self, text):
        """Exit status and outcomes of a Python file under counted.py."""
        self.file("some_test.py", text)
        ran = subprocess.run([sys.executable, "-B", HERE / "counted.py", self.folder / "out.xml", "some_test"],
                             env={"PYTHONPATH": str(self.folder)}, capture_output=True, timeout=60)
        return ran.returncode, sorted(run_tests.outcomes(self.folder / "out.xml"))

    def test_python_tests_are_counted(self):
        status, outcomes = self.counted(UNITTEST)
        self.assertEqual(status, 1)
        self.assertEqual(outcomes, [
            ("some_test.T.test_fails", "failed", ""), ("some_test.T.test_parts", "failed", ""),
            ("some_test.T.test_passes", "passed", ""), ("some_test.T.test_skips", "skipped", "no data"),
            ("some_test.U.test_never", "skipped", "no browser")])

    def test_a_file_without_tests_or_that_cannot_be_read_fails(self):
        self.assertEqual(self.counted("")[0], 1)
        status, outcomes = self.counted("import nothing_of_that_name")
        self.assertEqual((status, [outcome for _, outcome, _ in outcomes]), (1, ["failed"]))


if __name__ == "__main__":
    unittest.main()
