"""A round and the rounds behind an alarm, made up."""

import time

PARTS = [("hour=17", 0.61), ("distance", -0.42), ("airline=north × hour=17", 0.3), ("weekend", -0.12), ("airline=north", 0.05)]


def behind(now):
    return [{"round": 9000 + 13 * k, "state": "waiting" if k % 3 else "answered", "key": f"flight-{9000 + 13 * k}",
             "played": now - 21000 + 900 * k, "prediction": 0.2 + 0.03 * k, "value": None} for k in range(12)]


def answer(model, asked):
    now = time.time()
    if "alarm" in asked:
        return {"model": model, "alarm": int(asked["alarm"]), "kind": "feature", "column": "distance", "since": now - 21600, "until": now,
                "text": "Values of \"distance\" differ from what is usual: 38 % are missing (usually 2 %)", "rounds": behind(now)}
    outputs = [{"base": 0, "score": 0.42, "parts": [{"name": name, "adds": adds} for name, adds in PARTS]}]
    return {"model": model, "round": 9013, "key": asked.get("key", "flight-9013"), "state": "answered", "played": now - 20000,
            "features": {"hour": "17", "distance": 812.5, "airline": "north", "weekend": False}, "prediction": 0.58,
            "feedback": [{"at": now - 5000, "after": 15000, "label": True}],
            "now": {"prediction": 0.6, "explanation": {"score_is": "log-odds", "outputs": outputs}}, "unknown": []}
