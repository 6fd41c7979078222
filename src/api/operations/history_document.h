#ifndef XSP_API_OPERATIONS_HISTORY_DOCUMENT_H_
#define XSP_API_OPERATIONS_HISTORY_DOCUMENT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "derive/history/analysed_history.h"

namespace xsp::api {

/// The document of `xsp history`, as its schema has it. Numbers that are not known are null.
nlohmann::json HistoryDocument(const std::string& model, const history::AnalysedHistory& analysed);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_HISTORY_DOCUMENT_H_
