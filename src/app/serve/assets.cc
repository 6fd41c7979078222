#include "app/serve/assets.h"

#include <array>
#include <utility>

#include "os/files.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotBuilt = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>XSP</title></head>
<body><h1>XSP</h1>
<p>The web application is not built: run <code>tools/build</code>.
The programming interface works: <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</body></html>
)";

std::string TypeOf(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> kTypes = {
      {{".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".png", "image/png"},
       {".json", "application/json"},
       {".woff2", "font/woff2"}}};
  for (const auto& [ending, type] : kTypes)
    if (name.ends_with(ending)) return type;
  return "application/octet-stream";
}

}  // namespace

Assets::Assets(const fs::path& folder) {
  auto index = os::ReadFile(folder / "index.html");
  index_ = index.ok() ? std::move(index).value() : std::string(kNotBuilt);
  std::error_code error;
  for (fs::directory_iterator it(folder / "assets", error), end; !error && it != end;
       it.increment(error)) {
    auto content = os::ReadFile(it->path());
    if (content.ok()) assets_[it->path().filename().string()] = std::move(content).value();
  }
}

Reply Assets::Index() const {
  return {.content_type = "text/html; charset=utf-8",
          .body = index_,
          .headers = {{"Cache-Control", "no-cache"}}};
}

Reply Assets::Asset(std::string_view name) const {
  const auto found = assets_.find(name);
  if (found == assets_.end())
    return ErrorReply(404, "not_found", "no such file of the application", "Load the page again.");
  return {.content_type = TypeOf(name),
          .body = found->second,
          .headers = {{"Cache-Control", "private, max-age=31536000, immutable"}}};
}

}  // namespace xsp::serve
