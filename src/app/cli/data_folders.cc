#include "app/cli/command.h"
#include "os/paths.h"

namespace xsp::cli {

std::vector<std::filesystem::path> AnalysisFolders(const Session& session) {
  std::vector<std::filesystem::path> folders = {os::DataRoot() / "analyses"};
  folders.insert(folders.end(), session.analyses.begin(), session.analyses.end());
  return folders;
}

std::vector<std::filesystem::path> RuleFolders(const Session& session) {
  std::vector<std::filesystem::path> folders = {os::DataRoot() / "findings"};
  folders.insert(folders.end(), session.findings.begin(), session.findings.end());
  return folders;
}

}  // namespace xsp::cli
