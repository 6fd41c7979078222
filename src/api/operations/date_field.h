#ifndef XSP_API_OPERATIONS_DATE_FIELD_H_
#define XSP_API_OPERATIONS_DATE_FIELD_H_

#include <string>

#include "core/result.h"

namespace xsp::api {

/// The beginning of an RFC 3339 date, UTC, that `text` means: such a beginning itself, from year
/// and month on ("2026-11", "2026-11-01", "2026-11-01T08:00"), or so many days or weeks ago ("30d",
/// "2w"). Empty: empty. Errors: kUsage, naming the `field` of the request.
Result<std::string> DateOf(const std::string& text, const std::string& field);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_DATE_FIELD_H_
