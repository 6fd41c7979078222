#ifndef XSP_MEASURE_WORKERS_WORKER_FACTS_H_
#define XSP_MEASURE_WORKERS_WORKER_FACTS_H_

#include <string>
#include <vector>

#include "measure/workers/worker_program.h"

namespace xsp::workers {

/// What a worker says it can do (docs/worker-protocol.md), as text for people. What its description
/// lacks, or has in another form than it should, is empty or left out here.
struct WorkerFacts {
  std::string devices;  ///< "cpu, cuda"; of ONNX Runtime its providers.
  std::string graphs;
  std::string precisions;
  std::string rungs;
  std::vector<std::string> models;   ///< "onnx (.onnx), levels model, layer: NOTE", one a format.
  std::vector<std::string> options;  ///< "xla (on, off; unless given: off): MEANING"
};

WorkerFacts FactsOf(const WorkerProgram& worker);

}  // namespace xsp::workers

#endif  // XSP_MEASURE_WORKERS_WORKER_FACTS_H_
