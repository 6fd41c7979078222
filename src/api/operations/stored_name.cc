#include "api/operations/stored_name.h"

namespace xsp::api {

void NoteOtherName(const std::string& asked, const std::filesystem::path& stored,
                   Document& document) {
  const std::string name = stored.filename().string();
  if (!asked.empty() && name != asked)
    document.notes.push_back("the name " + asked + " is taken, or cannot be one: stored as " +
                             name);
}

}  // namespace xsp::api
