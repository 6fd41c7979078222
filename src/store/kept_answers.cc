#include "store/kept_answers.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/json_text.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"
#include "store/schema.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kQuestionDigits = 16;

std::string NameOfQuestion(std::string_view question) {
  std::string text = fmt::format("{}\n{}", XSP_VERSION, question);
  for (const SharedView& view : SharedViews()) text += "\n" + view.Select(false);
  return os::Sha256(text).substr(0, kQuestionDigits);
}

}  // namespace

KeptAnswers::KeptAnswers(std::string_view kind, std::string_view question)
    : folder_(os::CacheFolder() / kind / NameOfQuestion(question)) {}

fs::path KeptAnswers::FileOf(std::string_view fingerprint) const {
  return folder_ / fmt::format("{}.json", fingerprint);
}

json KeptAnswers::Find(std::string_view fingerprint) const {
  const auto text = os::ReadFile(FileOf(fingerprint));
  if (!text.ok()) return json(json::value_t::discarded);
  return core::ParseJson(text.value());
}

Status KeptAnswers::Keep(std::string_view fingerprint, const json& answer) const {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 "cannot create " + folder_.string() + ": " + error.message(),
                 "XSP_CACHE names another folder for what can be computed again."};
  // What a power cut takes is computed again.
  return os::WriteFileAtomically(FileOf(fingerprint), core::JsonText(answer), os::Durable::kLater);
}

}  // namespace xsp::store
