"""The C++ of docs/model.md consists of lines of examples/cpp/quickstart.cpp, which is built and run as a test of its own."""

import re
import unittest

from program import ROOT


class Quickstart(unittest.TestCase):
    def test_its_cpp_is_from_the_quickstart(self):
        block = re.search(r"^```cpp\n(.*?)^```$", (ROOT / "docs" / "model.md").read_text(), re.DOTALL | re.MULTILINE)
        self.assertIsNotNone(block, "docs/model.md has no ```cpp block")
        whole = [line.strip() for line in (ROOT / "examples" / "cpp" / "quickstart.cpp").read_text().splitlines()]
        places = [whole.index(line) for line in block.group(1).splitlines()]
        self.assertEqual(places, sorted(places))

    def test_the_quickstart_has_at_most_twenty_lines(self):
        self.assertLessEqual(len((ROOT / "examples" / "cpp" / "quickstart.cpp").read_text().splitlines()), 20)


if __name__ == "__main__":
    unittest.main()
