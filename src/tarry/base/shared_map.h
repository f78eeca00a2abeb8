// An ordered map from numbers to values whose copies share memory. A copy is made in no time, whatever the size; from
// then on each side copies the few blocks that it changes. So a large state is frozen by a copy and written down by
// another thread while its owner goes on: one thread at a time for each copy, and none waits for the other.
//
// A tree with 32 branches a node, by five bits of the key each, as high as the bits go in which keys differ; a node has
// room for the branches that are there alone, so that memory follows the entries, whether their keys are dense or far
// apart. Who changes a node must be the only one to hold it, and copies it otherwise. Where memory runs out the map has
// the entries it had.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace tarry {

template <class T>
class SharedMap {
  static_assert(std::is_nothrow_copy_constructible_v<T> && std::is_nothrow_move_constructible_v<T> && alignof(T) <= 8);

 public:
  using Key = std::uint64_t;
  struct Entry {
    Key key = 0;
    const T* value = nullptr;  // null: there is none

    explicit operator bool() const { return value != nullptr; }
  };

  SharedMap() = default;
  SharedMap(const SharedMap& other)
      : root_(other.root_), height_(other.height_), prefix_(other.prefix_), size_(other.size_) {
    retain(root_);
  }
  SharedMap(SharedMap&& other) noexcept { swap(other); }
  SharedMap& operator=(SharedMap other) noexcept {
    swap(other);
    return *this;
  }
  ~SharedMap() { release(root_, height_); }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool contains(Key key) const { return find(key) != nullptr; }

  const T* find(Key key) const {
    if (root_ == nullptr || above(height_, key) != prefix_) return nullptr;
    const Node* node = root_;
    for (int height = height_; height > 0; --height) {
      const unsigned branch = branch_of(key, height);
      if (!node->has(branch)) return nullptr;
      node = node->template slots<Node*>()[node->place(branch)];
    }
    const unsigned branch = branch_of(key, 0);
    return node->has(branch) ? node->template slots<T>() + node->place(branch) : nullptr;
  }

  Entry first() const { return root_ == nullptr ? Entry{} : outermost(root_, height_, prefix_, false); }
  Entry last() const { return root_ == nullptr ? Entry{} : outermost(root_, height_, prefix_, true); }
  // The last entry whose key is at most this one, and the first whose key is at least this one.
  Entry at_or_before(Key key) const {
    if (root_ == nullptr || above(height_, key) < prefix_) return {};
    return above(height_, key) > prefix_ ? last() : nearest(root_, height_, prefix_, key, true);
  }
  Entry at_or_after(Key key) const {
    if (root_ == nullptr || above(height_, key) > prefix_) return {};
    return above(height_, key) < prefix_ ? first() : nearest(root_, height_, prefix_, key, false);
  }

  // Calls f(key, value) for each entry in ascending order, until it says false.
  template <class F>
  void each_while(F f) const {
    if (root_ != nullptr) walk(root_, height_, prefix_, f);
  }
  template <class F>
  void each(F f) const {
    each_while([&](Key key, const T& value) {
      f(key, value);
      return true;
    });
  }

  // What was under the key before is replaced; whether there was nothing.
  bool set(Key key, T value) {
    while (root_ != nullptr && above(height_, key) != prefix_) {
      Node* higher = make<Node*>(1);
      higher->mask = 1u << (prefix_ & (kBranches - 1));
      *higher->template slots<Node*>() = std::exchange(root_, higher);
      ++height_;
      prefix_ >>= kBits;
    }
    if (root_ != nullptr) {
      const bool is_new = insert(root_, height_, key, value);
      size_ += is_new ? 1 : 0;
      return is_new;
    }
    root_ = branch_with(0, key, value);
    height_ = 0;
    prefix_ = above(0, key);
    size_ = 1;
    return true;
  }

  // The value, for its owner to change; null where there is none.
  T* edit(Key key) { return contains(key) ? edit(root_, height_, key) : nullptr; }

  // Takes the value out; nothing where there is none.
  std::optional<T> take(Key key) {
    std::optional<T> taken;
    if (root_ == nullptr || above(height_, key) != prefix_) return taken;
    if (take(root_, height_, key, taken)) root_ = nullptr;
    if (taken) --size_;
    return taken;
  }
  bool erase(Key key) { return take(key).has_value(); }  // whether there was one

 private:
  static constexpr int kBits = 5;
  static constexpr unsigned kBranches = 1u << kBits;

  struct Node {
    std::atomic<std::uint32_t> holders = 1;
    std::uint32_t mask = 0;  // the branches that are there; their slots lie side by side
    std::uint32_t room;      // slots

    explicit Node(std::uint32_t slots_in_all) : room(slots_in_all) {}
    bool has(unsigned branch) const { return (mask >> branch & 1) != 0; }
    unsigned count() const { return ones(mask); }
    unsigned place(unsigned branch) const { return ones(mask & ((1u << branch) - 1)); }
    bool shared() const { return holders.load(std::memory_order_acquire) > 1; }

    template <class Slot>
    Slot* slots() {
      return reinterpret_cast<Slot*>(reinterpret_cast<std::byte*>(this) + kHead);
    }
    template <class Slot>
    const Slot* slots() const {
      return const_cast<Node*>(this)->template slots<Slot>();
    }
  };
  static constexpr std::size_t kHead = 16;
  static_assert(sizeof(Node) <= kHead);

  // The bits that are set. std::popcount is a call where the compiler may not assume the instruction.
  static constexpr unsigned ones(std::uint32_t x) {
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    return ((x + (x >> 4)) & 0x0F0F0F0Fu) * 0x01010101u >> 24;
  }
  static constexpr unsigned room_for(unsigned slots) { return slots <= 2 ? 2 : slots <= 8 ? 8 : kBranches; }
  // The bits of a key that a tree of this height leaves out.
  static Key above(int height, Key key) {
    const int bits = kBits * (height + 1);
    return bits >= 64 ? 0 : key >> bits;
  }
  static unsigned branch_of(Key key, int height) {
    return static_cast<unsigned>(key >> (kBits * height)) & (kBranches - 1);
  }
  static Key below(Key prefix, unsigned branch) { return prefix << kBits | branch; }

  // ---- nodes and who holds them

  template <class Slot>
  static Node* make(unsigned slots) {
    const unsigned room = room_for(slots);
    return new (::operator new(kHead + room * sizeof(Slot))) Node(room);
  }
  static void forget(Node* node) {  // its slots are empty
    node->~Node();
    ::operator delete(node);
  }
  static void retain(Node* node) {
    if (node != nullptr) node->holders.fetch_add(1, std::memory_order_relaxed);
  }
  static void release(Node* node, int height) {
    if (node == nullptr) return;
    if (node->shared() && node->holders.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    if (height == 0) {
      std::destroy_n(node->template slots<T>(), node->count());
    } else {
      for (unsigned i = 0; i < node->count(); ++i) release(node->template slots<Node*>()[i], height - 1);
    }
    forget(node);
  }

  // The same node where nobody else holds it and it has the room; otherwise another one in its place.
  template <class Slot>
  static void own(Node*& at, int height, unsigned slots) {
    Node* const node = at;
    const bool shared = node->shared();
    if (!shared && slots <= node->room) return;
    at = make<Slot>(slots);
    move_slots<Slot>(node, at, shared);
    if (shared)
      release(node, height);
    else
      forget(node);
  }
  template <class Slot>
  static void move_slots(Node* from, Node* to, bool shared) {
    const unsigned count = from->count();
    Slot* const old = from->template slots<Slot>();
    if (!shared) {
      std::uninitialized_move_n(old, count, to->template slots<Slot>());
      std::destroy_n(old, count);
    } else {
      std::uninitialized_copy_n(old, count, to->template slots<Slot>());
      if constexpr (std::is_same_v<Slot, Node*>)
        for (unsigned i = 0; i < count; ++i) retain(old[i]);
    }
    to->mask = from->mask;
  }
  static void own(Node*& at, int height, bool one_more) {
    if (!one_more && !at->shared()) return;
    const unsigned slots = at->count() + (one_more ? 1 : 0);
    return height == 0 ? own<T>(at, height, slots) : own<Node*>(at, height, slots);
  }

  // The place of a branch that is not there yet, in a node with room: what follows moves on.
  template <class Slot>
  static Slot* open(Node* node, unsigned branch) {
    Slot* const slots = node->template slots<Slot>();
    const unsigned place = node->place(branch);
    for (unsigned i = node->count(); i > place; --i) {
      new (slots + i) Slot(std::move(slots[i - 1]));
      std::destroy_at(slots + i - 1);
    }
    node->mask |= 1u << branch;
    return slots + place;
  }
  // Takes a branch out. A node that has become nearly empty gives its room back, where there is memory to do so.
  template <class Slot>
  static void close(Node*& at, unsigned branch) {
    Slot* const slots = at->template slots<Slot>();
    const unsigned place = at->place(branch), count = at->count();
    std::destroy_at(slots + place);
    for (unsigned i = place; i + 1 < count; ++i) {
      new (slots + i) Slot(std::move(slots[i + 1]));
      std::destroy_at(slots + i + 1);
    }
    at->mask &= ~(1u << branch);
    const unsigned room = room_for(count + (count - 1) / 2);
    if (room >= at->room || count == 1) return;
    void* memory = ::operator new(kHead + room * sizeof(Slot), std::nothrow);
    if (memory == nullptr) return;
    Node* const node = std::exchange(at, new (memory) Node(room));
    move_slots<Slot>(node, at, false);
    forget(node);
  }

  // ---- the tree

  static Node* branch_with(int height, Key key, T& value) {
    const unsigned branch = branch_of(key, height);
    if (height == 0) {
      Node* const leaf = make<T>(1);
      new (open<T>(leaf, branch)) T(std::move(value));
      return leaf;
    }
    Node* const node = make<Node*>(1);
    try {
      Node* const child = branch_with(height - 1, key, value);
      *open<Node*>(node, branch) = child;
    } catch (...) {
      forget(node);
      throw;
    }
    return node;
  }

  static bool insert(Node*& at, int height, Key key, T& value) {
    const unsigned branch = branch_of(key, height);
    const bool is_new = !at->has(branch);
    own(at, height, is_new);
    if (height == 0) {
      if (is_new)
        new (open<T>(at, branch)) T(std::move(value));
      else
        at->template slots<T>()[at->place(branch)] = std::move(value);
      return is_new;
    }
    if (!is_new) return insert(at->template slots<Node*>()[at->place(branch)], height - 1, key, value);
    Node* const child = branch_with(height - 1, key, value);
    *open<Node*>(at, branch) = child;
    return true;
  }

  static T* edit(Node*& at, int height, Key key) {
    own(at, height, false);
    const unsigned place = at->place(branch_of(key, height));
    if (height == 0) return at->template slots<T>() + place;
    return edit(at->template slots<Node*>()[place], height - 1, key);
  }

  // Whether nothing is left: the node is gone then.
  static bool take(Node*& at, int height, Key key, std::optional<T>& taken) {
    const unsigned branch = branch_of(key, height);
    if (!at->has(branch)) return false;
    own(at, height, false);
    if (height == 0) {
      taken.emplace(std::move(at->template slots<T>()[at->place(branch)]));
      close<T>(at, branch);
    } else {
      if (!take(at->template slots<Node*>()[at->place(branch)], height - 1, key, taken)) return false;
      close<Node*>(at, branch);
    }
    if (at->mask != 0) return false;
    forget(at);
    return true;
  }

  static Entry outermost(const Node* node, int height, Key prefix, bool last) {
    const auto branch = static_cast<unsigned>(last ? 31 - std::countl_zero(node->mask) : std::countr_zero(node->mask));
    const unsigned place = last ? node->count() - 1 : 0;
    const Key key = below(prefix, branch);
    if (height == 0) return {key, node->template slots<T>() + place};
    return outermost(node->template slots<Node*>()[place], height - 1, key, last);
  }

  static Entry nearest(const Node* node, int height, Key prefix, Key key, bool before) {
    const unsigned branch = branch_of(key, height);
    if (node->has(branch)) {
      const unsigned place = node->place(branch);
      const Key here = below(prefix, branch);
      if (height == 0) return {here, node->template slots<T>() + place};
      if (const Entry found = nearest(node->template slots<Node*>()[place], height - 1, here, key, before))
        return found;
    }
    const std::uint32_t smaller = (1u << branch) - 1;
    const std::uint32_t others = node->mask & (before ? smaller : ~(smaller | 1u << branch));
    if (others == 0) return {};
    const auto next = static_cast<unsigned>(before ? 31 - std::countl_zero(others) : std::countr_zero(others));
    const Key there = below(prefix, next);
    if (height == 0) return {there, node->template slots<T>() + node->place(next)};
    return outermost(node->template slots<Node*>()[node->place(next)], height - 1, there, before);
  }

  template <class F>
  static bool walk(const Node* node, int height, Key prefix, F& f) {
    unsigned place = 0;
    for (std::uint32_t left = node->mask; left != 0; left &= left - 1, ++place) {
      const Key key = below(prefix, static_cast<unsigned>(std::countr_zero(left)));
      if (height > 0 ? !walk(node->template slots<Node*>()[place], height - 1, key, f)
                     : !f(key, node->template slots<T>()[place]))
        return false;
    }
    return true;
  }

  void swap(SharedMap& other) noexcept {
    std::swap(root_, other.root_);
    std::swap(height_, other.height_);
    std::swap(prefix_, other.prefix_);
    std::swap(size_, other.size_);
  }

  Node* root_ = nullptr;
  int height_ = 0;  // of the root above the leaves
  Key prefix_ = 0;  // above(height_, key) of all keys that are there
  std::size_t size_ = 0;
};

}  // namespace tarry
