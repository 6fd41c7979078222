#ifndef XSP_PIPELINE_BASE_PARAMETERS_H_
#define XSP_PIPELINE_BASE_PARAMETERS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/base/errors.h"

namespace xsp::pipeline {

/// Takes typed parameters out of a JSON object and remembers the first that is wrong, so that a
/// step reads all its parameters and asks once. Parameters that nobody asked for are an error: a
/// misspelt name must not pass silently. A null counts as absent.
class Parameters {
 public:
  /// `where` begins every message: "step 2, resize". `object` must be a JSON object and outlive
  /// this.
  Parameters(const nlohmann::json& object, std::string where);

  bool Has(const char* key) const;

  void Text(const char* key, std::string& value, bool required = false);
  void Flag(const char* key, bool& value);
  void Integer(const char* key, std::int64_t& value, std::int64_t low, std::int64_t high,
               bool required = false);
  void Number(const char* key, double& value, double low, double high);
  /// An array of `count` numbers, or one number, which then stands for all; `count` 0: any number.
  void Numbers(const char* key, std::vector<double>& value, std::size_t count);
  void Texts(const char* key, std::vector<std::string>& value);

  /// One of the names in `choices`.
  template <typename E>
  void Choice(const char* key, E& value, const std::vector<std::pair<const char*, E>>& choices) {
    std::vector<const char*> names;
    for (const auto& choice : choices) names.push_back(choice.first);
    const int index = ChoiceIndex(key, names);
    if (index >= 0) value = choices[static_cast<std::size_t>(index)].second;
  }

  /// The raw value; null when absent.
  const nlohmann::json* Find(const char* key);

  /// Remembers what is wrong, and with which parameter where it is one's fault.
  void Fail(const std::string& what, const std::string& hint = "", const std::string& field = "");

  /// The first thing that was wrong, or a parameter that nobody asked for.
  Status Finish();

  const std::string& where() const { return where_; }

 private:
  int ChoiceIndex(const char* key, const std::vector<const char*>& names);
  void Wrong(const char* key, const std::string& expected, const nlohmann::json& found);
  const nlohmann::json* Required(const char* key, bool required);

  const nlohmann::json& object_;
  std::string where_;
  std::vector<std::string> known_;
  Status status_ = Ok{};
};

/// `value` as compact JSON for a message, cut after 80 characters; valid UTF-8 whatever is in it.
std::string ForMessage(const nlohmann::json& value);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BASE_PARAMETERS_H_
