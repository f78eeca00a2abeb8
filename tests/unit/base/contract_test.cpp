#include "tarry/base/contract.h"

#include <gtest/gtest.h>

#include "tarry/ledger/keys.h"
#include "tarry/ledger/ledger.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/service/lanes/lanes.h"
#include "unit/expect_error.h"

namespace tarry {
namespace {

// What a call breaks: "the ledger balances"; empty where it breaks nothing.
template <class Call>
std::string broken_by(Call call) {
  const std::string before = "a bug in Tarry: it must hold that ", message = thrown_by(call).message;
  return message.starts_with(before) ? message.substr(before.size(), message.find(" (") - before.size()) : "";
}

TEST(Contract, ABrokenOneIsABugAndNamesItsPlace) {
  EXPECT_NO_THROW(ensure(true, "all is well"));
  const std::string line = std::to_string(__LINE__ + 1);
  const Thrown thrown = thrown_by([] { ensure(1 > 2, "one is more than two"); });
  EXPECT_EQ(thrown.message, "a bug in Tarry: it must hold that one is more than two (contract_test.cpp:" + line + ")");
  EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(Code::kInternal));
}

TEST(Contract, TestsAreThoroughAndTheProgramNeedNotBe) {
  EXPECT_TRUE(contract::thorough) << "test programs turn it on: tests/thorough.cpp";
  int asked = 0;
  const auto ask = [&] { return ++asked < 2; };
  ensure_thoroughly(ask, "it is asked once");
  EXPECT_EQ(broken_by([&] { ensure_thoroughly(ask, "it is asked once"); }), "it is asked once");
  contract::thorough = false;
  ensure_thoroughly(ask, "nobody asks");
  contract::thorough = true;
  EXPECT_EQ(asked, 2);
}

TEST(Contract, TheLedgerSettlesARoundOnce) {
  Ledger ledger;
  const Round round = ledger.issue({});
  const auto peeked = ledger.peek(round);
  ledger.settle_peeked(round, *peeked);
  EXPECT_EQ(broken_by([&] { ledger.settle_peeked(round, *peeked); }),
            "a round that was peeked at still waits when it is settled");
  EXPECT_EQ(broken_by([&] { ledger.keep_memo(round, {1}); }), "a round whose memo changes is waiting");
}

TEST(Contract, ARoundIsClosedOnceAndAnsweredInItselfAtTheEarliest) {
  RoundSet closed;
  closed.insert(3);
  EXPECT_EQ(broken_by([&] { closed.insert(3); }), "a round is closed once");
  DelayCounts delays;
  EXPECT_NE(broken_by([&] { delays.add(0); }), "");
  EXPECT_EQ(delays.answered, 0U);
}

TEST(Contract, AKeyIsOpenedOnce) {
  Keys keys;
  keys.open("a", {.round = 1});
  EXPECT_EQ(broken_by([&] { keys.open("a", {.round = 2}); }), "a key that is opened was not known");
}

TEST(Contract, ContextsAndKernelsRefuseLengthsThatDiffer) {
  Context context;
  context.has_features = context.sparse = true;
  context.indices = {1, 2};
  context.values = {1};
  EXPECT_EQ(broken_by([&] { PackedContext{context}; }), "sparse features have an index for each value, others none");
  const std::vector<double> two(2), three(3);
  EXPECT_EQ(broken_by([&] { kernels::dot(three, two); }), "both sides of a product are there");
}

TEST(Contract, ALaneKnowsItsOwnTasks) {
  service::Workers workers(2);
  const auto lane = std::make_shared<service::Lane>(workers, service::Lane::Limits{}),
             other = std::make_shared<service::Lane>(workers, service::Lane::Limits{});
  bool here = false, there = true;
  lane->submit_always([&] {
    here = lane->is_here();
    there = other->is_here();
  });
  workers.stop();
  EXPECT_TRUE(here);
  EXPECT_FALSE(there);
  EXPECT_FALSE(lane->is_here());
}

}  // namespace
}  // namespace tarry
