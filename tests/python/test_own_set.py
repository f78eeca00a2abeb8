"""Sets written in Python."""

import copy
import gc
import pickle
import threading
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tarry
from tarry.testing import check_set

LEARNER = {"type": "delayed_ofw", "eta": 0.1}


class Ball1:
    """The l1 ball, as the library's."""

    diameter = 2.0

    def __init__(self, n=3):
        self.n = n

    def start(self):
        return np.zeros(self.n)

    def oracle(self, c):
        x = np.zeros(self.n)
        i = int(np.argmax(np.abs(c)))
        if c[i] != 0:
            x[i] = -np.sign(c[i])
        else:
            x[i] = -1.0
        return x


def game(model, rounds=50):
    draw, tickets = np.random.default_rng(5), []
    for i in range(rounds):
        tickets.append(model.decide().ticket)
        if i > 4:
            model.learn(tickets.pop(0), gradient=draw.normal(size=3))
    return model


def test_it_plays_as_the_librarys_own():
    own = game(tarry.Model(set=Ball1(), learner=LEARNER))
    theirs = game(tarry.Model(set={"type": "l1_ball", "dimension": 3, "radius": 1}, learner=LEARNER))
    assert own.decision == pytest.approx(theirs.decision, abs=1e-12)
    assert own.spec["set"]["type"] == "own"
    assert own.spec["set"]["class"].endswith("test_own_set.Ball1")


def test_it_may_be_a_part_of_another_set():
    model = tarry.Model(set={"type": "product", "parts": [Ball1(2), {"type": "box", "dimension": 1, "lower": 0, "upper": 1}, Ball1(1)]},
                        learner=LEARNER)
    assert model.dimension == 4
    model.learn(model.decide().ticket, gradient=[1, 2, 3, 4])
    assert pickle.loads(pickle.dumps(model)).hash() == model.hash()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)),
                                 lambda m: tarry.Model.from_bytes(m.to_bytes(), own=Ball1()),
                                 lambda m: tarry.Model.from_bytes(m.to_bytes(), own=[Ball1()])])
def test_copies_go_on(way):
    model = game(tarry.Model(set=Ball1(), learner=LEARNER))
    twin = way(model)
    assert game(twin).hash() == game(model).hash()


def test_a_snapshot_names_the_class_and_holds_no_code(tmp_path):
    model = game(tarry.Model(set=Ball1(), learner=LEARNER))
    model.save(tmp_path / "model")
    with pytest.raises(ValueError, match="Ball1 is written in Python: hand in the object"):
        tarry.Model.load(tmp_path / "model")
    with pytest.raises(ValueError, match="hand in the object"):
        tarry.Model.load(tmp_path / "model", own=[Broken()])
    with pytest.raises(ValueError, match="has 4 coordinates, not 3"):
        tarry.Model.load(tmp_path / "model", own=[Ball1(4)])
    assert tarry.Model.load(tmp_path / "model", own=[Ball1()]).hash() == model.hash()


class Breaking(LookupError):
    pass


class Broken(Ball1):
    """Fails when it is told to."""

    fails = False

    def oracle(self, c):
        if self.fails:
            raise Breaking("as the user raised it")
        return super().oracle(c)


def test_an_exception_comes_as_it_was_and_the_model_is_as_before():
    own = Broken()
    model = game(tarry.Model(set=own, learner=LEARNER))
    ticket, before = model.waiting(1)[0], model.hash()
    own.fails = True
    with pytest.raises(Breaking, match="as the user raised it"):
        model.learn(ticket, gradient=[1, 2, 3])
    with pytest.raises(Breaking):
        model.learn_many([ticket], gradients=[[1, 2, 3]])
    assert model.hash() == before
    own.fails = False
    assert model.learn(ticket, gradient=[1, 2, 3]) == "applied"


def test_a_model_cannot_be_used_from_within_its_own_oracle():
    class Curious(Ball1):
        model = None

        def oracle(self, c):
            if self.model is not None:
                self.model.decide()
            return super().oracle(c)

    own = Curious()
    model = tarry.Model(set=own, learner=LEARNER)
    ticket = model.decide().ticket
    own.model = model
    with pytest.raises(RuntimeError, match="called from within its own oracle"):
        model.learn(ticket, gradient=[1, 2, 3])
    own.model = None
    gc.collect()


@pytest.mark.parametrize(("changes", "error", "why"), [
    ({"oracle": lambda self, c: [1.0]}, ValueError, "must give 3 coordinates"),
    ({"oracle": lambda self, c: [np.nan] * 3}, ValueError, "must give finite coordinates"),
    ({"oracle": lambda self, c: "abc"}, TypeError, "must be an array of numbers"),
    ({"start": []}, ValueError, "at least one coordinate"),
    ({"start": [[1.0]]}, ValueError, "must be an array of 1 dimension"),
    ({"diameter": -1.0}, ValueError, "diameter must be a number"),
    ({"diameter": "wide"}, ValueError, "diameter must be a number"),
])
def test_sets_that_are_none(changes, error, why):
    own = type("Wrong", (Ball1,), changes)()
    with pytest.raises(error, match=why):
        model = tarry.Model(set=own, learner=LEARNER)
        model.learn(model.decide().ticket, gradient=[1, 2, 3])


def test_check_set_passes_a_good_set():
    check_set(Ball1())
    check_set(Ball1(1))


@pytest.mark.parametrize(("changes", "why"), [
    ({"oracle": lambda self, c: -Ball1.oracle(self, c)}, "start is better|is better, which it gave"),
    ({"oracle": lambda self, c: np.eye(3)[np.argmin(c)]}, "start is better"),
    ({"diameter": 1.0}, "diameter must be at least"),
    ({"start": [2.0, 0.0, 0.0]}, "start is better"),
    ({"oracle": lambda self, c: (c.__setitem__(0, 9.0), Ball1.oracle(self, c))[1]}, "changed its direction"),
    ({"oracle": lambda self, c: Ball1.oracle(self, c) * (1.0 if np.abs(c).max() < 1.5 else 0.9)}, "three times that|is better"),
])
def test_check_set_says_what_fails(changes, why):
    with pytest.raises(AssertionError, match=why):
        check_set(type("Wrong", (Ball1,), changes)())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.floats(-2, 2), min_size=2, max_size=2), min_size=1, max_size=6))
def test_hulls_of_any_points_are_good_sets(points):
    points = np.array(points)

    class Hull:
        start = points.mean(axis=0)
        diameter = max(float(np.linalg.norm(p - q)) for p in points for q in points)

        def oracle(self, c):
            return points[np.argmin(points @ c)]

    check_set(Hull(), directions=20)


@pytest.mark.parametrize("learner", [LEARNER, {"type": "delayed_ospf", "delta": 0.5, "block": 40}, {"type": "bold", "base": LEARNER}],
                         ids=lambda spec: spec["type"])
def test_a_model_goes_back_also_after_many_events(learner):
    """Past several states that were kept on the way, also where oracles are called from several threads."""
    own = Broken()
    model = tarry.Model(set=own, learner=learner)
    for _ in range(5):
        game(model, rounds=150)
        own.fails, raised = True, 0
        for _ in range(60):
            for event in (lambda: model.decide(), lambda: model.learn_many(model.waiting(1), gradients=[[1, 2, 3]] * len(model.waiting(1)))):
                before = model.hash()
                try:
                    event()
                except Breaking:
                    raised += 1
                    assert model.hash() == before
        assert raised > 0
        own.fails = False


def test_what_an_event_costs_does_not_grow_with_what_waits():
    """To keep the state at each event would take a hundred times as long with so many rounds in it."""
    def seconds(waiting):
        model = tarry.Model(set=Ball1(), learner=LEARNER, loss="squared")
        model.decide_many(np.ones((waiting, 3)))
        model.learn_now([1.0, 2.0, 3.0], 1.0)
        start = time.process_time()
        for _ in range(300):
            model.learn_now([1.0, 2.0, 3.0], 1.0)
        return time.process_time() - start

    assert seconds(30_000) < 15 * seconds(30)


def test_it_stands_in_experiments():
    stream = {"type": "random_linear", "dimension": 3, "bound": 1}
    theirs = {"type": "l1_ball", "dimension": 3, "radius": 1}
    losses = [tarry.simulate(stream, LEARNER, set=each, delay={"type": "fixed", "delay": 4}, rounds=300, seeds=3).groups["loss"][0]
              for each in (Ball1(), theirs, {"type": "scale", "set": Ball1(), "by": 1})]
    assert losses == pytest.approx([losses[1]] * 3, abs=1e-9)
    with pytest.raises(ValueError, match="dimension must be the stream's, 3"):
        tarry.simulate(stream, LEARNER, set=Ball1(4), rounds=10)


def test_an_exception_ends_an_experiment_as_it_was():
    own = Broken()
    spec = {"rounds": 100, "seeds": 4, "set": own, "stream": {"type": "random_linear", "dimension": 3, "bound": 1},
            "learners": [LEARNER, {"type": "delayed_ofw_sc", "beta": 1}]}
    own.fails = True
    with pytest.raises(Breaking, match="as the user raised it"):
        tarry.run(spec, progress=False)
    own.fails = False
    assert len(tarry.run(spec, progress=False).groups) == 2


def test_experiments_with_objects_run_side_by_side():
    stream = {"type": "random_linear", "dimension": 3, "bound": 1}
    ran = {}

    def work(radius):
        class Ball(Ball1):
            diameter = 2.0 * radius

            def oracle(self, c):
                return radius * super().oracle(c)

        ran[radius] = tarry.simulate(stream, LEARNER, set=Ball(), rounds=200, seeds=3).groups["loss"][0]

    threads = [threading.Thread(target=work, args=(radius,)) for radius in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone = dict(ran)
    for radius in alone:
        work(radius)
    assert ran == alone
    assert len(set(ran.values())) == 3


def test_a_set_that_leads_back_to_its_model_is_collected():
    import weakref

    own = Ball1()
    own.model = tarry.Model(set=own, learner=LEARNER)
    seen = weakref.ref(own)
    del own
    gc.collect()
    assert seen() is None
