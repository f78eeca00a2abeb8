// model/: a model's whole state, as bytes, as a file, as a copy and as a pickle.
#include <nanobind/nanobind.h>

#include <optional>

#include "held_model.h"
#include "tarry/model/snapshot_file.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

nb::bytes to_bytes(const HeldModel& held) {
  std::string bytes;
  {
    const Use use(held, true);
    bytes = snapshot_bytes(held.model);
  }
  return nb::bytes(bytes.data(), bytes.size());
}

// The objects that were handed in for what is written in Python.
Own own_of(nb::handle given) {
  const Own own = std::make_shared<OwnParts>();
  if (given.is_none()) return own;
  if (is_own(given)) {
    own->objects.push_back(own_object(given));
    return own;
  }
  for (nb::handle object : given) own->objects.push_back(own_object(object));
  return own;
}

HeldModel* made_from(std::string_view snapshot, const Own& own) {
  const Handed objects(own);
  std::optional<Model> model;
  {
    const nb::gil_scoped_release released;
    model.emplace(load_snapshot(snapshot));
  }
  return new HeldModel(std::move(*model), own);
}

HeldModel* from_bytes(const nb::bytes& bytes, nb::handle own) {
  return made_from({bytes.c_str(), bytes.size()}, own_of(own));
}

std::string path_text(nb::handle path) {
  const nb::object text = nb::steal(PyOS_FSPath(path.ptr()));
  if (!text.is_valid()) throw nb::python_error();
  if (const auto given = to_text(text)) return std::string(*given);
  const auto bytes = nb::cast<nb::bytes>(text);
  return {bytes.c_str(), bytes.size()};
}

void save(const HeldModel& held, nb::handle path) {
  const std::string text = path_text(path);
  const Use use(held, true);
  save_snapshot(held.model, text);
}

HeldModel* load(nb::handle path, nb::handle own) {
  const SnapshotFile file(path_text(path));
  return made_from(file.bytes(), own_of(own));
}

HeldModel* clone(const HeldModel& held) {
  const Own own = again(held);
  const Handed objects(own);
  std::optional<Model> model;
  {
    const Use use(held, true);
    model.emplace(held.model.clone());
  }
  auto* copy = new HeldModel(std::move(*model), own);
  copy->remember(held);
  return copy;
}

std::string hash(const HeldModel& held) {
  const Use use(held, true);
  return held.model.hash();
}

// What the model keeps, as a snapshot counts it.
std::size_t size_of(const HeldModel& held) {
  const Use use(held, true);
  ByteWriter counted = ByteWriter::counting();
  held.model.save(counted);
  return sizeof(HeldModel) + counted.size();
}

}  // namespace

void bind_state(nb::class_<HeldModel>& model) {
  model
      .def("to_bytes", to_bytes, nb::sig("def to_bytes(self) -> bytes"),
           "The whole state; the same bytes for the same state.")
      .def_static("from_bytes", from_bytes, "data"_a, nb::kw_only(), "own"_a = nb::none(),
                  nb::sig("def from_bytes(data: bytes, *, own: typing.Any = None) -> Model"),
                  "The model that `to_bytes` wrote; it continues bit for bit.")
      .def("save", save, "path"_a, nb::sig("def save(self, path: str | bytes | os.PathLike[str]) -> None"),
           "Write the whole state to a file; after a crash it is either complete or the old one.")
      .def_static("load", load, "path"_a, nb::kw_only(), "own"_a = nb::none(),
                  nb::sig("def load(path: str | bytes | os.PathLike[str], *, own: typing.Any = None) -> Model"),
                  "The model that `save` or `tarry replay --save` wrote.")
      .def("copy", clone, nb::sig("def copy(self) -> Model"), "Another model in the same state.")
      .def("__copy__", clone, nb::sig("def __copy__(self) -> Model"))
      .def(
          "__deepcopy__", [](const HeldModel& held, nb::handle) { return clone(held); }, "memo"_a,
          nb::sig("def __deepcopy__(self, memo: typing.Any) -> Model"))
      .def(
          "__reduce__",
          [](const HeldModel& held) {
            const nb::object load = nb::module_::import_("tarry._state").attr("model_from_bytes");
            if (!held.own) return nb::make_tuple(load, nb::make_tuple(to_bytes(held)));
            nb::list own;  // pickled beside the snapshot, as any object is
            for (const OwnObject& object : held.own->objects) own.append(*object);
            return nb::make_tuple(load, nb::make_tuple(to_bytes(held), own));
          },
          nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("hash", hash, "SHA-256 of specification and state: models with the same one answer every event alike.")
      .def("__sizeof__", size_of);
}

}  // namespace tarry::python
