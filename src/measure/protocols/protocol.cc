#include "measure/protocols/protocol.h"

#include "measure/protocols/dataset_protocol.h"
#include "measure/protocols/dataset_run.h"
#include "measure/protocols/rung_protocol.h"
#include "measure/protocols/scenario.h"
#include "measure/protocols/scenario_protocol.h"

namespace xsp::protocols {

Result<requests::ExperimentRequest> CompleteRequest(const requests::ExperimentRequest& request) {
  XSP_RETURN_IF_ERROR(CheckScenario(request));
  XSP_RETURN_IF_ERROR(CheckDataset(request));
  return WithDataset(WithScenario(request));
}

std::unique_ptr<Protocol> ProtocolFor(const requests::ExperimentRequest& request) {
  if (!request.scenario.kind.empty()) return std::make_unique<ScenarioProtocol>(request);
  if (!request.dataset.text.empty()) return std::make_unique<DatasetProtocol>(request);
  return std::make_unique<RungProtocol>(request);
}

}  // namespace xsp::protocols
