"""Learners written in Python."""

import contextlib
import copy
import gc
import pickle
import struct
import weakref

import numpy as np
import pytest

import tarry
from tarry.testing import check_learner

BALL = {"type": "l2_ball", "dimension": 3, "radius": 1}


class Descent:
    """The library's delayed_ogd: all that came between two plays makes one step."""

    def __init__(self, eta=0.1):
        self.eta = eta

    def begin(self, set):
        self.set, self.x, self.sum = set, set.start, np.zeros(set.dimension)

    def play(self, round, features, memo):
        if self.sum.any():
            self.x = self.set.project(self.x - self.eta * self.sum)
            self.sum = np.zeros_like(self.sum)
        return self.x

    def receive(self, round, gradient, memo):
        self.sum = self.sum + gradient

    def save(self):
        return self.x.tobytes() + self.sum.tobytes()

    def load(self, data):
        both = np.frombuffer(data)
        self.x, self.sum = both[: len(both) // 2], both[len(both) // 2 :]


def game(model, rounds=50, seed=5):
    draw, tickets = np.random.default_rng(seed), model.waiting()
    for _ in range(rounds):
        tickets.append(model.decide().ticket)
        if len(tickets) > 4:
            model.learn(tickets.pop(0), gradient=draw.normal(size=model.dimension))
    return model


def test_it_plays_as_the_librarys_own():
    own = game(tarry.Model(set=BALL, learner=Descent()))
    theirs = game(tarry.Model(set=BALL, learner={"type": "delayed_ogd", "eta": 0.1}))
    assert own.decision == pytest.approx(theirs.decision, abs=1e-12)
    assert own.spec["learner"] == {"type": "own", "class": "test_own_learner.Descent", "number": 0}
    assert repr(own).startswith("<tarry.Model l2_ball of 3, own:")


def test_it_plays_with_features_and_labels():
    models = [tarry.Model(set=BALL, learner=learner, loss="squared") for learner in (Descent(), {"type": "delayed_ogd", "eta": 0.1})]
    draw = np.random.default_rng(1)
    for x in draw.normal(size=(60, 3)):
        predictions = [model.learn_now(x, x.sum()) for model in models]
        assert predictions[0] == pytest.approx(predictions[1], abs=1e-12)
        late = [model.decide().ticket for model in models]
        assert {model.learn(ticket, 1.0, features=x) for model, ticket in zip(models, late, strict=True)} == {"applied"}


def test_it_predicts_classes():
    model = tarry.Model("classes", classes=3, features={"capacity": 8}, learner=Descent(0.5))
    for i in range(60):
        model.learn_now({"a": i % 3 == 0, "b": i % 3 == 1}, "xyz"[i % 3])
    assert model.predict({"a": True, "b": False}) == "x"


@pytest.mark.parametrize("learner", [
    {"type": "bold", "base": Descent()}, {"type": "round_robin", "base": Descent(), "delay": 3},
    {"type": "hedge", "learners": [Descent(0.1), Descent(0.01), {"type": "stay"}]},
], ids=lambda spec: spec["type"])
def test_it_may_be_a_part_of_another_learner(learner):
    model = game(tarry.Model(set=BALL, learner=learner))
    twin = pickle.loads(pickle.dumps(model))
    assert twin.hash() == model.hash()
    assert game(twin).hash() == game(model).hash()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)),
                                 lambda m: tarry.Model.from_bytes(m.to_bytes(), own=Descent()),
                                 lambda m: tarry.Model.from_bytes(m.to_bytes(), own=[Descent()])])
def test_copies_go_on(way):
    model = game(tarry.Model(set=BALL, learner=Descent()))
    twin = way(model)
    assert twin.own[0] is not model.own[0]
    before = model.hash()
    game(twin)
    assert model.hash() == before
    assert game(model).hash() == twin.hash() != before


def test_models_of_one_object_share_nothing():
    learner = Descent()
    one, two = tarry.Model(set=BALL, learner=learner), tarry.Model(set=BALL, learner=learner)
    game(one)
    assert not two.decide().decision.any()
    assert not hasattr(learner, "x")


def test_a_snapshot_names_the_class_and_holds_no_code(tmp_path):
    model = game(tarry.Model(set=BALL, learner=Descent()))
    model.save(tmp_path / "model")
    with pytest.raises(ValueError, match="the learner test_own_learner.Descent is written in Python: hand in the object"):
        tarry.Model.load(tmp_path / "model")
    with pytest.raises(ValueError, match="hand in the object"):
        tarry.Model.load(tmp_path / "model", own=[Broken()])
    assert tarry.Model.load(tmp_path / "model", own=[Descent()]).hash() == model.hash()
    assert b"numpy" not in model.to_bytes()


class Breaking(LookupError):
    pass


class Broken(Descent):
    """Fails half-way when it is told to."""

    fails = ""

    def broken(self, where):
        if Broken.fails == where:
            self.x = self.x + 17  # what must not stay
            self.sum = self.sum * np.nan
            raise Breaking("as the user raised it")

    def play(self, round, features, memo):
        memo.append(round)
        self.broken("play")
        return super().play(round, features, memo)

    def receive(self, round, gradient, memo):
        assert memo == [round]
        super().receive(round, gradient, memo)
        self.broken("receive")

    def abandon(self, round, memo):
        assert memo == [round]
        self.broken("abandon")


EVENTS = {
    "play": [lambda m: m.decide(), lambda m: m.decide([1.0, 2, 3], key="k"), lambda m: m.decide_many([[1.0, 2, 3]] * 3), lambda m: m.learn_now([1.0, 0, 0], 1.0)],
    "receive": [lambda m: m.learn(m.waiting(1)[0], gradient=[1, 2, 3]), lambda m: m.learn_many(m.waiting(1), gradients=[[1.0, 2, 3]]),
                lambda m: m.learn_now([1.0, 0, 0], 1.0), lambda m: m.learn_now_many(np.ones((2, 3)), [1.0, 2.0])],
    "abandon": [lambda m: m.expire(m.waiting(1)[0]), lambda m: m.void(m.waiting(1)[0])],
}


@pytest.mark.parametrize("learner", [Broken(), {"type": "bold", "base": Broken()}, {"type": "hedge", "learners": [{"type": "stay"}, Broken()]}],
                         ids=["alone", "bold", "hedge"])
@pytest.mark.parametrize("where", EVENTS)
def test_an_exception_comes_as_it_was_and_the_model_is_as_before(learner, where):
    model = game(tarry.Model(set=BALL, learner=learner, loss="squared", expiry={"rounds": 30}), rounds=40)
    twin, before = model.copy(), model.hash()
    for event in EVENTS[where]:
        Broken.fails = where
        try:
            with pytest.raises(Breaking, match="as the user raised it"):
                event(model)
        finally:
            Broken.fails = ""
        assert model.hash() == before
    assert game(model).hash() == game(twin).hash()


def test_a_model_goes_back_also_after_many_events():
    """Past several states that were kept on the way."""
    model = tarry.Model(set=BALL, learner=Broken())
    for i in range(20):
        game(model, rounds=100, seed=i)
        before = model.hash()
        Broken.fails = "receive"
        try:
            with pytest.raises(Breaking):
                model.learn(model.waiting(1)[0], gradient=[1, 2, 3])
        finally:
            Broken.fails = ""
        assert model.hash() == before


@pytest.mark.parametrize("nested", [False, True])
def test_a_model_that_cannot_go_back_says_so(nested):
    """Where load fails after an exception, there is no way back; nothing crashes."""
    class Hopeless(Broken):
        def load(self, data):
            raise OSError("no load")

    model = tarry.Model(set=BALL, learner={"type": "bold", "base": Hopeless()} if nested else Hopeless())
    game(model, rounds=10)
    Broken.fails = "receive"
    try:
        with pytest.raises(OSError, match="no load"):
            model.learn(model.waiting(1)[0], gradient=[1, 2, 3])
    finally:
        Broken.fails = ""
    with pytest.raises(tarry.TarryError, match="cannot be used further"):
        model.decide()
    for look in (model.hash, model.to_bytes, lambda: model.decision, lambda: model.own, lambda: repr(model)):
        with contextlib.suppress(Exception):
            look()


@pytest.mark.parametrize(("changes", "error", "why"), [
    ({"play": lambda self, *_: [1.0]}, ValueError, "play must give 3 coordinates"),
    ({"play": lambda self, *_: [np.nan] * 3}, ValueError, "play must give finite coordinates"),
    ({"play": lambda self, *_: "abc"}, TypeError, "must be an array of numbers"),
    ({"play": lambda self, round, features, memo: memo.append("x") or self.x}, TypeError, "a memo holds numbers"),
    ({"play": lambda self: None}, TypeError, "positional argument"),
    ({"save": lambda self: "text"}, TypeError, "save must give bytes"),
    ({"begin": lambda self, set: 1 / 0}, ZeroDivisionError, "division"),
    ({"__deepcopy__": lambda self, memo: 1 / 0}, ZeroDivisionError, "division"),
])
def test_learners_that_are_none(changes, error, why):
    own = type("Wrong", (Descent,), changes)()
    with pytest.raises(error, match=why):
        model = tarry.Model(set=BALL, learner=own)
        model.learn(model.decide().ticket, gradient=[1, 2, 3])


def test_what_is_no_learner():
    class Half:
        play = receive = lambda self: None

    with pytest.raises(TypeError, match="a learner must have save"):
        tarry.Model(set=BALL, learner=Half())
    with pytest.raises(TypeError, match="learner must be a dict"):
        tarry.Model(set=BALL, learner=Descent)
    with pytest.raises(TypeError, match="a learner must have play"):
        tarry.Model(set=BALL, learner=lambda p, y: 0)
    with pytest.raises(TypeError, match="a set must have start"):
        tarry.Model(set=type("S", (), {"oracle": 1})(), learner="auto")


def test_a_model_cannot_be_used_from_within_its_own_learner():
    class Curious(Descent):
        model = None

        def play(self, round, features, memo):
            if Curious.model is not None:
                Curious.model.decide()
            return super().play(round, features, memo)

    model = tarry.Model(set=BALL, learner=Curious())
    Curious.model = model
    with pytest.raises(RuntimeError, match="called from within its own oracle, learner or loss"):
        model.decide()
    assert model.rounds == 0


def test_a_learner_that_leads_back_to_its_model_is_collected():
    model = tarry.Model(set=BALL, learner=Descent())
    model.own[0].model = model
    seen = weakref.ref(model.own[0])
    del model
    gc.collect()
    assert seen() is None


def test_what_a_learner_sees_of_a_set():
    view = tarry.Set({"type": "l2_ball", "dimension": 2, "radius": 2})
    assert (view.dimension, view.diameter, view.can_project) == (2, 4.0, True)
    assert view.oracle([0, 3]) == pytest.approx([0, -2])
    assert view.project([0, 8]) == pytest.approx([0, 2])
    assert view.contains([0, 2])
    assert not view.contains([0, 2.1])
    assert copy.deepcopy(view) is view
    assert repr(view) == "<tarry.Set of 2>"
    with pytest.raises(ValueError, match="no cheap projection"):
        tarry.Set({"type": "birkhoff", "size": 3}).project(np.zeros(9))
    with pytest.raises(ValueError, match="2 entries"):
        view.oracle([1, 2, 3])


def test_it_starts_where_the_model_says():
    model = tarry.Model(set=BALL, learner=Descent(), initial=[0.5, 0, 0])
    assert model.decide().decision.tolist() == [0.5, 0, 0]


# ---- check_learner


def test_check_learner_passes_good_learners():
    check_learner(Descent())
    check_learner(Broken())
    check_learner(Descent(), sets={"type": "simplex", "dimension": 5}, rounds=20)


class Leader:
    """Plays the best vertex against what came, and keeps gradients by round: no arrays in its state."""

    def begin(self, set):
        self.set, self.came = set, {}

    def play(self, round, features, memo):
        return self.set.oracle(sum(self.came.values(), np.zeros(self.set.dimension)))

    def receive(self, round, gradient, memo):
        self.came[round] = gradient

    def save(self):
        return b"".join(struct.pack("<q", k) + g.tobytes() for k, g in sorted(self.came.items()))

    def load(self, data):
        each = 8 * (1 + self.set.dimension)
        self.came = {struct.unpack("<q", data[i:i + 8])[0]: np.frombuffer(data[i + 8:i + each]) for i in range(0, len(data), each)}


def test_the_order_of_sums_is_part_of_the_state():
    """The sum is taken in the order of arrival, which its bytes do not keep."""
    with pytest.raises(AssertionError, match="the loaded learner"):
        check_learner(Leader(), sets={"type": "l2_ball", "dimension": 3, "radius": 1})


SHARED = []


@pytest.mark.parametrize(("changes", "why"), [
    ({"play": lambda self, *_: self.x - self.eta * self.sum}, "is outside of the set"),
    ({"play": lambda self, *_: self.x + 1e-6 * np.random.random(len(self.x))}, "outside|the same events gave|do learners share something"),
    ({"play": lambda self, *_: self.set.oracle(np.random.normal(size=len(self.x)))}, "the same events gave|do learners share something"),
    ({"save": lambda self: self.x.tobytes(), "load": lambda self, data: setattr(self, "x", np.frombuffer(data))}, "the loaded learner"),
    ({"save": lambda self: b"", "load": lambda self, data: None}, "the loaded learner"),
    ({"load": lambda self, data: (lambda was: (Descent.load(self, data), setattr(self, "sum", self.sum + was)))(self.sum)},
     "left something of what was there before"),
    ({"save": lambda self: (setattr(self, "sum", self.sum * 0.5), Descent.save(self))[1]}, "different bytes|changed the state|different states"),
    ({"save": lambda self: Descent.save(self) + np.random.bytes(16), "load": lambda self, data: Descent.load(self, data[:-16])},
     "different states|different bytes"),
    ({"receive": lambda self, round, gradient, memo: (SHARED.append(gradient), setattr(self, "sum", np.sum([g for g in SHARED if len(g) == len(gradient)][-5:], axis=0)))},
     "the same events gave|do learners share something"),
])
def test_check_learner_says_what_fails(changes, why):
    SHARED.clear()
    with pytest.raises(AssertionError, match=why):
        check_learner(type("Wrong", (Descent,), changes)())


def test_check_learner_lets_exceptions_through():
    with pytest.raises(ZeroDivisionError):
        check_learner(type("Wrong", (Descent,), {"abandon": lambda self, round, memo: 1 / 0})())


# ---- experiments

STREAM = {"type": "random_linear", "dimension": 3, "bound": 1}


def test_it_stands_in_experiments():
    ran = tarry.simulate(STREAM, [Descent(), {"type": "delayed_ogd", "eta": 0.1}, {"name": "slow", "type": Descent(0.01)}], set=BALL,
                         delay={"type": "geometric", "mean": 5}, rounds=300, seeds=2)
    groups = ran.groups.set_index("learner")
    assert list(groups.index) == ["Descent", "delayed_ogd", "slow"]
    assert groups.loc["Descent", "loss"] == pytest.approx(groups.loc["delayed_ogd", "loss"], abs=1e-9)
    assert groups.loc["slow", "loss"] != pytest.approx(groups.loc["Descent", "loss"], abs=1e-3)
    assert ran.kept == 0


def test_an_experiment_with_objects_takes_no_kept_runs(tmp_path):
    spec = {"rounds": 40, "set": BALL, "stream": STREAM, "learners": [Descent(), {"type": "stay"}]}
    assert tarry.run(spec, out=tmp_path, progress=False).kept == 0
    assert tarry.run(spec, out=tmp_path, progress=False).kept == 0


def test_an_exception_ends_an_experiment_as_it_was():
    Broken.fails = "receive"
    try:
        with pytest.raises(Breaking, match="as the user raised it"):
            tarry.simulate(STREAM, Broken(), set=BALL, rounds=50)
    finally:
        Broken.fails = ""
    assert tarry.simulate(STREAM, Broken(), set=BALL, rounds=50).groups["loss"].notna().all()
