"""`tarry oracle`: the set as a JSON file, a TOML file and on the command line; directions from a pipe and a file."""

import json
import math
import subprocess
import tempfile
import unittest
from pathlib import Path

from program import PROGRAM, ProgramTest, as_log, examples, gradients, header

SIMPLEX = {"type": "simplex", "dimension": 3, "radius": 2}


class Oracle(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def answers(self, spec, directions):
        given = spec if isinstance(spec, str) else json.dumps(spec)
        return [json.loads(line) for line in self.succeeds("oracle", "--set", given, stdin=as_log(*directions))]

    def test_reads_the_set_from_json_toml_and_the_command_line(self):
        specs = (SIMPLEX, self.file("set.json", json.dumps(SIMPLEX, indent=2)),
                 self.file("set.toml", 'type = "simplex"\ndimension = 3\nradius = 2\n'))
        for spec in specs:
            self.assertEqual(self.answers(spec, [[3, -1, 2]]), [{"vertex": [0, 2, 0], "value": -2}])

    def test_a_toml_spec_may_nest(self):
        text = 'type = "ellipsoid"\nmatrix = [[4, 0],\n [0, 1]]\ncenter = [1.0, 0]\n'
        answer = self.answers(self.file("set.toml", text), [[-1, 0]])[0]
        self.assertAlmostEqual(answer["vertex"][0], 1.5, delta=1e-12)

    def test_reads_directions_from_a_file(self):
        directions = self.file("directions.jsonl", "[1, 2, 3]\r\n\n[0, 0, -1]")
        lines = self.succeeds("oracle", "--set", json.dumps(SIMPLEX), directions)
        self.assertEqual([json.loads(line)["value"] for line in lines], [2, -2])

    def test_no_directions_no_answers(self):
        self.assertEqual(self.answers(SIMPLEX, []), [])

    def test_ties_go_to_the_lowest_index(self):
        self.assertEqual(self.answers(SIMPLEX, [[1, 1, 1]])[0]["vertex"], [2, 0, 0])

    def test_the_value_is_that_of_the_vertex_on_every_example(self):
        for spec in examples("sets"):
            with self.subTest(set=spec):
                start = self.replays(header(set=spec), {"play": 1})[0]["decision"]
                directions = gradients(len(start), 20, seed=7) + [[0] * len(start), [1e-9] * len(start)]
                answers = self.answers(spec, directions)
                self.assertEqual(len(answers), len(directions))
                for c, answer in zip(directions, answers):
                    products = [x * y for x, y in zip(c, answer["vertex"])]
                    self.assertEqual(len(answer["vertex"]), len(c))
                    self.assertAlmostEqual(answer["value"], math.fsum(products),
                                           delta=1e-10 * max(1e-300, math.fsum(map(abs, products))))
                    here = math.fsum(x * y for x, y in zip(c, start))
                    self.assertLessEqual(answer["value"], here + 1e-10 * (abs(here) + 1))

    def test_reads_linear_programs_from_files(self):
        lp = self.file("a.lp", "Minimize\n x + y\nSubject To\n x + y <= 4\n x - y >= -2\nBounds\n y <= 3\nEnd\n")
        mps = self.file("a.mps", "NAME A\nROWS\n N C\n L R\n G S\nCOLUMNS\n X C 1 R 1\n X S 1\n Y C 1 R 1\n Y S -1\nRHS\n"
                                 " B R 4 S -2\nBOUNDS\n UP B Y 3\nENDATA\n")
        for path in (lp, mps):
            answers = self.answers({"type": "polytope", "lp_file": path}, [[0, -1], [-1, -2], [1, 0.5]])
            self.assertEqual([answer["value"] for answer in answers], [-3, -7, 0])

    def test_answers_one_direction_before_the_next_comes(self):
        oracle = subprocess.Popen([PROGRAM, "oracle", "--set", json.dumps(SIMPLEX)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        self.addCleanup(oracle.communicate)
        self.addCleanup(oracle.kill)
        for k in range(3):
            oracle.stdin.write(as_log([0 if i != k else -1 for i in range(3)]))
            oracle.stdin.flush()
            self.assertEqual(json.loads(oracle.stdout.readline())["vertex"][k], 2)


class BadOracle(ProgramTest):
    def refuses_set(self, spec, says):
        given = spec if isinstance(spec, str) else json.dumps(spec)
        self.fails("oracle", "--set", given, stdin=b"[1, 2, 3]\n", says=says)

    def refuses_direction(self, text, says):
        self.fails("oracle", "--set", json.dumps(SIMPLEX), stdin=b"[1, 2, 3]\n" + text + b"\n", says=["line 2", says])

    def test_directions(self):
        self.refuses_direction(b"[1, 2]", "must have 3 entries, the set's dimension (2 came)")
        self.refuses_direction(b"[]", "must have 3 entries, the set's dimension (0 came)")
        self.refuses_direction(b"[1, 2, NaN]", "NaN is not a JSON value")
        self.refuses_direction(b"[1, 2, 1e200]", "at most 1e100")
        self.refuses_direction(b"[1, 2, 1e999]", "too large")
        self.refuses_direction(b'[1, 2, "3"]', "an array of numbers")
        self.refuses_direction(b'{"c": [1, 2, 3]}', "an array of numbers")
        self.refuses_direction(b"[1, 2, 3", "not valid JSON")
        self.refuses_direction(b"[1, 2, 3] [4]", "not valid JSON")
        self.refuses_direction(b"\xff\xfe", "not valid UTF-8")

    def test_files(self):
        self.refuses_set("/nowhere/set.json", "/nowhere/set.json: No such file")
        self.refuses_set("/", "/: Is a directory")
        self.refuses_set("/dev/null", "/dev/null: not valid JSON (nothing there)")
        self.refuses_set("-", "standard input")
        self.fails("oracle", "--set", json.dumps(SIMPLEX), "/nowhere/c.jsonl", says="/nowhere/c.jsonl: No such file")

    def test_linear_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.mps"
            for text, says in (("NAME A\nROWS\n N C\n L R\nCOLUMNS\n X Q 1\nENDATA\n", "line 6: there is no row Q"),
                               ("NAME A\nROWS\n N C\n L R\nCOLUMNS\n X R 1\n", "line 6: ENDATA wanted"),
                               ("NAME A\nROWS\n G R\nCOLUMNS\n X R 1\nENDATA\n", "must be bounded (x_0"),
                               ("NAME A\nROWS\n L R\nCOLUMNS\n X R 1\nRHS\n B R -1\nENDATA\n", "no point satisfies"),
                               ("", "nothing there")):
                path.write_text(text)
                self.refuses_set({"type": "polytope", "lp_file": str(path)}, says)
            self.refuses_set({"type": "polytope", "lp_file": folder}, "Is a directory")
            self.refuses_set({"type": "polytope", "lp_file": folder + "/b.mps"}, "No such file")

    def test_toml(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "set.toml"
            for text, says in (("type = \"simplex\"\ndimension = -3\n", ["line 2", "dimension", "-3"]),
                               ("type = \"simplex\"\n\ndimension = \n", ["line 3", "not valid TOML"]),
                               ("type = \"simplex\"\ndimension = nan\n", ["line 2", "whole number"]),
                               ("type = \"l1_ball\"\ndimension = 2\nradius = inf\n", ["line 3", "finite"]),
                               ("type = \"simplex\"\ndimension = 3\ndimension = 3\n", ["line 3", "not valid TOML"]),
                               ("type = \"simplex\"\ndimension = 3\nr = 1\n", ["line 3", "unknown key \"r\""]),
                               ("type = \"simplex\"\ndimension = 1979-05-27\n", ["line 2", "dimension"]),
                               ("type = \"box\"\nlower = [9223372036854775807]\nupper = [1]\n", ["9.223372036854776e+18"]),
                               ("", ["type is missing"]),
                               ("a" + ".a" * 200000 + " = 1\n", ["line 1", "16 parts"]),
                               ("x = " + "[" * 100000, ["line 1", "not valid TOML"]),
                               ("x = " + "[" * 200 + "]" * 200, ["line 1", "nested more than 100 deep"]),
                               ("x = " + "{a.a.a.a.a.a.a.a = " * 250 + "1" + "}" * 250, ["nested more than 100 deep"]),
                               ("\0\1\2", ["not valid TOML"])):
                with self.subTest(text=text[:60]):
                    path.write_text(text)
                    self.refuses_set(str(path), [str(path), *says])
            path.write_bytes(b"type = \"\xff\xfe\"\n")
            self.refuses_set(str(path), [str(path), "not valid TOML"])


if __name__ == "__main__":
    unittest.main()
