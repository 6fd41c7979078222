#ifndef XSP_ANSWER_SUGGEST_STORED_EXPERIMENTS_H_
#define XSP_ANSWER_SUGGEST_STORED_EXPERIMENTS_H_

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::suggest {

/// What the manifest of a model states.
struct ModelFacts {
  std::string task;       ///< "image classification"; empty: not known.
  std::string weights;    ///< "random, seed 0"; empty: not stated.
  bool is_known = false;  ///< There is a manifest.
};

/// Whether `weights` of a manifest name random values, as all models of the zoo have: the accuracy
/// of such a model means nothing.
bool AreRandom(const std::string& weights);

/// Finds the manifest of the model that an experiment measured, by its experiment.json.
using FindModelFacts = std::function<ModelFacts(const nlohmann::json& experiment)>;

/// An experiment of the store, by its documents.
struct StoredExperiment {
  std::filesystem::path folder;
  std::string name;
  std::string created;           ///< RFC 3339, UTC.
  std::string machine_cpu = {};  ///< "AMD EPYC 7763 64-Core Processor"; empty: not known.
  std::string machine_gpu = {};  ///< "NVIDIA H100 80GB HBM3"; empty: none, or not known.
  bool is_disturbed = false;
  bool is_plain = true;        ///< Neither a load scenario nor a data set.
  std::string precision = {};  ///< As it was asked for; empty: not known.
  std::map<std::string, std::string> sha256 =
      {};  ///< Of a model's file that `xsp run` ran, by worker.
  ModelFacts model = {};
};

/// Which experiments of a store are read.
struct ExperimentChoice {
  std::vector<std::string> tags;  ///< Each KEY or KEY=VALUE, all of which it has.
  std::string since;              ///< Created at this time or later, RFC 3339; empty: any.
};

struct StoreReading {
  std::vector<StoredExperiment> experiments;  ///< Oldest first.
  std::size_t in_store = 0;                   ///< All of the store, whether chosen or not.
  std::vector<std::string> notes;             ///< What could not be read.
};

/// Reads the documents of the chosen experiments. An experiment that cannot be read becomes a note.
/// Errors: kBadInput for an empty store; kEnvironment for one that cannot be read.
Result<StoreReading> ReadExperiments(const std::filesystem::path& store,
                                     const ExperimentChoice& choice, const FindModelFacts& facts);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_STORED_EXPERIMENTS_H_
