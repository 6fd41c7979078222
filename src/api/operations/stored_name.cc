#include "api/operations/stored_name.h"

namespace xsp::api {

void NoteOtherName(const std::string& asked, const std::filesystem::path& stored,
                   Document& document) {
  const std::string name = stored.filename().string();
  if (!asked.empty() && name != asked)
    document.notes.push_back("the name " + asked + " exists or is invalid: stored as " + name);
}

}  // namespace xsp::api
