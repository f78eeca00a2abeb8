#include "tarry/service/routes/description_json.h"

#include <fmt/format.h>

#include <iterator>

#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

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
std::string maturity_json(const DelayCounts& delays, std::uint64_t rounds) {
  std::string out = "[";
  std::uint64_t within = 0;
  for (std::size_t k = 0; k < delays.histogram.size() && within < delays.answered; ++k) {
    within += delays.histogram[k];
    if (delays.histogram[k] == 0) continue;
    std::string share;
    spec::append_json(share, static_cast<double>(within) / static_cast<double>(rounds));
    fmt::format_to(std::back_inserter(out), "{}{{\"rounds\": {}, \"answered\": {}}}", out == "[" ? "" : ", ",
                   (std::uint64_t{2} << k) - 1, share);
  }
  return out + "]";
}

std::string weights_json(const std::vector<Model::Weight>& weights) {
  std::string out = "[";
  for (const Model::Weight& weight : weights) {
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

std::string new_names_json(const std::vector<hosting::Description::NewName>& names) {
  std::string out = "[";
  for (const auto& one : names) {
    out += out == "[" ? "{\"name\": " : ", {\"name\": ";
    spec::append_json(out, one.name);
    fmt::format_to(std::back_inserter(out),
                   ", \"round\": {}, \"seconds_ago\": {:.3f}, \"rounds\": {}, \"like\": ", one.round,
                   static_cast<double>(one.ago_ms) / 1000, one.rounds);
    if (one.like.empty())
      out += "null";
    else
      spec::append_json(out, one.like);
    out += "}";
  }
  return out + "]";
}

std::string oldest_json(const std::optional<hosting::Description::Oldest>& oldest) {
  if (!oldest) return "null";
  return fmt::format("{{\"round\": {}, \"seconds\": {:.3f}}}", oldest->round,
                     static_cast<double>(oldest->waits_ms) / 1000);
}

}  // namespace

std::string description_json(const hosting::Description& model) {
  std::string out =
      fmt::format("{{\"name\": \"{}\", \"incarnation\": {}, \"position\": {}, \"hash\": \"{}\", \"spec\": {}",
                  model.name, model.incarnation, model.position, model.hash, model.spec);
  fmt::format_to(std::back_inserter(out),
                 ", \"rounds\": {}, \"outstanding\": {}, \"settled\": {}, \"expired\": {}, \"voided\": {}, "
                 "\"oldest\": {}, \"updates\": {}, \"events\": {}",
                 model.rounds, model.outstanding, model.settled, model.expired, model.voided, oldest_json(model.oldest),
                 model.settled, model.events);
  if (model.untracked > 0) fmt::format_to(std::back_inserter(out), ", \"untracked\": {}", model.untracked);
  out += ", \"delays\": " + delays_json(model.delays);
  out += ", \"maturity\": " + maturity_json(model.delays, model.rounds - model.before);
  out += ", \"certificate\": " + number_or_null(model.certificate);
  out += ", \"weights\": " + weights_json(model.weights);
  if (model.comparison) out += ", \"compared\": " + spec::to_json(to_value(*model.comparison));
  if (!model.new_names.empty()) out += ", \"new_names\": " + new_names_json(model.new_names);
  if (model.apprentice) out += ", \"apprentice\": " + spec::to_json(to_value(*model.apprentice));
  if (!model.champion.empty())
    fmt::format_to(std::back_inserter(out), ", \"champion\": \"{}\", \"before\": {}", model.champion, model.before);
  return out + "}";
}

}  // namespace tarry::service
