#include "base/paths.h"
#include "cli/command.h"

namespace xsp::cli {

std::vector<std::filesystem::path> AnalysisFolders(const Session& session) {
  std::vector<std::filesystem::path> folders = {base::DataRoot() / "analyses"};
  folders.insert(folders.end(), session.analyses.begin(), session.analyses.end());
  return folders;
}

}  // namespace xsp::cli
