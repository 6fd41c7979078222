#include "app/serve/router.h"

#include <algorithm>

namespace xsp::serve {
namespace {

using Captured = std::map<std::string, std::string, std::less<>>;

/// The part of `*path` before its next slash; takes both off.
std::string_view NextPart(std::string_view* path) {
  const std::size_t end = path->find('/');
  const std::string_view part = path->substr(0, end);
  path->remove_prefix(end == std::string_view::npos ? path->size() : end + 1);
  return part;
}

bool Matches(std::string_view pattern, std::string_view path, Captured* captured) {
  if (std::ranges::count(pattern, '/') != std::ranges::count(path, '/')) return false;
  captured->clear();
  while (!pattern.empty() || !path.empty()) {
    const std::string_view wanted = NextPart(&pattern);
    const std::string_view part = NextPart(&path);
    if (wanted.starts_with('{')) {
      if (part.empty()) return false;
      captured->emplace(wanted.substr(1, wanted.size() - 2), part);
    } else if (wanted != part) {
      return false;
    }
  }
  return true;
}

}  // namespace

const Route* Router::Find(std::string_view method, std::string_view path,
                          Captured* captured) const {
  if (method == "HEAD") method = "GET";
  const Route* found = nullptr;
  Captured names;
  for (const Route& route : routes_) {
    if (route.method != method || !Matches(route.pattern, path, &names)) continue;
    if (found != nullptr && !names.empty()) continue;
    found = &route;
    *captured = names;
    if (names.empty()) break;
  }
  return found;
}

std::string Router::MethodsOf(std::string_view path) const {
  std::string methods;
  Captured names;
  for (const Route& route : routes_) {
    if (!Matches(route.pattern, path, &names)) continue;
    if (methods.find(route.method) != std::string::npos) continue;
    methods += (methods.empty() ? "" : ", ") + route.method;
  }
  return methods;
}

}  // namespace xsp::serve
