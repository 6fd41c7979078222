#include "api/operations/answer_page.h"

#include <nlohmann/json.hpp>
#include <string>

#include "answer/report/html.h"
#include "answer/suite/answer_json.h"
#include "core/json_text.h"
#include "os/files.h"

namespace xsp::api {

using nlohmann::json;

Status WriteAnswerPage(const suite::Answer& answer, const std::filesystem::path& file) {
  json document = {{"title", answer.title}, {"answers", json::array({suite::PageJson(answer)})}};
  for (const suite::Answer& part : answer.parts)
    document["answers"].push_back(suite::PageJson(part));
  XSP_TRY(const std::string page, report::SuitePage(core::JsonText(document)));
  return os::WriteFileAtomically(file, page);
}

}  // namespace xsp::api
