"""A model's state goes into a service, over HTTP and with `tarry store import --state`, and goes on from there."""

import json
import tempfile
import unittest
from pathlib import Path

from program import ProgramTest, as_log, tarry
from service import ServiceTest
from store_reader import Journal, read_entry

SPEC = {"task": "binary", "features": {"capacity": 64}}
HEADER = {"format": "tarry-replay/2", "model": SPEC}


def early():
    for i in range(1, 31):
        yield {"play": i, "key": f"k{i}", "features": {"x": i % 7, "c": f"w{i % 3}"}}
        if i > 4 and i % 5:
            yield {"label": f"k{i - 4}", "value": i % 2 == 0}


def late():
    for i in range(31, 41):
        yield {"play": i, "key": f"k{i}", "features": {"x": i % 7, "c": f"w{i % 3}"}}
        yield {"label": f"k{i - 4}", "value": i % 3 == 0}
    yield {"label": "k26", "value": True}


def replayed(*events, load=None):
    """What a replay says, and the hash at its end."""
    more = ["--load", str(load)] if load else []
    done = tarry("replay", "-", "--hash", *more, stdin=as_log(HEADER, *events))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return lines[:-1], lines[-1]["hash"]


def saved(path, *events):
    done = tarry("replay", "-", "--save", str(path), stdin=as_log(HEADER, *events))
    assert done.returncode == 0, done.stderr
    return path.read_bytes()


class OverHttp(ServiceTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = saved(Path(folder.name) / "m.tarry", *early())

    def hash(self, service):
        return service.ask("GET", "/v1/models/m").json["hash"]

    def test_a_model_goes_on_from_its_state(self):
        service = self.serve()
        self.assertEqual(service.ask("PUT", "/v1/models/m/snapshot", self.state).status, 201)
        self.assertEqual(service.ask("PUT", "/v1/models/m/snapshot", self.state).status, 200)  # sent again
        said = []
        for event in late():
            if "play" in event:
                answer = service.decide("m", event["features"], key=event["key"])
                said.append((answer["round"], answer["prediction"]))
            else:
                told = {"model": "m", "key": event["label"], "label": event["value"]}
                answer = service.ask("POST", "/v1/feedback", told)
                self.assertEqual(answer.status, 200, answer)
        expected, end = replayed(*early(), *late())
        self.assertEqual(said, [(line["round"], line["prediction"]) for line in expected[-len(said):]])
        self.assertEqual(self.hash(service), end)
        service.kill()
        service.start()  # out of the log
        self.assertEqual(self.hash(service), end)
        service.stop()
        service.start()  # out of a snapshot of the service
        self.assertEqual(self.hash(service), end)

    def test_one_that_is_there_in_another_state_stays(self):
        service = self.serve()
        service.create("m", SPEC)
        refused = service.ask("PUT", "/v1/models/m/snapshot", self.state)
        self.assertEqual((refused.status, refused.json["error"]["code"]), (409, "conflict"))
        self.assertEqual(service.ask("PUT", "/v1/models/m/snapshot", b"hello").status, 400)
        self.assertEqual(service.ask("GET", "/v1/models/m").json["rounds"], 0)

    def test_what_is_no_state_is_refused(self):
        service = self.serve()
        changed = self.state[:-20] + bytes([self.state[-20] ^ 1]) + self.state[-19:]
        for wrong in (b"", b"hello", self.state[:100], changed):
            refused = service.ask("PUT", "/v1/models/m/snapshot", wrong)
            self.assertEqual(refused.status, 400, refused)
            self.assertIn("snapshot", refused.json["error"]["message"])
        self.assertEqual(service.ask("PUT", "/v1/models/M/snapshot", self.state).json["error"]["code"], "bad_name")
        self.assertEqual(service.ask("GET", "/v1/models").json["models"], [])

    def test_compact_takes_the_state_of_a_deleted_model_out(self):
        service = self.serve()
        for name in ("m", "kept"):
            service.ask("PUT", f"/v1/models/{name}/snapshot", self.state)
        self.assertEqual(service.ask("DELETE", "/v1/models/m").status, 200)
        service.stop()
        self.assertEqual(self.states(service.folder), ["m", "kept"])
        self.assertEqual(tarry("store", "compact", str(service.folder)).returncode, 0)
        self.assertEqual(self.states(service.folder), ["kept"])
        service.start()
        self.assertEqual([m["name"] for m in service.ask("GET", "/v1/models").json["models"]], ["kept"])

    def states(self, folder):
        """The models whose creation holds a state."""
        entries = [read_entry(payload) for _, _, payload in Journal(folder / "journal").entries]
        return [entry["create"] for entry in entries if "state" in entry]


class Offline(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = str(self.folder / "data")
        self.state = self.folder / "m.tarry"
        saved(self.state, *early())

    def test_a_state_alone(self):
        said = json.loads(self.succeeds("store", "import", self.data, "--model", "m", "--state", str(self.state))[0])
        self.assertEqual((said["hash"], said["events"]), (replayed(*early())[1], 0))
        self.succeeds("store", "check", self.data)

    def test_a_state_and_what_came_since_go_in_and_out(self):
        log = self.folder / "late.jsonl"
        log.write_bytes(as_log(HEADER, *late()))
        said = json.loads(self.succeeds("store", "import", self.data, "--model", "m", "--state", str(self.state), str(log))[0])
        self.assertEqual(said["hash"], replayed(*early(), *late())[1])
        self.fails("store", "dump", self.data, "--model", "m", says="began with a state: give --out FILE")
        out = self.folder / "out.jsonl"
        self.succeeds("store", "dump", self.data, "--model", "m", "--out", str(out))
        events = [json.loads(line) for line in out.read_text().splitlines()[1:]]
        self.assertEqual(events, list(late()))
        self.assertEqual(replayed(*events, load=f"{out}.state")[1], said["hash"])

    def test_nothing_and_another_model_are_refused(self):
        self.fails("store", "import", self.data, "--model", "m", says="give a log in the format tarry-replay/2, or --state FILE")
        log = self.folder / "other.jsonl"
        log.write_bytes(as_log({"format": "tarry-replay/2", "model": {"task": "regression"}}))
        self.fails("store", "import", self.data, "--model", "m", "--state", str(self.state), str(log), says="another model")
        self.assertFalse(Path(self.data).exists())


if __name__ == "__main__":
    unittest.main()
