#ifndef XSP_MEASURE_PROTOCOLS_DATASET_FIGURES_H_
#define XSP_MEASURE_PROTOCOLS_DATASET_FIGURES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "measure/protocols/scores.h"
#include "pipeline/datasets/dataset.h"
#include "store/experiment_writer.h"
#include "store/rows/accuracy_row.h"
#include "store/rows/evaluation_row.h"
#include "store/rows/pipeline_step_row.h"
#include "store/rows/prediction_row.h"
#include "trace/trace.h"

namespace xsp::protocols {

/// One thing that is done to samples on their way, with what it took, ns, per sample: of what
/// happens once a batch, its time over the batch's samples.
struct StepTimes {
  std::string stage;  ///< preprocess, bind, predict or postprocess
  std::string step;   ///< Its own name, or that of the stage.
  std::vector<double> sample_ns;
};

/// What a recording says of a data set's way through a model.
struct PipelineTimes {
  std::vector<StepTimes> steps;   ///< In the order of their first start.
  std::vector<double> sample_ns;  ///< Of each batch, from its start to its end, per sample.
  std::int64_t samples = 0;       ///< That were predicted.
  std::int64_t batches = 0;
  double total_ns = 0;  ///< From the start of the first batch to the end of the last.
};

/// Reads the spans of `evaluate` blocks (docs/worker-protocol.md); those that never ended are left
/// out.
PipelineTimes TimePipeline(const trace::Trace& trace);

/// Holds what the runs of an experiment made of a data set against what is right and against each
/// other, as rows of the tables `evaluation`, `accuracy`, `prediction` and `pipeline_step`.
class Evaluation {
 public:
  /// `name`: the data set, as the user named it; `left_out`: samples that it could not use;
  /// `truths`: of the samples that are taken, by position.
  Evaluation(std::string name, std::int64_t left_out, std::vector<pipeline::GroundTruth> truths);

  struct Place {
    std::int64_t point_id = 0, run_id = 0, batch = 1;
    std::string backend;
  };

  /// Adds one run. The first run of a batch size that has predictions is what the later ones are
  /// compared with.
  void Add(const Place& place, const trace::Trace& trace, std::vector<SampleResult> results);

  /// Errors: as ExperimentWriter::AddRows.
  Status Write(store::ExperimentWriter& writer) const;

 private:
  struct Reference {
    std::int64_t batch;
    std::string backend;
    std::vector<SampleResult> results;
  };

  void AddPredictions(const Place& place, const std::vector<SampleResult>& results);
  const Reference* ReferenceFor(const Place& place) const;
  void AddAllScores(const Place& place, const std::vector<SampleResult>& results);
  void AddScores(const Place& place, const std::vector<Score>& scores, std::string_view reference);

  std::string name_;
  std::int64_t left_out_;
  std::vector<pipeline::GroundTruth> truths_;
  std::vector<Reference> references_;
  std::vector<store::EvaluationRow> evaluation_;
  std::vector<store::AccuracyRow> accuracy_;
  std::vector<store::PredictionRow> prediction_;
  std::vector<store::PipelineStepRow> pipeline_step_;
};

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_DATASET_FIGURES_H_
