#include <algorithm>
#include <cctype>

#include "api/operation.h"
#include "api/operations/run_field.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::api::query_operation {
namespace {

struct Request {
  std::string run, sql;
};

/// The comments of tables and columns where `sql` can see them: they take half of the time of a
/// short query.
store::Database::Comments CommentsFor(const std::string& sql) {
  std::string lower = sql;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool sees =
      lower.find("comment") != std::string::npos || lower.find("duckdb_") != std::string::npos;
  return sees ? store::Database::Comments::kOfSchema : store::Database::Comments::kNone;
}

Result<Document> Query(const Context& context, const Request& request) {
  const auto folder = store::Resolve(context.store, request.run);
  if (!folder.ok() && request.run.find(' ') != std::string::npos)
    return Error{folder.error().kind, folder.error().what,
                 "The run comes before the SQL: `xsp query RUN SQL`."};
  if (!folder.ok()) return folder.error();
  XSP_TRY(const store::Database database,
          store::Database::Open({folder.value()}, CommentsFor(request.sql), context.query_limits));
  XSP_TRY(store::Table table, database.Query(request.sql));
  return Document{.content = std::move(table)};
}

Action Declare(core::RequestFields& fields, const Context& context) {
  auto request = std::make_shared<Request>();
  AddRun(fields, &request->run);
  fields.Add("sql", &request->sql,
             {.help = "One SELECT",
              .value_name = "SQL",
              .refers = core::Refers::kSql,
              .required = true,
              .positional = true});
  return [&context, request] { return Query(context, *request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "query",
    .summary = "Read-only SQL over an experiment or a run (tables: docs/schema.md)",
    .example = "xsp query \"SELECT type, count(*), sum(latency_ns) FROM layer GROUP BY type\"",
    .effect = Effect::kReads,
    .result = R"({"type": "array", "items": {"type": "object"}})",
    .declare = Declare,
    .reads_named_only = true,
};

}  // namespace xsp::api::query_operation
