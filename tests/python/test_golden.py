"""The recorded games, through Python and through the program: the same bits."""

import json

import pytest
from conftest import ROOT, replay

import tarry

GAMES = sorted((ROOT / "tests" / "golden" / "games").glob("*.log.jsonl"))


def play(log):
    """The decisions of a game, and the model after it."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.strip()]
    header = {key: value for key, value in lines[0].items() if key != "format"}
    model, tickets, decisions = tarry.Model(header), {}, []
    for event in lines[1:]:
        if "play" in event:
            decision = model.decide()
            tickets[event["play"]] = decision.ticket
            decisions.append(decision.decision)
        elif "gradient" in event:
            assert model.learn(tickets[event["receive"]], gradient=event["gradient"]) == "applied"
        else:
            answer = model.learn(tickets[event["receive"]], indices=event["indices"], values=event["values"])
            assert answer == "applied"
    return decisions, model


def test_there_are_as_many_games_as_were_recorded():
    assert len(GAMES) == 164


@pytest.mark.parametrize("log", GAMES, ids=lambda path: path.name.removesuffix(".log.jsonl"))
def test_a_game_is_the_programs_to_the_bit(log):
    decisions, _ = play(log)
    answers, _ = replay(log)
    assert [decision.tolist() for decision in decisions] == [answer["decision"] for answer in answers]
