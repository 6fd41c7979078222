#ifndef XSP_API_OPERATION_H_
#define XSP_API_OPERATION_H_

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/progress.h"
#include "core/request_fields.h"
#include "core/result.h"
#include "os/interrupt.h"
#include "store/query_limits.h"
#include "store/table.h"

namespace xsp::api {

/// What an operation does to the world.
enum class Effect {
  kReads,     ///< Nothing, so far as the store and the machine are concerned.
  kMeasures,  ///< Loads this machine and adds to the store.
  kChanges,   ///< Changes the store or files, and measures nothing.
};

/// How a server performs an operation for others. All that measures is a job, or not served.
enum class ServedAs {
  kAnswer,  ///< At once. What reads depends on the request and the store alone: stored answers.
  kFreshAnswer,  ///< At once, each time anew: it depends on this machine as it is now.
  kJob,          ///< By a process of its own, in turn: it may take minutes.
  kNothing,      ///< Not at all: it concerns the process, folder or programs of who calls it.
};

/// "reads", "measures" or "changes".
std::string_view NameOf(Effect effect);

/// What an operation answers. One type for every shell: each shows what it can.
struct Document {
  /// An object or an array of the declared schema; or rows of named columns, which stand for an
  /// array of objects.
  std::variant<nlohmann::json, store::Table> content;
  /// What people should know besides, one line each, such as "error: the layer rung failed".
  std::vector<std::string> notes = {};
  /// 0; or, where there is a document though not all went well, the exit status that says so: of an
  /// ErrorKind, or of the program that was recorded.
  int exit_status = 0;
  /// Mostly long columns of numbers: as JSON text it is one line.
  bool is_compact = false;
};

/// The document as JSON text, an object indented by two unless it is compact. What is no UTF-8, as
/// names of files may be, becomes U+FFFD.
std::string JsonText(const Document& document);

/// The document as a JSON value.
nlohmann::json ToJson(const Document& document);

/// What every operation is given beside its request. Outlives its action.
struct Context {
  std::filesystem::path store;
  std::vector<std::filesystem::path> analyses;  ///< Folders, the built-in one first.
  std::vector<std::filesystem::path> findings;  ///< Folders of rules, likewise.
  store::QueryLimits query_limits = {};         ///< Of statements that a request states.
  std::string command_line;            ///< What asked for it, stored with what is measured.
  core::Progress* progress = nullptr;  ///< Never null while an action runs.
  /// The requests to stop. An operation calls it when it heeds them from then on.
  std::function<os::Interrupts&()> interrupts;
};

/// Does the work, once the request has been read. Prints nothing. May be called on any thread, and
/// while other actions run in the process.
using Action = std::function<Result<Document>()>;

/// The declaration of an operation: what a file below src/api/operations exports as kOperation.
/// Static data.
struct OperationSpec {
  const char* name;     ///< "list"; of a group "zoo/make".
  const char* summary;  ///< One line, no full stop.
  const char* example;  ///< A command line that can be pasted.
  Effect effect;
  const char* result;  ///< JSON Schema (2020-12) of the document.
  /// Makes a request, gives its fields to `fields`, and returns what performs it. `context` is
  /// filled in before the action runs; both outlive it.
  Action (*declare)(core::RequestFields& fields, const Context& context);
  ServedAs served_as = ServedAs::kAnswer;
  /// The answer depends on nothing of the store but the experiments that the request names
  /// (core::Refers::kStored): a server keeps it while others come and go.
  bool reads_named_only = false;
  /// Of what is served as a job: the field of its request that, if true, has it measure and change
  /// nothing, so that a server answers at once; null: none.
  const char* answers_if = nullptr;
  bool on_nodes = false;  ///< It has fields with which a node of a cluster performs it.
};

/// What operations named GROUP/... have in common. Static data.
struct GroupSpec {
  const char* name;
  const char* summary;             ///< One line, no full stop.
  const char* example;             ///< Can be pasted.
  const char* otherwise;           ///< The operation that the group's name alone means; null: none.
  const char* if_empty = nullptr;  ///< Why a build may have none of it; null: none may.
};

/// One thing that XSP can do: as OperationSpec has it.
struct Operation {
  std::string name, summary, example;
  Effect effect = Effect::kReads;
  std::string result;
  std::function<Action(core::RequestFields& fields, const Context& context)> declare;
  ServedAs served_as = ServedAs::kAnswer;
  bool reads_named_only = false;
  std::string answers_if = {};
  bool on_nodes = false;
};

}  // namespace xsp::api

#endif  // XSP_API_OPERATION_H_
