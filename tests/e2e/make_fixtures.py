"""make_fixtures.py: writes fixtures/release-MAJOR.MINOR.tar.xz with the program $TARRY: model files and a store of this release.

Run it when a release is made, and never again for that release: old_release_test.py checks that later programs go on from what it wrote.
release-0.2-arithmetic-4 is from before the release, when programs already called themselves 0.2.0."""

import json
import random
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

from program import PROGRAM, ROOT, tarry
from service import Service

CITIES = ["Bern", "Lyon", "Oslo"]
MODELS = {
    "binary": {"task": "binary", "features": {"capacity": 64}, "expiry": {"rounds": 150}},
    "classes": {"task": "classes", "classes": ["bus", "train", "walk"], "features": {"capacity": 64}},
    "regression": {"task": "regression", "features": {"capacity": 64}, "revisable": {"rounds": 30}},
    "choose": {"task": "choose", "actions": ["ice", "soup", "tea"], "features": {"capacity": 32}},
    "ball": {"set": {"type": "l2_ball", "dimension": 3, "radius": 2}, "learner": {"type": "gauge_ftrl"}},
}


def answer(name, features, draw):
    score = features["x"] + (features["city"] == "Oslo") + draw.gauss(0, 0.3)
    if name == "regression":
        return round(score, 3)
    return ("walk" if score < 0 else "bus" if score < 1 else "train") if name == "classes" else score > 0


def events(name, rounds, draw):
    """Plays 1 to `rounds` and the feedback that comes meanwhile, late and not for every round."""
    waiting = []
    for t in range(1, rounds + 1):
        features = {"x": round(draw.uniform(-1, 1), 3), "city": draw.choice(CITIES), "new": draw.random() < 0.5}
        if name == "choose":
            yield {"play": t, "context": {"weather": draw.choice(["sun", "rain"])}}
        else:
            yield {"play": t} | ({} if name == "ball" else {"key": f"k{t}", "features": features})
        waiting.append((t, features))
        while len(waiting) > 5 and draw.random() < 0.55:
            k, of = waiting.pop(draw.randrange(len(waiting)))
            if name == "ball":
                yield {"receive": k, "gradient": [round(draw.gauss(0, 1), 3) for _ in range(3)]}
            else:
                yield {"label": k, "value": answer(name, of, draw)}


def write(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def make_models(folder):
    for name, spec in MODELS.items():
        draw = random.Random(name)
        header = {"format": "tarry-replay/2", "model": spec}
        every = list(events(name, 240, draw))
        cut = next(i for i, event in enumerate(every) if event.get("play") == 201)
        log, saved, more = (folder / f"{name}{ending}" for ending in (".log", ".tarry", ".more.jsonl"))
        write(log, [header, *every[:cut]])
        write(more, [header, *every[cut:]])
        for arguments, out in (([log, "--save", saved], None), ([more, "--load", saved, "--hash"], folder / f"{name}.expected.jsonl")):
            done = tarry("replay", *arguments)
            if done.returncode:
                raise SystemExit(done.stderr.decode())
            if out:
                out.write_bytes(done.stdout)
        log.unlink()


def make_store(folder):
    """Two models and a snapshot; the service is stopped, started again, takes more and is killed."""
    folder.mkdir()
    service, draw, ticket = Service(folder), random.Random("store"), None

    def play(count):
        nonlocal ticket
        for name in ("clicks", "meals"):
            for _ in range(count):
                body = {"features": {"x": draw.uniform(-1, 1), "city": draw.choice(CITIES)}} if name == "clicks" else {"context": {"weather": "sun"}}
                got = service.ask("POST", f"/v1/models/{name}/{'decisions' if name == 'clicks' else 'choices'}", body).json
                if draw.random() < 0.6:
                    service.ask("POST", "/v1/feedback", {"ticket": got["ticket"], "label" if name == "clicks" else "reward": draw.random() < 0.5})
                elif name == "clicks":
                    ticket = got["ticket"]

    service.create("clicks", MODELS["binary"])
    service.create("meals", MODELS["choose"])
    play(30)
    service.stop()
    service.start()
    play(10)
    wanted = {"ticket": ticket, "models": {name: {"rounds": 40, "hash": service.hash(name)} for name in ("clicks", "meals")}}
    service.kill()
    (folder / "expected.json").write_text(json.dumps(wanted))
    (folder / "lock").unlink(missing_ok=True)


def main():
    said = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    version, arithmetic = re.fullmatch(r"tarry (\d+\.\d+)\.\d+ \(arithmetic (\d+)\)\n", said).groups()
    out = ROOT / "tests" / "e2e" / "fixtures" / f"release-{version}.tar.xz"
    if out.exists():
        raise SystemExit(f"{out.name} is there: what a release wrote does not change")
    with tempfile.TemporaryDirectory() as made:
        root = Path(made) / f"release-{version}"
        root.mkdir()
        make_models(root)
        make_store(root / "store")
        (root / "release.json").write_text(json.dumps({"version": said.split()[1], "arithmetic": int(arithmetic)}))
        with tarfile.open(out, "w:xz") as tar:
            tar.add(root, root.name, filter=lambda one: one.replace(mtime=0, uid=0, gid=0, uname="root", gname="root", deep=False))
    print(out.name, out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
