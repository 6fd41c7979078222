#ifndef XSP_APP_SERVE_USER_FILE_H_
#define XSP_APP_SERVE_USER_FILE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/message.h"
#include "core/result.h"

namespace xsp::serve {

/// Somebody who may log in.
struct User {
  std::string name;
  Role role = Role::kView;
  std::string password_hash;  ///< Of HashPassword().
};

/// Reads a user file: a line NAME:ROLE:HASH for each user (ROLE: view or measure), empty lines and
/// lines that begin with '#'. Errors: kBadInput with the number of the line (not three parts, an
/// unknown role, no hash, a name that is there twice), if there is no user, and if others than its
/// owner may write the file.
Result<std::vector<User>> ReadUserFile(const std::filesystem::path& file);

/// The same of a text. `name` stands for the file in errors.
Result<std::vector<User>> ParseUsers(std::string_view text, const std::string& name);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_USER_FILE_H_
