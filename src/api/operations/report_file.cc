#include "api/operations/report_file.h"

#include "answer/report/report_data.h"
#include "store/database.h"

namespace xsp::api {

Result<std::filesystem::path> WriteReport(const Context& context,
                                          const std::filesystem::path& folder,
                                          const std::filesystem::path& file) {
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const std::vector<analyze::Analysis> analyses, analyze::LoadAnalyses(context.analyses));
  XSP_TRY(const std::vector<findings::Rule> rules, findings::LoadRules(context.findings));
  const std::filesystem::path target = file.empty() ? folder / "report.html" : file;
  XSP_RETURN_IF_ERROR(report::WriteReport(folder, database, analyses, rules, target));
  return target;
}

}  // namespace xsp::api
