// Puts load on a service: so many connections that are kept open, each with one request on its way.
//
//   serve_load PORT CONNECTIONS SECONDS decide|mixed|choose [MODEL [RATE]]
//
// With a RATE so many decisions a second are due, at even distances; each is timed from when it was due, also where no
// connection was free for it.
//
// `mixed` sends the label of each decision right after it. `choose` asks for one of ten actions, with the same numbers
// as their context. Prints, as the other benchmarks do, seconds: for one request (the inverse of the rate), and of the
// times to its answer the median, the 99th hundredth, the 999th thousandth and the longest. Any answer but 200 ends it.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

enum Kind { kDecision, kFeedback };

struct Connection {
  int socket = -1;
  Kind kind = kDecision;
  std::string answer;
  Clock::time_point sent;
};

struct Load {
  int port = 0;
  std::size_t connections = 64;
  double seconds = 5;
  bool mixed = false;
  bool choose = false;
  std::string model = "load";
  double rate = 0;  // decisions a second; 0: as many as go
};

std::string request(const std::string& path, const std::string& headers, const std::string& body) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n{}Content-Length: {}\r\n\r\n{}", path,
      headers, body.size(), body);
}

// The length of the whole answer, or 0 while its head is not complete.
std::size_t length_of(std::string_view answer) {
  const auto end = answer.find("\r\n\r\n");
  if (end == std::string_view::npos) return 0;
  std::string head(answer.substr(0, end));
  std::transform(head.begin(), head.end(), head.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto at = head.find("\r\ncontent-length:");
  if (at == std::string::npos) throw std::runtime_error("an answer without a length");
  return end + 4 + std::strtoull(head.c_str() + at + 17, nullptr, 10);
}

std::string ticket_in(std::string_view answer) {
  auto at = answer.find("\"ticket\"");
  if (at == std::string_view::npos) throw std::runtime_error("a decision without a ticket");
  at = answer.find('"', answer.find(':', at)) + 1;
  return std::string(answer.substr(at, answer.find('"', at) - at));
}

class Generator {
 public:
  explicit Generator(const Load& load) : load_(load), poll_(epoll_create1(0)), connections_(load.connections) {}

  void run() {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      open(i);
      if (load_.rate > 0)
        idle_.push_back(i);
      else
        send_decision(connections_[i], Clock::now());
    }
    const auto start = Clock::now();
    const int timer = load_.rate > 0 ? open_timer() : -1;
    warm_ = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(load_.seconds / 5));
    const auto end = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(load_.seconds));
    std::vector<epoll_event> events(connections_.size() + 1);
    while (Clock::now() < end) {
      const int ready = epoll_wait(poll_, events.data(), static_cast<int>(events.size()), 1000);
      for (int i = 0; i < ready; ++i) {
        const std::uint64_t which = events[static_cast<std::size_t>(i)].data.u64;
        if (which < connections_.size()) receive(connections_[which]);
      }
      if (timer >= 0) send_due(timer, start);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - warm_).count();
    report("decision", times_[kDecision], seconds);
    if (load_.mixed) report("feedback", times_[kFeedback], seconds);
    fmt::print("{{\"name\": \"answers\", \"seconds\": [{}]}}\n", answers_);
  }

 private:
  void open(std::size_t i) {
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(load_.port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (made < 0 || connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error(fmt::format("cannot connect to port {}", load_.port));
    const int yes = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.u64 = i;
    epoll_ctl(poll_, EPOLL_CTL_ADD, made, &wanted);
    connections_[i].socket = made;
  }

  int open_timer() {
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    itimerspec every{};
    every.it_interval.tv_nsec = every.it_value.tv_nsec = static_cast<long>(1e9 / load_.rate);
    timerfd_settime(timer, 0, &every, nullptr);
    epoll_event wanted{};
    wanted.events = EPOLLIN;
    wanted.data.u64 = connections_.size();
    epoll_ctl(poll_, EPOLL_CTL_ADD, timer, &wanted);
    return timer;
  }

  void send_due(int timer, Clock::time_point start) {
    std::uint64_t ticks = 0;
    if (read(timer, &ticks, sizeof ticks) < 0) ticks = 0;  // none since
    for (; !idle_.empty(); idle_.pop_back()) {
      const auto due = start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(static_cast<double>(count_ + 1) / load_.rate));
      if (due > Clock::now()) return;
      send_decision(connections_[idle_.back()], due);
    }
  }

  void send(Connection& connection, Kind kind, const std::string& text, Clock::time_point due) {
    connection.kind = kind;
    connection.sent = due;
    if (::send(connection.socket, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the service hung up");
  }

  // Ten numbers by name, other ones each time; a key, as tarry.Client sends one.
  void send_decision(Connection& connection, Clock::time_point due) {
    std::string features;
    for (int i = 0; i < 10; ++i) features += fmt::format("{}\"f{}\":{}", i ? "," : "", i, (count_ * 7 + i * 13) % 101);
    const std::string body =
        load_.choose ? fmt::format(
                           "{{\"context\":{{{}}},\"actions\":[\"a0\",\"a1\",\"a2\",\"a3\",\"a4\",\"a5\",\"a6\","
                           "\"a7\",\"a8\",\"a9\"]}}",
                           features)
                     : fmt::format("{{\"features\":{{{}}}}}", features);
    send(connection, kDecision,
         request(fmt::format("/v1/models/{}/{}", load_.model, load_.choose ? "choices" : "decisions"),
                 fmt::format("Idempotency-Key: {}-{}\r\n", getpid(), ++count_), body),
         due);
  }

  void receive(Connection& connection) {
    char buffer[16384];
    const auto got = recv(connection.socket, buffer, sizeof buffer, 0);
    if (got <= 0) throw std::runtime_error("the service hung up");
    auto& answer = connection.answer;
    answer.append(buffer, static_cast<std::size_t>(got));
    const auto length = length_of(answer);
    if (length == 0 || answer.size() < length) return;
    const auto now = Clock::now();
    ++answers_;
    if (answer.compare(0, 12, "HTTP/1.1 200") != 0) throw std::runtime_error("answered " + answer.substr(0, length));
    if (now >= warm_) times_[connection.kind].push_back(std::chrono::duration<double>(now - connection.sent).count());
    const bool label_it = load_.mixed && connection.kind == kDecision;
    const std::string ticket = label_it ? ticket_in(answer) : "";
    answer.clear();
    if (label_it)
      send(connection, kFeedback,
           request("/v1/feedback", "", fmt::format("{{\"ticket\":\"{}\",\"label\":{}}}", ticket, count_ % 3 == 0)),
           Clock::now());
    else if (load_.rate > 0)
      idle_.push_back(static_cast<std::size_t>(&connection - connections_.data()));
    else
      send_decision(connection, Clock::now());
  }

  static void report(const char* name, std::vector<double>& times, double seconds) {
    if (times.empty()) throw std::runtime_error("no answer in time");
    std::sort(times.begin(), times.end());
    const auto n = times.size();
    fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", name, seconds / static_cast<double>(n));
    fmt::print("{{\"name\": \"{}_p50\", \"seconds\": [{}]}}\n", name, times[n / 2]);
    fmt::print("{{\"name\": \"{}_p99\", \"seconds\": [{}]}}\n", name, times[n * 99 / 100]);
    fmt::print("{{\"name\": \"{}_p999\", \"seconds\": [{}]}}\n", name, times[n * 999 / 1000]);
    fmt::print("{{\"name\": \"{}_longest\", \"seconds\": [{}]}}\n", name, times.back());
  }

  Load load_;
  int poll_;
  std::vector<Connection> connections_;
  std::vector<std::size_t> idle_;  // with a rate: those that have nothing to do
  std::uint64_t count_ = 0;        // decisions asked for
  std::uint64_t answers_ = 0;      // of every kind, from the first on
  Clock::time_point warm_;         // what was answered before is not counted
  std::vector<double> times_[2];
};

}  // namespace

int main(int count, char** words) try {
  if (count < 5) {
    fmt::print(stderr, "usage: serve_load PORT CONNECTIONS SECONDS decide|mixed|choose [MODEL [RATE]]\n");
    return 2;
  }
  Load load{std::atoi(words[1]), std::strtoull(words[2], nullptr, 10), std::atof(words[3]),
            std::string_view(words[4]) == "mixed", std::string_view(words[4]) == "choose"};
  if (count > 5) load.model = words[5];
  if (count > 6) load.rate = std::atof(words[6]);
  Generator(load).run();
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "serve_load: {}\n", error.what());
  return 1;
}
