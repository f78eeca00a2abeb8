"""What a model knows about waiting, as the service tells it: in the JSON of its page, and mean predictions beside outcomes."""

import json
import unittest

from service import ServiceTest


class Waiting(ServiceTest):
    def test_the_page_of_a_model_tells_it(self):
        """Labels "no" come at once, "yes" 40 decisions later; the last ten never."""
        service = self.serve()
        service.create("m", {"task": "binary", "features": {"capacity": 16}, "expiry": {"rounds": 5000}})
        waits = []
        for k in range(260):
            ticket = service.decide("m", {"x": k % 7})["ticket"]
            yes = k % 2 == 1
            waits.append((k + (40 if yes else 0), ticket, yes))
            for at, due, label in [one for one in waits if one[0] <= k < 250]:
                self.assert_status(service.feedback(ticket=due, label=label), 200)
                waits.remove((at, due, label))
        view = service.ask("GET", "/v1/models/m/view").json
        waiting = view["waiting"]
        self.assertEqual(waiting["rounds"], 260)
        self.assertEqual(waiting["open"], view["outstanding"])
        self.assertEqual(sum(age["open"] for age in waiting["by_age"]), view["outstanding"])
        self.assertEqual(waiting["expiry"], {"rounds": 5000, "then": "drop"})
        clock, = waiting["believed"]
        self.assertEqual([one["class"] for one in clock["classes"]], ["no", "yes"])
        no, yes = clock["classes"]
        self.assertEqual((no["labels"], yes["labels"]), (125, 105))
        self.assertGreater(yes["half"], 30)
        self.assertLess(no["half"], 8)
        self.assertRegex(waiting["late"][0], '^labels of "yes" come later')
        self.assertEqual([(one["class"], one["labels"]) for one in waiting["seconds"]], [("no", 125), ("yes", 105)])
        self.assertGreater(waiting["seconds"][1]["half"], waiting["seconds"][0]["half"])
        line = self.first_line(service, "/v1/live?range=10m&model=m")
        column = {name: [point[k] for point in line["points"]] for k, name in enumerate(line["columns"])}
        self.assertEqual(sum(column["losses"]), 230)
        self.assertEqual(sum(column["outcome"]), 105)
        self.assertGreater(sum(column["predicted"]), 40)
        self.assertLess(sum(column["predicted"]), 200)
        total = self.first_line(service, "/v1/live?range=10m")
        at = total["columns"].index("predicted")
        self.assertEqual({point[at] for point in total["points"] if point[4] > 0}, {None})  # models differ in what they predict

    def first_line(self, service, path):
        connection = service.connection()
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().readline())
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main()
