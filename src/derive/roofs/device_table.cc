#include "derive/roofs/device_table.h"

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "os/paths.h"
#include "os/published_table.h"

namespace xsp::roofs {

namespace {

/// In lower case, each word (a run of letters and digits) between spaces.
std::string Spaced(std::string_view text) {
  std::string spaced = " ";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    spaced += std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : ' ';
  }
  return spaced + ' ';
}

/// Whether `name` has a word that makes it another device than that of the row `match`.
bool IsAnotherVariant(std::string_view name, std::string_view match) {
  const std::string have = Spaced(name);
  const std::string wanted = Spaced(match);
  for (const std::string_view word :
       {" laptop ", " mobile ", " max ", " ti ", " super ", " d ", " ceo ", " sff "}) {
    if (have.find(word) != std::string::npos && wanted.find(word) == std::string::npos) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<Roof>> DataSheetRoofs(std::string_view device_name) {
  return DataSheetRoofsFrom(os::DataRoot() / "machine" / "devices.csv", device_name);
}

Result<std::vector<Roof>> DataSheetRoofsFrom(const std::filesystem::path& path,
                                             std::string_view device_name) {
  XSP_TRY(const os::PublishedTable table,
          os::PublishedTable::Read(path, {"device", "match", "dram_gb_per_s", "source"}));
  const os::PublishedTable::Row* const row = table.BestMatch(device_name);
  if (row == nullptr || IsAnotherVariant(device_name, table.Text(*row, "match"))) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("no data-sheet roofs are known for the device: {}", device_name),
                 "Add a line for it to machine/devices.csv."};
  }
  const std::string how =
      fmt::format("{}: {}", table.Text(*row, "device"), table.Text(*row, "source"));
  std::vector<Roof> roofs;
  for (const std::string& column : table.header()) {
    const auto figure = table.Number(*row, column);
    if (!figure) continue;
    const auto underscore = column.find('_');
    const std::string dtype = column.substr(0, underscore);
    const std::string unit = underscore == std::string::npos ? "" : column.substr(underscore + 1);
    if (column == "dram_gb_per_s") {
      // What fits into the cache need not cross DRAM: the view layer_bound reads its size here.
      const std::string_view cache = table.Text(*row, "last_cache_mib");
      roofs.push_back({"bandwidth", "DRAM", "", "", 0, *figure * 1e9, "data_sheet",
                       cache.empty() ? how : fmt::format("{}; last cache {} MiB", how, cache),
                       true});
    } else if (unit == "vector" || unit == "tensor") {
      roofs.push_back({"flops", fmt::format("{} {}", dtype, unit), dtype, unit, 0, *figure * 1e12,
                       "data_sheet", how, true});
    }
  }
  return roofs;
}

}  // namespace xsp::roofs
