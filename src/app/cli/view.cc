#include "app/cli/view.h"

#include <utility>

namespace xsp::cli {

Result<int> ShowPlainly(const api::Document& document, Format format) {
  if (const auto* table = std::get_if<store::Table>(&document.content)) {
    // A note says why there are none.
    const bool is_told = format == Format::kTable && table->rows.empty() && !document.notes.empty();
    if (!is_told) Print(*table, {}, format);
  } else {
    PrintLine(api::JsonText(document));
  }
  return document.exit_status;
}

Show JsonOr(std::function<Result<int>(const api::Document& document, Format format)> for_people) {
  return [for_people = std::move(for_people)](const api::Document& document,
                                              Format format) -> Result<int> {
    return format == Format::kJson ? ShowPlainly(document, format) : for_people(document, format);
  };
}

}  // namespace xsp::cli
