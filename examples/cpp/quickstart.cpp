// Will an order come back? That is known forty orders later. By then the model has learnt that shoes do, books do not.
#include <cstdio>

#include "tarry/tarry.h"

int main() {
  tarry::Model model = tarry::make_model(tarry::ModelSpec::parse(R"({"task": "binary"})"));
  const auto order = [](bool shoes) {
    return tarry::NamedFeatures{{"article", std::string(shoes ? "shoes" : "book")}, {"price", shoes ? 80.0 : 20.0}};
  };
  for (tarry::Round t = 1; t <= 200; ++t) {
    model.apply(tarry::Play{order(t % 2 == 0)});                // predicts; round t now waits for its label
    if (t > 40) model.apply(tarry::Label{t - 40, t % 2 == 0});  // a label comes, for an earlier round
  }
  for (bool shoes : {true, false})
    std::printf("%s %.2f\n", shoes ? "shoes" : "book", model.shown(model.predict(order(shoes)).prediction));
}
