#include "capture/record/control.h"

#include "capture/record/process.h"

namespace xsp::record {

AskedRange ParseAskedRange(std::string_view text) {
  AskedRange asked;
  if (text.empty()) return asked;
  asked.is_asked = true;
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    asked.any_domain = false;
    asked.domain = Intern(text.substr(at + 1));
    text = text.substr(0, at);
  }
  asked.name = Intern(text);
  return asked;
}

}  // namespace xsp::record
