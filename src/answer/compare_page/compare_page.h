#ifndef XSP_ANSWER_COMPARE_PAGE_COMPARE_PAGE_H_
#define XSP_ANSWER_COMPARE_PAGE_COMPARE_PAGE_H_

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/compare_page/batch_series.h"
#include "core/result.h"
#include "derive/compare/compared_sides.h"

namespace xsp::compare_page {

/// Collects compared pairs and writes one self-contained page about them. The experiments must stay
/// where they are until it is written.
class ComparePage {
 public:
  /// `pairs`: how many will be added, 1 or more; they share the page's room. `command_line`: what
  /// asked for the page.
  ComparePage(std::size_t pairs, std::string command_line)
      : pairs_expected_(pairs), command_line_(std::move(command_line)) {}

  /// Adds a pair. `document`: that of `xsp compare` about it. Errors: kBadInput (an experiment that
  /// cannot be read).
  Status Add(const compare::Sides& sides, const compare::ComparedSides& compared,
             const nlohmann::json& document);

  /// The document that the page reads (web/src/compare_data.ts). `notes`: what people should know
  /// besides, one line each.
  Result<nlohmann::json> Data(const std::vector<std::string>& notes);

  /// Writes the page to `file`. Errors: those of Data; kNotPossible when the page was not built;
  /// kEnvironment when the file cannot be written.
  Status Write(const std::vector<std::string>& notes, const std::filesystem::path& file);

 private:
  /// The number of a side among those of the page; it is added if it is new.
  Result<std::size_t> NumberOf(const compare::Side& side);

  std::size_t pairs_expected_;
  std::string command_line_;
  Experiments experiments_;
  std::vector<compare::SideSource> sources_;  ///< Each side once, with the run of its times.
  nlohmann::json sides_ = nlohmann::json::array();
  nlohmann::json pairs_ = nlohmann::json::array();
};

}  // namespace xsp::compare_page

#endif  // XSP_ANSWER_COMPARE_PAGE_COMPARE_PAGE_H_
