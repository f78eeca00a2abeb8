"""Many rounds in one call are those rounds one by one."""

import numpy as np
import pandas
import pytest
import scipy.sparse

import tarry

X = np.random.default_rng(1).normal(size=(60, 4)) * (np.random.default_rng(2).random((60, 4)) < 0.6)
Y = X @ [1.0, -2.0, 0.5, 0.0]
KINDS = {"array": lambda x: x, "fortran": np.asfortranarray, "float32": lambda x: x.astype(np.float32), "csr": scipy.sparse.csr_array,
         "csc": scipy.sparse.csc_matrix, "lists": lambda x: x.tolist(), "frame": lambda x: pandas.DataFrame(x)}


def squared():
    return tarry.Model(set={"type": "box", "dimension": 4, "lower": -5, "upper": 5}, learner="auto", loss="squared", standardise=True)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_rounds(kind):
    x = X.astype(np.float32).astype(float)
    given = KINDS[kind](x)
    many, one = squared(), squared()
    for _ in range(2):
        batch = many.decide_many(given)
        singles = [one.decide(row if kind not in ("csr", "csc") else dict(zip(np.flatnonzero(row).tolist(), row[row != 0], strict=True))) for row in x]
        assert len(batch) == 60
        assert batch.tickets == [t.ticket for t in singles]
        assert batch.rounds.tolist() == [t.round for t in singles]
        assert batch.predictions.tolist() == [t.prediction for t in singles]
        assert batch.scores is None
        assert many.learn_many(batch, Y) == ["applied"] * 60
        assert [one.learn(t.ticket, y) for t, y in zip(singles, Y, strict=True)] == ["applied"] * 60
    assert many.hash() == one.hash()
    assert many.predict_many(given).tolist() == [one.predict(row) for row in x]


@pytest.mark.parametrize("loss", ["squared", {"type": "softmax", "classes": 3}])
def test_predictions_of_many_rows_are_those_of_one_by_one(loss):
    """So many that several threads predict them."""
    classes = 1 if loss == "squared" else 3
    model = tarry.Model(set={"type": "box", "dimension": 4 * classes, "lower": -5, "upper": 5}, learner="auto", loss=loss, standardise=True)
    model.learn_now_many(X, Y if classes == 1 else np.arange(60.0) % 3)
    rows = np.tile(X, (60, 1))
    assert list(model.predict_many(rows)) == 60 * [model.predict(row) for row in X]
    rows[[1500, 3000], 2] = np.nan
    with pytest.raises(ValueError, match="row 1500: "):
        model.predict_many(rows)


def test_tickets_of_a_batch_are_texts_in_any_order():
    many, one = squared(), squared()
    tickets = many.decide_many(X).tickets
    for row in X:
        one.decide(row)
    order = np.random.default_rng(3).permutation(60)
    assert many.learn_many([tickets[i] for i in order] + tickets[:2], [Y[i] for i in order] + [Y[0], Y[1]]) == ["applied"] * 60 + ["duplicate"] * 2
    for i in order:
        one.learn(tickets[i], Y[i])
    assert many.hash() == one.hash()


@pytest.mark.parametrize("change", [lambda g: g, scipy.sparse.csr_array, lambda g: g.tolist()])
def test_gradients_of_a_batch(change):
    spec = {"set": {"type": "l2_ball", "dimension": 3, "radius": 1}, "learner": {"type": "delayed_ofw", "eta": 0.1}}
    many, one = tarry.Model(spec), tarry.Model(spec)
    gradients = np.array([[1.0, 0, 2], [0, 3, 0], [1, 1, 1]])
    tickets = [model.decide().ticket for _ in range(3) for model in (many, one)][::2]
    assert many.learn_many(tickets, gradients=change(gradients)) == ["applied"] * 3
    for ticket, g in zip(tickets, gradients, strict=True):
        one.learn(ticket, gradient=g)
    assert np.array_equal(many.decision, one.decision)


def test_named_rows_and_frames():
    rows = [{"a": float(i), "b": "xy"[i % 2], "c": None if i % 3 == 0 else i} for i in range(30)]
    frame = pandas.DataFrame(rows)
    labels = [r["b"] == "x" for r in rows]
    of_dicts, of_frame = tarry.Model("binary"), tarry.Model("binary")
    for _ in range(2):
        of_dicts.learn_many(of_dicts.decide_many(rows), labels)
        of_frame.learn_many(of_frame.decide_many(frame), pandas.Series(labels))
    assert of_dicts.hash() == of_frame.hash()


def _arrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)


def _polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


@pytest.mark.parametrize("change", [lambda frame: frame, _polars, _arrow], ids=["pandas", "polars", "arrow"])
@pytest.mark.parametrize("words", [False, True])
def test_columns_of_a_frame_are_the_rows_of_its_dicts(change, words):
    columns = {"float": np.arange(40) / 7, "missing": np.where(np.arange(40) % 3 == 0, np.nan, 2.5), "whole": np.arange(40) - 20,
               "small": np.arange(40, dtype=np.float32) / 3, "byte": (np.arange(40) % 5).astype(np.uint8)}
    if words:
        columns |= {"flag": np.arange(40) % 2 == 0, "word": np.array(list("abcde") * 8, dtype=object)}
    frame = pandas.DataFrame(columns)
    rows = [{name: None if value != value else value for name, value in zip(columns, row, strict=True)}
            for row in zip(*(column.tolist() for column in columns.values()), strict=True)]
    labels = [i % 3 == 1 for i in range(40)]
    of_dicts, of_frame = tarry.Model("binary"), tarry.Model("binary")
    for _ in range(2):
        of_dicts.learn_many(of_dicts.decide_many(rows), labels)
        of_frame.learn_many(of_frame.decide_many(change(frame)), change(pandas.DataFrame({"y": labels}))["y"])
    assert np.array_equal(of_dicts.learn_now_many(rows, labels), of_frame.learn_now_many(change(frame), labels))
    assert of_dicts.hash() == of_frame.hash()
    assert np.array_equal(of_dicts.predict_many(rows), of_frame.predict_many(change(frame)))


@pytest.mark.parametrize("change", [_polars, _arrow], ids=["polars", "arrow"])
def test_columns_of_numbers_are_arrays_to_models_without_names(change):
    frame = change(pandas.DataFrame(X).add_prefix("x"))
    one, other = squared(), squared()
    labels = change(pandas.DataFrame({"y": np.arange(len(X)) / len(X)}))["y"]
    assert np.array_equal(one.learn_now_many(X, np.arange(len(X)) / len(X)), other.learn_now_many(frame, labels))
    assert one.hash() == other.hash()


def test_a_column_that_stands_there_twice():
    frame = pandas.DataFrame(np.ones((3, 2)), columns=["a", "a"])
    with pytest.raises(TypeError, match="the column .*a.* stands there twice"):
        tarry.Model("binary").predict_many(frame)


def test_names_that_are_equal_but_not_the_same_object():
    rows = [{"".join(("x", str(j))): float(i * j % 7) for j in range(5)} for i in range(50)]
    shared = [dict(zip(("x0", "x1", "x2", "x3", "x4"), row.values(), strict=True)) for row in rows]
    others = [{f"é{j}" if i % 10 == 3 else f"x{j}": value for j, value in enumerate(row.values())} for i, row in enumerate(rows)]
    one, other, third, fourth = (tarry.Model("binary") for _ in range(4))
    for i, (row, same, changed) in enumerate(zip(rows, shared, others, strict=True)):
        assert one.learn(one.decide(row).ticket, i % 3 == 0) == other.learn(other.decide(same).ticket, i % 3 == 0)
        third.learn(third.decide(changed).ticket, i % 3 == 0)
        fourth.learn_now(dict(reversed(list(changed.items()))), i % 3 == 0)
    assert one.hash() == other.hash()
    assert third.hash() != one.hash()
    assert third.predict(others[3]) == pytest.approx(fourth.predict(others[3]))


def test_scores_of_a_batch():
    model = tarry.Model("classes")
    rows = [{"c": "rgb"[i % 3]} for i in range(60)]
    first = model.decide_many(rows)
    assert first.predictions == [None] * 60
    assert first.scores.shape == (60, 0)
    model.learn_many(first, ["stop", "go", "wait"] * 20)
    again = model.decide_many(rows[:3])
    assert again.predictions == ["stop", "go", "wait"]
    assert again.scores.shape == (3, 3)
    assert again.scores.sum(axis=1) == pytest.approx([1, 1, 1])
    assert model.classes == ["stop", "go", "wait"]
    assert np.array_equal(model.predict_scores_many(rows[:3]), again.scores)


def test_a_wrong_row_opens_no_round():
    model = squared()
    bad = X.copy()
    bad[40, 2] = np.nan
    with pytest.raises(tarry.BadInput, match="row 40: features must be finite"):
        model.decide_many(bad)
    assert model.outstanding == 0
    with pytest.raises(tarry.BadInput, match="row 40"):
        model.predict_many(bad)


def test_learn_now_many_is_learn_now():
    many, one = squared(), squared()
    predictions = many.learn_now_many(X, Y)
    assert predictions.tolist() == [one.learn_now(row, y) for row, y in zip(X, Y, strict=True)]
    assert many.hash() == one.hash()


@pytest.mark.parametrize(("call", "error", "why"), [
    (lambda m: m.decide_many(X[:, :3]), ValueError, "row 0: features must have 4 entries"),
    (lambda m: m.decide_many(X[0]), ValueError, "2 dimensions .1 came."),
    (lambda m: m.decide_many(None), TypeError, "features must be rows"),
    (lambda m: m.decide_many({"a": 1}), TypeError, "features must be rows"),
    (lambda m: m.learn_now_many(X, Y[:5]), ValueError, "labels must have one entry for each of 60 rows .5 came."),
    (lambda m: m.learn_many(m.decide_many(X[:2]), [1]), ValueError, "one entry for each of 2 rows .1 came."),
    (lambda m: m.learn_many(m.decide_many(X[:2])), ValueError, "give either labels or gradients"),
    (lambda m: m.learn_many(["foreign"], [1]), KeyError, "no ticket"),
    (lambda m: m.learn_many("ticket", [1]), TypeError, "tickets must be a list"),
    (lambda m: m.learn_many([1], [1]), TypeError, "ticket must be a text"),
    (lambda m: m.learn_now_many(X, ["a"] * 60), ValueError, "row 0: label must be a number"),
    (lambda m: m.learn_now_many(X, np.full(60, np.nan)), ValueError, "row 0: label"),
], ids=lambda x: None)
def test_wrong_batches(call, error, why):
    with pytest.raises(error, match=why):
        call(squared())
