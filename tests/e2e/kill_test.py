"""kill -9 under load, again and again: nothing that was acknowledged is lost, and nothing is done twice."""

import http.client
import json
import os
import random
import threading
import time
import unittest

from program import tarry
from service import PATIENCE, SOAK, ServiceTest, dumped, replayed_hash

CYCLES = int(os.environ.get("TARRY_KILLS", 10_000 if SOAK else 50))
EVENT_CYCLES = int(os.environ.get("TARRY_KILLS", 1_000 if SOAK else 12))
WORKERS = 6
PAUSE = 0.1 if CYCLES > 100 else 0  # seconds at most: over many kills the state that each start reads would grow to megabytes
MODELS = {
    "returns": {"task": "binary", "features": {"capacity": 64}},
    "minutes": {"task": "regression", "features": {"capacity": 64}},
    "menu": {"task": "choose", "reward": "number", "features": {"capacity": 64}},
}


def features(number):
    return {"x": number % 17, "city": ["Paris", "Oslo", "Lima"][number % 3]}


def asked(model, number):
    """The address and the body of a decision."""
    if model != "menu":
        return "decisions", {"features": features(number)}
    actions = ["soup", {"id": "tea", "features": {"price": number % 3}}]
    return "choices", {"context": features(number), "actions": actions, "key": f"visit-{number}"}


def told(answer):
    """What must be the same whenever a decision is asked for again."""
    return [answer.get(name) for name in ("ticket", "round", "prediction", "action", "probability")]


def label(model, number):
    return number % 5 == 0 if model == "returns" else float(number % 17)


def feedback(model, number):
    """Of some choices it is known only with the reward what was shown."""
    shown = {"shown": {"id": "tea", "probability": 0.5, "features": {"price": number % 3}}}
    return {"label": label(model, number)} | (shown if model == "menu" and number % 3 == 0 else {})


class Load:
    """Workers that ask for decisions and send labels late, out of order and twice, and send again what was not answered."""

    def __init__(self, service, seed):
        self.service, self.seed = service, seed
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.numbers = 0  # of decisions asked for
        self.decided = {}  # (model, number) → the acknowledged answer
        self.waiting = []  # (model, number, ticket), to be labelled
        self.labelled = set()  # (model, number) whose label was acknowledged
        self.wrong = []
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(WORKERS)]

    def work(self, index):
        draw = random.Random(f"{self.seed}-{index}")
        try:
            while not self.stop.is_set():
                self.decide(draw)
                for _ in range(draw.randint(0, 2)):
                    self.label_one(draw)
                time.sleep(draw.uniform(0, PAUSE))
        except Exception as error:  # a thread's failure must reach the test
            self.wrong.append(repr(error))

    def insist(self, path, body, headers=None):
        """The answer; asked again for as long as the service is away."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.service.ask("POST", path, body, headers)
                if answer.status not in (409, 503) or answer.status == 409 and b"in_flight" not in answer.body:
                    return answer
            except (OSError, http.client.HTTPException):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"no answer to {path}")
            time.sleep(0.005)

    def decide(self, draw):
        with self.lock:
            self.numbers += 1
            number = self.numbers
        model = draw.choice(sorted(MODELS))
        key = {"Idempotency-Key": f"decision-{model}-{number}"}
        address, body = asked(model, number)
        answers = [self.insist(f"/v1/models/{model}/{address}", body, key) for _ in range(1 + (draw.random() < 0.2))]
        if any(answer.status != 200 or told(answer.json) != told(answers[0].json) for answer in answers):
            self.wrong.append(f"decision {number}: {answers}")
            return
        with self.lock:
            self.decided[model, number] = answers[0].json
            self.waiting.append((model, number, answers[0].json["ticket"]))

    def label_one(self, draw):
        with self.lock:
            if not self.waiting:
                return
            model, number, ticket = self.waiting.pop(draw.randrange(len(self.waiting)))
            if draw.random() < 0.2:
                self.waiting.append((model, number, ticket))  # somebody will send it again
        answer = self.insist("/v1/feedback", {"ticket": ticket} | feedback(model, number))
        if answer.status != 200:
            self.wrong.append(f"label of {model} {number}: {answer}")
            return
        with self.lock:
            first = (model, number) not in self.labelled
            self.labelled.add((model, number))
        if not first and not answer.json.get("duplicate"):
            # Another worker may have been the first on its way and slower to note it; the dump tells for sure.
            pass


class Events(Load):
    """Personalizer's clients, who have no other name for a request than the event's."""

    SPEC = MODELS["menu"] | {"expiry": {"seconds": 3600, "then": {"label": 0}}}

    def __init__(self, service, seed):
        super().__init__(service, seed)
        self.answers, self.deferred, self.active, self.rewards = {}, set(), set(), {}

    def post(self, path, body, wanted):
        answer = self.insist(f"/personalizer/v1.0/{path}", body, {"Ocp-Apim-Subscription-Key": "menu"})
        if answer.status != wanted:
            self.wrong.append(f"{path}: {answer}")
        return answer

    def decide(self, draw):
        with self.lock:
            self.numbers += 1
            number = self.numbers
        body = {"eventId": f"e{number}", "contextFeatures": [features(number)], "deferActivation": number % 3 == 0,
                "actions": [{"id": "soup"}, {"id": "tea", "features": [{"price": number % 3}]}]}
        told = [self.post("rank", body, 201).body for _ in range(1 + (draw.random() < 0.2))]
        if any(each != told[0] for each in told):
            self.wrong.append(f"event {number}: {told}")
        with self.lock:
            self.answers[number] = json.loads(told[0])
            self.deferred.update([number] if number % 3 == 0 else [])
            self.waiting.append(number)

    def label_one(self, draw):
        with self.lock:
            if not self.waiting:
                return
            number = self.waiting.pop(draw.randrange(len(self.waiting)))
        steps = ["reward"] * (draw.random() < 0.8) + ["activate"] * (number in self.deferred and number % 2 == 0)
        for step in draw.sample(steps, len(steps)):
            for _ in range(1 + (draw.random() < 0.2)):
                self.post(f"events/e{number}/{step}", {"value": number % 5} if step == "reward" else None, 204)
            with self.lock:
                if step == "reward":
                    self.rewards[number] = number % 5
                else:
                    self.active.add(number)


class Kill(ServiceTest):
    def test_nothing_acknowledged_is_lost_or_doubled(self):
        service = self.serve("--snapshot-every", "200")  # so that kills meet snapshots, too
        load = self.killed_under_load(service, CYCLES)
        self.check(service, load)

    def test_a_log_that_is_pruned_meanwhile(self):
        service = self.serve("--snapshot-every", "50", "--keep", "2")
        for name, spec in MODELS.items():
            service.create(name, spec)
        # The log goes in pieces of 16 MiB: so much has to be there before anything can be pruned.
        wide = {"requests": [{"features": {f"feature-{i:04}": i for i in range(400)}}] * 250}
        for _ in range(16):
            self.assert_status(service.ask("POST", "/v1/models/returns/decisions", wide), 200)
        before = {name: service.model(name)["rounds"] for name in MODELS}
        load = self.killed_under_load(service, max(8, CYCLES // 10))
        states = self.all_there(service, load)
        for name, state in states.items():
            # What was pruned is in the saved state; the rest of the history stands beside it.
            out = self.folder / f"{name}.jsonl"
            self.assertEqual(
                tarry("store", "dump", str(service.folder), "--model", name, "--out", str(out)).returncode, 0
            )
            saved = out.with_name(out.name + ".state")
            self.assertTrue(saved.exists(), "nothing was pruned")
            done = tarry("replay", str(out), "--load", str(saved), "--hash")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout.splitlines()[-1])["hash"], state["hash"])
            asked = [number for model, number in load.decided if model == name]
            labelled = [number for model, number in load.labelled if model == name]
            self.assertEqual((state["rounds"] - before[name], state["settled"]), (len(asked), len(labelled)))

    def test_personalizers_events(self):
        service = self.serve("--snapshot-every", "100")
        service.create("menu", Events.SPEC)
        load = Events(service, seed=4)
        self.kill_under(service, load, EVENT_CYCLES)
        self.wait_ready(service)
        state = service.model("menu")
        self.assertEqual(service.stop(), 0)
        log = dumped(service.folder, "menu")
        events = [json.loads(line) for line in log.splitlines()][1:]
        plays = [event["key"] for event in events if "play" in event]
        self.assertEqual(sorted(plays), sorted(f"e{number}" for number in load.answers))
        # A reward counts once, where it was shown.
        rounds = {event["play"]: event["key"] for event in events if "play" in event}
        told = [(rounds.get(event["label"], event["label"]), event["value"]) for event in events if "label" in event]
        self.assertEqual(len(told), len(dict(told)))
        shown = {number: value for number, value in load.rewards.items() if number not in load.deferred or number in load.active}
        self.assertEqual(dict(told), {f"e{number}": value for number, value in shown.items()})
        self.assertGreater(len(load.rewards) - len(shown), 0)
        self.assertEqual((state["rounds"], state["settled"]), (len(plays), len(told)))
        self.assertEqual(replayed_hash(log), state["hash"])

    def test_backups_under_load(self):
        """A copy has all that was acknowledged before it was begun, once."""
        service = self.serve("--snapshot-every", "100")
        for name, spec in MODELS.items():
            service.create(name, spec)
        load = Load(service, seed=3)
        for thread in load.threads:
            thread.start()
        copies = []
        try:
            for i in range(3):
                time.sleep(0.3)
                with load.lock:
                    decided, labelled = dict(load.decided), set(load.labelled)
                copy, restored = str(self.folder / f"copy{i}"), self.folder / f"restored{i}"
                for command in (("backup", str(service.folder), copy), ("restore", copy, str(restored))):
                    done = tarry("store", *command)
                    self.assertEqual(done.returncode, 0, done.stderr)
                copies.append((restored, decided, labelled))
        finally:
            load.stop.set()
            for thread in load.threads:
                thread.join()
        self.assertEqual(load.wrong, [])
        for folder, decided, labelled in copies:
            self.assertGreater(len(labelled), 0)
            copy = self.serve(folder=folder)
            before = {name: copy.hash(name) for name in MODELS}
            items = [{"ticket": decided[which]["ticket"]} | feedback(*which) for which in sorted(labelled)]
            for answer in copy.ask("POST", "/v1/feedback", items).json:
                self.assertTrue(answer.get("duplicate"), answer)
            self.assertEqual({name: copy.hash(name) for name in MODELS}, before)
            self.assert_replays(copy, *MODELS)

    def killed_under_load(self, service, cycles):
        for name, spec in MODELS.items():
            service.create(name, spec)
        load = Load(service, seed=1)
        self.kill_under(service, load, cycles)
        self.assertGreater(len(load.labelled), cycles)
        return load

    def kill_under(self, service, load, cycles):
        draw = random.Random(2)
        for thread in load.threads:
            thread.start()
        try:
            for cycle in range(cycles):
                time.sleep(draw.uniform(0.02, 0.4))
                if cycle % 10 == 5:
                    self.wait_snapshot(service, begun=cycle % 20 == 5)
                service.kill()
                service.start(wait=False)
                if load.wrong:
                    break
        finally:
            load.stop.set()
            for thread in load.threads:
                thread.join()
        self.assertEqual(load.wrong, [])

    def wait_snapshot(self, service, begun):
        """Until one is begun, or there: a service that is always killed within a second saves none, and folds an ever longer log when it starts."""

        def there():
            return sorted(name for name in os.listdir(service.folder / "snapshots") if begun or name.endswith(".snapshot"))

        before, end = there(), time.monotonic() + PATIENCE
        while there() == before and time.monotonic() < end:
            time.sleep(0.002)
        self.assertNotEqual(there(), before, "no snapshot was saved")

    def wait_ready(self, service):
        end = time.monotonic() + PATIENCE
        while service.ask("GET", "/readyz").status != 200 and time.monotonic() < end:
            time.sleep(0.01)

    def all_there(self, service, load):
        """Stops the service, and gives its models' last states."""
        self.wait_ready(service)
        states = {name: service.model(name) for name in MODELS}
        # Every ticket that was given out is known: what was labelled is a duplicate now.
        for (
            model,
            number,
        ) in sorted(load.labelled, key=str)[:200]:
            answer = service.feedback(ticket=load.decided[model, number]["ticket"], **feedback(model, number))
            self.assert_status(answer, 200)
            self.assertTrue(answer.json.get("duplicate"), answer)
        # A choice that is asked for again under its key is the one that was made.
        for number in sorted(number for model, number in load.decided if model == "menu")[-200:]:
            answer = service.ask("POST", "/v1/models/menu/choices", asked("menu", number)[1])
            self.assert_status(answer, 200)
            self.assertEqual(told(answer.json)[1:], told(load.decided["menu", number])[1:])
        self.assertEqual({name: service.hash(name) for name in MODELS}, {name: states[name]["hash"] for name in MODELS})
        self.assertEqual(service.stop(), 0)
        return states

    def check(self, service, load):
        for name, state in self.all_there(service, load).items():
            self.check_history(name, dumped(service.folder, name), state, load)

    def check_history(self, name, log, state, load):
        events = [json.loads(line) for line in log.splitlines()][1:]
        plays = {event["play"]: event for event in events if "play" in event}
        labels = [event for event in events if "label" in event]
        asked = {number: answer for (model, number), answer in load.decided.items() if model == name}
        # As many rounds as decisions, each with the features it was asked with: none lost, none opened twice.
        self.assertEqual(len([event for event in events if "play" in event]), len(asked))
        self.assertEqual(sorted(plays), sorted(answer["round"] for answer in asked.values()))
        for number, answer in asked.items():
            play = plays[answer["round"]]
            self.assertEqual(play["context"] if name == "menu" else play["features"], features(number), number)
        # Each acknowledged label once, and no other.
        rounds = {asked[number]["round"]: number for model, number in load.labelled if model == name}
        told = {event["label"]: event["value"] for event in labels}
        self.assertEqual(len(labels), len(told), "a label stands in the history twice")
        self.assertEqual(told, {t: label(name, number) for t, number in rounds.items()})
        self.assertEqual((state["rounds"], state["outstanding"]), (len(asked), len(asked) - len(rounds)))
        self.assertEqual(replayed_hash(log), state["hash"])


if __name__ == "__main__":
    unittest.main()
