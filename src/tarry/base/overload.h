// Several functions as one, for std::visit.
#pragma once

namespace tarry {

template <class... F>
struct Overload : F... {
  using F::operator()...;
};
template <class... F>
Overload(F...) -> Overload<F...>;

}  // namespace tarry
