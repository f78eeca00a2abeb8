#include "tarry/service/http/session.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "tarry/service/http/response_text.h"

namespace tarry::service {
namespace {

// Who closes with something unread makes the other side forget the answer: so much of it is taken, and so long.
constexpr std::size_t kMostHeard = std::size_t{64} << 10;
constexpr auto kLongestHeard = std::chrono::seconds(2);
// Turned away and still being told so; beyond that many, a connection is closed behind its answer at once.
constexpr std::size_t kMostLeaving = 256;

}  // namespace

// The holder of a request's reply answers it: an answer that was lost on its way is reported as such.
class Session::Pending {
 public:
  explicit Pending(std::shared_ptr<Session> session) : session_(std::move(session)) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() {
    if (session_) session_->answer(out_of_memory_response());
  }
  void answer(Response response) {
    if (const auto session = std::exchange(session_, nullptr)) session->answer(std::move(response));
  }

 private:
  std::shared_ptr<Session> session_;
};

Session::Session(std::shared_ptr<SessionsShared> shared, std::unique_ptr<Wire> wire)
    : shared_(std::move(shared)),
      wire_(std::move(wire)),
      reader_({shared_->options.most_header, shared_->options.most_body}) {
  ++shared_->sessions;
}

Session::~Session() {
  release();
  if (stranger_ != 0) shared_->strangers.remove(stranger_);
  if (known_) --shared_->known;
  if (leaving_) --shared_->leaving;
  --shared_->sessions;
}

// Whatever a library may throw: the request is answered if there is memory for that, and the service goes on.
template <class F>
void Session::guarded(F f) noexcept {
  try {
    f();
    return;
  } catch (const std::exception&) {
  }
  try {
    if (writing_ == Writing::kNothing && !hearing_out_ && !closed_) return refuse(out_of_memory_response());
  } catch (const std::exception&) {
  }
  out_of_memory();
}

void Session::begin() {
  wire_->use(shared_from_this());
  stranger_ = shared_->strangers.add(counted_address(wire_->address()), shared_from_this());
  wish(kBegin);
}

void Session::begin_turned_away() {
  wire_->use(shared_from_this());
  ++shared_->turned_away;
  crowded_out_ = true;
  wish(kBegin);
}

void Session::end_when_idle() { wish(kEndWhenIdle); }
void Session::turn_away() { wish(kTurnAway); }

void Session::wish(Wish wish) {
  wishes_ |= wish;
  if (!wire_->wake() && wish == kAnswered) out_of_memory();
}

void Session::on_wake() {
  guarded([this] {
    const unsigned wishes = wishes_.exchange(0);
    if ((wishes & kBegin) != 0) {
      wire_->expire_after(shared_->options.to_read);
      wire_->open();
    }
    if ((wishes & kTurnAway) != 0 && !known_ && !closed_) {
      stranger_ = 0;
      ++shared_->turned_away;
      if (writing_ != Writing::kNothing || hearing_out_) return close();
      crowded_out_ = !busy_;
      last_ = last_ || busy_;
      if (crowded_out_) wire_->cancel();  // on_read says so
    }
    if ((wishes & kEndWhenIdle) != 0 && !busy_) close();
    if ((wishes & kAnswered) != 0) write(std::move(answer_));
  });
}

void Session::on_open(bool ok) {
  guarded([&] {
    if (!ok) return close();
    crowded_out_ ? refuse_crowded() : next_request();
  });
}

void Session::next_request() {
  if (shared_->stopping) return close();
  reader_.next();
  wire_->expire_after(shared_->options.to_read);
  take(reader_.came(0));
}

void Session::read_more() { wire_->read(reader_.room()); }

void Session::on_read(std::size_t count) {
  guarded([&] {
    if (closed_) return;
    if (hearing_out_) {
      heard_ += count;
      return count == 0 ? close() : hear_out();
    }
    if (crowded_out_) return refuse_crowded();
    if (count == 0) return close();
    take(reader_.came(count));
  });
}

void Session::take(RequestReader::Step step) {
  switch (step) {
    case RequestReader::Step::kMore:
      return read_more();
    case RequestReader::Step::kHead:
      return on_head();
    case RequestReader::Step::kWhole: {
      Request request = reader_.head().request;
      request.body = reader_.take_body();
      return handle(std::move(request));
    }
    case RequestReader::Step::kBad:
      return refuse(*reader_.refusal());
  }
}

// Who it is comes first: a stranger's body is neither read nor counted.
void Session::on_head() {
  busy_ = true;
  const RequestHead& head = reader_.head();
  last_ = !head.keep_alive;
  Admission admission = shared_->gate(head.request);
  if (admission.known) become_known();
  if (head.has_body() && (admission.refusal || !admission.takes_body)) last_ = refused_ = true;
  if (admission.refusal) return write(*std::move(admission.refusal));
  if (!admission.takes_body) return handle(head.request);
  if (head.length.value_or(0) > shared_->options.most_body)
    return refuse(body_too_long(shared_->options.most_body, head.length));
  if (!claim()) return refuse(Refusal(503, "overloaded", "too many large requests at once: try again later"));
  if (!head.waits_for_continue) return take(reader_.read_body());
  writing_ = Writing::kContinue;
  wire_->write("HTTP/1.1 100 Continue\r\n\r\n", {});
}

// Many large bodies at once must not take all of the memory; small ones are bounded by the number of connections.
bool Session::claim() {
  constexpr std::size_t kSmall = 1 << 16;
  const RequestHead& head = reader_.head();
  const std::size_t wanted =
      head.chunked ? shared_->options.most_body : static_cast<std::size_t>(head.length.value_or(0));
  if (wanted <= kSmall) return true;
  claimed_ = wanted;
  if ((shared_->claimed += wanted) <= shared_->options.most_bodies) return true;
  release();
  return false;
}

void Session::release() { shared_->claimed -= std::exchange(claimed_, 0); }

void Session::become_known() {
  if (std::exchange(known_, true)) return;
  ++shared_->known;
  shared_->strangers.remove(stranger_.exchange(0));
}

void Session::handle(Request request) {
  wire_->expire_never();  // the service has limits of its own
  const auto pending = std::make_shared<Pending>(shared_from_this());
  try {
    shared_->handler(std::move(request), [pending](Response response) { pending->answer(std::move(response)); });
  } catch (const std::bad_alloc&) {  // then `pending` answers
  }
}

void Session::answer(Response response) {
  answer_ = std::move(response);
  wish(kAnswered);
}

void Session::refuse(const Refusal& refusal) { refuse(error_response(refusal)); }

void Session::refuse(Response response) {
  busy_ = last_ = refused_ = true;
  write(std::move(response));
}

void Session::refuse_crowded() {
  crowded_out_ = false;
  leaving_ = true;
  const bool many = ++shared_->leaving > kMostLeaving;
  heard_ = many ? kMostHeard : 0;
  refuse(Refusal(503, "overloaded", "too many connections: try again later"));
}

void Session::write(Response response) {
  release();
  last_ = last_ || shared_->stopping;
  answer_ = std::move(response);
  const bool head = reader_.head().head;
  const bool in_pieces = answer_.pieces && !head;
  head_ = head_text(answer_, {.last = last_, .in_pieces = in_pieces});
  wire_->expire_after(shared_->options.to_write);
  writing_ = in_pieces ? Writing::kPieces : Writing::kAnswer;
  if (in_pieces) {
    pieces_ = std::move(answer_.pieces);
    busy_ = false;  // stopping the service need not wait for it
  }
  wire_->write(head_, head || in_pieces ? std::string_view() : answer_.text());
}

void Session::write_piece() {
  piece_ = shared_->stopping ? "" : pieces_().value_or("");  // a chunk without bytes is the last one
  writing_ = piece_.empty() ? Writing::kLastPiece : Writing::kPieces;
  head_ = fmt::format("{:x}\r\n", piece_.size());
  piece_ += "\r\n";
  wire_->expire_after(shared_->options.to_write);
  wire_->write(head_, piece_);
}

void Session::on_written(bool ok) {
  guarded([&] {
    const Writing written = std::exchange(writing_, Writing::kNothing);
    if (closed_) return;
    if (!ok) return close();
    switch (written) {
      case Writing::kContinue:
        return take(reader_.read_body());
      case Writing::kAnswer:
        return after_answer();
      case Writing::kPieces:
        wire_->expire_never();
        if (piece_.empty()) return write_piece();  // only the head was written
        return wire_->pause(std::chrono::seconds(1));
      default:
        return close();
    }
  });
}

void Session::on_pause(bool over) {
  guarded([&] { over && !hearing_out_ && !closed_ ? write_piece() : close(); });
}

void Session::after_answer() {
  busy_ = false;
  answer_ = {};
  if (refused_) return hear_out();
  if (last_) return close();
  next_request();
}

// Beyond what is taken the other side waits with the rest, reads its answer or not, and is cut off.
void Session::hear_out() {
  if (!std::exchange(hearing_out_, true)) {
    reader_.discard();
    wire_->end_sending();
    if (heard_ >= kMostHeard) return close();
    wire_->expire_after(kLongestHeard);
  }
  if (shared_->stopping) return close();
  if (heard_ >= kMostHeard) return wire_->pause(kLongestHeard);
  wire_->read_to_discard(reader_.room());
}

void Session::close() {
  if (std::exchange(closed_, true)) return;
  wire_->close();
}

void Session::out_of_memory() noexcept {
  ++shared_->out_of_memory;
  closed_ = true;
  wire_->last_words(kOutOfMemoryAnswer);
}

}  // namespace tarry::service
