// A comparison as bytes and as JSON.
#include <bit>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/model/comparison.h"

namespace tarry {
namespace {

using evaluation::PolicyValue;

[[noreturn]] void corrupt_comparison() {
  throw Error(Code::kCorrupt, "snapshot: a choice that is compared is impossible");
}

void put(ByteWriter& out, const PolicyValue::Guessed& guessed) {
  for (const double x : {guessed.ips_low, guessed.ips_high, guessed.dr_low, guessed.dr_high}) out.f64(x);
}

void take(ByteReader& in, PolicyValue::Guessed& guessed) {
  for (double* x : {&guessed.ips_low, &guessed.ips_high, &guessed.dr_low, &guessed.dr_high}) *x = in.f64();
}

}  // namespace

void Comparison::save(ByteWriter& out) const {
  const auto put_judged = [&](const Judged& x) {
    for (const double number : {x.probability, x.uniform, x.taken, x.policy, x.up, x.down, x.reward}) out.f64(number);
    out.u64(x.could | std::uint64_t{x.alone} << 16);
    out.u64(x.action | std::uint64_t{x.bounded} << 8 | std::uint64_t{x.ended} << 9 | std::uint64_t{x.rewarded} << 10 |
            std::uint64_t{x.revisable} << 11);
  };
  out.u64(ids_.size());
  for (const std::string& id : ids_) out.text(id);
  earned_.save(out);
  uniform_.save(out);
  for (std::size_t k = 0; k < ids_.size(); ++k) always_[k].save(out);
  out.u64(first_);
  out.u64(waiting_.size());
  for (const Judged& each : waiting_) put_judged(each);
  out.u64(counted_.size());
  for (const auto& [round, counted] : counted_) {
    out.u64(round);
    put_judged(counted.judged);
    for (const auto* each : {&counted.guessed.earned, &counted.guessed.uniform, &counted.guessed.always})
      put(out, *each);
  }
}

void Comparison::load(ByteReader& in, bool more) {
  more_ = more;
  const auto take_judged = [&] {
    Judged x;
    for (double* number : {&x.probability, &x.uniform, &x.taken, &x.policy, &x.up, &x.down, &x.reward})
      *number = in.f64();
    const std::uint64_t actions = in.u64(), flags = in.u64(), could = actions & 0xFFFF, alone = actions >> 16;
    x.could = static_cast<std::uint16_t>(could);
    x.alone = static_cast<std::uint16_t>(alone);
    x.action = static_cast<std::uint8_t>(flags & 0xFF);
    const bool known = x.action == kMostActions || x.action < ids_.size();
    if (could >> ids_.size() != 0 || (alone & ~could) != 0 || (alone != 0 && !more) || !known || flags >> 12 != 0 ||
        !(x.probability >= 0 && x.probability <= 1) || !(x.uniform > 0 && x.uniform <= 1))
      corrupt_comparison();
    x.bounded = (flags >> 8 & 1) != 0;
    x.ended = (flags >> 9 & 1) != 0;
    x.rewarded = (flags >> 10 & 1) != 0;
    x.revisable = (flags >> 11 & 1) != 0;
    return x;
  };
  ids_.resize(in.count(8));
  if (ids_.empty() || ids_.size() > kMostActions) corrupt_comparison();
  for (std::string& id : ids_) id = in.text();
  earned_.load(in);
  uniform_.load(in);
  for (std::size_t k = 0; k < ids_.size(); ++k) always_[k].load(in);
  first_ = in.u64();
  waiting_.clear();
  for (std::uint64_t count = in.count(72); count > 0; --count) waiting_.push_back(take_judged());
  counted_.clear();
  Round before = 0;
  for (std::uint64_t count = in.count(80); count > 0; --count) {
    const Round round = in.u64();
    if (round <= before || round >= first_) corrupt_comparison();
    before = round;
    Counted counted{.judged = take_judged()};
    for (auto* each : {&counted.guessed.earned, &counted.guessed.uniform, &counted.guessed.always}) take(in, *each);
    counted_.emplace_hint(counted_.end(), round, counted);
  }
}

void Comparison::save_more(ByteWriter& out) const {
  const auto put_alone = [&](const Alone& one) {
    out.u64(std::bit_cast<std::uint32_t>(one.reward) | std::uint64_t{std::bit_cast<std::uint32_t>(one.probability)}
                                                           << 32);
  };
  given_up_.save(out);
  for (const Alone& one : alone_) put_alone(one);
  for (const auto& [round, counted] : counted_) put_alone(counted.own);
}

void Comparison::load_more(ByteReader& in) {
  const auto take_alone = [&] {
    const std::uint64_t both = in.u64();
    const Alone one{std::bit_cast<float>(static_cast<std::uint32_t>(both)),
                    std::bit_cast<float>(static_cast<std::uint32_t>(both >> 32))};
    if (!std::isfinite(one.reward) || !(one.probability >= 0 && one.probability <= 1)) corrupt_comparison();
    return one;
  };
  given_up_.load(in);
  alone_.clear();
  for (const Judged& judged : waiting_)
    for (int left = std::popcount(judged.alone); left > 0; --left) alone_.push_back(take_alone());
  for (auto& [round, counted] : counted_) counted.own = take_alone();
}

spec::Value to_value(const evaluation::Estimate& estimate) {
  using spec::Value;
  const auto number = [](const std::optional<double>& x) { return x && std::isfinite(*x) ? Value{*x} : Value{}; };
  return {
      spec::Object{{"value", number(estimate.value)}, {"low", number(estimate.low)}, {"high", number(estimate.high)}}};
}

spec::Value to_value(const Comparison::Figures& figures) {
  using spec::Value;
  const auto whole = [](std::uint64_t x) { return Value{static_cast<std::int64_t>(x)}; };
  const auto members = [&](const Comparison::Policy& x) {
    return spec::Object{{"rounds", whole(x.rounds)},
                        {"ips", to_value(x.ips)},
                        {"snips", to_value(x.snips)},
                        {"dr", x.dr ? to_value(*x.dr) : Value{}}};
  };
  spec::Object out{{"rounds", whole(figures.rounds)}};
  if (figures.exploration.rounds > 0) out.emplace_back("exploration", to_value(figures.exploration));
  if (figures.rounds == 0) return {std::move(out)};
  out.emplace_back("earned", to_value(figures.earned));
  out.emplace_back("uniform", Value{members(figures.uniform)});
  spec::Array always;
  for (const auto& [id, policy] : figures.always) {
    spec::Object one = members(policy);
    one.insert(one.begin(), {"id", Value{id}});
    always.push_back({std::move(one)});
  }
  out.emplace_back("always", Value{std::move(always)});
  return {std::move(out)};
}

}  // namespace tarry
