"""counted.py RESULTS.xml NAME: runs the unittest file NAME.py of this folder, and leaves the outcome of each test as
JUnit XML, as GoogleTest does; tests/run_tests counts both."""

import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree


class Counted(unittest.TextTestResult):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.outcomes = []  # (test's id, "" or "failure" or "skipped", why)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.outcomes.append((test.id(), "", ""))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.outcomes.append((test.id(), "", ""))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.outcomes.append((test.id(), "failure", "was expected to fail"))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcomes.append((test.id(), "failure", str(err[1])))

    def addError(self, test, err):
        super().addError(test, err)
        self.outcomes.append((test.id(), "failure", str(err[1])))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None and (test.id(), "failure") not in [outcome[:2] for outcome in self.outcomes]:
            self.outcomes.append((test.id(), "failure", str(err[1])))  # once, however many of its parts failed

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcomes.append((test.id(), "skipped", reason))


def write(outcomes, path):
    suite = ElementTree.Element("testsuite", tests=str(len(outcomes)))
    for name, outcome, why in outcomes:
        test = ElementTree.SubElement(suite, "testcase", name=name)
        if outcome:
            # XML has no place for most control characters.
            message = "".join(c if c.isprintable() or c == "\n" else "?" for c in why)
            ElementTree.SubElement(test, outcome, message=message)
    path.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


def main():
    results, name = Path(sys.argv[1]), sys.argv[2]
    sys.path.insert(0, str(Path(__file__).parent))
    ran = unittest.TextTestRunner(resultclass=Counted).run(unittest.defaultTestLoader.loadTestsFromName(name))
    write(ran.outcomes, results)
    return 0 if ran.wasSuccessful() and ran.outcomes else 1


if __name__ == "__main__":
    sys.exit(main())
