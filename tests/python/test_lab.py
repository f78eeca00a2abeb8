"""Experiments, late labels and theory."""

import json
import math
import random
import re

import pandas
import pytest
from conftest import ROOT, run_program

import tarry

SMALL = {"rounds": 200, "seeds": 2, "set": {"type": "l2_ball", "dimension": 3, "radius": 1},
         "stream": {"name": "random", "type": "random_linear", "dimension": 3, "bound": 1},
         "delays": [{"name": "none", "type": "none"}, {"name": "late", "type": "fixed", "delay": 9}],
         "learners": [{"name": "ogd", "type": "delayed_ogd", "eta": 0.1}, {"name": "auto", "type": "auto"}]}


def test_a_run_gives_tidy_frames():
    results = tarry.run(SMALL, progress=False)
    curves = results.curves
    assert isinstance(curves, pandas.DataFrame)
    assert set(curves["learner"]) == {"ogd", "auto"}
    assert len(results.groups) == 4
    assert set(results.groups["seeds"]) == {2}
    assert repr(results) == "<tarry.Results: 8 runs>"
    assert "<iframe" in results._repr_html_()


def test_a_run_is_the_programs(tmp_path):
    spec = (ROOT / "examples" / "late_labels.toml").read_text()
    path = f"stream.path={ROOT / 'examples' / 'late_labels.csv'}"
    results = tarry.run(spec, overrides=[path], progress=False)
    run_program("run", ROOT / "examples" / "late_labels.toml", "--override", path, "--out", tmp_path)
    theirs = pandas.read_csv(tmp_path / "curves.csv")
    mine = results.curves
    assert list(mine.columns) == list(theirs.columns)
    for column in ("round", "loss"):
        assert mine[column].tolist() == theirs[column].tolist()


def test_finished_runs_are_kept(tmp_path):
    assert tarry.run(SMALL, out=tmp_path, progress=False).kept == 0
    assert tarry.run(SMALL, out=tmp_path, progress=False).kept == 8


def test_wrong_experiments():
    with pytest.raises(tarry.BadSpec, match="learners"):
        tarry.run({"stream": SMALL["stream"]}, progress=False)
    with pytest.raises(OSError, match="cannot be read"):
        tarry.run("nowhere.toml", progress=False)


def test_simulate():
    ran = tarry.simulate(SMALL["stream"], ["auto", {"type": "delayed_ogd", "eta": 0.1}], set=SMALL["set"],
                         delay={"type": "geometric", "mean": 10}, rounds=300)
    assert list(ran.groups["learner"]) == ["auto", "delayed_ogd"]


def test_plots():
    import matplotlib

    matplotlib.use("Agg")
    assert len(tarry.run(SMALL, progress=False).plot("loss").lines) == 4
    with pytest.raises(ValueError, match="no run has a column"):
        tarry.run(SMALL, progress=False).plot("colour")


def frame():
    return pandas.read_csv(ROOT / "examples" / "late_labels.csv")


def test_late_labels_replays_a_frame_with_its_true_delays():
    data = frame()
    times = {"seen": "created_at", "known": "delivered_at", "label": "late"}
    data["late"] = data["late"].map({"yes": True, "no": False})
    for column in ("created_at", "delivered_at"):
        data[column] = pandas.to_datetime(data[column])
    result = tarry.late_labels(data.drop(columns="order_id"), **times)
    known = data["late"].notna().sum()
    assert len(result.predictions) == len(data)
    assert result.loss < math.log(2)
    assert len(result.curve) == known
    assert result.cost == pytest.approx(result.loss - result.prompt_loss)
    assert result.model.rounds == len(data)


def test_late_labels_learns_nothing_before_it_is_known():
    """The rows of docs/streams.md, in which a label that becomes known at the instant of a query is not used for it."""
    data = pandas.DataFrame({"asked": [0, 10, 20, 31], "known": [30, 20, 25, None], "km": [4.0, 1.5, 2.0, 9.0],
                             "minutes": [21.0, 12.0, 14.0, None]})
    result = tarry.late_labels(data, seen="asked", known="known", label="minutes")
    direct = tarry.Model("regression")
    tickets, predictions = [], []
    for before, km in ([], 4.0), ([], 1.5), ([], 2.0), ([1, 2, 0], 9.0):
        for k in before:
            direct.learn(tickets[k], data["minutes"][k])
        t = direct.decide({"km": km})
        tickets.append(t.ticket)
        predictions.append(t.prediction)
    assert result.predictions["prediction"].tolist() == predictions
    assert result.model.hash() == direct.hash()


def test_late_labels_of_rows_that_share_a_key_are_corrections():
    data = pandas.DataFrame({"id": ["a", "b", "c", "d", "a", "e"], "asked": [0, 10, 20, 31, 0, 40],
                             "known": [30, 20, 25, None, 35, None], "km": [4.0, 1.5, 2.0, 9.0, 4.0, 3.0],
                             "minutes": [21.0, 12.0, 14.0, None, 50.0, None]})
    result = tarry.late_labels(data, seen="asked", known="known", label="minutes", key="id")
    direct = tarry.Model("regression", revisable={"rounds": 5})
    tickets, predictions = [], []
    for before, km in ([], 4.0), ([], 1.5), ([], 2.0), ([(1, 12.0, 20), (2, 14.0, 25), (0, 21.0, 30)], 9.0), ([(0, 50.0, 35)], 3.0):
        for k, minutes, sequence in before:
            assert direct.learn(tickets[k], minutes, revise=sequence == 35, sequence=sequence) == "applied"
        t = direct.decide({"km": km})
        tickets.append(t.ticket)
        predictions.append(t.prediction)
    assert result.predictions["prediction"].tolist() == predictions
    assert result.predictions.index.tolist() == [0, 1, 2, 3, 5]
    assert result.model.hash() == direct.hash()
    with pytest.raises(KeyError, match="no column 'order'"):
        tarry.late_labels(data, seen="asked", known="known", label="minutes", key="order")


SPELLINGS = json.loads((ROOT / "tests" / "e2e" / "fixtures" / "label_spellings.json").read_text())


def test_labels_mean_the_same_in_any_spelling():
    """The table that tests/e2e/label_spellings_test.py sends through the program's doors."""
    hashes = {}
    for meaning in ("true", "false"):
        for word in SPELLINGS[meaning]:
            model = tarry.Model("binary")
            model.learn(model.decide({"x": 1}).ticket, word)
            hashes.setdefault(meaning, set()).add(model.hash())
    assert [len(hashes[meaning]) for meaning in ("true", "false")] == [1, 1]
    assert hashes["true"] != hashes["false"]
    for word in SPELLINGS["refused"]:
        model = tarry.Model("binary")
        ticket = model.decide({"x": 1}).ticket
        with pytest.raises(ValueError, match=re.escape(f"label must be a number, true or false ({word} came)")):
            model.learn(ticket, word)


@pytest.mark.parametrize("words", [("yes", "no"), (True, False), (1, 0), (1, -1), ("late", "in time"), ("b", "a")])
def test_late_labels_is_the_game_that_run_plays(words, tmp_path):
    data = frame().drop(columns="order_id")
    data["late"] = data["late"].map(dict(zip(("yes", "no"), words, strict=True)))
    data.to_csv(tmp_path / "my.csv", index=False)
    run_program("run", tmp_path / "my.csv", "--out", tmp_path / "out")
    groups = json.loads((tmp_path / "out" / "summary.json").read_text())["groups"]
    told = {g["delay"]: g["metrics"]["log_loss"] for g in groups if g["learner"] == "auto"}
    for column in ("created_at", "delivered_at"):
        data[column] = pandas.to_datetime(data[column])
    result = tarry.late_labels(data, seen="created_at", known="delivered_at", label="late")
    assert result.loss == told["as recorded"]  # to the bit
    assert result.prompt_loss == told["at once"]
    assert tarry.late_labels(data).loss == result.loss  # nothing said
    assert all(0 <= p <= 1 for p in result.predictions["prediction"])


def test_late_labels_says_what_is_wrong():
    data = pandas.DataFrame({"a": [1, 2], "b": [0, 3], "z": [4, 5], "y": [True, False]})
    with pytest.raises(KeyError, match="no column"):
        tarry.late_labels(data, seen="x", known="b", label="y")
    with pytest.raises(ValueError, match="must not be before"):
        tarry.late_labels(data, seen="a", known="b", label="y")
    with pytest.raises(ValueError, match='^the frame: it is not clear when the label was known(.|\n)*feedback = "none"'):
        tarry.late_labels(data[["z", "y"]])
    with pytest.raises(TypeError, match="wants a frame of pandas or polars, or an Arrow table"):
        tarry.late_labels([1, 2])


def typed_frame():
    draw = random.Random(4)
    seen = [pandas.Timestamp("2024-03-01 08:00", tz="Europe/Berlin") + pandas.Timedelta(minutes=37 * i) for i in range(200)]
    known = [t + pandas.Timedelta(minutes=draw.randrange(30, 3000)) if i % 9 else pandas.NaT for i, t in enumerate(seen)]
    item = [draw.choice(["shoes", "book", None]) for _ in seen]
    return pandas.DataFrame({
        "ordered_at": seen, "returned_at": known, "item": pandas.array(item, dtype="string"),
        "count": pandas.array([draw.choice([1, 2, 3, pandas.NA]) for _ in seen], dtype="Int64"),
        "express": pandas.array([draw.choice([True, False, pandas.NA]) for _ in seen], dtype="boolean"),
        "size": pandas.Categorical([draw.choice("SML") for _ in seen]),
        "kept": pandas.array([pandas.NA if pandas.isna(t) else w != "shoes" for t, w in zip(known, item, strict=True)], dtype="boolean")})


def test_frames_of_all_types_are_read_as_their_csv(tmp_path):
    data = typed_frame()
    data.to_csv(tmp_path / "my.csv", index=False)
    run_program("run", tmp_path / "my.csv", "--out", tmp_path / "out")
    groups = json.loads((tmp_path / "out" / "summary.json").read_text())["groups"]
    told = {g["delay"]: g["metrics"]["log_loss"] for g in groups if g["learner"] == "auto"}
    result = tarry.late_labels(data)
    assert (result.loss, result.prompt_loss) == (told["as recorded"], told["at once"])
    assert "numbers: count; words: item, express, size" in result.read_as[1]
    assert result.predictions.index.equals(data.index)
    assert result.model.predict({"express": True}) != result.model.predict({"express": False})  # flags are flags


@pytest.mark.parametrize("module", ["polars", "pyarrow"])
def test_frames_of_other_libraries(module):
    library = pytest.importorskip(module)
    data = typed_frame()
    plain = data.astype({"item": object, "express": object, "size": str, "kept": object}).where(data.notna(), None)
    plain["count"] = plain["count"].astype(float)
    other = library.from_pandas(plain) if module == "polars" else library.Table.from_pandas(plain, preserve_index=False)
    result = tarry.late_labels(other)
    assert result.loss == tarry.late_labels(data).loss
    assert len(result.predictions) == len(data)


def test_theory_is_the_librarys():
    bound = tarry.theory.ofw_general(diameter=2, gradient_bound=1, rounds=10000, mean_delay=5, largest_delay=20)
    assert bound > tarry.theory.ofw_general(diameter=2, gradient_bound=1, rounds=10000)
    assert tarry.theory.ofw_eta_general(2, 1, 10000) == pytest.approx(2 / 1000)


def test_verify_plays_and_passes():
    told = tarry.verify(quick=True, climb=1, progress=False)
    assert told["passed"] is True
    assert told["bounds"]["passed"] > 100
    assert told["bounds"]["failed"] == 0
