"""Models that choose."""

import pickle

import numpy as np
import pytest

import tarry

ACTIONS = ["ice", {"id": "soup", "features": {"price": 3}}, {"id": "tea", "price": 2}]


def test_a_choice_and_its_reward():
    model = tarry.Model("choose", features={"capacity": 64})
    choice = model.choose({"weather": "sun"}, ACTIONS, key="a")
    assert choice.action in ("ice", "soup", "tea")
    assert [each["id"] for each in choice.ranking] == ["ice", "soup", "tea"]
    assert sum(each["probability"] for each in choice.ranking) == pytest.approx(1)
    assert choice.probability == next(each["probability"] for each in choice.ranking if each["id"] == choice.action)
    assert model.learn(choice.ticket, True) == "applied"
    again = model.choose({"weather": "sun"}, ACTIONS, key="a")
    assert (again.action, again.probability, again.answer, again.ranking) == (choice.action, choice.probability, "duplicate", [])


def test_copies_choose_the_same():
    model = tarry.Model("choose", features={"capacity": 64}, explore={"type": "epsilon", "epsilon": 0.5})
    for turn in range(30):
        choice = model.choose({"turn": turn % 3}, ACTIONS, exclude=["tea"])
        assert choice.action != "tea"
        model.learn(choice.ticket, choice.action == "soup")
    copy = pickle.loads(pickle.dumps(model))
    assert [model.choose({"turn": t}, ACTIONS).action for t in range(20)] == [copy.choose({"turn": t}, ACTIONS).action for t in range(20)]


def test_what_was_shown_is_learnt_from():
    model = tarry.Model("choose", reward="number", features={"capacity": 64}, actions=["a", "b"])
    for turn in range(60):
        shown = "ab"[turn % 2]
        choice = model.choose({}, shown={"id": shown, "probability": 0.5})
        assert choice.shown == shown
        model.learn(choice.ticket, 10.0 if shown == "b" else 0.0)
    rewards = {each["id"]: each["reward"] for each in model.choose({}).ranking}
    assert rewards["b"] - rewards["a"] > 5


def test_what_was_shown_comes_with_the_reward():
    model = tarry.Model("choose", features={"capacity": 64}, actions=["a", "b"])
    for turn in range(60):
        choice = model.choose({"x": turn % 3})
        shown = {"id": "ab"[turn % 2], "probability": 0.5} if turn % 4 else "ab"[turn % 2]
        assert model.learn(choice.ticket, turn % 2 == 1, shown=shown) == "applied"
        assert model.learn(choice.ticket, turn % 2 == 1, shown=shown) == "duplicate"
    rewards = {each["id"]: each["reward"] for each in model.choose({"x": 1}).ranking}
    assert rewards["b"] > 0.8 and rewards["a"] < 0.2
    assert model.apprentice["shown"] == 60
    assert model.compared["exploration"]["rounds"] == 61 and model.compared["always"][0]["dr"]["low"] is None
    assert model.compared["rounds"] == 45 and [one["id"] for one in model.compared["always"]] == ["b", "a"]
    with pytest.raises(tarry.BadInput, match="shown.probability"):
        model.learn(model.choose({"x": 1}).ticket, True, shown={"id": "a", "probability": 0.0})
    with pytest.raises(tarry.BadInput, match="shown belongs to a label"):
        model.learn(model.choose({"x": 1}).ticket, gradient=[1.0], shown="a")


def test_learns_from_late_rewards():
    model = tarry.Model("choose", features={"capacity": 64})
    draw, late, earned = np.random.default_rng(1), [], []
    for turn in range(1200):
        group = int(draw.integers(3))
        choice = model.choose({"group": f"g{group}"}, ["a0", "a1", "a2"])
        reward = bool(draw.random() < (0.9 if choice.action == f"a{group}" else 0.1))
        earned.append(reward)
        late.append((choice.ticket, reward))
        if len(late) > 30:
            model.learn(*late.pop(0))
    assert np.mean(earned[600:]) > 0.7  # uniform choice earns 0.37


@pytest.mark.parametrize("given", [
    {"actions": []}, {"actions": ["a", "a"]}, {"actions": ["a"], "exclude": ["a"]}, {"actions": ["a"], "exclude": ["b"]},
    {"actions": ["a"], "shown": "b"}, {"actions": ["a"], "shown": {"id": "a", "probability": 0.0}},
    {"actions": ["a"], "shown": {"id": "a", "probability": 2.0}}, {"actions": [{"price": 1}]},
])
def test_bad_input_changes_nothing(given):
    model = tarry.Model("choose", features={"capacity": 64})
    with pytest.raises(tarry.BadInput):
        model.choose({"x": 1}, **given)
    assert model.rounds == 0


def test_plays_and_choices_are_not_mixed_up():
    with pytest.raises(tarry.BadInput, match="this model chooses"):
        tarry.Model("choose", features={"capacity": 64}).decide({"x": 1})
    with pytest.raises(tarry.BadInput, match="for a model that chooses"):
        tarry.Model("binary", features={"capacity": 64}).choose({"x": 1}, ["a"])
