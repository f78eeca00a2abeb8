"""verify.py bounds | pools: a table of docs/learners.md, from what `tarry verify --json` prints. It takes minutes; the output is
kept in verify.jsonl for the other table."""

import json
import subprocess
import sys
from pathlib import Path

# The rows of `bounds`, of all that are played.
SHOWN = [("delayed_ofw general", "l1_ball"), ("delayed_ofw general", "l2_ball"), ("delayed_ofw strongly_convex_set", "l2_ball"),
         ("delayed_ofw delay_aware", "l2_ball"), ("delayed_ofw unknown horizon", "l2_ball"),
         ("delayed_ofw unknown gradient_bound", "l2_ball"), ("delayed_ospf paper", "l2_ball"), ("delayed_ospf retuned", "l2_ball"),
         ("gauge_ftrl anytime", "l2_ball"), ("gauge_ftrl adaptive", "l2_ball"), ("gauge_ftrl light", "l2_ball"),
         ("delayed_eg fixed", "simplex"), ("delayed_eg", "simplex"), ("delayed_ogd", "l2_ball"), ("delayed_ofw_sc", "l2_ball"),
         ("delayed_ogd_sc", "l2_ball")]


def checks():
    kept = Path("verify.jsonl")
    if not kept.exists():
        kept.write_bytes(subprocess.run(["tarry", "verify", "--json"], check=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL).stdout)
    return [json.loads(line) for line in kept.read_text().splitlines()]


def bounds(games):
    print("| learner | set | worst regret | bound | ratio | in |\n|---|---|---|---|---|---|")
    for learner, name in SHOWN:
        played = [game for game in games if game["section"] == "bounds" and (game["learner"], game["set"]) == (learner, name)]
        worst = max(played, key=lambda game: game.get("ratio", game["regret"]))
        bound = f"{worst['bound']:.1f} | {worst['ratio']:.4f}" if "bound" in worst else "– | –"
        print(f"| {learner} | {name} | {worst['regret']:.2f} | {bound} | {worst['adversary']}, {worst['delay']} |")


def pools(games):
    print("| delay | `delayed_ofw`: regret, state in bytes | `bold`: regret, copies, state in bytes |\n|---|---|---|")
    rows = {}
    for game in games:
        if game["section"] == "pools":
            rows.setdefault(game["delay"].removeprefix("fixed "), {})[game["learner"]] = game
    for delay, pair in rows.items():
        ours, bold = pair["delayed_ofw"], pair["bold"]
        print(f"| {delay} | {ours['regret']:.2f}, {grouped(ours)} | {bold['regret']:.2f}, {bold['instances']}, {grouped(bold)} |")


def grouped(game):
    size = game["state_bytes"]
    return f"{size:,}".replace(",", " ") if size > 9999 else str(size)


if __name__ == "__main__":
    {"bounds": bounds, "pools": pools}[sys.argv[1]](checks())
