#ifndef XSP_APP_MCP_BOUNDED_ANSWER_H_
#define XSP_APP_MCP_BOUNDED_ANSWER_H_

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::mcp {

/// A token is taken as 4 bytes of JSON: an estimate, the tokenizers of models differ.
inline constexpr int kBytesPerToken = 4;
inline constexpr int kDefaultTokens = 2000;
inline constexpr int kMinTokens = 300;
inline constexpr int kMaxTokens = 6250;  ///< 25 kB.

/// Where the rows of a document are: what is cut first, and continued by a cursor. Static data.
struct RowsInDocument {
  /// JSON pointers; the first that is a list counts. A document that is a list itself needs none.
  std::array<const char*, 2> pointers = {nullptr, nullptr};
  /// A number of each row: rows are given by its absolute value, largest first. Null: as they are.
  const char* order_by = nullptr;
};

/// Which part of an answer is wanted.
struct AnswerPage {
  int max_tokens = kDefaultTokens;  ///< kMinTokens ... kMaxTokens.
  std::string cursor = {};          ///< As an earlier answer gave it; empty: the beginning.
  std::string request = {};         ///< What was asked, as text: a cursor belongs to it.
};

/// `document` as an object of at most page.max_tokens * kBytesPerToken bytes of JSON:
///   total      number of rows of the whole answer
///   shown      number of rows here
///   truncated  whether rows follow
///   cursor     gives the next rows; null: none follow
///   shortened  whether strings or lists inside of rows or `about` were cut
///   rows       the rows
///   members_left_out  names of members that rows here lack, as many as fit; only where some do
///   about      the rest of the document, only at the beginning
///   notes      likewise, if there are any
/// Following the cursors gives every row once. Errors: kUsage (a cursor of another request, or of
/// another number of rows).
Result<nlohmann::json> BoundedAnswer(nlohmann::json document, const std::vector<std::string>& notes,
                                     const RowsInDocument& where, const AnswerPage& page);

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_BOUNDED_ANSWER_H_
