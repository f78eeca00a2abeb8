#!/usr/bin/env python3
"""Writes the made-up log of a shop, shop.csv:

    python3 examples/choose/shop.py > examples/choose/shop.csv

Each visitor is shown one of three offers. The shop's old rule prefers one by the device, and shows another now and then; it wrote
down how likely each was. Whoever buys does so days later; whoever does not is never heard of. `proposed` is a new
rule that somebody wants to try. Because all of it is planted, --truth can print what each rule really earns a visitor.
"""

import random
import sys
from datetime import datetime, timedelta

VISITS = 2000
OFFERS = ["discount", "bundle", "gift"]
BUYS = {("phone", "new"): [0.10, 0.04, 0.22], ("phone", "returning"): [0.12, 0.20, 0.08],
        ("desktop", "new"): [0.25, 0.10, 0.12], ("desktop", "returning"): [0.10, 0.30, 0.10]}
OLD = {"phone": [0.6, 0.2, 0.2], "desktop": [0.2, 0.6, 0.2]}
DAYS = 14  # after which nobody buys any more


def proposed(device, visitor):
    return "bundle" if visitor == "returning" else "gift" if device == "phone" else "discount"


def truth():
    mean = {offer: sum(buys[k] for buys in BUYS.values()) / len(BUYS) for k, offer in enumerate(OFFERS)}
    old = sum(sum(p * b for p, b in zip(OLD[device], buys)) for (device, _), buys in BUYS.items()) / len(BUYS)
    new = sum(buys[OFFERS.index(proposed(*who))] for who, buys in BUYS.items()) / len(BUYS)
    for name, value in {"as logged": old, "uniform": sum(mean.values()) / len(mean), "proposed": new}.items():
        print(f"{name:9}  {value:.4f}")
    print(f"best single action ({max(mean, key=mean.get)})  {max(mean.values()):.4f}")


def main():
    draw = random.Random(11)
    now = datetime(2024, 3, 1, 8, 0)
    print("event_time,feedback_time,device,visitor,hour,action,probability,reward,proposed")
    for _ in range(VISITS):
        now += timedelta(minutes=round(draw.expovariate(1 / 40)))
        device, visitor = draw.choice(["phone", "desktop"]), draw.choice(["new", "returning"])
        offer = draw.choices(range(len(OFFERS)), OLD[device])[0]
        buys = draw.random() < BUYS[device, visitor][offer]
        paid = now + timedelta(hours=24 * min(DAYS, draw.expovariate(1 / 3)))
        print(now.strftime("%Y-%m-%dT%H:%M"), paid.strftime("%Y-%m-%dT%H:%M") if buys else "", device, visitor, now.hour,
              OFFERS[offer], OLD[device][offer], 1 if buys else "", proposed(device, visitor), sep=",")


if __name__ == "__main__":
    truth() if "--truth" in sys.argv else main()
