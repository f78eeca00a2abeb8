#include "tarry/lab/streams/named_rows.h"

namespace tarry::lab {

bool has_names(const Stream& stream) { return stream.data && (stream.ratings || !stream.data->named.empty()); }

// A rating's first feature is its entry of the matrix, which says who rates what.
void write_named_row(const Stream& stream, std::size_t row, NamedFeatures& into) {
  const Dataset& data = *stream.data;
  if (!data.named.empty()) return data.named.write(row, into);
  const RatingSpace& space = *stream.ratings;
  const Index entry = data.indices[data.begin[row]];
  into = {{"user", space.user_names[static_cast<std::size_t>(entry / space.items)]},
          {"item", space.item_names[static_cast<std::size_t>(entry % space.items)]}};
}

}  // namespace tarry::lab
