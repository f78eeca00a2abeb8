"""Rounds, tickets and answers."""

import pickle

import numpy as np
import pytest

import tarry

BALL = {"set": {"type": "l1_ball", "dimension": 3, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1}}


def test_a_round_waits_for_its_label():
    model = tarry.Model("binary")
    t = model.decide({"amount": 120, "country": "FR"})
    assert (t.round, t.prediction, t.scores, t.decision, t.answer) == (1, 0.5, None, None, "applied")
    assert (model.rounds, model.outstanding, model.waiting()) == (1, 1, [t.ticket])
    assert model.learn(t.ticket, True) == "applied"
    assert model.learn(t.ticket, True) == "duplicate"
    assert model.outstanding == 0
    assert model.predict({"amount": 120, "country": "FR"}) > 0.5


def test_a_ticket_is_a_text_of_fingerprint_and_round():
    model = tarry.Model("binary")
    ticket = model.decide({"a": 1}).ticket
    assert type(ticket) is str
    assert ticket == f"{model.fingerprint}-1"


@pytest.mark.parametrize("answer", [
    {"gradient": [1, 0, 2]}, {"gradient": np.array([1, 0, 2])}, {"gradient": {0: 1, 2: 2}},
    {"indices": [2, 0], "values": [2.0, 1.0]}, {"indices": np.array([0, 2], dtype=np.int32), "values": (1, 2)},
])
def test_gradients_come_in_full_or_by_index(answer):
    model = tarry.Model(BALL)
    t = model.decide()
    assert t.decision.tolist() == [0, 0, 0]
    assert model.learn(t.ticket, **answer) == "applied"
    assert model.decide().decision.tolist() == [0, 0, -0.1]
    assert model.decision.tolist() == [0, 0, -0.1]


def test_a_loss_is_enough_for_a_bandit():
    prices = {"set": {"type": "box", "dimension": 2, "lower": 0, "upper": 1},
              "learner": {"type": "delayed_bandit_ofw", "horizon": 100, "lipschitz": 1}}
    model, same = tarry.Model(prices), tarry.Model(prices)
    for each in (model, same):
        t = each.decide()
        assert each.learn(t.ticket, loss=0.25) == "applied"
        assert each.learn(t.ticket, loss=0.25) == "duplicate"
        assert each.learn(t.ticket, loss=0.5) == "conflict"
    assert model.decide().decision.tolist() == same.decide().decision.tolist()
    t = model.decide()
    with pytest.raises(ValueError, match="loss must be a number"):
        model.learn(t.ticket, loss=float("nan"))
    with pytest.raises(TypeError, match="loss must be a number"):
        model.learn(t.ticket, loss="much")
    with pytest.raises(ValueError, match="several of them"):
        model.learn(t.ticket, 0.5, loss=0.5)
    with pytest.raises(ValueError, match="a loss value is not enough for delayed_ofw"):
        ball = tarry.Model(BALL)
        ball.learn(ball.decide().ticket, loss=0.5)


def test_an_allocation_goes_by_name():
    model = tarry.Model("allocation", options=["search", "mail"])
    t = model.decide()
    assert t.allocation == pytest.approx({"search": 0.5, "mail": 0.5})
    assert model.learn(t.ticket, gradient={"mail": 1.0}) == "applied"
    assert model.decide().allocation["mail"] < 0.5
    assert model.names == ["search", "mail"]


def test_classes_have_scores_by_name():
    model = tarry.Model("classes")
    assert model.predict({"a": 1}) is None
    assert model.classes == []
    for i in range(60):
        t = model.decide({"colour": ["red", "blue"][i % 2]})
        model.learn(t.ticket, ["stop", "go"][i % 2])
    t = model.decide({"colour": "red"})
    assert t.prediction == "stop" == model.predict({"colour": "red"})
    assert set(t.scores) == {"stop", "go"} == set(model.classes)
    assert sum(t.scores.values()) == pytest.approx(1)
    assert t.scores["stop"] > 0.9
    assert model.predict_scores({"colour": "red"}) == t.scores


def test_classes_without_names_are_numbers():
    model = tarry.Model(set={"type": "box", "dimension": 6, "lower": -1, "upper": 1}, learner="auto",
                        loss={"type": "softmax", "classes": 3})
    t = model.decide([1.0, 2.0])
    assert t.prediction in (0, 1, 2)
    assert set(t.scores) == {0, 1, 2}
    assert model.learn(t.ticket, 2) == "applied"


def test_features_may_come_with_the_label():
    model = tarry.Model(set={"type": "l2_ball", "dimension": 2, "radius": 1}, learner="auto", loss="squared")
    t = model.decide()
    assert model.learn(t.ticket, 1.0, features=[1.0, 0.0]) == "applied"
    assert model.predict([1.0, 0.0]) > 0


def test_rounds_that_were_given_up_are_expired():
    model = tarry.Model("binary")
    first, second, third = (model.decide({"a": i}).ticket for i in range(3))
    assert model.expire(first) == "applied"
    assert model.void(second) == "applied"
    assert model.learn(first, True) == model.learn(second, True) == model.void(first) == "expired"
    assert model.learn(third, True) == "applied"
    assert model.expire(third) == "duplicate"


def test_expiry_counts_what_a_play_gave_up():
    model = tarry.Model("binary", expiry={"rounds": 2, "then": {"label": False}})
    tickets = [model.decide({"a": 1}) for _ in range(4)]
    assert [t.expired for t in tickets] == [0, 0, 1, 1]
    assert model.learn(tickets[0].ticket, True) == "expired"


def test_a_key_names_its_round():
    model = tarry.Model("binary")
    t = model.decide({"a": 1, "b": "x"}, key="order-17")
    again = model.decide({"b": "x", "a": 1}, key="order-17")
    assert (again.answer, again.ticket, again.prediction, model.rounds) == ("duplicate", t.ticket, t.prediction, 1)
    with pytest.raises(tarry.Conflict, match="with other features"):
        model.decide({"a": 2}, key="order-17")
    assert model.learn("order-17", True) == "applied"
    assert model.learn(t.ticket, True) == "duplicate"
    with pytest.raises(ValueError, match="must not look like a ticket"):
        model.decide({"a": 1}, key=t.ticket)


def test_only_a_foreign_ticket_raises():
    model, other = tarry.Model("binary"), tarry.Model("regression")
    ticket = model.decide({"a": 1}).ticket
    for foreign, why in [(other.decide({"a": 1}).ticket, "of another model"), ("order-1", "no ticket and no key"),
                         (f"{model.fingerprint}-2", "round 2 has not been played"), ("", "no ticket"),
                         (f"{model.fingerprint}-0", "no ticket"), (f"{model.fingerprint}-99999999999999999999", "no ticket")]:
        for call in (lambda f=foreign: model.learn(f, True), lambda f=foreign: model.void(f), lambda f=foreign: model.expire(f)):
            with pytest.raises(tarry.UnknownTicket, match=why) as caught:
                call()
            assert isinstance(caught.value, KeyError)
            assert not str(caught.value).startswith("'")
    assert model.learn(ticket, True) == "applied"


def test_predict_changes_nothing():
    model = tarry.Model("regression")
    model.learn_now({"a": 1}, 2.0)
    before = model.hash()
    model.predict({"a": 3, "never seen": 1})
    model.predict_many([{"b": 1}] * 3)
    assert model.hash() == before


def test_learn_now_is_a_play_and_its_label():
    one, two = tarry.Model("regression"), tarry.Model("regression")
    for i in range(20):
        prediction = one.learn_now({"a": i % 3}, float(i))
        t = two.decide({"a": i % 3})
        two.learn(t.ticket, float(i))
        assert prediction == t.prediction
    assert one.hash() == two.hash()


@pytest.mark.parametrize(("task", "label"), [("binary", "late"), ("regression", float("nan")), ("classes", "")])
def test_a_label_that_is_none_changes_nothing(task, label):
    model = tarry.Model(task)
    before = model.hash()
    with pytest.raises(ValueError, match="label"):
        model.learn_now({"a": 1}, label)
    assert model.hash() == before


def test_weights_go_by_name():
    model = tarry.Model("binary")
    for i in range(40):
        model.learn_now({"article": ["shoes", "book"][i % 2]}, i % 2 == 0)
    weights = model.weights()
    assert weights["article=shoes"] > 0 > weights["article=book"]
    assert list(model.weights(1)) == [next(iter(weights))]
    with pytest.raises(ValueError, match="most must not be negative"):
        model.weights(-1)


def test_what_a_model_is_made_from():
    model = tarry.Model("binary", learner="adagrad", expiry={"rounds": 9})
    assert model.spec["learner"] == {"type": "adagrad"}
    assert tarry.Model(model.spec).fingerprint == model.fingerprint
    assert tarry.Model('{"task": "binary"}').fingerprint == tarry.Model("binary").fingerprint
    assert tarry.Model(**BALL).fingerprint == tarry.Model(BALL).fingerprint
    assert model.dimension == 262144


def test_the_certificate_is_the_learners():
    model = tarry.Model(set=BALL["set"], learner={"type": "delayed_ofw", "horizon": 100, "gradient_bound": 3})
    assert model.certificate is None
    model.learn(model.decide().ticket, gradient=[1, 0, 2])
    assert model.certificate > 0


def test_how_models_show_themselves():
    model = tarry.Model("binary")
    t = model.decide({"a": 1})
    assert repr(model) == "<tarry.Model box of 7864320, auto, logistic: 1 round, 1 waiting>"
    assert repr(t) == f"Decision(ticket='{t.ticket}', prediction=0.5)"
    model.learn(t.ticket, True)
    assert "<table>" in model._repr_html_() and "(intercept)" in model._repr_html_()
    for thing in (model, t, model.decide_many([{"a": 1}]), tarry.explain("binary")):
        assert " at 0x" not in repr(thing)


def test_explain_says_what_the_program_says():
    from conftest import run_program

    assert repr(tarry.explain("binary")).splitlines() == [line.rstrip() for line in run_program("explain", "binary")]
    spec = {"set": BALL["set"], "learner": {"type": "delayed_ofw", "horizon": 1000, "gradient_bound": 2}}
    told = tarry.Model(spec).explain(horizon=1000, gradient_bound=2)
    assert told["bound"]["rounds"] == 1000
    assert tarry.explain(spec) == {key: value for key, value in told.items() if key != "bound"}


@pytest.mark.parametrize("kind", ["tasks", "sets", "learners", "losses", "streams"])
def test_registries_are_the_programs(kind):
    import json

    from conftest import run_program

    listed = {entry["name"]: entry for entry in map(json.loads, run_program(kind, "--json"))}
    ours = getattr(tarry, kind)()
    assert list(ours) == list(listed)
    for name, entry in ours.items():
        assert entry["summary"] == listed[name]["summary"]
        assert list(entry["keys"]) == [key["name"] for key in listed[name]["keys"]]
        assert entry["examples"] == listed[name]["examples"]


def test_a_vertex_is_drawn_where_the_learner_samples():
    edges = [[0, 1], [1, 3], [0, 2], [2, 3]]
    learner = {"type": "delayed_ofw", "eta": 0.3, "sample": True}
    model = tarry.Model(set={"type": "flow", "nodes": 4, "edges": edges, "source": 0, "sink": 3}, learner=learner)
    drawn = set()
    for _ in range(40):
        play = model.decide()
        assert play.sample in ({0: 1.0, 1: 1.0}, {2: 1.0, 3: 1.0})
        assert all(play.decision[edge] > 0 for edge in play.sample)
        drawn.add(tuple(play.sample))
        model.learn(play.ticket, gradient=[1, 1, 0, 0])
    assert len(drawn) == 2
    assert tarry.Model("binary").decide({"a": 1}).sample is None


def test_a_label_that_is_corrected():
    model = tarry.Model("binary", revisable=50)
    t = model.decide({"x": 1}, key="a")
    assert model.learn(t.ticket, True) == "applied"
    assert model.learn(t.ticket, False) == "conflict"
    before = model.hash()
    assert model.learn("a", False, revise=True) == "applied"
    assert model.hash() != before
    assert model.learn(t.ticket, False, revise=True) == "duplicate"
    assert model.learn(t.ticket, True) == "duplicate"
    assert model.learn(t.ticket, True, revise=True, sequence=2) == "applied"
    assert model.learn(t.ticket, False, revise=True, sequence=1) == "duplicate"
    copy = model.copy()
    assert copy.learn(t.ticket, False, revise=True, sequence=3) == model.learn(t.ticket, False, revise=True, sequence=3)
    assert copy.hash() == model.hash() and pickle.loads(pickle.dumps(model)).hash() == model.hash()


def test_another_label_is_a_conflict_where_none_can_be_corrected():
    model = tarry.Model("binary")
    t = model.decide({"x": 1})
    assert [model.learn(t.ticket, label) for label in (True, 1, False)] == ["applied", "duplicate", "conflict"]
    assert model.learn(t.ticket, False, revise=True) == "conflict"
    with pytest.raises(ValueError, match="adagrad cannot take a label back"):
        tarry.Model("binary", learner="adagrad", revisable=50)


def test_labels_that_add_up_and_rounds_that_are_due():
    model = tarry.Model("regression", labels="sum")
    t = model.decide({"x": 1}, now=100, due=200)
    assert [model.learn(t.ticket, 2, part="a", now=150), model.learn(t.ticket, 3, part="b")] == ["applied"] * 2
    assert model.learn(t.ticket, 2, part="a") == "duplicate"
    with pytest.raises(ValueError, match="part must come with a label"):
        model.learn(t.ticket, 2)
    with pytest.raises(TypeError, match="due must be a number"):
        model.decide({"x": 1}, now=1, due="soon")


def test_a_numpy_scalar_is_no_row():
    model = tarry.Model("binary")
    for scalar in (np.datetime64("2020-01-01"), np.timedelta64(3, "s"), np.float64(1), np.complex128(1)):
        for given in (scalar, [scalar]):
            with pytest.raises((TypeError, tarry.BadInput)):
                (model.decide if given is scalar else model.decide_many)(given)
