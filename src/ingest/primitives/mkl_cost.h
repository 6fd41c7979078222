#ifndef XSP_INGEST_PRIMITIVES_MKL_COST_H_
#define XSP_INGEST_PRIMITIVES_MKL_COST_H_

#include "ingest/primitives/announcement.h"
#include "ingest/primitives/cost.h"

namespace xsp::primitives {

/// As Estimate(), for an MKL call: BLAS and the common LAPACK factorisations, from their arguments
/// (operation counts: LAPACK Working Note 41, appendix C, leading order).
Cost EstimateMkl(const Announcement& announcement);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_MKL_COST_H_
