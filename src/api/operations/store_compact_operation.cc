#include <fmt/format.h>

#include <memory>

#include "api/operations/stored_choice.h"
#include "store/compaction.h"

namespace xsp::api::store_compact_operation {
namespace {

struct Request {
  StoredChoice choice;
  bool plan = false;
};

std::string Megabytes(std::uint64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

Result<Document> Compact(const Context& context, const Request& request) {
  XSP_TRY(const std::vector<std::string> names, ChosenNames(context.store, request.choice));
  os::Interrupts& interrupts = context.interrupts();
  const store::CompactionRequest compaction{.plan = request.plan,
                                            .stop = [&] { return interrupts.stop(); }};
  Document document{
      .content = store::Table{{"experiment", "tables", "bytes", "rewritten", "saved_bytes"}, {}}};
  auto& rows = std::get<store::Table>(document.content).rows;
  std::uint64_t bytes = 0, saved_bytes = 0;
  for (std::size_t i = 0; i < names.size() && !interrupts.stop(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(names.size());
    context.progress->Step(fmt::format("compacting {}", names[i]), share, -1);
    const auto done = store::CompactExperiment(context.store, names[i], compaction);
    if (!done.ok()) {
      // What is wrong with one experiment costs that one; on a full disk all others would fail,
      // too.
      if (done.error().kind == ErrorKind::kEnvironment) return done.error();
      document.notes.push_back(fmt::format("{}: {}", names[i], done.error().what));
      document.exit_status = static_cast<int>(done.error().kind);
      continue;
    }
    const store::Compaction& one = done.value();
    rows.push_back({names[i], static_cast<std::int64_t>(one.tables),
                    static_cast<std::int64_t>(one.bytes), static_cast<std::int64_t>(one.rewritten),
                    static_cast<std::int64_t>(one.saved_bytes)});
    bytes += one.bytes;
    saved_bytes += one.saved_bytes;
  }
  if (request.plan) {
    document.notes.push_back(fmt::format("{} would be written anew", Megabytes(bytes)));
  } else {
    document.notes.push_back(
        fmt::format("{} saved of {}", Megabytes(saved_bytes), Megabytes(bytes)));
  }
  if (interrupts.stop()) document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  return document;
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddChoiceFields(fields, &request->choice);
  fields.Add("plan", &request->plan,
             {.help = "Show what would be written anew, and write nothing"});
  return [&context, request] { return Compact(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "store/compact",
    .summary = "Writes experiments' tables anew with stronger compression: same rows, less room",
    .example =
        "xsp store compact --until 30d\n"
        "         xsp store compact --all --plan",
    .effect = Effect::kChanges,
    .result = R"({"type": "array", "items": {"type": "object", "properties": {
      "experiment": {"type": "string"},
      "tables": {"type": "integer", "description": "Files of tables that were never compacted"},
      "bytes": {"type": "integer", "description": "Of these, before"},
      "rewritten": {"type": "integer", "description": "How many of these take less room now"},
      "saved_bytes": {"type": "integer"}}}})",
    .declare = Declare,
    .served_as = ServedAs::kJob,
    .answers_if = "plan",
};

}  // namespace xsp::api::store_compact_operation
