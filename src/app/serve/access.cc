#include "app/serve/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/serve/secrets.h"
#include "os/sha256.h"

namespace xsp::serve {
namespace {

constexpr std::chrono::hours kSessionTime(12);
constexpr std::size_t kMostSessions = 10'000;
constexpr std::size_t kMostFailures = 10'000;
constexpr int kLongestDelay_s = 60;
constexpr std::string_view kBearer = "Bearer ";

std::string TextOf(const nlohmann::json& fields, const char* name) {
  const auto found = fields.find(name);
  return found != fields.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Error WrongLogIn(std::string_view what) {
  return {ErrorKind::kNotPossible, std::string(what), "Try again, or ask who runs this server."};
}

}  // namespace

Access::Access(Settings settings) : settings_(std::move(settings)) {}

Identity Access::Limited(Identity identity) const {
  identity.role = std::min(identity.role, settings_.highest);
  return identity;
}

bool Access::HasBearer(const Request& request) {
  return request.Header("authorization").starts_with(kBearer);
}

std::string_view Access::CookieOf(const Request& request) const {
  std::string_view cookies = request.Header("cookie");
  const std::string wanted = CookieName() + "=";
  while (!cookies.empty()) {
    const std::size_t end = cookies.find(';');
    std::string_view cookie = cookies.substr(0, end);
    cookies.remove_prefix(end == std::string_view::npos ? cookies.size() : end + 1);
    while (cookie.starts_with(' ')) cookie.remove_prefix(1);
    if (cookie.starts_with(wanted)) return cookie.substr(wanted.size());
  }
  return {};
}

Identity Access::Identify(const Request& request) const {
  if (HasBearer(request)) {
    const std::string_view given = request.Header("authorization").substr(kBearer.size());
    if (!IsSameSecret(given, settings_.token)) return {};
    return Limited({"token", Role::kMeasure});
  }
  const std::string_view secret = CookieOf(request);
  if (secret.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(os::Sha256(secret));
  if (found == sessions_.end() || settings_.now() >= found->second.ends) return {};
  return found->second.identity;
}

Status Access::NotTooSoon(const std::string& user) {
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(os::Sha256(user));
  if (found == failures_.end()) return Ok{};
  const auto wait =
      std::chrono::ceil<std::chrono::seconds>(found->second.next_try - settings_.now());
  if (wait.count() <= 0) return Ok{};
  return WrongLogIn(fmt::format("too soon after a wrong log-in: wait {} s", wait.count()));
}

void Access::Remember(const std::string& user, bool is_right) {
  const std::lock_guard lock(mutex_);
  if (is_right) {
    failures_.erase(os::Sha256(user));
    return;
  }
  // Names of nobody take memory, too, but not their length of it. Where there are too many, all
  // begin anew rather than none is delayed.
  if (failures_.size() >= kMostFailures) failures_.clear();
  Failures& failures = failures_[os::Sha256(user)];
  failures.count = std::min(failures.count + 1, kLongestDelay_s);
  failures.next_try = settings_.now() + std::chrono::seconds(failures.count);
}

Result<Identity> Access::Check(const nlohmann::json& fields) {
  if (!fields.is_object())
    return Error{ErrorKind::kUsage, "a log-in is an object", "Send token, or user and password."};
  const std::string token = TextOf(fields, "token");
  if (!token.empty()) {
    if (IsSameSecret(token, settings_.token)) return Identity{"token", Role::kMeasure};
    return WrongLogIn("wrong token");
  }
  const std::string name = TextOf(fields, "user");
  const std::string password = TextOf(fields, "password");
  if (name.empty() || password.empty())
    return Error{ErrorKind::kUsage, "a log-in lacks fields", "Send token, or user and password."};
  if (settings_.users.empty()) return WrongLogIn("this server has no users: log in with its token");
  // Held from the look at earlier failures on: many log-ins at once must not all come before the
  // first of them is counted.
  const std::lock_guard one_at_a_time(log_in_);
  XSP_RETURN_IF_ERROR(NotTooSoon(name));
  const auto user = std::ranges::find(settings_.users, name, &User::name);
  // The hash of somebody else is computed for an unknown name, so that the time tells nothing.
  const bool is_known = user != settings_.users.end();
  const std::string& hash = is_known ? user->password_hash : settings_.users.front().password_hash;
  XSP_TRY(const bool is_right, IsPassword(password, hash));
  Remember(name, is_right && is_known);
  if (!is_right || !is_known) return WrongLogIn("wrong user or password");
  return Identity{user->name, user->role};
}

std::string Access::SetCookie(std::string_view value, long seconds) const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={}{}", CookieName(), value,
                     seconds, settings_.is_secure ? "; Secure" : "");
}

Result<Access::LoggedIn> Access::LogIn(const nlohmann::json& fields) {
  XSP_TRY(const Identity identity, Check(fields));
  const std::string secret = RandomToken();
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = settings_.now();
  if (sessions_.size() >= kMostSessions)
    std::erase_if(sessions_, [&](const auto& session) { return now >= session.second.ends; });
  if (sessions_.size() >= kMostSessions)
    return Error{ErrorKind::kEnvironment, "too many sessions", "Log out elsewhere, or wait."};
  const Session session{Limited(identity), now + kSessionTime};
  sessions_[os::Sha256(secret)] = session;
  const long seconds = std::chrono::duration_cast<std::chrono::seconds>(kSessionTime).count();
  return LoggedIn{session.identity, SetCookie(secret, seconds)};
}

std::string Access::LogOut(const Request& request) {
  const std::string_view secret = CookieOf(request);
  const std::lock_guard lock(mutex_);
  if (!secret.empty()) sessions_.erase(os::Sha256(secret));
  return SetCookie("", 0);
}

}  // namespace xsp::serve
