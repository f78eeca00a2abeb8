// What a model knows about waiting as JSON: the same object from `tarry explain`, the report and the service.
#include "tarry/model/waiting_view.h"

namespace tarry {
namespace {

using spec::Value;

Value whole(std::uint64_t x) { return {static_cast<std::int64_t>(x)}; }
Value number(double x) { return {x}; }
Value optional(const std::optional<double>& x) { return x ? number(*x) : Value{}; }

Value texts(const std::vector<std::string>& lines) {
  spec::Array all;
  for (const std::string& line : lines) all.push_back({line});
  return {std::move(all)};
}

const char* name_of(BelievedWaits::From from) {
  switch (from) {
    case BelievedWaits::From::kLabels:
      return "labels";
    case BelievedWaits::From::kOneClass:
      return "one class";
    case BelievedWaits::From::kWindow:
      return "window";
    case BelievedWaits::From::kNothing:
      break;
  }
  return "nothing";
}

Value clock_value(const BelievedWaits::Clock& clock, const std::vector<std::string>& names) {
  spec::Array classes;
  for (std::size_t c = 0; c < clock.classes.size(); ++c) {
    const BelievedWaits::OfClass& one = clock.classes[c];
    classes.push_back({spec::Object{{"class", Value{names[c]}},
                                    {"labels", number(one.labels)},
                                    {"half", optional(one.half)},
                                    {"others_half", optional(one.others_half)},
                                    {"open", Value{one.open}}}});
  }
  return {spec::Object{{"ages", Value{std::string(clock.by_due ? "share of the time until due" : "rounds")}},
                       {"from", Value{std::string(name_of(clock.from))}},
                       {"rounds", number(clock.rounds)},
                       {"known", whole(clock.known)},
                       {"trust", number(clock.trust)},
                       {"age", Value{clock.ages}},
                       {"reached", Value{clock.reached}},
                       {"open", Value{clock.open}},
                       {"classes", Value{classes}}}};
}

}  // namespace

Value to_value(const WaitingView& view) {
  spec::Object out{{"rounds", whole(view.rounds)},
                   {"answered", whole(view.answered)},
                   {"open", whole(view.open)},
                   {"given_up", whole(view.given_up)},
                   {"void", whole(view.voided)}};
  if (view.expiry.rounds > 0 || view.expiry.seconds > 0) out.emplace_back("expiry", view.expiry.to_value());
  view.revisable.add_to(out);
  if (view.lost) out.emplace_back("lost", *view.lost);
  spec::Array ages;
  for (const WaitingView::Age& age : view.by_age)
    ages.push_back(
        {spec::Object{{"from", number(age.from)}, {"open", number(age.open)}, {"given_up", number(age.given_up)}}});
  out.emplace_back("by_age", Value{ages});
  if (view.believed) {
    spec::Array clocks;
    for (const BelievedWaits::Clock& clock : view.believed->clocks) clocks.push_back(clock_value(clock, view.classes));
    out.emplace_back("believed", Value{clocks});
    out.emplace_back("moves", number(view.believed->moves));
    out.emplace_back("mean_move", number(view.believed->mean_move));
  }
  out.emplace_back("late", texts(spoken_lateness(view)));
  out.emplace_back("says", texts(spoken_beliefs(view)));
  return {std::move(out)};
}

}  // namespace tarry
