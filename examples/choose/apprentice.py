#!/usr/bin/env python3
"""Apprentice, then live: a model first hears what the shop's old rule shows, and learns from what comes of it; once it would
earn more, it chooses itself. Purchases come up to 200 visitors later. Needs the Python package, and nothing else.

    python3 examples/choose/apprentice.py
"""

import random

import tarry

from shop import BUYS, OFFERS, OLD

LATE = 200


class Shop:
    """Visitors, and purchases that come later."""

    def __init__(self, seed):
        self.draw, self.coming, self.shown, self.bought = random.Random(seed), {}, 0, 0

    def visitor(self):
        return {"device": self.draw.choice(["phone", "desktop"]), "visitor": self.draw.choice(["new", "returning"])}

    def show(self, ticket, context, offer):
        buys = self.draw.random() < BUYS[context["device"], context["visitor"]][OFFERS.index(offer)]
        self.bought += buys
        self.coming.setdefault(self.shown + self.draw.randrange(1, LATE), []).append((ticket, bool(buys)))
        self.shown += 1

    def known(self):
        """What has become known since the last visit: tickets, and whether their visitors bought."""
        return self.coming.pop(self.shown, [])


def apprentice(model, shop, visits):
    """The old rule decides; the model is told what was shown, and how likely that was."""
    for _ in range(visits):
        context = shop.visitor()
        likely = OLD[context["device"]]
        offer = shop.draw.choices(OFFERS, likely)[0]
        choice = model.choose(context, OFFERS, shown={"id": offer, "probability": likely[OFFERS.index(offer)]})
        shop.show(choice.ticket, context, offer)
        for ticket, buys in shop.known():
            model.learn(ticket, buys)


def live(model, shop, visits):
    for _ in range(visits):
        context = shop.visitor()
        choice = model.choose(context, OFFERS)
        shop.show(choice.ticket, context, choice.action)
        for ticket, buys in shop.known():
            model.learn(ticket, buys)


def main():
    model, shop = tarry.Model("choose", expiry={"rounds": LATE + 1, "then": {"label": False}}), Shop(1)
    apprentice(model, shop, 3000)
    told = model.apprentice
    print(f"apprentice: agrees in {told['agreed']} of {told['shown']} visits")
    print(f"the old rule earned {told['as_shown']:.3f} a visit; the model would have earned {told['dr']['value']:.3f} (DR)")
    own = Shop(2)
    live(model, own, 3000)
    print(f"live: {own.bought / 3000:.3f} a visit")


if __name__ == "__main__":
    main()
