// What a host answers, as values. JSON, statuses and headers are made at the rim: service/http_reply.h for HTTP,
// kafka/outcome.h for Kafka.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tarry/hosting/challenger.h"
#include "tarry/hosting/hosted_model.h"
#include "tarry/hosting/log.h"
#include "tarry/hosting/rejection.h"
#include "tarry/ledger/delay_counts.h"
#include "tarry/model/reply.h"

namespace tarry::hosting {

struct OutOfMemory {};  // a rejection that takes no memory

// ---- of models

struct Created {
  std::string name;
  Position incarnation = 0;
  std::string spec;     // JSON, as a specification is kept
  bool before = false;  // it was there already, the same
};
struct Deleted {
  std::string name;
};
struct ModelList {
  struct One {
    std::string name;
    Position incarnation = 0, position = 0;
    std::uint64_t rounds = 0, outstanding = 0;
  };
  std::vector<One> models;
};
struct Description {
  std::string name;
  Position incarnation = 0, position = 0;
  std::string hash;
  std::string spec;  // JSON, as a specification is kept
  std::uint64_t rounds = 0, outstanding = 0, settled = 0, expired = 0, voided = 0, untracked = 0, events = 0;
  struct Oldest {
    Round round = 0;
    std::int64_t waits_ms = 0;
  };
  std::optional<Oldest> oldest;  // of the rounds that wait
  DelayCounts delays;
  std::optional<double> certificate;
  std::vector<Model::Weight> weights;
  std::optional<Apprentice::Figures> apprentice = std::nullopt;  // where something else was shown
  std::optional<Comparison::Figures> comparison = std::nullopt;  // of a model that chooses
  struct NewName {
    std::string name;
    Round round = 0;           // that it came with first
    std::int64_t ago_ms = 0;   // when that was
    std::uint64_t rounds = 0;  // that had it since
    std::string like;          // a known name that is nearly the same; empty: none is
  };
  std::vector<NewName> new_names = {};  // of features, since the service began
  std::string champion = {};            // what the model is called among its challengers; empty: it never had any
  std::uint64_t before = 0;             // rounds that it never played: an earlier champion did
};
struct SnapshotBytes {
  std::string bytes;
  Position position = 0;
};
struct ModelPage {  // what a model's page shows: a document that only the page reads
  std::string json;
};

// ---- of challengers

struct ChallengerChanged {
  enum What : std::uint8_t { kMade, kThere, kRemoved, kPromoted };
  What what = kMade;
  std::string model, challenger;
  std::string spec = {};    // JSON, of one that was made; empty: not known here
  std::string former = {};  // what the model before is called now, of one that was promoted
};
struct ChallengerList {
  // What is expected of the newest decisions once all their labels have come, with 95 % intervals. NaN: not known.
  struct Expected {
    struct Figure {
      double so_far = 0, expected = 0, low = 0, high = 0;
    };
    Verdict verdict = Verdict::kTooEarly;
    double decisions = 0, share = 0;  // of labels that have come
    Figure loss = {}, gain = {};      // gain: how much more the model loses
  };
  struct One {
    std::string name, spec, failure;
    Verdict verdict = Verdict::kTooEarly;
    std::uint64_t rounds = 0, labels = 0;  // since it joined
    Round from = 0;                        // the first that counts; 0: none yet
    std::uint64_t left_out = 0, late = 0, ahead = 0;
    std::optional<evaluation::PairedLosses::Figures> figures = std::nullopt;
    std::optional<evaluation::PolicyDifference::Figures> earned = std::nullopt;  // of a model that chooses, instead
    std::optional<Expected> expected = std::nullopt;                             // where somebody watches
  };
  std::string model, champion;
  std::vector<One> challengers;
};
ChallengerList challengers_of(const HostedModel& model);
Rejection no_such_challenger(const std::string& model, const std::string& challenger);

// ---- of decisions and feedback, one or a list

struct Queued {  // Kafka has it, and nobody has folded it yet
  int partition = 0;
  std::int64_t offset = 0;
};
struct Decided {
  std::string ticket;
  std::variant<PlayReply, Queued> what;
  std::string explanation = {};  // JSON; empty: it was not asked for
};
struct Predicted {
  ShownPrediction shown;
  std::string explanation = {};  // as above
};
struct Accepted {
  Round round = 0;
  bool duplicate = false;
  bool untracked = false;  // nothing was learnt: the model did not keep its round
};

template <class... Kinds>
struct Many {
  std::vector<std::variant<Kinds..., Rejection>> items;
  bool list = false;   // as it was asked for; otherwise there is one item
  bool async = false;  // nobody waited for the outcomes, as it was asked for
};
struct Decisions : Many<Decided> {};
struct Predictions : Many<Predicted> {};
struct FeedbackReplies : Many<Accepted, Queued> {};

using Reply = std::variant<OutOfMemory, Rejection, Created, Deleted, ModelList, Description, SnapshotBytes, ModelPage,
                           ChallengerChanged, ChallengerList, Decisions, Predictions, FeedbackReplies>;

// Where a reply goes. The call makes it into bytes, on the thread that did the work, and gives what sends them: the
// host calls that once, from any thread, when all that the reply depends on is durable. Neither throws.
using Send = std::function<void()>;
using ReplyTo = std::function<Send(Reply)>;

// What `f` gives, or the rejection of whatever it throws.
template <class F>
Reply or_rejection(bool applying, F f) {
  try {
    return f();
  } catch (const Rejection& rejection) {
    return rejection;
  } catch (const Error& error) {
    return rejection_of(error, applying);
  } catch (const std::bad_alloc&) {
    return OutOfMemory{};
  } catch (const std::length_error&) {
    return OutOfMemory{};
  } catch (const std::exception& error) {
    return rejection_of(Error(Code::kInternal, error.what()), applying);
  }
}

// The rejection of what `f` throws; nothing: it did what it should.
template <class F>
std::optional<Reply> rejected_by(bool applying, F f) {
  bool done = false;
  Reply reply = or_rejection(applying, [&]() -> Reply {
    f();
    done = true;
    return OutOfMemory{};
  });
  if (done) return std::nullopt;
  return reply;
}

}  // namespace tarry::hosting
