#include "measure/models/zoo_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"

namespace xsp::models {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kProgramLimitBytes = 1 << 22;
constexpr std::size_t kKeyCharacters = 16;

bool IsModule(std::string_view name) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
  return !name.empty() && name.find_first_not_of(kLetters) == std::string_view::npos;
}

/// "a, b" without the spaces.
std::vector<std::string> Split(std::string_view list) {
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ') || item.ends_with('\r')) item.remove_suffix(1);
    if (!item.empty()) items.emplace_back(item);
  }
  return items;
}

void Append(std::vector<std::string>& list, std::vector<std::string> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

/// All that goes into a key; a file goes in once.
class Ingredients {
 public:
  void AddFile(const fs::path& file) {
    const fs::path path = file.lexically_normal();
    if (!seen_.insert(path).second) return;
    const auto text = os::ReadFile(path, kProgramLimitBytes);
    lines_.push_back(fmt::format("{} {}\n", path.filename().string(),
                                 os::Sha256(text.ok() ? text.value() : "")));
    const auto notes = ReadProgramNotes(path);
    if (path.extension() != ".py" || !notes.ok()) return;
    for (const std::string& import : notes.value().imports)
      if (fs::exists(path.parent_path() / import)) AddFile(path.parent_path() / import);
  }

  void AddFolder(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error)) {
      if (it->path().filename() == "__pycache__") {
        it.disable_recursion_pending();
      } else if (it->is_regular_file(error)) {
        files.push_back(it->path());
      }
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) AddFile(file);
  }

  std::string Hash() {
    // By name, so that it does not depend on where the zoo lies.
    std::sort(lines_.begin(), lines_.end());
    return os::Sha256(fmt::format("{}", fmt::join(lines_, ""))).substr(0, kKeyCharacters);
  }

 private:
  std::set<fs::path> seen_;
  std::vector<std::string> lines_;
};

}  // namespace

Result<ProgramNotes> ReadProgramNotes(const fs::path& program) {
  XSP_TRY(const std::string text, os::ReadFile(program, kProgramLimitBytes));
  ProgramNotes notes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    constexpr std::string_view kNeeds = "# needs:", kImports = "# imports:";
    if (line.starts_with(kNeeds)) Append(notes.needs, Split(line.substr(kNeeds.size())));
    if (line.starts_with(kImports)) Append(notes.imports, Split(line.substr(kImports.size())));
  }
  for (const std::string& module : notes.needs) {
    if (IsModule(module)) continue;
    return Error{ErrorKind::kBadInput,
                 fmt::format("not the name of a Python module: {} ({})", module, program.string()),
                 "A line `# needs:` names modules separated by commas."};
  }
  return notes;
}

std::string KeyOf(const fs::path& folder, const fs::path& maker, const fs::path& makers) {
  Ingredients ingredients;
  ingredients.AddFolder(folder);
  ingredients.AddFile(maker);
  std::error_code error;
  for (fs::directory_iterator it(makers, error), end; !error && it != end; it.increment(error)) {
    if (it->is_directory(error) && it->path().filename() != "__pycache__")
      ingredients.AddFolder(it->path());
  }
  return ingredients.Hash();
}

}  // namespace xsp::models
