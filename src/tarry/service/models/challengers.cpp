// Challengers of a model: made, compared, promoted, removed.
#include <fmt/format.h>

#include "tarry/base/contract.h"
#include "tarry/hosting/challenger_spec.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;

void Service::challenge(const std::string& name, const std::string& challenger, spec::Value given, ReplyTo reply_to) {
  const auto asked = std::make_shared<const spec::Value>(std::move(given));
  on_lane(name, std::move(reply_to), [this, challenger, asked](Served& served) {
    return or_rejection(false, [&]() -> Reply { return challenge_now(served, challenger, *asked); });
  });
}

ChallengerChanged Service::challenge_now(Served& served, const std::string& challenger, const spec::Value& given) {
  check_names_no_file(given);
  const ModelSpec spec = challenger_spec(served.model->model(), given);
  if (const Challenger* known = served.model->find_challenger(challenger)) {
    const std::string difference = first_difference(spec.to_value(), ModelSpec::parse(known->spec()).to_value(),
                                                    "in the request", "in the challenger");
    if (difference.empty()) return {ChallengerChanged::kThere, served.name, challenger, known->spec()};
    throw Rejection(
        Rejection::kConflict, "conflict",
        fmt::format("the model {} has a challenger named {} already: {}", served.name, challenger, difference));
  }
  check_size(spec, setting_.limits.dimension);
  check_memory();
  const Challenge entry{.incarnation = served.model->incarnation(),
                        .at_ms = clock_.now_ms(),
                        .challenger = challenger,
                        .spec = spec.json()};
  const std::vector<std::string> bytes{entry_bytes(entry)};
  Committer::Room room = reserve(1, bytes[0].size());
  ensure(served.lane->is_here(), "a model is touched on its lane alone");
  served.model->challenge(entry);  // where there is no memory for it, nothing has changed
  try {
    check_memory();
  } catch (const Rejection&) {
    served.model->dismiss({.incarnation = entry.incarnation, .at_ms = entry.at_ms, .challenger = challenger});
    throw;
  }
  append(served, std::move(room), bytes);
  look_at_challengers(served.watched, *served.model, entry.at_ms);
  return {ChallengerChanged::kMade, served.name, challenger, entry.spec};
}

void Service::dismiss(const std::string& name, const std::string& challenger, ReplyTo reply_to) {
  on_lane(name, std::move(reply_to), [this, challenger](Served& served) { return dismiss_now(served, challenger); });
}

ChallengerChanged Service::dismiss_now(Served& served, const std::string& challenger) {
  if (served.model->find_challenger(challenger) == nullptr) throw no_such_challenger(served.name, challenger);
  const Dismiss entry{.incarnation = served.model->incarnation(), .at_ms = clock_.now_ms(), .challenger = challenger};
  const std::vector<std::string> bytes{entry_bytes(entry)};
  Committer::Room room = reserve(1, bytes[0].size());
  change(served, [&] { served.model->dismiss(entry); });
  append(served, std::move(room), bytes);
  look_at_challengers(served.watched, *served.model, entry.at_ms);
  return {ChallengerChanged::kRemoved, served.name, challenger};
}

void Service::promote(const std::string& name, const std::string& challenger, ReplyTo reply_to) {
  on_lane(name, std::move(reply_to), [this, challenger](Served& served) { return promote_now(served, challenger); });
}

ChallengerChanged Service::promote_now(Served& served, const std::string& challenger) {
  if (challenger == served.model->champion())  // perhaps a request that was sent again
    return {ChallengerChanged::kThere, served.name, challenger, served.model->model().spec()};
  if (served.model->find_challenger(challenger) == nullptr) throw no_such_challenger(served.name, challenger);
  const Promote entry{.incarnation = served.model->incarnation(), .at_ms = clock_.now_ms(), .challenger = challenger};
  const std::vector<std::string> bytes{entry_bytes(entry)};
  Committer::Room room = reserve(1, bytes[0].size());
  std::string former = served.model->champion();
  change(served, [&] { served.model->promote(entry); });
  append(served, std::move(room), bytes);
  look_at_challengers(served.watched, *served.model, entry.at_ms);
  served.look_at_facts();
  return {ChallengerChanged::kPromoted, served.name, challenger, served.model->model().spec(), std::move(former)};
}

void Service::challengers(const std::string& name, ReplyTo reply_to) {
  on_lane(name, std::move(reply_to),
          [this](Served& served) { return challengers_of(*served.model, served.watched, clock_.now_ms()); });
}

}  // namespace tarry::service
