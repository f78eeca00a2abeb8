"""Routing streams: the built-in network, real ones where their files are at hand, and files that are wrong."""

import json
import os
import tempfile
import unittest
from pathlib import Path

from program import ROOT, ProgramTest, tarry

DATA = Path(os.environ.get("TARRY_DATA", ROOT.parent / "shared" / "data")) / "transportation-networks"

HEAD = "<NUMBER OF ZONES> 2\n<NUMBER OF NODES> 3\n<FIRST THRU NODE> 3\n<NUMBER OF LINKS> 3\n<END OF METADATA>\n"
LINKS = "1 3 10 1 1 0.15 4 0 0 1 ;\n3 2 10 1 1 0.15 4 0 0 1 ;\n1 2 5 1 3 0.15 4 0 0 1 ;\n"
TRIPS = "<NUMBER OF ZONES> 2\n<TOTAL OD FLOW> 9\n<END OF METADATA>\nOrigin 1\n 2 : 9.0;\n"
FILE = """
rounds = 50
[stream]
type = "routing"
path = "{folder}/toy_net.tntp"
travellers = 20
[delay]
type = "recorded"
[[learners]]
type = "delayed_ofw"
eta = 0.01
"""


class Routing(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write(HEAD + LINKS, TRIPS)

    def write(self, network, trips):
        (self.folder / "toy_net.tntp").write_text(network)
        (self.folder / "toy_trips.tntp").write_text(trips)
        (self.folder / "toy.toml").write_text(FILE.format(folder=self.folder))

    def run_toy(self, *more):
        done = tarry("run", str(self.folder / "toy.toml"), "--out", str(self.folder / "out"), *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return json.loads((self.folder / "out" / "summary.json").read_text()), done.stdout.decode()

    def refused(self, says, *more):
        self.fails("run", str(self.folder / "toy.toml"), "--out", str(self.folder / "out"), *more, says=says)

    def test_the_summary_has_the_roads(self):
        summary, text = self.run_toy()
        self.assertIn("toy_net: 3 nodes, 3 links, 1 pair of zones, 9 vehicles", text)
        network = summary["networks"][0]
        self.assertEqual((network["from"], network["to"]), ([0, 2, 0], [2, 1, 1]))
        self.assertAlmostEqual(sum(network["equilibrium"]["flow"][i] for i in (0, 2)), 9)
        run = summary["runs"][0]
        self.assertAlmostEqual(run["roads"]["flow"][0] + run["roads"]["flow"][2], 9)
        self.assertEqual(run["roads"]["flow"][0], run["roads"]["flow"][1])
        metrics = run["checkpoints"]["metrics"]
        self.assertEqual(set(metrics), {"travel_time", "beckmann_gap"})  # nobody predicts here: no rmse of nothing
        self.assertTrue(all(gap >= 0 for gap in metrics["beckmann_gap"]))
        self.assertEqual(run["checkpoints"]["regret_low"], run["checkpoints"]["regret_high"])

    def test_the_same_for_every_number_of_jobs(self):
        # Times differ; all else is the same to the bit.
        found = []
        for jobs in ("1", "2"):
            summary, _ = self.run_toy("--fresh", "--jobs", jobs, "--override", "seeds=3")
            found.append([(run["roads"], run["checkpoints"]["loss"]) for run in summary["runs"]])
        self.assertEqual(found[0], found[1])

    def test_kept_runs_know_the_trips(self):
        self.run_toy()
        self.assertIn("1 kept from before", self.run_toy()[1])
        self.write(HEAD + LINKS, TRIPS.replace("9.0", "8.0"))
        self.assertNotIn("kept from before", self.run_toy()[1])

    def test_malformed_files_name_the_line(self):
        self.write(HEAD + LINKS.replace("3 2 10", "3 4 10"), TRIPS)
        self.refused('toy_net.tntp: line 7: term_node must be a whole number from 1 to 3 ("4" came)')
        self.write(HEAD + LINKS, TRIPS.replace(" 2 : 9.0", " 2 9.0"))
        self.refused('toy_trips.tntp: line 5: a trip must be destination : demand ("2 9.0" came)')

    def test_trips_without_a_route_are_refused(self):
        self.write(HEAD + LINKS, TRIPS + "Origin 2\n 1 : 4;\n")
        self.refused("no route leads from 2 to 1, where 4 want to go")

    def test_missing_files_are_named(self):
        (self.folder / "toy_trips.tntp").unlink()
        self.refused("toy_trips.tntp: No such file or directory")

    def test_what_does_not_fit_is_refused(self):
        self.refused("takes no set", "--override", "set={type=\"simplex\",dimension=3}")
        self.refused("not known beforehand", "--override",
                     'learners=[{type="delayed_ogd",horizon=5,gradient_bound=1,mean_delay="delays"}]')
        self.refused('noise must be below 1', "--override", "stream.noise=1")
        self.refused('give either network or path', "--override", "stream.network=braess")

    def real(self, name, rounds, *more):
        network = DATA / name
        if not network.exists():
            self.skipTest(f"no {name} below TARRY_DATA")
        done = tarry("run", str(ROOT / "examples/routing.toml"), "--out", str(self.folder / "out"), "--override",
                     f"stream.path={network}", "--override", f"rounds={rounds}", "--override", "seeds=1", "--override",
                     "checkpoints=5", "--override", "delays=[{type=\"recorded\"}]", *more)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        return summary, {group["learner"]: group for group in summary["groups"]}

    def test_sioux_falls(self):
        summary, groups = self.real("SiouxFalls/SiouxFalls_net.tntp", 30000, "--override", "stream.travellers=3000",
                                    "--override", "stream.departures=50")
        self.assertIn("Beckmann's function 4231335.2", summary["readings"][0]["read_as"][1])
        self.assertEqual(len(summary["networks"][0]["x"]), 24)
        learnt, stayed = groups["auto"], groups["as on empty roads"]
        self.assertLess(learnt["metrics"]["beckmann_gap"], 0.5 * stayed["metrics"]["beckmann_gap"])
        self.assertLess(learnt["regret_high"], stayed["regret_high"])

    def test_anaheim(self):
        summary, groups = self.real("Anaheim/Anaheim_net.tntp", 2000)
        self.assertEqual(summary["networks"][0]["x"], [])
        self.assertGreaterEqual(groups["auto"]["metrics"]["beckmann_gap"], 0)


if __name__ == "__main__":
    unittest.main()
