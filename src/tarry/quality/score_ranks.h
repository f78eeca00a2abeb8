// How unusual a score is among all that came before it: a conformal p-value, smoothed (Vovk, Nouretdinov and Gammerman,
// "Testing exchangeability on-line", 2003). While scores are exchangeable, p-values are independent and uniform,
// whatever the scores' distribution. Scores are rounded to a sixth of an octave first, which changes nothing about
// that, so that all of the past fits into a few counts.
//
// The bet is theirs, too: e = ε p^{ε−1}, which is 1 on average. ε is small: only scores that were rare in all of the
// past gain, not some days in which somewhat larger ones come in a row.
#pragma once

#include <cstdint>
#include <vector>

#include "tarry/base/bytes.h"

namespace tarry::quality {

class ScoreRanks {
 public:
  // The p-value of a score (not negative, larger is odder), at least 1/(n + 1); `uniform` in (0, 1) breaks ties.
  double p_value(double score, double uniform) const;
  void add(double score);
  static double bet(double p);

  double scores() const { return count_; }
  void save(ByteWriter& out) const;
  static ScoreRanks load(ByteReader& in);

 private:
  std::vector<std::uint32_t> cells_;  // none: no score yet
  double count_ = 0;
};

}  // namespace tarry::quality
