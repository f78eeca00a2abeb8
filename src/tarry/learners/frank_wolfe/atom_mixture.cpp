#include "tarry/learners/frank_wolfe/atom_mixture.h"

#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

constexpr double kForget = 0x1p-64;
constexpr std::uint64_t kDraws = 0x73616D706C65;  // apart from all else that draws by this seed

std::uint32_t mark_of(const Atom& atom) {
  ByteWriter out;
  save_atom(atom, out);
  return crc32c(out.bytes());
}

}  // namespace

AtomMixture::AtomMixture(const Atom& start, Index dimension) : dimension_(dimension) {
  if (const auto* blocks = std::get_if<BlockAtom>(&start.as)) {
    for (std::size_t k = 0; k < blocks->part.size(); ++k) blocks_.emplace_back(blocks->part[k], blocks->size[k]);
  } else {
    parts_.push_back({start, mark_of(start), 1});
  }
}

void AtomMixture::step(double sigma, const Atom& v) {
  if (sigma == 0) return;
  if (!blocks_.empty()) {
    const auto& blocks = std::get<BlockAtom>(v.as);
    ensure(blocks.part.size() == blocks_.size(), "an atom has a part for each block of its set");
    for (std::size_t k = 0; k < blocks_.size(); ++k) blocks_[k].step(sigma, blocks.part[k]);
    return;
  }
  const std::uint32_t mark = mark_of(v);
  Part* same = nullptr;
  for (Part& part : parts_) {
    part.weight *= 1 - sigma;
    if (part.mark == mark && part.atom == v) same = &part;
  }
  if (same != nullptr)
    same->weight += sigma;
  else
    parts_.push_back({v, mark, sigma});
  std::erase_if(parts_, [](const Part& part) { return part.weight < kForget; });
  ensure(!parts_.empty(), "a mixture has an atom");
}

Atom AtomMixture::draw(const Random& random) const {
  std::uint64_t position = 0;
  return draw(random, position);
}

Atom AtomMixture::draw(const Random& random, std::uint64_t& position) const {
  if (!blocks_.empty()) {
    BlockAtom drawn;
    for (const AtomMixture& block : blocks_) {
      drawn.part.push_back(block.draw(random, position));
      drawn.size.push_back(block.dimension_);
    }
    return {std::move(drawn)};
  }
  double whole = 0;
  for (const Part& part : parts_) whole += part.weight;
  ensure(whole > 0.4 && whole < 2.1, "the weights of a mixture sum to 1, except those forgotten");
  double left = whole * random.uniform(position++);
  for (const Part& part : parts_)
    if ((left -= part.weight) < 0) return part.atom;
  return parts_.back().atom;  // where rounding has left a little more than there is
}

void AtomMixture::add_mean(std::span<double> x) const {
  for (const Part& part : parts_) accumulate(part.atom, part.weight, x);
  std::size_t begin = 0;
  for (const AtomMixture& block : blocks_) {
    const auto size = static_cast<std::size_t>(block.dimension_);
    block.add_mean(x.subspan(begin, size));
    begin += size;
  }
}

std::size_t AtomMixture::size() const {
  std::size_t kept = parts_.size();
  for (const AtomMixture& block : blocks_) kept += block.size();
  return kept;
}

void AtomMixture::save(ByteWriter& out) const {
  for (const AtomMixture& block : blocks_) block.save(out);
  if (!blocks_.empty()) return;
  out.u64(parts_.size());
  for (const Part& part : parts_) {
    out.f64(part.weight);
    save_atom(part.atom, out);
  }
}

void AtomMixture::load(ByteReader& in) {
  for (AtomMixture& block : blocks_) block.load(in);
  if (!blocks_.empty()) return;
  std::vector<Part> parts;
  double whole = 0;
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const double weight = in.f64();
    if (!(weight >= kForget && weight <= 2)) throw Error(Code::kCorrupt, "snapshot: an atom's weight is not in (0, 1]");
    Atom atom = load_atom(in, dimension_);
    if (std::holds_alternative<BlockAtom>(atom.as)) throw Error(Code::kCorrupt, "snapshot: an atom has blocks");
    const std::uint32_t mark = mark_of(atom);
    parts.push_back({std::move(atom), mark, weight});
    whole += weight;
  }
  if (!(whole > 0.5 && whole < 2)) throw Error(Code::kCorrupt, "snapshot: the atoms' weights do not sum to 1");
  parts_ = std::move(parts);
}

Atom Sampler::draw() const { return mixture_.draw(Random(seed_ ^ kDraws, rounds_)); }

void Sampler::save(ByteWriter& out) const {
  out.u64(rounds_);
  mixture_.save(out);
}

void Sampler::load(ByteReader& in) {
  rounds_ = in.u64();
  mixture_.load(in);
}

}  // namespace tarry
