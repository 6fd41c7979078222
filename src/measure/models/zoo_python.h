#ifndef XSP_MEASURE_MODELS_ZOO_PYTHON_H_
#define XSP_MEASURE_MODELS_ZOO_PYTHON_H_

#include <string>
#include <vector>

#include "measure/models/python_modules.h"
#include "measure/models/zoo.h"

namespace xsp::models {

/// A Python program that makes zoo models, and the Python that would run it.
struct ZooMaker {
  std::string makes;   ///< "onnx"; of a model's own maker "tiny as onnx".
  std::string python;  ///< The first that has all modules, else the one that lacks the fewest;
                       ///< empty: no Python runs.
  /// The modules that the program and the models imported by it need.
  PythonModules modules;

  std::vector<std::string> Missing() const;
};

/// The makers of the models' formats. Modules are looked for, not imported, which takes seconds.
std::vector<ZooMaker> AskForZooMakers(const std::vector<ZooModel>& models);

}  // namespace xsp::models

#endif  // XSP_MEASURE_MODELS_ZOO_PYTHON_H_
