#include "answer/suite/answer.h"

#include <utility>

namespace xsp::suite {

Table EmptyTable(std::string id, std::string title, std::vector<analyze::Column> columns) {
  Table table{std::move(id), std::move(title), std::move(columns), {}};
  for (const auto& column : table.columns) table.rows.columns.push_back(column.name);
  return table;
}

}  // namespace xsp::suite
