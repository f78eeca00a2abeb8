"""Logs that are wrong: each is refused in one line that names the line, the key, what was wanted and what came."""

import os
import unittest

from program import ProgramTest, as_log, header

SIMPLEX = {"type": "simplex", "dimension": 3}
L1 = {"type": "l1_ball", "dimension": 3, "radius": 2}


class BadText(ProgramTest):
    def test_files(self):
        self.fails("replay", "/nowhere/log.jsonl", says="/nowhere/log.jsonl: No such file")
        self.fails("replay", "/", says="/: Is a directory")
        self.fails("replay", "", says="No such file")
        self.fails("replay", "/dev/null", says="the log is empty")
        self.fails("replay", "-", says="the log is empty")
        self.fails("replay", "-", stdin=b"\n\r\n \n", says="the log is empty")

    def test_not_json(self):
        for line, says in (("{", "not valid JSON"),
                           ("{'play': 1}", "play is not a JSON value"),
                           ("{play: 1}", "play is not a JSON value"),
                           ('{"play": 1,}', "not valid JSON"),
                           ('{"play": 1} {"play": 2}', "not valid JSON"),
                           ('{"play": 01}', "not valid JSON"),
                           ('{"play": 1', "not valid JSON"),
                           ('{"play', "a string is not closed"),
                           ('{"play": None}', "None is not a JSON value"),
                           ('{"play": nul}', "nul is not a JSON value"),
                           ("hello", "hello is not a JSON value"),
                           ('{"play": 1, "play": 1}', 'key "play" is given twice'),
                           (b'{"pl\xffy": 1}', "not valid UTF-8"),
                           (b'{"play": \x00}', "not valid JSON"),
                           (b"\x00\x00\x00", "not valid JSON"),
                           (b'{"play": "\x01"}', "not valid JSON"),
                           (b"\xef\xbb\xbf{\"play\": 1", "not valid JSON"),
                           ("[" * 100000, "not valid JSON"),
                           ("[" * 100000 + "]" * 100000, "nested more than 100 deep"),
                           ('{"a":' * 100000, "not valid JSON"),
                           ("[" * 101 + "]" * 101, "nested more than 100 deep"),
                           ('"' + "x" * 1000000, "a string is not closed")):
            with self.subTest(line=line[:40]):
                self.refuses(header(), line, says=["line 2: ", says])
                self.refuses(line, says=["line 1: ", says])

    def test_binary_garbage(self):
        for seed in range(20):
            garbage = b"".join(bytes([(i * i * 37 + i * 11 + seed * 101) % 256]) for i in range(3000))
            self.fails("replay", "-", stdin=garbage, says="line ")
        self.fails("replay", "-", stdin=os.urandom(100000), says="line ")

    def test_not_an_event(self):
        for event, says in ([[1, 2], "must be an object with named keys ([1, 2])"],
                            [3, "must be an object with named keys (3)"],
                            [None, "must be an object with named keys (null)"],
                            ["\"play\"", "must be an object"],
                            [{}, 'must have either "play" or "receive" ({} came)'],
                            [{"plya": 1}, ['must have either "play" or "receive"', "plya"]],
                            [{"play": 1, "receive": 1, "gradient": [1, 2, 3]}, 'either "play" or "receive"'],
                            [{"play": 1, "at": 2}, 'unknown key "at"']):
            with self.subTest(event=event):
                self.refuses(header(), event, says=says)


class BadHeader(ProgramTest):
    def refuses_header(self, says, **changes):
        changed = {key: value for key, value in header(**changes).items() if value is not ...}
        with self.subTest(header=str(changed)[:100]):
            self.refuses(changed, {"play": 1}, says=["line 1: ", *([says] if isinstance(says, str) else says)])

    def test_header(self):
        self.refuses({"play": 1}, says=["line 1: header: format is missing"])
        self.refuses_header(["format", '"tarry-replay/1"', '"tarry-replay/2"'], format="tarry-replay/3")
        self.refuses_header(["format", "a text", "1"], format=1)
        self.refuses_header("format is missing", format=...)
        self.refuses_header("set is missing", set=...)
        self.refuses_header("learner is missing", learner=...)
        self.refuses_header(['unknown key "sett"', "known keys: format, set, learner, initial"], sett=1)
        self.refuses_header(["set", "an object with named keys", "[1, 2]"], set=[1, 2])
        self.refuses_header(["learner", "an object with named keys", '"delayed_ofw"'], learner="delayed_ofw")

    def test_sets(self):
        for spec, says in ({"type": "cube"}, ['unknown set type "cube"', "l1_ball", "simplex"]), \
                          ({"dimension": 3}, ["type is missing", "simplex"]), \
                          ({"type": 3}, ["type must be a text (type = 3)"]), \
                          ({"type": "l1_ball", "dimension": 3}, ["l1_ball: radius is missing", "number"]), \
                          ({"type": "l1_ball", "radius": 3}, ["l1_ball: dimension is missing", "whole number"]), \
                          (L1 | {"radius": -2}, ["l1_ball: radius must be positive (radius = -2)"]), \
                          (L1 | {"radius": 0}, ["l1_ball: radius must be positive (radius = 0)"]), \
                          (L1 | {"radius": "2"}, ['l1_ball: radius must be a number (radius = "2")']), \
                          (L1 | {"radius": None}, ["l1_ball: radius must be a number (radius = null)"]), \
                          (L1 | {"radius": [2]}, ["l1_ball: radius must be a number (radius = [2])"]), \
                          (L1 | {"radius": True}, ["l1_ball: radius must be a number (radius = true)"]), \
                          (L1 | {"radius": 1e200}, ["l1_ball: radius must be at most 1e100"]), \
                          (L1 | {"rad": 1}, ['l1_ball: unknown key "rad"', "known keys", "radius"]), \
                          (L1 | {"dimension": 2.5}, ["dimension must be a whole number", "dimension = 2.5"]), \
                          (L1 | {"dimension": 0}, ["dimension must be a whole number from 1", "dimension = 0"]), \
                          (L1 | {"dimension": -1}, ["dimension must be a whole number from 1", "dimension = -1"]), \
                          (L1 | {"dimension": "3"}, ["dimension must be a whole number", 'dimension = "3"']), \
                          (L1 | {"dimension": 2**40 + 1}, ["to 1099511627776 (dimension = 1099511627777)"]), \
                          (L1 | {"dimension": 2**63}, ["to 1099511627776 (dimension = 9.223372036854776e+18)"]), \
                          (L1 | {"dimension": 1e300}, ["to 1099511627776 (dimension = 1e+300)"]), \
                          ({"type": "box", "lower": [0], "upper": [1, 2]}, ["upper must have as many", "2 and 1"]), \
                          ({"type": "box", "lower": [1], "upper": [0]}, ["lower must be at most upper", "1 and 0"]), \
                          ({"type": "box", "lower": [], "upper": []}, ["lower must have at least one entry"]), \
                          ({"type": "box", "lower": 0, "upper": 1}, ["dimension is missing"]), \
                          ({"type": "box", "lower": [0], "upper": ["a"]}, ["upper must be an array of numbers"]), \
                          ({"type": "lp_ball", "dimension": 3, "p": 0.5, "radius": 1}, ["p must be at least 1"]), \
                          ({"type": "ellipsoid"}, ["give either semi_axes or matrix"]), \
                          ({"type": "ellipsoid", "semi_axes": []}, ["semi_axes must have at least one entry"]), \
                          ({"type": "ellipsoid", "semi_axes": [1, 0]}, ["semi-axis must be positive"]), \
                          ({"type": "ellipsoid", "matrix": [1, 2]}, ["matrix must be an array of arrays"]), \
                          ({"type": "ellipsoid", "matrix": [[1, 2], [3]]}, ["matrix[1] must be 2 numbers", "has 1"]), \
                          ({"type": "ellipsoid", "matrix": [[1, 2], [2, 1]]}, ["matrix must be positive definite"]), \
                          ({"type": "hypersimplex", "dimension": 3, "k": 4}, ["k must be", "from 1 to 3 (k = 4)"]), \
                          ({"type": "k_sparse", "dimension": 3, "k": 0, "radius": 1}, ["from 1 to 3 (k = 0)"]), \
                          ({"type": "nuclear_ball", "rows": 0, "cols": 2, "radius": 1}, ["rows must be", "rows = 0"]), \
                          ({"type": "nuclear_ball", "rows": 2**30, "cols": 2**30, "radius": 1}, ["cols must be"]), \
                          ({"type": "group_ball", "groups": [0, 1], "p": 2, "radius": 1},
                           ["groups must be an array of arrays of indices (groups = [0, 1])"]), \
                          ({"type": "group_ball", "groups": [[0], [0]], "p": 2, "radius": 1}, ["each", "once"]), \
                          ({"type": "group_ball", "groups": [], "p": 2, "radius": 1}, ["groups must have at least"]):
            self.refuses_header(says, set=spec)

    def test_learners(self):
        for spec, says in ({"type": "sgd"}, ['unknown learner type "sgd"', "delayed_ofw"]), \
                          ({}, ["type is missing", "delayed_ofw"]), \
                          ({"type": "delayed_ofw"}, ["delayed_ofw: give eta, or horizon and gradient_bound"]), \
                          ({"type": "delayed_ofw", "eta": 0}, ["eta must be positive (eta = 0)"]), \
                          ({"type": "delayed_ofw", "eta": -1}, ["eta must be positive (eta = -1)"]), \
                          ({"type": "delayed_ofw", "eta": 1, "horizon": 3}, ["either eta or horizon"]), \
                          ({"type": "delayed_ofw", "horizon": 3}, ["gradient_bound is missing"]), \
                          ({"type": "delayed_ofw", "horizon": 0, "gradient_bound": 1}, ["horizon", "horizon = 0"]), \
                          ({"type": "delayed_ofw", "horizon": 9, "gradient_bound": 0}, ["gradient_bound must be pos"]), \
                          ({"type": "delayed_ofw", "horizon": 9, "gradient_bound": 1, "setting": "best"},
                           ["setting must be", '"general"', 'setting = "best"']), \
                          ({"type": "delayed_ofw", "horizon": 9, "gradient_bound": 1, "setting": "delay_aware"},
                           ["mean_delay is missing"]), \
                          ({"type": "delayed_ofw", "eta": 1, "storage": "disk"}, ["storage must be", '"disk"']), \
                          ({"type": "delayed_ofw_sc"}, ["beta is missing"]), \
                          ({"type": "delayed_ofw_sc", "beta": 0}, ["beta must be positive (beta = 0)"]), \
                          ({"type": "delayed_ofw_sc", "beta": 1, "eta": 1}, ['unknown key "eta"']):
            self.refuses_header(says, learner=spec)

    def test_what_the_set_cannot_do(self):
        curved = {"type": "delayed_ofw", "horizon": 9, "gradient_bound": 1, "setting": "strongly_convex_set"}
        self.refuses_header(["strongly_convex_set", "needs a strongly convex set"], set=SIMPLEX, learner=curved)
        sparse = {"type": "delayed_ofw", "eta": 1, "storage": "sparse"}
        l2 = {"type": "l2_ball", "dimension": 3, "radius": 1}
        self.refuses_header(['storage = "sparse"', "needs a set whose oracle reads one coordinate"], set=l2,
                            learner=sparse)

    def test_initial(self):
        self.refuses_header("initial must have 3 entries, the set's dimension (2 came)", initial=[0, 0])
        self.refuses_header("initial must be an array of numbers, one for each coordinate", initial=[])
        self.refuses_header(["initial must lie in the set", "[2, 1, 0]"], initial=[2, 1, 0])
        self.refuses_header(["initial must lie in the set"], initial=[2 + 1e-8, 0, 0])
        self.refuses_header(["initial must be an array of numbers", '"0"'], initial="0")
        self.refuses_header(["initial must be an array of numbers"], initial=[0, None, 0])
        self.refuses_header(["initial must lie in the set"], set=SIMPLEX, initial=[0.5, 0.6, -0.1])


class BadEvents(ProgramTest):
    def refuses_event(self, event, *says):
        with self.subTest(event=str(event)[:80]):
            self.refuses(header(), {"play": 1}, {"play": 2}, event, says=["line 4: ", *says])

    def test_plays_out_of_sequence(self):
        for t in (1, 2, 4, 1000):
            self.refuses_event({"play": t}, f"play must be the next round, 3 (play = {t})")
        for t in (0, -1, 2.5, "3", None, [3], True, 2**63):
            self.refuses_event({"play": t}, "play must be a whole number from 1", "play = ")

    def test_feedback_for_no_open_round(self):
        self.refuses_event({"receive": 3, "gradient": [0, 0, 0]}, "round 3 has not been played", "receive = 3")
        for k in (0, -1, 1.5, "1", None):
            self.refuses_event({"receive": k, "gradient": [0, 0, 0]}, "receive must be a whole number from 1")
        self.refuses(header(), {"play": 1}, {"receive": 1, "gradient": [0, 0, 0]}, {"receive": 1, "gradient": [0, 0, 0]},
                     says=["line 4: ", "round 1 was answered before"])

    def test_dense_gradients(self):
        self.refuses_event({"receive": 1}, '"gradient"', '"indices" and "values"', "neither")
        self.refuses_event({"receive": 1, "gradient": [1, 2]}, "gradient must have 3 entries", "(2 came)")
        self.refuses_event({"receive": 1, "gradient": []}, "gradient must have 3 entries", "(0 came)")
        self.refuses_event({"receive": 1, "gradient": 3}, "gradient must be an array of numbers (gradient = 3)")
        self.refuses_event({"receive": 1, "gradient": [1, "2", 3]}, "gradient must be an array of numbers")
        self.refuses_event({"receive": 1, "gradient": [1, [2], 3]}, "gradient must be an array of numbers")
        self.refuses_event({"receive": 1, "gradient": [1, None, 3]}, "gradient must be an array of numbers")
        self.refuses_event({"receive": 1, "gradient": [1, 1e200, 3]}, "at most 1e100", "entry 1 is 1e+200")
        self.refuses_event({"receive": 1, "gradient": [1, -1e200, 3]}, "at most 1e100", "entry 1 is -1e+200")
        self.refuses_event({"receive": 1, "gradient": [1, 2, 3], "weight": 1}, 'unknown key "weight"')
        for token in ("NaN", "nan", "Infinity", "-Infinity", "inf"):
            self.refuses_event('{"receive": 1, "gradient": [1, %s, 3]}' % token, "not valid JSON", token.lstrip("-"))
        for token in ("1e999", "-1e999", "1" * 400, "1.", ".5", "+1", "0x10", "1e", "--1"):
            self.refuses_event('{"receive": 1, "gradient": [1, %s, 3]}' % token, "not valid JSON")

    def test_sparse_gradients(self):
        def event(indices, values):
            return {"receive": 1, "indices": indices, "values": values}
        self.refuses_event(event([1, 1], [1, 2]), "indices must be ascending, each once (1 after 1)")
        self.refuses_event(event([2, 0, 2], [1, 2, 3]), "indices must be ascending, each once (2 after 2)")
        self.refuses_event(event([0, 3], [1, 2]), "indices must be from 0 to 2 (3 came)")
        self.refuses_event(event([-1], [1]), "indices must be from 0 to 2 (-1 came)")
        self.refuses_event(event([2**60], [1]), "indices must be", "whole numbers")
        self.refuses_event(event([0.5], [1]), "indices must be an array of whole numbers (indices = [0.5])")
        self.refuses_event(event([0], [1, 2]), "as many entries as indices (2 and 1 came)")
        self.refuses_event(event([0, 1], [1]), "as many entries as indices (1 and 2 came)")
        self.refuses_event(event([1, 0], [1]), "as many entries as indices (1 and 2 came)")
        self.refuses_event(event("0", [1]), "indices must be an array", 'indices = "0"')
        self.refuses_event(event([0], 1), "values must be an array of numbers (values = 1)")
        self.refuses_event(event([0], [1e200]), "values must be", "at most 1e100")
        self.refuses_event({"receive": 1, "indices": [0]}, "values is missing")
        self.refuses_event({"receive": 1, "values": [0]}, "indices is missing")
        self.refuses_event({"receive": 1, "gradient": [1, 2, 3], "indices": [0], "values": [1]}, "either", "both")

    def test_whole_numbers_beyond_64_bits_are_numbers(self):
        self.assertEqual(len(self.replays(header(), {"play": 1}, {"receive": 1, "gradient": [2**64, 2**70, 3]})), 1)

    def test_a_byte_order_mark_before_the_header(self):
        self.assertEqual(self.succeeds("replay", "-", stdin=b"\xef\xbb\xbf" + as_log(header())), [])

    def test_a_nul_inside_a_message(self):
        self.refuses(header(learner={"type": "delayed\0ofw"}), says=('unknown learner type "delayed\\u0000ofw"', "known"))
        self.refuses(header(set={"type": "simplex", "dimension": 2, "a\0b": 1}), says='unknown key "a\\u0000b"')



if __name__ == "__main__":
    unittest.main()
