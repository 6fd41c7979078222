#ifndef XSP_STORE_KEPT_ANSWERS_H_
#define XSP_STORE_KEPT_ANSWERS_H_

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::store {

/// Answers to one question about experiments, in files:
/// os::CacheFolder()/KIND/QUESTION/FINGERPRINT.json. QUESTION stands for the text of the question,
/// the shared views and the version of XSP, FINGERPRINT for the state of the experiment
/// (FingerprintOf()), so that an answer is found only where it is still right. Programs may share
/// the folder; it can be removed at any time. Threading: any thread.
class KeptAnswers {
 public:
  /// `question`: all that decides the answer besides the experiment, and the form of the file.
  KeptAnswers(std::string_view kind, std::string_view question);

  /// What was kept; a discarded value where it is not known or its file is no JSON. Files come from
  /// outside: whoever reads the value checks its form.
  nlohmann::json Find(std::string_view fingerprint) const;

  /// Errors: kEnvironment (no space, no permission).
  Status Keep(std::string_view fingerprint, const nlohmann::json& answer) const;

 private:
  std::filesystem::path FileOf(std::string_view fingerprint) const;

  std::filesystem::path folder_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_KEPT_ANSWERS_H_
