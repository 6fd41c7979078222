#include "app/serve/message.h"

#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

struct KindOfError {
  std::string_view name;
  int status;
};

KindOfError KindOf(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInternal:
      return {"internal", 500};
    case ErrorKind::kUsage:
      return {"usage", 400};
    case ErrorKind::kBadInput:
      return {"bad_input", 422};
    case ErrorKind::kNotPossible:
      return {"not_possible", 501};
    case ErrorKind::kEnvironment:
      return {"environment", 503};
    case ErrorKind::kGate:
      return {"gate", 422};
    case ErrorKind::kInconclusive:
      return {"inconclusive", 422};
    case ErrorKind::kInterrupted:
      return {"interrupted", 503};
  }
  return {"internal", 500};
}

}  // namespace

std::string_view NameOf(Role role) {
  switch (role) {
    case Role::kNone:
      return "none";
    case Role::kView:
      return "view";
    case Role::kMeasure:
      return "measure";
  }
  return "none";
}

std::string_view Request::Header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string Request::QueryValue(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

Reply JsonReply(const json& document, int status) {
  return {.status = status, .body = core::JsonText(document) + "\n"};
}

json ErrorJson(const Error& error) {
  return {{"kind", KindOf(error.kind).name},
          {"what", error.what},
          {"hint", error.hint},
          {"field", error.field}};
}

Reply ErrorReply(const Error& error) {
  return JsonReply({{"error", ErrorJson(error)}}, KindOf(error.kind).status);
}

Reply ErrorReply(int status, std::string_view kind, std::string_view what, std::string_view hint) {
  return JsonReply({{"error", {{"kind", kind}, {"what", what}, {"hint", hint}, {"field", ""}}}},
                   status);
}

}  // namespace xsp::serve
