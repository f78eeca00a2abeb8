"""Tickets that nobody gave out: mutated, cut, put together, of another service, of a model that is gone. None is accepted."""

import base64
import itertools
import random
import string
import unittest

from service import SOAK, ServiceTest

ALPHABET = string.ascii_letters + string.digits + "-_+/=.~% "
CHANGES = 20_000 if SOAK else 300


class Forged(ServiceTest):
    def setUp(self):
        super().setUp()
        self.service = self.serve()
        self.service.create("m", {"task": "binary"})
        self.tickets = [self.service.decide("m", {"x": i})["ticket"] for i in range(5)]
        self.before = self.service.hash("m")
        self.connection = self.service.connection()
        self.addCleanup(self.connection.close)

    def refused(self, ticket, *statuses):
        answer = self.service.ask("POST", "/v1/feedback", {"ticket": ticket, "label": True}, connection=self.connection)
        self.assertIn(answer.status, statuses or (400, 403, 404), f"{ticket!r}: {answer}")

    def nothing_was_learnt(self):
        self.assertEqual(self.service.hash("m"), self.before)
        self.assertEqual(self.service.model("m")["outstanding"], 5)

    def test_every_character_matters(self):
        ticket = self.tickets[0]
        draw = random.Random(1)
        places = [(i, c) for i in range(len(ticket)) for c in ALPHABET if c != ticket[i]]
        last = [(len(ticket) - 1, c) for c in ALPHABET if c != ticket[-1]]  # where base64 has bits to spare
        for i, c in [*last, *draw.sample(places, min(CHANGES, len(places)))]:
            self.refused(ticket[:i] + c + ticket[i + 1 :])
        self.nothing_was_learnt()

    def test_pieces_of_real_ones(self):
        one, other = self.tickets[:2]
        for i in range(1, min(len(one), len(other))):
            self.refused(one[:i])
            self.refused(one[i:])
            if one[:i] + other[i:] not in (one, other):
                self.refused(one[:i] + other[i:])
        self.nothing_was_learnt()

    def test_a_ticket_has_one_text(self):
        for ticket in self.tickets[:2]:
            spellings = {
                ticket + "=",
                ticket + "==",
                ticket + "A",
                " " + ticket,
                ticket + " ",
                ticket + "\n",
                ticket + "\0",
                ticket.upper(),
                ticket.lower(),
                ticket.swapcase(),
                ticket.replace("-", "+").replace("_", "/"),
                ticket.replace("+", "-").replace("/", "_"),
                "\ufeff" + ticket,
                ticket + ticket,
            }
            for spelling in spellings - {ticket}:
                self.refused(spelling)
        self.nothing_was_learnt()

    def test_made_up_ones(self):
        draw = random.Random(3)
        length = len(self.tickets[0])
        for _ in range(CHANGES):
            self.refused("".join(draw.choice(ALPHABET[:64]) for _ in range(length)))
        for made in (
            "",
            "1",
            "0" * length,
            "A" * length,
            "x" * 5000,
            base64.b64encode(b"round 1").decode(),
            "ticket",
            "../../key",
        ):
            self.refused(made)
        self.nothing_was_learnt()

    def test_tickets_of_another_service(self):
        other = self.serve(folder=self.folder / "other")
        other.create("m", {"task": "binary"})
        for i in range(5):
            self.refused(other.decide("m", {"x": i})["ticket"], 403)
        self.nothing_was_learnt()

    def test_tickets_of_a_deleted_model_are_lost(self):
        self.assert_status(self.service.ask("DELETE", "/v1/models/m"), 200, 204)
        self.refused(self.tickets[0], 404, 410, 500)
        self.service.create("m", {"task": "binary"})
        for i in range(5):
            self.service.decide("m", {"x": i})
        fresh = self.service.hash("m")
        for ticket in self.tickets:  # the new model has rounds 1 to 5 too: they are not theirs
            self.refused(ticket, 404, 410, 500)
        self.assertEqual(self.service.hash("m"), fresh)

    def test_real_ones_are_accepted_in_the_end(self):
        for ticket in itertools.chain(self.tickets):
            self.assert_status(self.service.feedback(ticket=ticket, label=True), 200)
        self.assert_replays(self.service, "m")


if __name__ == "__main__":
    unittest.main()
