"""The menu of Personalizer's quick start, with its own client: what would you like to eat, and was that right?

    pip install azure-cognitiveservices-personalizer
    tarry token add front --data data --model menu          # prints the key
    PERSONALIZER_KEY=… python examples/personalizer/quick_start.py

Two lines are other than they were: the endpoint and the key.
"""

import os
import uuid

from azure.cognitiveservices.personalizer import PersonalizerClient
from azure.cognitiveservices.personalizer.models import RankableAction, RankRequest
from msrest.authentication import CognitiveServicesCredentials

endpoint = os.environ.get("PERSONALIZER_ENDPOINT", "http://127.0.0.1:8080")
key = os.environ["PERSONALIZER_KEY"]

client = PersonalizerClient(endpoint, CognitiveServicesCredentials(key))


def get_actions():
    return [
        RankableAction(id="pasta", features=[{"taste": "salty", "spice_level": "medium"}, {"nutrition_level": 5, "cuisine": "italian"}]),
        RankableAction(id="ice cream", features=[{"taste": "sweet", "spice_level": "none"}, {"nutritional_level": 2}]),
        RankableAction(id="juice", features=[{"taste": "sweet", "spice_level": "none"}, {"nutritional_level": 5}, {"drink": True}]),
        RankableAction(id="salad", features=[{"taste": "salty", "spice_level": "low"}, {"nutritional_level": 8}]),
    ]


def ask_for(name, choices):
    menu = " ".join(f"{number}. {choice}" for number, choice in enumerate(choices, 1))
    answer = input(f"What {name}? {menu}\n")
    return {name: choices[int(answer) - 1] if answer.isdigit() and 0 < int(answer) <= len(choices) else choices[0]}


keep_going = True
while keep_going:
    event_id = str(uuid.uuid4())
    context = [ask_for("time_of_day", ["morning", "afternoon", "evening", "night"]), ask_for("taste", ["salty", "sweet"])]
    request = RankRequest(actions=get_actions(), context_features=context, excluded_actions=["juice"], event_id=event_id)
    response = client.rank(rank_request=request)
    print("The ranking, with the probability of each:")
    for ranked in response.ranking:
        print(ranked.id, ":", ranked.probability)
    print("You would like to have", response.reward_action_id + ".")
    answer = input("Is this correct? (y/n)\n")
    client.events.reward(event_id=event_id, value=1.0 if answer.lower() == "y" else 0.0)
    keep_going = input("Press Q to exit, any other key to go on: ").lower() != "q"
