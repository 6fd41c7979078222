#include "app/serve/user_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/serve/secrets.h"
#include "os/files.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

std::optional<Role> RoleOf(std::string_view name) {
  for (const Role role : {Role::kView, Role::kMeasure})
    if (NameOf(role) == name) return role;
  return std::nullopt;
}

}  // namespace

Result<std::vector<User>> ParseUsers(std::string_view text, const std::string& name) {
  std::vector<User> users;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    const auto wrong = [&](std::string_view why) {
      return Error{ErrorKind::kBadInput, fmt::format("{}: {}, line {}", why, name, number),
                   "A line is NAME:ROLE:HASH, with view or measure as ROLE; `xsp serve "
                   "--hash-password` makes HASH."};
    };
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos || first == 0) return wrong("not a user");
    const std::optional<Role> role = RoleOf(line.substr(first + 1, second - first - 1));
    if (!role) return wrong("unknown role");
    User user{std::string(line.substr(0, first)), *role, std::string(line.substr(second + 1))};
    if (!IsPasswordHash(user.password_hash)) return wrong("not a hash of a password");
    if (std::ranges::find(users, user.name, &User::name) != users.end())
      return wrong("this user is there twice");
    users.push_back(std::move(user));
  }
  if (users.empty())
    return Error{ErrorKind::kBadInput, "no user in the user file: " + name,
                 "Add a line NAME:ROLE:HASH; `xsp serve --hash-password` makes HASH."};
  return users;
}

Result<std::vector<User>> ReadUserFile(const fs::path& file) {
  std::error_code error;
  const fs::perms others = fs::perms::group_write | fs::perms::others_write;
  if ((fs::status(file, error).permissions() & others) != fs::perms::none && !error)
    return Error{ErrorKind::kBadInput, "others may write the user file: " + file.string(),
                 "chmod go-w " + file.string()};
  XSP_TRY(const std::string text, os::ReadFile(file, std::uint64_t{1} << 20));
  return ParseUsers(text, file.string());
}

}  // namespace xsp::serve
