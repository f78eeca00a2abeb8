"""The client against the service itself: a whole life, snapshots, TLS and tokens, kills."""

import contextlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

import pytest
from conftest import PROGRAM, ROOT, run_program

import tarry
from tarry import client as module


@contextlib.contextmanager
def serving(folder, *options):
    """The service on a port of its own: the process, and its address."""
    tokenless = [] if (folder / "tokens").exists() else ["--without-tokens"]
    process = subprocess.Popen(
        [PROGRAM, "serve", "--data", str(folder), "--listen", "127.0.0.1:0", *tokenless, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        found = None
        for line in process.stdout:
            if found := re.search(r"127\.0\.0\.1:([1-9]\d*)", line):
                break
        assert found, "the service did not say where it listens"
        threading.Thread(target=process.stdout.read, daemon=True).start()
        yield process, f"http://127.0.0.1:{found.group(1)}"
    finally:
        process.kill()
        process.wait()


def test_a_whole_life(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        assert client.create("returns", "binary") is True
        assert client.create("returns", task="binary") is False
        with pytest.raises(tarry.Conflict):
            client.create("returns", "regression")
        with pytest.raises(tarry.BadSpec):
            client.create("other", "no_such_task")
        t = client.decide("returns", {"article": "shoes", "price": 80}, key="order-17")
        assert (t.round, t.prediction) == (1, 0.5)
        assert client.feedback(t.ticket, True) == "accepted"
        assert client.feedback(t.ticket, True) == "duplicate"
        assert client.feedback(model="returns", key="order-17", label=True) == "duplicate"
        with pytest.raises(tarry.Conflict):
            client.feedback(t.ticket, False)
        with pytest.raises(module.Denied):
            client.feedback(t.ticket[:-2] + ("aa" if t.ticket[-2:] != "aa" else "bb"), True)
        with pytest.raises(tarry.UnknownTicket):
            client.feedback(model="returns", key="order-18", label=True)
        many = client.decide_many("returns", [{"article": "book", "price": p} for p in (10, 20, 30)])
        assert [d.round for d in many] == [2, 3, 4]
        answers = client.feedback_many([*((d.ticket, False) for d in many), ("nonsense", True), (t.ticket, True)])
        assert answers[:3] == ["accepted"] * 3
        assert isinstance(answers[3], tarry.TarryError)
        assert answers[4] == "duplicate"
        assert client.model("returns")["outstanding"] == 0
        assert [entry["name"] for entry in client.models()] == ["returns"]
        assert client.predict("returns", {"article": "shoes", "price": 80})["prediction"] > 0.5
        with pytest.raises(module.UnknownModel):
            client.decide("nobody", {"x": 1})
        client.delete("returns")
        with pytest.raises(module.UnknownModel):
            client.model("returns")


def test_a_choice(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("menu", "choose", features={"capacity": 64})
        actions = ["ice", {"id": "soup", "features": {"price": 3}}]
        first = client.choose("menu", {"weather": "sun"}, actions, key="a")
        assert first.action in ("ice", "soup")
        assert [each["id"] for each in first.ranking] == ["ice", "soup"]
        assert client.feedback(first.ticket, True) == "accepted"
        again = client.choose("menu", {"weather": "sun"}, actions, key="a")
        assert (again.ticket, again.action, again.probability) == (first.ticket, first.action, first.probability)
        assert client.choose("menu", {}, actions, exclude=["ice"], shown="ice").shown == "ice"
        with pytest.raises(tarry.BadInput, match="different ids"):
            client.choose("menu", {}, ["a", "a"])


def test_a_round_is_looked_up(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("returns", "binary")
        t = client.decide("returns", {"price": 80}, key="order/7 +")
        client.feedback(t.ticket, True)
        by_key = client.round("returns", key="order/7 +")
        assert (by_key["round"], by_key["state"], by_key["features"]) == (1, "answered", {"price": 80})
        assert by_key["prediction"] == t.prediction and by_key["feedback"][0]["label"] is True
        assert client.round("returns", ticket=t.ticket)["key"] == "order/7 +"
        assert client.round("returns", number=1)["round"] == 1
        with pytest.raises(tarry.UnknownTicket):
            client.round("returns", number=2)
        with pytest.raises(tarry.UnknownTicket):
            client.rounds_behind("returns", 1)
        with pytest.raises(tarry.BadInput):
            client.round("returns")


def test_how_good_a_model_is(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("returns", "binary")
        for i in range(20):
            client.feedback(client.decide("returns", {"price": i % 3}).ticket, i % 2 == 0)
        told = client.quality("returns")
        quality = told["quality"]
        assert told["drift"]["alarms"] == [] and quality["troubles"] == []
        assert (quality["lately"]["decisions"], quality["lately"]["labels"], quality["health"]) == (20, 20, "too early")
        calibration = quality["calibration"]
        assert calibration["labels"] == 20 and calibration["outcome"] == 0.5 and 0 < calibration["predicted"] < 1
        assert calibration["error"] >= 0 and calibration["error_by_chance"] > 0
        assert sum(labels for labels, _, _ in quality["reliability"]) == 20
        with pytest.raises(module.UnknownModel):
            client.quality("nobody")


def test_a_challenger(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("returns", "binary")
        assert client.challenge("returns", "plain", products=False) is True
        assert client.challenge("returns", "plain", {"products": 0}) is False
        with pytest.raises(tarry.Conflict):
            client.challenge("returns", "plain", bends=False)
        with pytest.raises(module.UnknownModel):
            client.promote("returns", "nobody")
        t = client.decide("returns", {"price": 80})
        assert client.feedback(t.ticket, True) == "accepted"
        (one,) = client.challengers("returns")
        assert (one["name"], one["verdict"], one["rounds"], one["labels"]) == ("plain", "too early", 1, 1)
        client.promote("returns", "plain")
        assert [one["name"] for one in client.challengers("returns")] == ["original"]
        client.remove_challenger("returns", "original")
        with pytest.raises(module.UnknownModel):
            client.remove_challenger("returns", "original")
        assert client.challengers("returns") == []


def test_a_snapshot_is_the_packages_own(tmp_path):
    with serving(tmp_path / "data") as (_, url), tarry.Client(url) as client:
        client.create("m", "binary")
        for i in range(20):
            client.feedback(client.decide("m", {"x": i % 3, "city": "Paris" if i % 2 else "Oslo"}).ticket, i % 2 == 0)
        data = client.snapshot("m", tmp_path / "m.tarry")
        assert (tmp_path / "m.tarry").read_bytes() == data
        model = tarry.Model.from_bytes(data)
        assert model.hash() == client.model("m")["hash"]
        assert model.predict({"x": 1, "city": "Oslo"}) == client.predict("m", {"x": 1, "city": "Oslo"})["prediction"]
        model.learn(model.decide({"x": 2}).ticket, True)
        model.save(tmp_path / "later.tarry")
        assert client.restore("later", tmp_path / "later.tarry")
        assert client.model("later")["hash"] == model.hash()
        assert not client.restore("later", (tmp_path / "later.tarry").read_bytes())  # as if it were sent again
        with pytest.raises(tarry.Conflict):
            client.restore("m", tmp_path / "later.tarry")


def test_the_ranking_example_learns(tmp_path):
    example = ROOT / "examples" / "service" / "ranking.py"
    scopes = ("--scope", "admin,decide,feedback")  # as it says at its head
    [token] = run_program("token", "add", "ranking", "--data", tmp_path / "data", *scopes)
    with serving(tmp_path / "data") as (_, url):
        environment = os.environ | {"TARRY_TOKEN": token}
        done = subprocess.run(
            [sys.executable, "-B", example, url], capture_output=True, text=True, timeout=300, env=environment
        )
    assert done.returncode == 0, done.stderr
    first, last = map(int, re.findall(r"100: (\d+)", done.stdout))
    assert last > max(first, 70)


def test_the_ranking_example_is_typed(tmp_path):
    example = ROOT / "examples" / "service" / "ranking.py"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), example],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("openssl"), reason="there is no openssl to make a certificate with")
def test_tls_with_a_token(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            key,
            "-out",
            certificate,
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=IP:127.0.0.1",
        ],
        check=True,
        capture_output=True,
    )
    token = run_program(
        "token",
        "add",
        "--data",
        tmp_path / "data",
        "all",
        *(word for scope in ("decide", "feedback", "admin", "read") for word in ("--scope", scope)),
    )[0]
    with serving(tmp_path / "data", "--tls-cert", str(certificate), "--tls-key", str(key)) as (_, url):
        url = url.replace("http:", "https:")
        trusting = ssl.create_default_context(cafile=str(certificate))
        with tarry.Client(url, token, context=trusting) as client:
            client.create("m", "binary")
            assert client.feedback(client.decide("m", {"x": 1}).ticket, True) == "accepted"
        with tarry.Client(url, "nobody." + "x" * 40, context=trusting) as client, pytest.raises(module.Denied):
            client.models()
        with tarry.Client(url, token, patience=5) as client, pytest.raises(module.Unavailable, match="certificate"):
            client.models()  # nobody vouches for it: not tried again


def test_a_killed_service_doubles_nothing(tmp_path):
    """Decisions go on over kill -9: the client hides it, and there are as many rounds as decisions."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [PROGRAM, "serve", "--data", str(tmp_path / "data"), "--listen", f"127.0.0.1:{port}", "--without-tokens"]
    start = lambda: subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process = start()
    decided = []
    try:
        with tarry.Client(f"http://127.0.0.1:{port}", timeout=5, patience=60) as client:
            client.create("m", "binary")
            done = threading.Event()

            def decide():
                for i in range(150):
                    t = client.decide("m", {"x": i})
                    assert client.feedback(t.ticket, True) in ("accepted", "duplicate")
                    decided.append(t.round)
                done.set()

            worker = threading.Thread(target=decide)
            worker.start()
            for _ in range(3):
                time.sleep(0.05)
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                process = start()
            worker.join(120)
            assert done.is_set()
            assert decided == list(range(1, 151))
            state = client.model("m")
            assert (state["rounds"], state["outstanding"]) == (150, 0)
    finally:
        process.kill()
        process.wait()
