"""River's own checks, and late labels in River's own validation."""

import pytest
from river import checks, datasets, evaluate, metrics, preprocessing

import tarry.river

MODELS = {
    "regressor": tarry.river.Regressor(),
    "absolute": tarry.river.Regressor(loss="absolute", interactions="pairs", capacity=4096),
    "binary": tarry.river.Classifier(),
    "multiclass": tarry.river.Classifier(classes=8),
    "recommender": tarry.river.Recommender(),
}
CHECKS = [(name, check) for name, model in MODELS.items() for check in checks.yield_checks(model)]

@pytest.mark.parametrize(("name", "check"), CHECKS, ids=[f"{name}-{i}-{check.__name__}" for i, (name, check) in enumerate(CHECKS)])
def test_river_checks(name, check):
    check(MODELS[name].clone())


def late(dataset):
    """Rows with a ticket each, which River hands to both methods."""
    for i, (x, y) in enumerate(dataset):
        yield x, y, {"ticket": i}


def test_a_ticket_goes_through_rivers_delayed_validation():
    model = tarry.river.Classifier()
    metric = evaluate.progressive_val_score(late(datasets.Phishing()), model, metrics.LogLoss(), delay=100)
    assert model._model.rounds == 1250
    assert model._model.outstanding == 0
    assert metric.get() < 0.5


def test_a_ticket_goes_through_a_pipeline():
    model = preprocessing.StandardScaler() | tarry.river.Classifier()
    evaluate.progressive_val_score(late(datasets.Phishing().take(200)), model, metrics.Accuracy(), delay=20)
    inside = model["Classifier"]._model
    assert (inside.rounds, inside.outstanding) == (200, 0)


def test_a_late_label_meets_the_round_that_was_played():
    model, direct = tarry.river.Regressor(), tarry.Model(tarry.river.Regressor()._model.spec)
    rows = list(datasets.TrumpApproval().take(60))
    for i, (x, y) in enumerate(rows):
        assert model.predict_one(x, ticket=i) == direct.decide(x, key=str(i)).prediction
        if i >= 10:
            model.learn_one(rows[i - 10][0], rows[i - 10][1], ticket=i - 10)
            direct.learn(str(i - 10), rows[i - 10][1])
    assert model._model.hash() == direct.hash()


def test_labels_of_classes_may_be_anything():
    model = tarry.river.Classifier(classes=5)
    for i in range(30):
        model.learn_one({"a": i % 3}, [("x", 1), None, 7][i % 3])
    assert set(model.predict_proba_one({"a": 1})) == {("x", 1), None, 7}


def test_a_foreign_label_or_ticket_is_refused():
    with pytest.raises(ValueError, match="label must be True or False"):
        tarry.river.Classifier().learn_one({"a": 1}, "yes")
    with pytest.raises(KeyError, match="is no ticket and no key"):
        tarry.river.Regressor().learn_one({"a": 1}, 1.0, ticket="never played")


def test_scaling_before_it_changes_little():
    """Features are standardised inside: River's scaler in front is not needed."""
    plain, scaled = tarry.river.Classifier(), preprocessing.StandardScaler() | tarry.river.Classifier()
    results = [evaluate.progressive_val_score(datasets.Phishing(), model, metrics.LogLoss()).get() for model in (plain, scaled)]
    assert abs(results[0] - results[1]) < 0.05
