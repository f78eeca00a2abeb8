#!/usr/bin/env python3
"""A service over made-up models, for work on the dashboard and for its tests. It speaks the parts of the HTTP contract that
the page uses, remembers next to nothing, and listens on 127.0.0.1 alone.

    sample.py [--models N] [--port P] [--token TEXT] [--prefix /path]
"""

import argparse
import contextlib
import hashlib
import json
import math
import random
import re
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import sample_rounds

ROOT = Path(__file__).resolve().parents[2]
RANGES = {"10m": (5_000, 120), "3h": (60_000, 180), "24h": (600_000, 144)}
COLUMNS = ("at decisions answered given_up losses loss constant feedback duplicates expired refused updates update_ms backlog outstanding "
           "oldest_ms certificate store_bytes syncs sync_ms predicted outcome").split()
NAMES = ["flights", "conversions", "ratings", "routing", "budget", "incidents", "fraud", "arrivals", "churn", "prices"]
SPECS = {
    "flights": {"task": "regression", "expiry": {"seconds": 86400}},
    "conversions": {"task": "binary"},
    "ratings": {"task": "ratings", "users": 1000, "items": 1000, "range": [1, 5]},
    "routing": {"learner": {"type": "auto"}, "set": {"type": "flow", "nodes": 9, "source": 0, "sink": 8, "edges": [
        [0, 1], [1, 2], [3, 4], [4, 5], [6, 7], [7, 8], [0, 3], [3, 6], [1, 4], [4, 7], [2, 5], [5, 8]]}},
    "budget": {"task": "allocation", "options": ["search", "social", "mail", "video", "radio"]},
}
EXAMPLES, NAMED = list(SPECS), {"learner": {"type": "auto"}, "standardise": True, "features": {"capacity": 262144, "intercept": True}}
FULL = {
    "flights": {"set": {"type": "box", "dimension": 262144, "lower": -10, "upper": 10}, "loss": {"type": "squared"}, **NAMED,
                "expiry": {"seconds": 86400}},
    "conversions": {"set": {"type": "box", "dimension": 262144, "lower": -10, "upper": 10}, "loss": {"type": "logistic"}, **NAMED},
    "ratings": {"set": {"type": "product", "parts": [{"type": "nuclear_ball", "rows": 1000, "cols": 1000, "radius": 200}]},
                "learner": {"type": "per_block"}, "loss": {"type": "squared"}, "features": {"type": "ratings"}},
    "routing": SPECS["routing"],
    "budget": {"set": {"type": "simplex", "dimension": 5}, "learner": {"type": "auto"}, "names": SPECS["budget"]["options"]},
}


class Made:
    """One made-up model: every number is a function of time."""

    def __init__(self, name, index, born):
        numbers = random.Random(name)
        self.name, self.kind = name, EXAMPLES[index % len(EXAMPLES)]
        self.rate = numbers.uniform(2, 40) if index < 10 else numbers.choice([0, 0.1, 1.5])
        self.delay = numbers.uniform(60, 900)  # seconds
        self.lost, self.level = numbers.uniform(0.005, 0.04), numbers.uniform(0.3, 2)
        self.born, self.phase = born - 86_400_000, numbers.uniform(0, 6.28)
        self.losing = self.kind in ("flights", "conversions", "ratings")

    def per_second(self, at):
        return self.rate * (1 + 0.35 * math.sin(at / 14_400_000 + self.phase) + 0.06 * math.sin(at / 71_000 + 3 * self.phase))

    def matured(self, age_ms):
        return (1 - self.lost) * (1 - math.exp(-max(0, age_ms) / 1000 / self.delay))

    def point(self, at, step, now):
        numbers = random.Random(f"{self.name}/{at}/{step}")
        span = min(step, now - at) / 1000
        drawn = lambda mean: max(0, round(mean + math.sqrt(mean) * numbers.gauss(0, 1)))
        decisions = drawn(self.per_second(at) * span)
        answered = round(decisions * self.matured(now - at - step / 2))
        feedback = drawn(self.per_second(at - 1000 * self.delay) * span * (1 - self.lost))
        learnt = 0.55 + 0.4 * math.exp(-(at - self.born) / 40_000_000) + 0.1 * math.sin(at / 9_000_000)
        losses = answered if self.losing else 0
        update = 0.02 + 0.01 * self.level
        share = {"flights": 12, "conversions": 0.08}.get(self.kind)
        return [at, decisions, answered, round(decisions * self.lost * (now - at > 3_600_000)), losses,
                losses * self.level * learnt * numbers.uniform(0.94, 1.06) if losses else 0,
                losses * self.level * numbers.uniform(0.97, 1.03) if losses else 0, feedback,
                drawn(feedback * 0.01), drawn(feedback * 0.004), drawn(span * 0.003), feedback,
                feedback * update * numbers.uniform(0.9, 1.2), drawn(1.2) if feedback else 0,
                round(self.per_second(at) * self.delay * numbers.uniform(0.97, 1.03)), self.delay * 4200 * numbers.uniform(0.9, 1.1),
                None if self.kind == "ratings" else 40 * ((at - self.born) / 1000 * self.rate + 1) ** 0.5, None, 0, 0,
                losses * share * numbers.uniform(0.97, 1.03) if share else None,
                losses * share * numbers.uniform(0.9, 1.1) if share else None]

    def row(self, now):
        point = self.point(now - 60_000, 60_000, now + 3_600_000)
        seconds = (now - self.born) / 1000
        full = FULL[self.kind]
        return {"name": self.name, "about": " · ".join(full[part]["type"] for part in ("set", "learner", "loss") if part in full),
                "rounds": round(self.rate * seconds), "outstanding": point[14] if self.rate else 0,
                "oldest": now - point[15] if self.rate else None, "decisions_s": point[1] / 60, "feedback_s": point[7] / 60,
                "loss": point[5] / point[4] if point[4] else None, "constant": point[6] / point[4] if point[4] else None,
                "certificate": point[16], "duplicates": round(seconds * self.rate * 0.01),
                "expired": round(seconds * self.rate * 0.004), "refused": round(seconds * 0.003),
                "trouble": ["changed"] if self.kind == "flights" else [],
                "bytes": round(180_000 + 400 * self.rate * self.delay)}

    def delays(self):
        counts = [0] * 32
        for k in range(32):
            chance = math.exp(-(2 ** k) / 1000 / self.delay) - math.exp(-(2 ** (k + 1)) / 1000 / self.delay)
            counts[k] = round(86_400 * self.rate * chance)
        return counts

    def waiting(self, row):
        """What is known about waiting: labels "no" come when a window closes, "yes" earlier."""
        told = {"rounds": row["rounds"], "answered": row["rounds"] - row["outstanding"], "open": row["outstanding"],
                "given_up": 0, "void": 3, "by_age": [], "late": [], "says": []}
        if self.kind != "conversions":
            return told
        ages = [0] + [side << k for k in range(10) for side in (8, 12)]
        shares = {"no": [math.exp(-(age / 3000) ** 4) for age in ages], "yes": [math.exp(-age / 400) for age in ages]}
        everybody = [0.92 * no + 0.08 * yes for no, yes in zip(*shares.values())]
        labels = {"no": round(0.92 * row["rounds"]), "yes": round(0.08 * row["rounds"])}
        return told | {
            "by_age": [{"from": age, "open": round(max(1, age) * share), "given_up": 0} for age, share in zip(ages[1::2], everybody[1::2])],
            "believed": [{"ages": "rounds", "from": "labels", "rounds": row["rounds"], "known": len(ages) - 1, "trust": 0.93, "age": ages,
                          "reached": [round(share * row["rounds"]) for share in everybody], "open": everybody,
                          "classes": [{"class": name, "labels": labels[name], "half": half, "others_half": 277 + 2737 - half, "open": open_}
                                      for (name, open_), half in zip(shares.items(), (2737, 277))]}],
            "moves": round(1.6 * row["rounds"]), "mean_move": 0.034,
            "seconds": [{"class": "no", "labels": labels["no"], "half": 259_000}, {"class": "yes", "labels": labels["yes"], "half": 32_400}],
            "late": ['labels of "yes" come sooner: half of them within about 277 rounds, of the others within about 2,737 rounds'],
            "says": ['of "no", 97 % are thought to be open after 1,024 rounds, of "yes" 8 %',
                     f"targets of open rounds have moved {round(1.6 * row['rounds']):,} times, 1.6 a round, by 0.034 of probability on average"]}

    def quality(self, now):
        """Four days of spans, of which the last half day has few labels; the features changed six hours ago."""
        if not self.losing:
            return {}
        hour, expected = 3_600_000, lambda k: self.level * (0.6 + 0.03 * math.sin(k))
        spans = []
        for k in range(24):
            start, share = now - (24 - k) * 4 * hour, min(1, (24 - k) / 4)
            mean, wide = expected(k), 0.08 * self.level * (1 - share)
            loss = {"so_far": mean * 0.97, "expected": mean, "low": mean - wide, "high": mean + wide}
            gain = {"so_far": 0.3 * self.level, "expected": 0.3 * self.level, "low": 0.2 * self.level, "high": 0.4 * self.level}
            spans.append({"from": start, "to": start + 4 * hour, "decisions": 900, "labels": 900 * share, "share": share, "loss": loss,
                          "gain": gain})
        alarms = [{"number": 2, "kind": "feature", "column": "distance", "since": now - 6 * hour, "raised": now - 4 * hour, "over": None,
                   "text": "Values of \"distance\" differ from what is usual: 38 % are missing (usually 2 %)",
                   "look": "Look at what sends this feature."},
                  {"number": 1, "kind": "arrivals", "column": "", "since": now - 90 * hour, "raised": now - 88 * hour, "over": now - 70 * hour,
                   "text": "Fewer labels come than usual: 0 where 24 were to be expected",
                   "look": "Look at the source of the labels: it may be down."}]
        sentence = "With 92 % of the labels in, the model is expected to lose 33 % less than a constant answer (25 % to 41 %)."
        changed = self.kind == "flights"
        return {"quality": {"health": "better", "miscalibrated": False, "overdue": False, "troubles": [],
                            "sentence": (f"{alarms[0]['text']}, for 6 hours now. {alarms[0]['look']} " if changed else "") + sentence,
                            "lately": spans[-1], "complete": spans[0], "spans": spans, "checks": [],
                            "reliability": [[300, p / 10, p / 10 + 0.01] for p in range(1, 9)] if self.kind == "conversions" else []},
                "drift": {"learns_until": now - 20 * 24 * hour if changed else now + 24 * hour, "features": 10,
                          "alarms": alarms if changed else []}}

    def curves(self):
        """Effects of three numbers, one of which has few values."""
        if self.kind not in ("flights", "conversions"):
            return []
        size, unit = (9, "label") if self.kind == "flights" else (0.6, "log odds")
        hours, distances, winds = range(24), [120 + 65 * k for k in range(41)], [0.5 * k for k in range(37)]
        told = [("hour", hours, [math.sin((hour - 11) / 3.82) + 0.7 * math.exp(-(hour - 17) ** 2 / 4) for hour in hours]),
                ("distance", distances, [0.5 * math.tanh((x - 900) / 500) for x in distances]),
                ("wind", winds, [0.02 * max(0, x - 9) ** 1.4 for x in winds])]
        return [{"name": name, "unit": unit, "whole": name == "hour", "at": list(at),
                 "effect": [size * (y - sum(effect) / len(effect)) for y in effect]} for name, at, effect in told]

    def view(self, now):
        numbers = random.Random(self.name)
        row = self.row(now)
        decision, weights = None, []
        if self.kind == "routing":
            values = [0.62, 0.4, 0.28, 0.5, 0.1, 0.32, 0.38, 0.1, 0.22, 0.22, 0.18, 0.68]
            decision = {"kind": "flow", "dimension": 12, "indices": list(range(12)), "values": values}
        elif self.kind == "budget":
            decision = {"kind": "vector", "dimension": 5, "names": SPECS["budget"]["options"], "indices": list(range(5)),
                        "values": [0.41, 0.27, 0.08, 0.2, 0.04]}
        elif self.kind == "ratings":
            side = 16
            left = [[numbers.gauss(0, 1) for _ in range(2)] for _ in range(side)]
            right = [[numbers.gauss(0, 1) for _ in range(2)] for _ in range(side)]
            decision = {"kind": "matrix", "rows": 1000, "cols": 1000, "shown_rows": sorted(numbers.sample(range(1000), side)),
                        "shown_cols": sorted(numbers.sample(range(1000), side)),
                        "values": [sum(a * b for a, b in zip(u, v)) for u in left for v in right]}
        else:
            words = ["carrier=AA", "carrier=DL", "hour", "distance", "origin=JFK", "dest=SFO", "weekday=fri", "month", "wind", "snow"]
            weights = sorted(({"name": word, "weight": numbers.gauss(0, 1)} for word in words), key=lambda w: -abs(w["weight"]))
        spec = SPECS[self.kind]
        return row | self.quality(now) | {"waiting": self.waiting(row), "spec": FULL[self.kind], "explained": {
                      "fingerprint": "622f6dff9d36a341", "dimension": 262144, "diameter": 10240, "projection": True, "learners": 8,
                      "an_update": "for each of its learners the features' non-zeros",
                      "a_waiting_round": "200 bytes with 10 features, 11 numbers of memo among them"},
                      "dimension": 262144, "decision": decision, "weights": weights, "curves": self.curves(),
                      "settled": row["rounds"] - row["outstanding"], "voided": 3, "position": row["rounds"] * 2,
                      "features": None if self.kind in ("routing", "budget") else {"hour": 17, "carrier": "AA"},
                      "feedback": "label" if self.kind != "routing" else "gradient",
                      "oldest_rounds": [{"round": 100 + 7 * k, "since": now - row_age, **({"key": f"order-{k}"} if k % 2 else {})}
                                        for k, row_age in enumerate(sorted((numbers.uniform(1, 5) * 1e6 for _ in range(8)), reverse=True))]}


class Service:
    def __init__(self, models, token=None, prefix=""):
        self.token, self.prefix = token, prefix
        self.opened = round(time.time() * 1000)
        self.started = self.opened - 86_400_000  # so that there is a day to show
        self.models = {}
        for k in range(models):
            name = NAMES[k] if k < len(NAMES) else f"model-{k:04d}"
            self.models[name] = Made(name, k, self.opened)
        self.given = {}
        self.errors = [{"at": self.opened - 65_000 * k, "status": status, "code": code, "message": said, "model": model}
                       for k, (status, code, said, model) in enumerate([
                           (403, "forged", "the ticket was not made by this service", None),
                           (409, "conflict", "this round had another label before", "flights"),
                           (422, "bad_input", "label must be finite (label = inf)", "conversions"),
                           (410, "expired", "the round was given up after 86400 s", "flights")])][::-1]
        self.changed = threading.Event()
        self.closing = False

    def points(self, model, range_name, now):
        step, kept = RANGES[range_name]
        last = now // step
        ats = [k * step for k in range(last - kept + 1, last + 1)]
        if model:
            return [self.models[model].point(at, step, now) for at in ats]
        busy = [made for made in self.models.values() if made.rate > 1.6] or list(self.models.values())[:3]
        return [self.total([made.point(at, step, now) for made in busy], at, step) for at in ats]

    @staticmethod
    def total(points, at, step):
        numbers = random.Random(f"{at}/{step}")
        summed = [at] + [sum(point[k] or 0 for point in points) for k in range(1, len(COLUMNS))]
        summed[5] = sum(p[5] / (p[6] / p[4]) for p in points if p[4])
        summed[6] = sum(p[4] for p in points)
        summed[15] = max((p[15] for p in points), default=0)
        syncs = step // 100
        return summed[:17] + [2.1e8 + (at % 86_400_000) * 2.6, syncs, syncs * numbers.uniform(0.8, 1.3), None, None]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, body, kind="application/json", **headers):
        data = body if isinstance(body, bytes) else (json.dumps(body) if not isinstance(body, str) else body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(data), **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(data)

    def refuse(self, status, code, message):
        told = {"at": round(time.time() * 1000), "status": status, "code": code, "message": message, "model": None}
        self.server.service.errors.append(told)
        self.send(status, {"error": {"code": code, "message": message}})

    def handle_any(self):
        service = self.server.service
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path, _, query = self.path.partition("?")
        if not path.startswith(service.prefix + "/"):
            return self.refuse(404, "not_found", "no such address")
        path = path[len(service.prefix):]
        if path == "/":
            page = template()
            return self.send(200, page, "text/html; charset=utf-8", Content_Security_Policy=policy_of(page))
        if service.token and self.headers.get("Authorization") != f"Bearer {service.token}":
            return self.send(401, {"error": {"code": "unauthorised", "message": "a token with the scope read is wanted"}})
        asked = dict(part.split("=", 1) for part in query.split("&") if "=" in part)
        if path == "/v1/live":
            return self.live(asked)
        if found := re.fullmatch(r"/v1/models/([a-z0-9_-]+)/(view|rounds)", path):
            made = service.models.get(found[1])
            told = made and (made.view(round(time.time() * 1000)) if found[2] == "view" else sample_rounds.answer(found[1], asked))
            return self.send(200, told) if made else self.refuse(404, "unknown", f"no model {found[1]}")
        if (found := re.fullmatch(r"/v1/models/([a-z0-9_-]+)", path)) and self.command == "PUT":
            return self.create(found[1], body)
        if (found := re.fullmatch(r"/v1/models/([a-z0-9_-]+)/decisions", path)) and self.command == "POST":
            ticket = hashlib.sha256(body + str(time.time()).encode()).hexdigest()
            service.given[ticket] = None
            return self.send(200, {"ticket": ticket, "round": len(service.given), "prediction": 12.5})
        if path == "/v1/feedback":
            return self.feedback(json.loads(body))
        return self.refuse(404, "not_found", "no such address")

    do_GET = do_PUT = do_POST = do_DELETE = handle_any

    def create(self, name, body):
        service = self.server.service
        try:
            spec = json.loads(body)
        except ValueError as error:
            return self.refuse(400, "bad_spec", f"model: not JSON: {error}")
        if spec.get("set", {}).get("radius", 1) <= 0:
            return self.refuse(400, "bad_spec", f"simplex: radius must be positive (radius = {spec['set']['radius']})")
        if name in service.models:
            return self.refuse(409, "conflict", f"the model {name} has another specification")
        service.models[name] = Made(name, 0, round(time.time() * 1000) + 86_400_000)
        return self.send(201, {"name": name})

    def feedback(self, item):
        given = self.server.service.given
        if item.get("ticket") not in given:
            return self.refuse(403, "forged", "the ticket was not made by this service")
        said = json.dumps(item, sort_keys=True)
        if given[item["ticket"]] == said:
            return self.send(200, {"status": "accepted", "duplicate": True})
        given[item["ticket"]] = said
        return self.send(200, {"status": "accepted"})

    def live(self, asked):
        service = self.server.service
        model, range_name = asked.get("model"), asked.get("range", "10m")
        if model and model not in service.models:
            return self.refuse(404, "unknown", f"no model {model}")
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        seen, step = len(service.errors), RANGES[range_name]
        full, rows = True, {}
        try:
            while not service.closing:
                now = round(time.time() * 1000)
                points = service.points(model, range_name, now)
                line = {"at": now, "points": points if full else points[-2:],
                        "delays": service.models[model].delays() if model else
                        [sum(each) for each in zip(*(made.delays() for made in service.models.values()))] or []}
                chosen = [service.models[model]] if model else list(service.models.values())
                fresh = {made.name: made.row(now) for made in chosen if full or made.name not in rows or made.rate > 0}
                line["models"] = list(fresh.values())
                rows |= fresh
                line["errors"] = service.errors if full else service.errors[seen:]
                seen = len(service.errors)
                if full:
                    line |= {"full": True, "version": "0.2.0", "started": service.started, "step_ms": step[0], "kept": step[1],
                             "columns": COLUMNS}
                full = False
                data = (json.dumps(line) + "\n").encode()
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                self.wfile.flush()
                time.sleep(1)
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            pass
        self.close_connection = True


def template():
    """The page as the build puts it together."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        subprocess.run(["cmake", "-D", f"SOURCE={ROOT / 'web/dashboard'}", "-D", f"HTML={page}",
                        "-P", str(ROOT / "cmake/embed_page.cmake")], check=True)
        return page.read_text(encoding="utf-8")


def policy_of(page):
    return re.search(r'Content-Security-Policy"\s+content="([^"]*)"', page)[1] + "; frame-ancestors 'none'"


class Sample(ThreadingHTTPServer):
    """The server, running in a thread of its own; use it as a context."""

    daemon_threads = True

    def __init__(self, models=10, port=0, token=None, prefix=""):
        super().__init__(("127.0.0.1", port), Handler)
        self.service = Service(models, token, prefix)
        self.address = f"http://127.0.0.1:{self.server_address[1]}{prefix}/"

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.service.closing = True
        self.shutdown()
        self.server_close()


def main():
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--models", type=int, default=10)
    wanted.add_argument("--port", type=int, default=0)
    wanted.add_argument("--token")
    wanted.add_argument("--prefix", default="")
    args = wanted.parse_args()
    with Sample(args.models, args.port, args.token, args.prefix) as server:
        print(server.address, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
