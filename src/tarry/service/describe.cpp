// What the service tells about its models.
#include <fmt/format.h>

#include <iterator>

#include "tarry/model/snapshot.h"
#include "tarry/service/model_view.h"
#include "tarry/service/service.h"
#include "tarry/service/spec_rules.h"

namespace tarry::service {
namespace {

constexpr std::size_t kShownWeights = 50;

std::string number_or_null(const std::optional<double>& x) {
  std::string out;
  if (!x) return "null";
  spec::append_json(out, *x);
  return out;
}

std::string delays_json(const DelayCounts& delays) {
  std::string histogram;
  for (std::size_t k = 0; k < delays.histogram.size(); ++k) {
    if (delays.histogram[k] == 0) continue;
    fmt::format_to(std::back_inserter(histogram), "{}{{\"from\": {}, \"count\": {}}}", histogram.empty() ? "" : ", ",
                   std::uint64_t{1} << k, delays.histogram[k]);
  }
  return fmt::format(
      "{{\"answered\": {}, \"mean\": {}, \"largest\": {}, \"most_outstanding\": {}, \"histogram\": [{}]}}",
      delays.answered, number_or_null(delays.mean()), delays.largest, delays.most_outstanding, histogram);
}

// Of the rounds that can have been answered within so many rounds, the part that was: how far labels have come in.
std::string maturity_json(const DelayCounts& delays, const Ledger& ledger) {
  std::string out = "[";
  std::uint64_t within = 0;
  for (std::size_t k = 0; k < delays.histogram.size() && within < delays.answered; ++k) {
    within += delays.histogram[k];
    if (delays.histogram[k] == 0) continue;
    std::string share;
    spec::append_json(share, static_cast<double>(within) / static_cast<double>(ledger.issued()));
    fmt::format_to(std::back_inserter(out), "{}{{\"rounds\": {}, \"answered\": {}}}", out == "[" ? "" : ", ",
                   (std::uint64_t{2} << k) - 1, share);
  }
  return out + "]";
}

std::string weights_json(const Model& model) {
  std::string out = "[";
  for (const Model::Weight& weight : model.weights(kShownWeights)) {
    out += out == "[" ? "{\"name\": " : ", {\"name\": ";
    spec::append_json(out, weight.name);
    out += ", \"weight\": ";
    spec::append_json(out, weight.weight);
    if (!weight.of_class.empty()) {
      out += ", \"class\": ";
      spec::append_json(out, weight.of_class);
    }
    out += "}";
  }
  return out + "]";
}

std::string oldest_json(const store::HostedModel& hosted, std::int64_t now_ms) {
  const auto since = hosted.oldest_since_ms();
  if (!since) return "null";
  return fmt::format("{{\"round\": {}, \"seconds\": {:.3f}}}", hosted.model().ledger().oldest_outstanding(),
                     static_cast<double>(std::max<std::int64_t>(0, now_ms - *since)) / 1000);
}

}  // namespace

void Service::list(const Reply& reply) const {
  std::string body = "{\"models\": [";
  const char* comma = "";
  for (const ServedPointer& served : models_.all()) {
    const Served::Numbers& n = served->numbers;
    fmt::format_to(std::back_inserter(body),
                   "{}{{\"name\": \"{}\", \"incarnation\": {}, \"position\": {}, \"rounds\": {}, \"outstanding\": {}}}",
                   comma, served->name, served->model->incarnation(), n.position.load(), n.rounds.load(),
                   n.outstanding.load());
    comma = ", ";
  }
  reply({.body = body + "]}"});
}

// Everything but the hash is quick to tell. With many rounds waiting the hash is not: it is taken of a frozen copy,
// beside the lane. Where too many copies wait already, their memory counts for more than the lane.
void Service::describe(const std::string& name, Reply reply) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply(error_response(no_such_model(name)));
  answer_from_copy(served, hashes_, std::move(reply), [this](Served& now) -> CopyAnswer {
    const Model& model = now.model->model();
    const Ledger& ledger = model.ledger();
    const std::string before = fmt::format("{{\"name\": \"{}\", \"incarnation\": {}, \"position\": {}, \"hash\": \"",
                                           now.name, now.model->incarnation(), now.model->position());
    std::string after = fmt::format(
        "\", \"spec\": {}, \"rounds\": {}, \"outstanding\": {}, \"settled\": {}, \"expired\": {}, \"voided\": {}, "
        "\"oldest\": {}, \"updates\": {}, \"events\": {}",
        model.spec(), ledger.issued(), ledger.outstanding(), ledger.settled(), ledger.expired(), ledger.voided(),
        oldest_json(*now.model, clock_.now_ms()), ledger.settled(), model.events());
    after += ", \"delays\": " + delays_json(ledger.delays());
    after += ", \"maturity\": " + maturity_json(ledger.delays(), ledger);
    after += ", \"certificate\": " + number_or_null(model.certificate());
    after += ", \"weights\": " + weights_json(model) + "}";
    return [before, after](const FrozenModel& copy) { return Response{.body = before + copy.hash() + after}; };
  });
}

void Service::view(const std::string& name, Reply reply) {
  on_lane(
      name, std::move(reply),
      [this](Served& served) { return Response{.body = model_view_json(served, clock_.now_ms())}; }, false);
}

void Service::snapshot_of(const std::string& name, Reply reply) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply(error_response(no_such_model(name)));
  answer_from_copy(served, copies_, std::move(reply), [this](Served& now) -> CopyAnswer {
    if (copies_->waiting() >= kMostCopies) throw overloaded();
    return [position = now.model->position()](const FrozenModel& copy) {
      Response response{.body = snapshot_bytes(copy, position), .content_type = "application/octet-stream"};
      response.headers.emplace_back("X-Tarry-Position", std::to_string(position));
      return response;
    };
  });
}

// Frozen on the lane, read beside it, and answered once what it shows is durable.
void Service::answer_from_copy(const ServedPointer& served, const std::shared_ptr<Lane>& beside, Reply reply,
                               std::function<CopyAnswer(Served&)> look) {
  const auto finish = [this, reply](const CopyAnswer& answer, const FrozenModel& copy, Position position) {
    Response response = or_refusal(true, [&] { return answer(copy); });
    committer_.when_durable(position,
                            [reply, response = std::move(response)]() mutable { reply(std::move(response)); });
  };
  const auto freeze = [served, beside, reply, finish, look = std::move(look)] {
    Response refused = or_refusal(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      CopyAnswer answer = look(*served);
      const TallySince before;
      const auto frozen = std::make_shared<std::optional<FrozenModel>>(served->model->model().freeze());
      served->model->count_copy(before.bytes());
      auto task = [served, finish, answer = std::move(answer), frozen, position = served->model->position()] {
        const ReturnsCopy<FrozenModel> returns{*frozen, served};
        finish(answer, **frozen, position);
      };
      if (beside->waiting() < kMostCopies)
        beside->submit_always(std::move(task));
      else
        task();
      return Response{};
    });
    if (refused.status != 200) reply(std::move(refused));
  };
  if (!served->lane->submit(freeze)) reply(error_response(overloaded()));
}

}  // namespace tarry::service
