#include "tarry/service/http/strangers.h"

#include <arpa/inet.h>

#include <algorithm>
#include <iterator>

namespace tarry::service {

std::string counted_address(const std::string& address) {
  in6_addr six{};
  const std::string plain = address.substr(0, address.find('%'));
  if (inet_pton(AF_INET6, plain.c_str(), &six) != 1 || IN6_IS_ADDR_V4MAPPED(&six)) return address;
  return std::string(reinterpret_cast<const char*>(six.s6_addr), 8);
}

Strangers::Id Strangers::add(const std::string& address, const std::shared_ptr<Stranger>& who) {
  std::shared_ptr<Stranger> leaves;
  Id id = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto same = by_address_.find(address);
    if (same != by_address_.end() && same->second.size() >= limits_.of_one_address)
      leaves = taken_out(one_of_the_older_half(same->second));
    else if (!all_.empty() && all_.size() >= limits_.all)
      leaves = taken_out(one_of_the_older_half(of_most()));
    id = ++last_;
    all_.emplace(id, Known{address, who});
    by_address_[address].insert(id);
  }
  if (leaves) leaves->turn_away();
  return id;
}

void Strangers::remove(Id id) {
  std::shared_ptr<Stranger> kept;  // its end may not come while the mutex is held
  const std::lock_guard lock(mutex_);
  kept = taken_out(id);
}

bool Strangers::drop_one() {
  std::shared_ptr<Stranger> leaves;
  {
    const std::lock_guard lock(mutex_);
    if (all_.empty()) return false;
    leaves = taken_out(one_of_the_older_half(of_most()));
  }
  if (leaves) leaves->turn_away();
  return true;
}

std::size_t Strangers::size() const {
  const std::lock_guard lock(mutex_);
  return all_.size();
}

std::shared_ptr<Stranger> Strangers::taken_out(Id id) {
  const auto found = all_.find(id);
  if (found == all_.end()) return nullptr;
  const auto same = by_address_.find(found->second.address);
  same->second.erase(id);
  if (same->second.empty()) by_address_.erase(same);
  auto who = found->second.who.lock();
  all_.erase(found);
  return who;
}

const std::set<Strangers::Id>& Strangers::of_most() const {
  const auto most = std::max_element(by_address_.begin(), by_address_.end(),
                                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  return most->second;
}

Strangers::Id Strangers::one_of_the_older_half(const std::set<Id>& ids) {
  const std::size_t half = std::max<std::size_t>(1, ids.size() / 2);
  return *std::next(ids.begin(), static_cast<std::ptrdiff_t>(draw_.below(half)));
}

}  // namespace tarry::service
