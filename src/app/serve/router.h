#ifndef XSP_APP_SERVE_ROUTER_H_
#define XSP_APP_SERVE_ROUTER_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/serve/message.h"

namespace xsp::serve {

/// What answers the requests of one method and path.
struct Route {
  std::string method;       ///< GET (also answers HEAD), POST or DELETE.
  std::string pattern;      ///< "/api/v1/jobs/{id}/log": {id} is one part of a path, not empty.
  Role role = Role::kView;  ///< The least that a user needs.
  std::function<Reply(const Request& request)> answer;
  /// The reply to who may not ask: where its form is not that of ErrorReply(). Null: it is.
  Reply (*refuse)(const Request& request, int status, std::string_view what) = nullptr;
  bool reads_body_itself = false;  ///< By Request::read_body; else the body is short and whole.
};

/// Finds the route of a request. Threading: any thread, once all routes are added.
class Router {
 public:
  void Add(Route route) { routes_.push_back(std::move(route)); }

  /// The route of a method and path, a pattern without names before others; null: there is none.
  /// `captured`: gets what the names of the pattern stand for.
  const Route* Find(std::string_view method, std::string_view path,
                    std::map<std::string, std::string, std::less<>>* captured) const;

  /// The methods that `path` has routes for, as in the header Allow: "GET, POST"; empty: none.
  std::string MethodsOf(std::string_view path) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ROUTER_H_
