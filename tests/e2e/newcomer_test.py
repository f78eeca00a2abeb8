"""A newcomer's way: an empty folder and a table of one's own, to the first served prediction. Counts minutes and questions."""

import tempfile
import time
import unittest

from program import ROOT, ProgramTest, tarry
from service import Service

MOST_SECONDS = 60  # the compiler is not in it


def first_prediction(table, features):
    """(questions, seconds, prediction): a token, a service, the table as it is, an answer to each question, and one request."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        token = tarry("token", "add", "me", "--data", folder, "--scope", "admin,decide,feedback,read").stdout.decode().strip()
        service = Service(folder)
        try:
            headers = {"Authorization": f"Bearer {token}"}
            address, questions = "/v1/models?from=csv&name=mine", 0
            while True:
                made = service.ask("POST", address, table, headers | {"Content-Type": "text/csv"})
                if made.status != 422:
                    break
                asked = made.json["questions"]
                questions += len(asked)
                address += "".join("&" + question["query"][0] for question in asked)
            assert made.status == 201, made
            answer = service.ask("POST", "/v1/models/mine/predict", {"features": features}, headers)
            assert answer.status == 200, answer
            return questions, time.monotonic() - start, answer.json["prediction"]
        finally:
            service.kill()


class Newcomer(ProgramTest):
    def test_from_a_table_to_a_served_prediction(self):
        for path, features, most in (("examples/late_labels.csv", {"distance_km": 12.5, "courier": "Dachs", "weather": "rain"}, 0),
                                     ("tests/tables/house_prices.csv", {"rooms": 3, "kind": "flat"}, 0),
                                     ("tests/tables/churn.csv", {"logins": 4, "plan": "plus"}, 1)):
            with self.subTest(table=path):
                questions, seconds, prediction = first_prediction((ROOT / path).read_bytes(), features)
                self.assertLessEqual(questions, most)
                self.assertLess(seconds, MOST_SECONDS)
                self.assertIsInstance(prediction, float)


if __name__ == "__main__":
    unittest.main()
