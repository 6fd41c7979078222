#ifndef XSP_APP_SERVE_ACCESS_H_
#define XSP_APP_SERVE_ACCESS_H_

#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/message.h"
#include "app/serve/user_file.h"
#include "core/result.h"

namespace xsp::serve {

/// Decides who sent a request. With a user file, people log in by name and password; without, by
/// the token. Programs send `Authorization: Bearer TOKEN`; browsers a cookie with a session, which
/// ends after 12 hours or with the server. Threading: any thread.
class Access {
 public:
  using Clock = std::chrono::steady_clock;

  struct Settings {
    std::string token;              ///< Empty: none is accepted.
    std::vector<User> users = {};   ///< Empty: by the token only.
    Role highest = Role::kMeasure;  ///< Nobody has more.
    bool is_secure = false;         ///< Browsers reach the server by HTTPS only.
    /// Part of the cookie's name: cookies of one host do not tell ports apart.
    std::string cookie_suffix = {};
    Clock::time_point (*now)() = &Clock::now;
  };

  explicit Access(Settings settings);

  /// By the header Authorization, or else the cookie. Nobody: neither is valid.
  Identity Identify(const Request& request) const;

  /// Whether the request's authorization came from a cookie, which browsers send by themselves:
  /// what changes something must then show that it is of the same origin.
  static bool HasBearer(const Request& request);

  /// Begins a session for the token, or for a user and password, in a log-in request's fields
  /// `token`, or `user` and `password`. Returns the header Set-Cookie's value. Errors: kUsage (not
  /// these fields), kNotPossible (wrong; or too many wrong ones lately: each wrong log-in of a user
  /// adds a second before the next is looked at, up to a minute).
  struct LoggedIn {
    Identity identity;
    std::string cookie;
  };
  Result<LoggedIn> LogIn(const nlohmann::json& fields);

  /// Ends the session of the request, if it has one. Returns the header that removes the cookie.
  std::string LogOut(const Request& request);

  bool has_users() const { return !settings_.users.empty(); }

 private:
  struct Session {
    Identity identity;
    Clock::time_point ends;
  };
  struct Failures {
    int count = 0;
    Clock::time_point next_try;
  };

  std::string CookieName() const { return "xsp-session" + settings_.cookie_suffix; }
  std::string SetCookie(std::string_view value, long seconds) const;
  std::string_view CookieOf(const Request& request) const;
  Identity Limited(Identity identity) const;
  Result<Identity> Check(const nlohmann::json& fields);
  Status NotTooSoon(const std::string& user);
  void Remember(const std::string& user, bool is_right);

  const Settings settings_;
  std::mutex log_in_;  ///< One password is hashed at a time: each takes 32 MiB.
  mutable std::mutex mutex_;
  std::map<std::string, Session, std::less<>> sessions_;   ///< By the SHA-256 of their secret.
  std::map<std::string, Failures, std::less<>> failures_;  ///< By the SHA-256 of a name.
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ACCESS_H_
