#ifndef XSP_ANSWER_SUITE_SENSITIVITY_VARIANTS_H_
#define XSP_ANSWER_SUITE_SENSITIVITY_VARIANTS_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xsp::suite::sensitivity {

/// One way to run the model.
struct Variant {
  std::string backend;
  std::string axis;         ///< "default", "graph", "precision", "option", "threads", "model"
  std::string value;        ///< "frozen", "bfloat16", "xla=on", "2"; empty for the default.
  std::string model;        ///< What `xsp run` is given.
  nlohmann::json settings;  ///< Further fields of its request: {"graph": "frozen"}.

  /// "torch graph=frozen", "openvino".
  std::string Label() const;
};

/// What cannot be run, known before anything is.
struct Impossible {
  std::string label;
  std::string why;
};

struct Plan {
  std::vector<Variant> variants;  ///< Those of a backend follow one another, its default first.
  std::vector<Impossible> impossible;
};

/// What the plan is made from.
struct PlanOptions {
  std::string model;
  std::vector<std::string> backends;  ///< Empty: every one that is here.
  std::vector<std::string> axes;      ///< Empty: all.
  std::vector<int> threads;           ///< Empty: not varied.
  std::vector<std::string> also;  ///< Other files or zoo names of the same model, as one in INT8.
};

/// The axes that a user can name.
const std::vector<std::string>& Axes();

/// Every setting that the workers offer, one at a time from the default. `doctor` is what the
/// operation doctor answers of all parts. Precisions that a backend does not offer among float32,
/// bfloat16, float16 and int8, backends that are missing, and compilers that need another file are
/// in `impossible`.
Plan MakePlan(const PlanOptions& plan_options, const nlohmann::json& doctor);

}  // namespace xsp::suite::sensitivity

#endif  // XSP_ANSWER_SUITE_SENSITIVITY_VARIANTS_H_
