#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "api/operations/operation_list.h"
#include "api/shell.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::perform {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestRequest = std::size_t{16} << 20;

struct Options {
  std::string operation;
  std::filesystem::path outcome;
};

/// All of standard input. Errors: kBadInput (too long).
Result<std::string> ReadRequest() {
  std::string text;
  char piece[1 << 16];
  while (std::cin.read(piece, sizeof piece) || std::cin.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(std::cin.gcount()));
    if (text.size() > kLongestRequest)
      return Error{ErrorKind::kBadInput,
                   fmt::format("the request is longer than {} bytes", kLongestRequest), ""};
  }
  return text;
}

Result<api::Document> Answer(const api::Context& context, const Options& options) {
  XSP_TRY(const std::string text, ReadRequest());
  const json request = text.find_first_not_of(" \t\r\n") == std::string::npos
                           ? json::object()
                           : core::ParseJson(text);
  if (request.is_discarded())
    return Error{ErrorKind::kBadInput, "the request is not JSON",
                 "Write one object to standard input; `xsp api` shows its schema."};
  api::Context own = context;
  own.command_line.clear();  // What is stored is the command line that does the same.
  return api::Perform(options.operation, request, own);
}

Status Print(const api::Document& document) {
  const std::string answer = api::JsonText(document) + "\n";
  const bool is_written = std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() &&
                          std::fflush(stdout) == 0;
  if (is_written) return Ok{};
  return Error{ErrorKind::kEnvironment, "cannot write the document to standard output",
               "Is the disk full?"};
}

/// For who is not the parent of this process: how it ends, and what people should know.
json OutcomeOf(const Result<api::Document>& answer) {
  if (answer.ok())
    return {{"exit_status", answer.value().exit_status}, {"notes", answer.value().notes}};
  const Error& error = answer.error();
  return {{"exit_status", static_cast<int>(error.kind)},
          {"error", {{"what", error.what}, {"hint", error.hint}}}};
}

Result<int> PerformWithOutcome(const api::Context& context, const Options& options) {
  Result<api::Document> answer = Answer(context, options);
  if (answer.ok())
    if (const Status printed = Print(answer.value()); !printed.ok()) answer = printed.error();
  const json outcome = OutcomeOf(answer);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(options.outcome, core::JsonText(outcome, 2) + "\n"));
  return outcome["exit_status"].get<int>();
}

Result<int> Perform(const api::Context& context, const Options& options) {
  if (!options.outcome.empty()) return PerformWithOutcome(context, options);
  XSP_TRY(const api::Document document, Answer(context, options));
  for (const std::string& note : document.notes) context.progress->Note(note);
  XSP_RETURN_IF_ERROR(Print(document));
  return document.exit_status;
}

api::ShellLoop Declare(core::RequestFields& fields, const api::Context& context) {
  auto options = std::make_shared<Options>();
  fields.Add("operation", &options->operation,
             {.help = "Name of the operation, such as list or zoo/make; `xsp api` lists them",
              .value_name = "OPERATION",
              .required = true,
              .positional = true});
  fields.Add("outcome", &options->outcome,
             {.help = "Write exit status, notes and error here, as JSON, instead of to standard "
                      "error",
              .value_name = "FILE",
              .refers = core::Refers::kOutput});
  return [&context, options] { return Perform(context, *options); };
}

}  // namespace

extern const api::ShellSpec kShell;
constinit const api::ShellSpec kShell = {
    .name = "perform",
    .summary = "Performs an operation whose request is JSON on standard input",
    .example = R"(echo '{"model": "resnet50", "batch": [1, 2]}' | xsp perform run)",
    .declare = Declare,
};

}  // namespace xsp::perform
