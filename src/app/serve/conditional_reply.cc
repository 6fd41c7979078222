#include "app/serve/conditional_reply.h"

#include <string_view>

namespace xsp::serve {
namespace {

/// Whether a list of entity tags has `etag`, or is "*". Weak tags count: it is about GET only
/// (RFC 9110, 13.1.2).
bool HasTag(std::string_view list, std::string_view etag) {
  return list == "*" || list.find(etag) != std::string_view::npos;
}

/// Whether gzip is among the codings, and not with the weight 0.
bool TakesGzip(std::string_view codings) {
  const std::size_t found = codings.find("gzip");
  if (found == std::string_view::npos) return false;
  const std::string_view rest = codings.substr(found + 4, codings.find(',', found) - found - 4);
  const std::size_t weight = rest.find("q=");
  return weight == std::string_view::npos ||
         rest.find_first_of("123456789", weight) != std::string_view::npos;
}

}  // namespace

Reply ConditionalReply(const Request& request, const StoredAnswer& answer) {
  Reply reply;
  reply.headers = answer.reply.headers;
  reply.headers.emplace_back("ETag", answer.etag);
  reply.headers.emplace_back("Cache-Control", "private, no-cache");
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (HasTag(request.Header("if-none-match"), answer.etag)) {
    reply.status = 304;
    reply.content_type.clear();
    return reply;
  }
  reply.status = answer.reply.status;
  reply.content_type = answer.reply.content_type;
  reply.is_compressed = !answer.compressed.empty() && TakesGzip(request.Header("accept-encoding"));
  reply.body = reply.is_compressed ? answer.compressed : answer.reply.body;
  return reply;
}

}  // namespace xsp::serve
