#ifndef XSP_APP_CLI_GATE_OUTPUT_H_
#define XSP_APP_CLI_GATE_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <string>

namespace xsp::cli {

// How the gates of a compared pair are shown: `gates` of its document, which may lack them.

/// Writes them to standard output, each with its outcome and, unless it passed, the rows that took
/// more time. Lines are wrapped at `width`.
void PrintGates(const nlohmann::json& pair, int width);

/// Writes them to standard output as a Markdown table, in which names cannot act as markup.
void PrintGatesAsMarkdown(const nlohmann::json& pair);

/// Text in which nothing is Markdown.
std::string EscapedMarkdown(std::string_view text);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_GATE_OUTPUT_H_
