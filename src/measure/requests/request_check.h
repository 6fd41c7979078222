#ifndef XSP_MEASURE_REQUESTS_REQUEST_CHECK_H_
#define XSP_MEASURE_REQUESTS_REQUEST_CHECK_H_

#include "core/result.h"
#include "measure/requests/experiment_request.h"

namespace xsp::requests {

/// Refuses what cannot be meant. Errors: kUsage.
Status CheckRequest(const ExperimentRequest& request);

}  // namespace xsp::requests

#endif  // XSP_MEASURE_REQUESTS_REQUEST_CHECK_H_
