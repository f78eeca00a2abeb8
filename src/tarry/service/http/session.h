// One connection's requests, one after another: a head is read and shown to the gate, then the body, then the handler
// answers. Runs on its wire's turns alone; whatever may come from another thread says so.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "tarry/service/http/http_server.h"
#include "tarry/service/http/request_reader.h"
#include "tarry/service/http/strangers.h"
#include "tarry/service/http/wire.h"

namespace tarry::service {

// What connections share.
struct SessionsShared {
  explicit SessionsShared(const HttpOptions& given)
      : options(given), strangers({given.most_strangers(), given.most_strangers_of_one_address()}) {}

  const HttpOptions options;
  Gate gate;
  Handler handler;
  Strangers strangers;
  std::atomic<std::size_t> sessions = 0;  // all that are there
  std::atomic<std::size_t> known = 0;     // with a valid token
  std::atomic<std::size_t> leaving = 0;   // turned away, and still being told so
  std::atomic<std::size_t> claimed = 0;   // bytes of large bodies that may come, or are being worked on
  std::atomic<std::uint64_t> turned_away = 0, out_of_memory = 0;
  std::atomic<bool> stopping = false;
};

class Session : public WireUser, public Stranger, public std::enable_shared_from_this<Session> {
 public:
  Session(std::shared_ptr<SessionsShared> shared, std::unique_ptr<Wire> wire);
  ~Session() override;

  void begin();              // from any thread
  void begin_turned_away();  // there is no room for it: that is the answer, whatever it asks
  void end_when_idle();      // from any thread
  void turn_away() override;

  void on_open(bool ok) override;
  void on_read(std::size_t count) override;
  void on_written(bool ok) override;
  void on_pause(bool over) override;
  void on_wake() override;

 private:
  class Pending;
  enum class Writing { kNothing, kContinue, kAnswer, kPieces, kLastPiece };
  enum Wish : unsigned { kBegin = 1, kEndWhenIdle = 2, kTurnAway = 4, kAnswered = 8 };

  void wish(Wish wish);
  void next_request();
  void read_more();
  void take(RequestReader::Step step);
  void on_head();
  bool claim();
  void release();
  void become_known();
  void handle(Request request);
  void answer(Response response);  // from any thread
  void refuse(const Refusal& refusal);
  void refuse(Response response);
  void refuse_crowded();
  void write(Response response);
  void write_piece();
  void after_answer();
  void hear_out();
  void close();
  void out_of_memory() noexcept;
  template <class F>
  void guarded(F f) noexcept;

  std::shared_ptr<SessionsShared> shared_;
  std::unique_ptr<Wire> wire_;
  RequestReader reader_;
  std::atomic<Strangers::Id> stranger_ = 0;  // 0: it is none
  std::atomic<unsigned> wishes_ = 0;
  Response answer_;  // that came, or is being written
  std::string head_;
  Pieces pieces_;  // of a body without an end
  std::string piece_;
  Writing writing_ = Writing::kNothing;
  bool known_ = false, leaving_ = false;
  bool busy_ = false;         // a request has come that is not answered
  bool last_ = false;         // the connection ends with this answer
  bool refused_ = false;      // with this answer, and without its body being read
  bool crowded_out_ = false;  // it must go, and has not been told yet
  bool hearing_out_ = false, closed_ = false;
  std::size_t claimed_ = 0;
  std::size_t heard_ = 0;  // bytes that came behind the answer
};

}  // namespace tarry::service
