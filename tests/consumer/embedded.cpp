// A program that embeds a model: one header, tarry::core, a late label, a snapshot.
#include <cstdio>
#include <string>

#include "tarry/tarry.h"

int main() {
  const tarry::spec::Value spec = tarry::spec::parse_toml("task = \"binary\"\nfeatures = {capacity = 64}\n");
  tarry::Model model = tarry::make_model(tarry::ModelSpec::read(spec));
  const tarry::NamedFeatures row = {{"city", std::string("Paris")}, {"age", 31.0}};
  for (tarry::Round t = 1; t <= 20; ++t) {
    model.apply(tarry::Play{row, "order-" + std::to_string(t)});
    if (t > 3) model.apply(tarry::Label{"order-" + std::to_string(t - 3), true});
  }
  const tarry::Model again = tarry::load_snapshot(tarry::snapshot_bytes(model, model.events()));
  const double p = again.shown(again.predict(row).prediction);
  std::printf("embedded: %s, %d waiting\n", p > 0.5 && again.hash() == model.hash() ? "learnt" : "NOT learnt",
              static_cast<int>(again.ledger().outstanding()));
}
