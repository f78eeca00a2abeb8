// What a round was answered with, from what is kept for other reasons: the ledger, keys, answers to repeated requests.
#include "tarry/hosting/hosted_model.h"
#include "tarry/model/reply.h"

namespace tarry::hosting {
namespace {

// Of a choice, a key remembers the place of the action and its probability.
std::optional<Choice> remembered_choice(const Model& model, const Play& play, const Vec& kept) {
  const std::vector<Action>& given = play.choosing->actions;
  const std::vector<Action>& actions = given.empty() ? model.choice()->actions : given;
  if (kept.size() != 2 || !(kept[0] >= 0 && kept[0] < static_cast<double>(actions.size()))) return std::nullopt;
  Choice choice{.action = actions[static_cast<std::size_t>(kept[0])].id, .probability = kept[1]};
  if (play.choosing->shown) choice.shown = play.choosing->shown->id;
  return choice;
}

}  // namespace

std::optional<std::int64_t> HostedModel::waits_since_ms(Round round) const {
  const std::int64_t* since = issued_ms_.find(round);
  return since == nullptr ? std::nullopt : std::optional(*since);
}

std::optional<PlayReply> HostedModel::answer_of(Round round, const Play* play, const std::optional<Once>& once) const {
  const RememberedRequest* request = once ? retries_.request(once->key) : nullptr;
  if (request != nullptr)
    if (const RememberedReply* reply = request->find(once->index); reply != nullptr && reply->round == round)
      return read_play_reply(reply->json);
  const bool chooses = model_.choice().has_value();
  if (play != nullptr && play->choosing && chooses) {
    const KeyedRound* known = play->key.empty() ? nullptr : model_.keys().find(play->key);
    if (known == nullptr || known->round != round) return std::nullopt;
    PlayReply reply{.round = round, .choice = remembered_choice(model_, *play, known->scores)};
    if (reply.choice) recall_ranking(*play, reply);
    return reply.choice ? std::optional(std::move(reply)) : std::nullopt;
  }
  if (chooses || !model_.loss()) return std::nullopt;
  Model::Outcome outcome{.answer = Answer::kApplied, .round = round};
  if (const auto waiting = model_.ledger().peek(round)) {
    if (!waiting->context.has_features) return std::nullopt;
    outcome.prediction = waiting->context.link(waiting->context.prediction);
    outcome.scores = waiting->context.scores;
  } else if (const KeyedRound* known = play == nullptr || play->key.empty() ? nullptr : model_.keys().find(play->key);
             known != nullptr && known->round == round) {
    outcome.prediction = known->prediction;
    outcome.scores = known->scores;
  } else {
    return std::nullopt;
  }
  return PlayReply{.round = round, .prediction = shown_prediction(model_, outcome)};
}

}  // namespace tarry::hosting
