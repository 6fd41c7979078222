#ifndef XSP_API_OPERATIONS_SUGGESTED_MODELS_H_
#define XSP_API_OPERATIONS_SUGGESTED_MODELS_H_

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "answer/suggest/stored_experiments.h"

namespace xsp::api {

/// Finds task and weights of the models that experiments measured: in the zoo, in the manifest that
/// the run was given, or in the model.yaml beside the model's file, each as it is now. One thread.
class SuggestedModels {
 public:
  /// Of an experiment.json. Not known: there is no manifest (any more), or it cannot be read.
  suggest::ModelFacts Find(const nlohmann::json& experiment);

 private:
  /// By the model and the manifest as they were given to `xsp run`, and the model's file.
  std::map<std::array<std::string, 3>, suggest::ModelFacts> known_;
};

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_SUGGESTED_MODELS_H_
