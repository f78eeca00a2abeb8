// Many rounds in one call. Arrays are gone through without the interpreter's lock.
#include <fmt/format.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <exception>

#include "decision.h"
#include "errors.h"
#include "rows.h"
#include "tarry/base/error.h"
#include "tarry/linalg/parallel.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

struct Decisions {
  Fingerprint fingerprint = {};
  Round first = 0;
  std::size_t count = 0;
  nb::object predictions, scores;

  nb::str ticket(std::size_t i) const { return ticket_of(fingerprint, first + i); }
};

[[noreturn]] void rethrow_with_row(const Error& error, std::size_t i) {
  throw Error(error.code(), fmt::format("row {}: {}", i, error.what()));
}

// Labels: an array of numbers, or a sequence of anything that is a label.
class GivenLabels {
 public:
  explicit GivenLabels(nb::handle given) {
    if (given.is_none() || PyUnicode_Check(given.ptr()))
      throw_type_error("labels must be an array or a list (" + kind_of(given) + " came)");
    const bool is_array = nb::hasattr(given, "dtype") && nb::hasattr(given.attr("dtype"), "name") &&
                          nb::cast<std::string>(given.attr("dtype").attr("name")).find_first_of("fiu") == 0;
    const nb::object numbers = is_array ? nb::borrow(given) : numbers_in(given);
    if (!numbers.is_none()) {
      kept_ = contiguous(numbers, "labels", 1);
      numbers_ = reals_of(kept_);
      size_ = numbers_.size();
      return;
    }
    list_ = list_of(given);
    size_ = nb::len(list_);
    plain_ = false;
  }

  std::size_t size() const { return size_; }
  bool plain() const { return plain_; }
  LabelValue at(std::size_t i) const { return plain_ ? LabelValue(numbers_[i]) : to_label(list_[i]); }

 private:
  bool plain_ = true;
  std::size_t size_ = 0;
  nb::object kept_;
  std::span<const double> numbers_;
  nb::list list_;
};

void check_sizes(std::size_t rows, std::size_t others, const char* what) {
  if (rows != others)
    throw Error(Code::kBadInput,
                fmt::format("{} must have one entry for each of {} rows ({} came)", what, rows, others));
}

// Predictions as they are made; as Python sees them afterwards.
struct Predicted {
  Vec numbers, scores;
  std::vector<double> likeliest;
  std::size_t outputs = 1;

  Predicted(const Model& model, std::size_t rows) : outputs(model.loss() ? model.loss()->outputs() : 1) {
    (outputs == 1 ? numbers : likeliest).resize(rows);
    if (outputs > 1) scores.resize(rows * outputs);  // 0 for classes that have no name yet
  }

  void put(std::size_t i, const Model& model, const Model::Outcome& outcome) {
    if (outputs == 1) {
      numbers[i] = model.shown(outcome.prediction);
      return;
    }
    likeliest[i] = outcome.prediction;
    const Vec p = model.probabilities(outcome.scores);
    std::copy(p.begin(), p.end(), scores.begin() + static_cast<std::ptrdiff_t>(i * outputs));
  }
  nb::object predictions(const Model& model) const {
    if (outputs == 1) return to_array(numbers);
    nb::list classes;
    for (const double x : likeliest) {
      Model::Outcome one{.answer = Answer::kApplied, .prediction = x, .scores = Vec(outputs)};
      classes.append(prediction_of(model, one));
    }
    return classes;
  }
  // One row a round, one column a class, in the order of Model.classes.
  nb::object table(const Model& model) const {
    if (outputs == 1) return nb::none();
    const std::size_t named = model.names_classes() ? model.class_names().size() : outputs;
    const nb::object all = to_array(scores).attr("reshape")(likeliest.size(), outputs);
    return all[nb::make_tuple(nb::slice(nb::none(), nb::none(), nb::none()),
                              nb::slice(nb::int_(0), nb::int_(named), nb::none()))];
  }
};

Decisions decide_many(HeldModel& held, nb::handle features) {
  GivenRows rows(features, "features", held.model.features().takes_names());
  Predicted predicted(held.model, rows.size());
  Model& model = held.model;
  Round first = 0;
  {
    const Use use(held, rows.plain());
    first = model.ledger().issued() + 1;
    std::size_t i = 0;
    const auto give_back = [&] {  // nobody could name these rounds
      for (Round round = first; round <= model.ledger().issued(); ++round) model.declare_void(round);
    };
    try {
      held.unless_it_throws([&] {
        for (; i < rows.size(); ++i) predicted.put(i, model, held.play(rows.view(i)));
        return i;
      });
    } catch (const Error& error) {
      give_back();
      rethrow_with_row(error, i);
    } catch (...) {
      give_back();
      throw;
    }
  }
  return {held.fingerprint, first, rows.size(), predicted.predictions(model), predicted.table(model)};
}

// The first row that throws decides what is thrown.
template <class Work>
void each_in_threads(std::size_t rows, const Work& work) {
  constexpr Index kChunk = 1024;
  std::vector<std::exception_ptr> thrown((rows + kChunk - 1) / kChunk);
  parallel_chunks(static_cast<Index>(rows), kChunk, [&](Index chunk, Index begin, Index end) {
    try {
      for (Index i = begin; i < end; ++i) work(static_cast<std::size_t>(i));
    } catch (...) {
      thrown[static_cast<std::size_t>(chunk)] = std::current_exception();
    }
  });
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

Predicted predict_rows(const HeldModel& held, nb::handle features) {
  GivenRows rows(features, "features", held.model.features().takes_names());
  Predicted predicted(held.model, rows.size());
  const Use use(held, rows.plain());
  const auto predict = [&](std::size_t i) {
    try {
      predicted.put(i, held.model, held.model.predict(rows.view(i)));
    } catch (const Error& error) {
      rethrow_with_row(error, i);
    }
  };
  // Nothing changes meanwhile, so each row is what it is alone. Code in Python runs in one thread, and rows that it has
  // are read by one.
  if (rows.shared() && !held.own) {
    each_in_threads(rows.size(), predict);
  } else {
    for (std::size_t i = 0; i < rows.size(); ++i) predict(i);
  }
  return predicted;
}

nb::object learn_now_many(HeldModel& held, nb::handle features, nb::handle labels) {
  GivenRows rows(features, "features", held.model.features().takes_names());
  const GivenLabels given(labels);
  check_sizes(rows.size(), given.size(), "labels");
  Predicted predicted(held.model, rows.size());
  {
    const Use use(held, rows.plain() && given.plain());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      try {
        predicted.put(i, held.model,
                      held.unless_it_throws([&] { return held.play_and_label(rows.view(i), given.at(i)); }));
      } catch (const Error& error) {
        rethrow_with_row(error, i);
      }
    }
  }
  return predicted.predictions(held.model);
}

// Of decide_many's answer, or one by one.
std::vector<Round> rounds_of(const HeldModel& held, nb::handle tickets) {
  std::vector<Round> rounds;
  const Use use(held);
  if (nb::isinstance<Decisions>(tickets)) {
    const auto& all = nb::cast<const Decisions&>(tickets);
    if (all.count > 0) held.round_of(all.ticket(all.count - 1));
    for (std::size_t i = 0; i < all.count; ++i) rounds.push_back(all.first + i);
    return rounds;
  }
  if (PyUnicode_Check(tickets.ptr()) || !nb::hasattr(tickets, "__iter__"))
    throw_type_error("tickets must be a list of texts, or what decide_many gave (" + kind_of(tickets) + " came)");
  for (nb::handle ticket : tickets) rounds.push_back(held.round_of(ticket));
  return rounds;
}

nb::list learn_many(HeldModel& held, nb::handle tickets, nb::handle labels, nb::handle gradients) {
  if (labels.is_none() == gradients.is_none()) throw Error(Code::kBadInput, "give either labels or gradients");
  const std::vector<Round> rounds = rounds_of(held, tickets);
  std::vector<Answer> given_answers;
  given_answers.reserve(rounds.size());
  const auto each = [&](bool plain, const auto& one) {
    const Use use(held, plain);
    for (std::size_t i = 0; i < rounds.size(); ++i) {
      try {
        given_answers.push_back(held.unless_it_throws([&] { return one(i).answer; }));
      } catch (const Error& error) {
        rethrow_with_row(error, i);
      }
    }
  };
  if (!labels.is_none()) {
    const GivenLabels given(labels);
    check_sizes(rounds.size(), given.size(), "labels");
    each(given.plain(), [&](std::size_t i) { return held.label(rounds[i], given.at(i), std::nullopt); });
  } else {
    GivenRows rows(gradients, "gradients", !held.model.names().empty());
    check_sizes(rounds.size(), rows.size(), "gradients");
    each(rows.plain(), [&](std::size_t i) { return held.receive(rounds[i], rows.view(i)); });
  }
  const nb::object answers = nb::steal(PyList_New(static_cast<Py_ssize_t>(rounds.size())));
  if (!answers.is_valid()) throw nb::python_error();
  for (std::size_t i = 0; i < rounds.size(); ++i)
    PyList_SetItem(answers.ptr(), static_cast<Py_ssize_t>(i),
                   answer_of({.answer = given_answers[i], .round = rounds[i]}).release().ptr());
  return nb::borrow<nb::list>(answers);
}

nb::list tickets_of(const Decisions& x) {
  nb::list tickets;
  for (std::size_t i = 0; i < x.count; ++i) tickets.append(x.ticket(i));
  return tickets;
}

}  // namespace

void bind_batches(nb::module_& m, nb::class_<HeldModel>& model) {
  nb::class_<Decisions>(m, "Decisions", "What a model answered when many rounds were opened.")
      .def_prop_ro("tickets", tickets_of, nb::sig("def tickets(self) -> list[str]"), "One for each row.")
      .def_prop_ro(
          "rounds",
          [](const Decisions& x) { return nb::module_::import_("numpy").attr("arange")(x.first, x.first + x.count); },
          nb::sig("def rounds(self) -> numpy.typing.NDArray[numpy.int64]"), "The rounds' numbers.")
      .def_ro("predictions", &Decisions::predictions, nb::sig("def predictions(self) -> typing.Any"),
              "An array, or a list of classes.")
      .def_ro("scores", &Decisions::scores, nb::sig("def scores(self) -> numpy.typing.NDArray[numpy.float64] | None"),
              "Probabilities: a row for each round, a column for each of `Model.classes`.")
      .def("__len__", [](const Decisions& x) { return x.count; })
      .def("__repr__", [](const Decisions& x) { return fmt::format("<tarry.Decisions: {} rounds>", x.count); });
  model
      .def("decide_many", decide_many, "features"_a.none(),
           nb::sig("def decide_many(self, features: typing.Any) -> Decisions"),
           "Open a round for each row of an array, a sparse matrix, a frame or a list. Where a row is wrong, none is "
           "open.")
      .def(
          "predict_many",
          [](const HeldModel& held, nb::handle features) {
            return predict_rows(held, features).predictions(held.model);
          },
          "features"_a.none(), nb::sig("def predict_many(self, features: typing.Any) -> typing.Any"),
          "`predict` for each row: an array, or a list of classes.")
      .def(
          "predict_scores_many",
          [](const HeldModel& held, nb::handle features) { return predict_rows(held, features).table(held.model); },
          "features"_a.none(),
          nb::sig("def predict_scores_many(self, features: typing.Any) -> numpy.typing.NDArray[numpy.float64] | None"),
          "Probabilities of each row's classes, in the order of `classes`; None without classes.")
      .def("learn_many", learn_many, "tickets"_a.none(), "labels"_a = nb::none(), nb::kw_only(),
           "gradients"_a = nb::none(),
           nb::sig("def learn_many(self, tickets: Decisions | collections.abc.Iterable[str], labels: typing.Any = "
                   "None, *, gradients: typing.Any = None) -> list[str]"),
           "`learn` for each ticket, in order; gives a list of answers. Where a row is wrong, those before it were "
           "applied.")
      .def("learn_now_many", learn_now_many, "features"_a.none(), "labels"_a.none(),
           nb::sig("def learn_now_many(self, features: typing.Any, labels: typing.Any) -> typing.Any"),
           "`learn_now` for each row, in order; returns the predictions.");
}

}  // namespace tarry::python
