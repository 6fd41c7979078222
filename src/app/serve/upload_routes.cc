#include <charconv>
#include <cstdint>
#include <string_view>

#include "app/serve/routes.h"

namespace xsp::serve {
namespace {

/// 0: not stated, as of a body in chunks.
std::int64_t LengthOf(const Request& request) {
  const std::string_view text = request.Header("content-length");
  std::int64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length > 0 ? length : 0;
}

Reply Receive(const ServiceParts& parts, const Request& request) {
  if (!request.Header("content-encoding").empty())
    return ErrorReply(415, "usage", "an upload is sent without Content-Encoding",
                      "Compressed files are imported as they are: send the file itself.");
  const auto upload = parts.uploads.Receive(request.QueryValue("name"), request, LengthOf(request));
  if (!upload.ok()) {
    const bool is_too_large = upload.error().kind == ErrorKind::kEnvironment;
    return is_too_large ? ErrorReply(413, "too_large", upload.error().what, upload.error().hint)
                        : ErrorReply(upload.error());
  }
  return JsonReply({{"upload", upload.value().reference},
                    {"name", upload.value().name},
                    {"bytes", upload.value().bytes}},
                   201);
}

}  // namespace

void AddUploadRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "POST",
               .pattern = "/api/v1/uploads",
               .role = Role::kMeasure,
               .answer = [&parts](const Request& request) { return Receive(parts, request); },
               .reads_body_itself = true});
}

}  // namespace xsp::serve
