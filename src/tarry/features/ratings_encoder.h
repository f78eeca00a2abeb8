// Who rates what, by name, as a row of four features over the product of a matrix (users × items), the users' biases,
// the items' biases and the mean:  prediction = X[user, item] + b[user] + c[item] + m.
#pragma once

#include <array>

#include "tarry/features/named.h"
#include "tarry/features/row.h"
#include "tarry/features/vocabulary.h"

namespace tarry {

// How many users and items there is room for, and where their features are.
struct RatingSizes {
  Index users = 0, items = 0;

  Index dimension() const { return users * items + users + items + 1; }
  std::array<Index, 4> entry(Index user, Index item) const {
    const Index user_biases = users * items, item_biases = user_biases + users;
    return {user * items + item, user_biases + user, item_biases + item, item_biases + items};
  }
  bool operator==(const RatingSizes&) const = default;
};

// Features {"user": …, "item": …}: texts, or whole numbers, which count as their digits.
class RatingsEncoder {
 public:
  explicit RatingsEncoder(RatingSizes sizes) : sizes_(sizes), users_(sizes.users, false), items_(sizes.items, false) {}

  void encode(const NamedFeatures& features, Row& row);         // new names take the next row or column
  void preview(const NamedFeatures& features, Row& row) const;  // the same row, with nothing changed
  // A user or an item that is not known yet is left out: the others' biases and the mean predict.
  void look_up(const NamedFeatures& features, Row& row) const;

  Index dimension() const { return sizes_.dimension(); }
  const RatingSizes& sizes() const { return sizes_; }
  const Vocabulary& users() const { return users_; }
  const Vocabulary& items() const { return items_; }
  std::string name_of(Index slot) const;  // of a bias: user=…, item=…; of an entry: user=… × item=…

  void save(ByteWriter& out) const;
  void load(ByteReader& in);

 private:
  RatingSizes sizes_;
  Vocabulary users_, items_;
};

}  // namespace tarry
