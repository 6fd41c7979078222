#ifndef XSP_APP_SERVE_MESSAGE_H_
#define XSP_APP_SERVE_MESSAGE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::serve {

/// What a user may do. Each role may do what those before it may.
enum class Role {
  kNone,     ///< Nothing but log in.
  kView,     ///< Read: all operations that change nothing, and pages.
  kMeasure,  ///< Start jobs, upload files, change the store.
};

/// "none", "view" or "measure".
std::string_view NameOf(Role role);

/// Who sent a request.
struct Identity {
  std::string user;  ///< Of the user file; "token" for who has the server's token; empty: nobody.
  Role role = Role::kNone;
};

/// A request, whole but for a body that is read piece by piece. Names of headers are in lower case.
struct Request {
  std::string method;
  std::string path;                               ///< Decoded, without the query.
  std::multimap<std::string, std::string> query;  ///< Decoded.
  std::map<std::string, std::string, std::less<>> headers;
  std::string body;
  /// Reads the body of an upload: calls `take` with each piece until it returns false. False: the
  /// body did not arrive whole. Empty for other requests.
  std::function<bool(const std::function<bool(std::string_view piece)>& take)> read_body = {};
  Identity identity = {};
  /// Of the path, what the pattern of its route has a name for.
  std::map<std::string, std::string, std::less<>> captured = {};

  /// The header, or an empty text.
  std::string_view Header(std::string_view name) const;
  /// The first value of a query's field, or an empty text.
  std::string QueryValue(const std::string& name) const;
};

/// A reply.
struct Reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// The body is compressed with gzip.
  bool is_compressed = false;
  /// Gives the next piece of a body without a known end, waiting for it at most about a second; an
  /// empty piece keeps the connection open. False: the body is complete.
  std::function<bool(std::string* piece)> stream = {};
};

/// The document as a reply.
Reply JsonReply(const nlohmann::json& document, int status = 200);

/// An error as a reply: {"error": {"kind", "what", "hint", "field"}}, with the status that HTTP has
/// for its kind.
Reply ErrorReply(const Error& error);

/// The same with a status and a kind of its own: errors that only HTTP has.
Reply ErrorReply(int status, std::string_view kind, std::string_view what, std::string_view hint);

/// The member "error" of ErrorReply().
nlohmann::json ErrorJson(const Error& error);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_MESSAGE_H_
