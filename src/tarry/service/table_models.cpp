#include "tarry/service/table_models.h"

#include <fmt/format.h>

#include <exception>

#include "tarry/base/error.h"
#include "tarry/service/http/errors.h"
#include "tarry/service/http/response_text.h"
#include "tarry/service/routes/http_reply.h"
#include "tarry/service/table_query.h"
#include "tarry/spec/json.h"

namespace tarry::service {
namespace {

using spec::Array, spec::Object, spec::Value;

// Each with what to add to the query.
Array questions_in(const Value& reading) {
  Array questions;
  const Value* open = reading.find("questions");
  if (open == nullptr || !std::holds_alternative<Array>(open->as)) return questions;
  for (Value question : std::get<Array>(open->as)) {
    Array queries;
    if (const Value* lines = question.find("lines"); lines != nullptr && std::holds_alternative<Array>(lines->as))
      for (const Value& line : std::get<Array>(lines->as))
        queries.push_back(Value{as_query(std::get<std::string>(line.as))});
    std::get<Object>(question.as).push_back({"query", Value{queries}});
    questions.push_back(std::move(question));
  }
  return questions;
}

Response asking(const Value& reading) {
  const Array questions = questions_in(reading);
  Response response = error_response(Refusal(
      422, "open_questions",
      fmt::format("the table leaves {} question{} open: add one query of each to the address, and send it again",
                  questions.size(), questions.size() == 1 ? "" : "s")));
  response.body.pop_back();
  response.body +=
      fmt::format(", \"questions\": {}, \"reading\": {}}}", spec::to_json(Value{questions}), spec::to_json(reading));
  return response;
}

// The answer of a model that was made, with what the table came to.
Response with_table(Response made, const TableRead& read) {
  if (made.status != 200 && made.status != 201) return made;
  made.body.pop_back();
  for (const auto& [key, value] : read.figures) made.body += fmt::format(", \"{}\": {}", key, spec::to_json(value));
  made.body += fmt::format(", \"reading\": {}}}", spec::to_json(read.reading));
  return made;
}

}  // namespace

TableModels::TableModels(Service& service, ReadTable read)
    : service_(service),
      read_(std::move(read)),
      lane_(std::make_shared<Lane>(workers_, Lane::Limits{.waiting = 1, .behind = std::chrono::seconds(60)})) {}

void TableModels::stop() {
  stop_ = true;
  workers_.stop();
}

void TableModels::make(const Request& request, const Respond& respond) {
  TableQuery query = read_table_query(request.query);
  if (stop_) throw Refusal(503, "not_ready", "the service is stopping");
  const bool taken = lane_->submit([this, query = std::move(query), table = request.body, respond] {
    make_now(query.name, table, query.keys, respond);
  });
  if (!taken) throw Refusal(503, "overloaded", "another table is being read: try again later");
}

void TableModels::make_now(const std::string& name, const std::string& table, const Value& keys,
                           const Respond& respond) {
  try {
    auto read = std::make_shared<TableRead>(read_(table, keys, stop_));
    if (read->state.empty()) return respond(asking(read->reading));
    std::string state = std::exchange(read->state, {});
    service_.create_from(name, std::move(state),
                         reply_over([respond, read](Response made) { respond(with_table(std::move(made), *read)); }));
  } catch (const Error& error) {
    respond(error_response(error.code() == Code::kBadInput || error.code() == Code::kBadSpec
                               ? Refusal(422, "unreadable_table", error.what())
                               : Refusal(500, "internal", error.what())));
  } catch (const std::bad_alloc&) {
    respond(out_of_memory_response());
  } catch (const std::length_error&) {
    respond(out_of_memory_response());
  } catch (const std::exception& error) {
    respond(error_response(Refusal(500, "internal", error.what())));
  } catch (...) {  // it was told to stop
    respond(error_response(Refusal(503, "not_ready", "the service is stopping")));
  }
}

}  // namespace tarry::service
