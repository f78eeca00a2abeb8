"""The README's first table: the demo's log-loss with labels at once and with labels when they come. Runs `tarry`."""

import json
import subprocess
import tempfile
from pathlib import Path

ROWS = {"auto": "Tarry, no settings", "SGD 0.1": "plain SGD at 0.1", "SGD 0.01": "plain SGD at its usual rate, 0.01",
        "base rate": "predicting the share so far"}

with tempfile.TemporaryDirectory() as folder:
    subprocess.run(["tarry", "run", "examples/demo.toml", "--out", folder], check=True, capture_output=True)
    groups = json.loads(Path(folder, "summary.json").read_text())["groups"]

losses = {(group["learner"], group["delay"]): group["metrics"]["log_loss"] for group in groups}
best = {delay: min(loss for (_, when), loss in losses.items() if when == delay) for _, delay in losses}


def shown(text, mark):
    return f"**{text}**" if mark else text


print("| learner | labels at once | labels when they come |")
print("|---|---|---|")
for learner, words in ROWS.items():
    cells = [shown(f"{losses[learner, delay]:.4g}" if losses[learner, delay] > 10 else f"{losses[learner, delay]:.3f}",
                   losses[learner, delay] == best[delay]) for delay in ("at once", "as recorded")]
    print("|", " | ".join([shown(words, learner == "auto"), *cells]), "|")
