#ifndef XSP_APP_SERVE_ASSETS_H_
#define XSP_APP_SERVE_ASSETS_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "app/serve/message.h"

namespace xsp::serve {

/// The files of the web application, read once: requests name what is in memory, no path of the
/// file system. Threading: any thread.
class Assets {
 public:
  /// `folder`: what web/tools/build.mjs writes: index.html and assets/. Without it, a page that
  /// says how to build it.
  explicit Assets(const std::filesystem::path& folder);

  /// index.html, for every page of the application.
  Reply Index() const;
  /// A file of assets/, whose name holds a hash of its content: browsers store it for ever.
  Reply Asset(std::string_view name) const;

 private:
  std::string index_;
  std::map<std::string, std::string, std::less<>> assets_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ASSETS_H_
