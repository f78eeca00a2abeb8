"""What each feature adds to a prediction, and how models show themselves."""

import numpy
import pandas
import pytest
import tarry


def taught(task, label, rounds=200):
    model = tarry.Model(task)
    for i in range(rounds):
        row = {"distance": i % 13, "city": "Paris" if i % 3 else "Rome"}
        model.learn(model.decide(row).ticket, label(i))
    return model


ROW = {"distance": 7, "city": "Paris"}


def test_parts_of_a_probability_add_up_to_its_log_odds():
    told = taught("binary", lambda i: i % 13 > 6).explain(ROW)
    assert told["score_is"] == "log-odds"
    assert told["base"] + sum(told["parts"].values()) == pytest.approx(told["score"], abs=1e-9)
    assert told["prediction"] == pytest.approx(1 / (1 + numpy.exp(-told["score"])), abs=1e-12)
    assert max(told["parts"], key=lambda name: abs(told["parts"][name])).startswith("distance")


def test_parts_of_a_number_begin_at_the_mean_of_the_labels():
    model = taught("regression", lambda i: 100.0 + i % 13)
    told = model.explain(ROW)
    assert told["base"] == pytest.approx(106, abs=1)
    assert told["base"] + sum(told["parts"].values()) == pytest.approx(model.predict(ROW), abs=1e-9)


def test_each_class_has_its_own_parts():
    model = taught("classes", lambda i: ("low", "middle", "high")[i % 13 // 5])
    told = model.explain(ROW)
    assert set(told["classes"]) == {"low", "middle", "high"}
    scores = model.predict_scores(ROW)
    for name, output in told["classes"].items():
        assert output["probability"] == pytest.approx(scores[name])
        assert output["base"] + sum(output["parts"].values()) == pytest.approx(output["score"], abs=1e-9)


def test_it_is_shown_in_aligned_lines():
    told = taught("binary", lambda i: i % 13 > 6).explain(ROW)
    assert repr(told).startswith("prediction 0.")
    columns = {line.rindex("  ") for line in repr(told).splitlines()[2:]}
    assert len(columns) == 1
    assert told._repr_html_().startswith("<pre>")


def test_without_a_row_it_is_what_the_model_stands_for():
    model = tarry.Model("binary")
    assert "fingerprint" in model.explain()
    assert "fingerprint" in model.explain(1000)  # a number is a horizon, as it was


def test_only_models_that_predict_labels_explain_rows():
    with pytest.raises(tarry.Unsupported, match="only a model that predicts labels"):
        tarry.Model("choose").explain({"a": 1})


def test_a_notebook_shows_a_replay_and_no_bound_that_says_nothing():
    frame = pandas.DataFrame({"opened_at": range(100), "resolved_at": range(20, 120), "team": ["a", "b"] * 50,
                              "breached": [True, False] * 50})
    result = tarry.late_labels(frame, seen="opened_at", known="resolved_at", label="breached")
    shown = result._repr_html_()
    assert "what lateness cost" in shown and "100" in shown
    box = tarry.Model(set={"type": "box", "dimension": 2000, "lower": -10, "upper": 10}, learner="box_ftrl", loss="logistic")
    for i in range(30):
        box.learn(box.decide({0: 1.0, 7: 2.0}).ticket, i % 2 == 0)
    assert box.certificate is None or box.certificate > 30
    assert "regret so far" not in box._repr_html_()


def test_estimators_have_what_users_of_scikit_learn_look_for():
    from tarry.sklearn import Classifier, Regressor

    X = numpy.random.default_rng(0).normal(size=(300, 3))
    model = Regressor(random_state=0).fit(X, 5 * X[:, 0] - X[:, 1])
    assert model.coef_.shape == (3,) and isinstance(model.intercept_, float)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert numpy.argmax(model.feature_importances_) == 0
    two = Classifier(random_state=0).fit(X, X[:, 2] > 0)
    assert two.coef_.shape == (1, 3) and two.intercept_.shape == (1,)
    assert numpy.argmax(two.feature_importances_) == 2
    three = Classifier(random_state=0).fit(X, numpy.digitize(X[:, 1], [-0.5, 0.5]))
    assert three.coef_.shape == (3, 3) and three.predict_proba(X).shape == (300, 3)
    assert numpy.argmax(three.feature_importances_) == 1
