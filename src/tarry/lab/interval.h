// Two numbers between which a third one certainly is.
#pragma once

namespace tarry::lab {

struct Interval {
  double low = 0;
  double high = 0;
};

}  // namespace tarry::lab
