#include <charconv>
#include <map>
#include <string>
#include <utility>

#include "api/request_json.h"
#include "app/serve/array_page.h"
#include "app/serve/conditional_reply.h"
#include "app/serve/json_body.h"
#include "app/serve/operation_request.h"
#include "app/serve/query_request.h"
#include "app/serve/routes.h"
#include "app/serve/served_operation.h"
#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kLargestPage = 10'000;

/// Which part of a list is asked for.
struct PageRequest {
  std::size_t limit = 0;  ///< 0: all of it.
  std::string cursor;
};

/// Takes `limit` and `cursor` out of the query. Errors: kUsage.
Result<PageRequest> TakePage(std::multimap<std::string, std::string>* query) {
  PageRequest page;
  const auto take = [&](const std::string& name) {
    const auto found = query->find(name);
    std::string value = found == query->end() ? "" : found->second;
    query->erase(name);
    return value;
  };
  page.cursor = take("cursor");
  const std::string limit = take("limit");
  if (limit.empty()) {
    if (!page.cursor.empty()) page.limit = kLargestPage;
    return page;
  }
  const auto read = std::from_chars(limit.data(), limit.data() + limit.size(), page.limit);
  if (read.ec != std::errc() || read.ptr != limit.data() + limit.size() || page.limit == 0 ||
      page.limit > kLargestPage)
    return Error{.kind = ErrorKind::kUsage,
                 .what = "limit: not an integer from 1 to 10000",
                 .hint = {},
                 .field = "limit"};
  return page;
}

std::string Encoded(std::string_view text) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                          (byte >= 'A' && byte <= 'Z') ||
                          std::string_view("-._~").find(c) != std::string_view::npos;
    if (is_plain) {
      encoded += c;
    } else {
      encoded += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return encoded;
}

/// The address of the next page: the same query with another cursor.
std::string NextLink(const std::string& path, const std::multimap<std::string, std::string>& query,
                     const PageRequest& page, const std::string& cursor) {
  std::string link = path + "?";
  for (const auto& [name, value] : query) link += Encoded(name) + "=" + Encoded(value) + "&";
  return "<" + link + "limit=" + std::to_string(page.limit) + "&cursor=" + cursor +
         R"(>; rel="next")";
}

/// The document, or the page of it, as a reply.
Result<Reply> ReplyOf(const api::Document& document, const Request& request,
                      const std::multimap<std::string, std::string>& query,
                      const PageRequest& page) {
  Reply reply;
  if (page.limit == 0) {
    reply.body = api::JsonText(document) + "\n";
    return reply;
  }
  const json whole = api::ToJson(document);
  if (!whole.is_array())
    return Error{.kind = ErrorKind::kUsage,
                 .what = "limit, cursor: the document of this request is no list",
                 .hint = "Ask without them.",
                 .field = page.cursor.empty() ? "limit" : "cursor"};
  std::string list = request.path;
  for (const auto& [name, value] : query) list += " " + Encoded(name) + "=" + Encoded(value);
  XSP_TRY(const ArrayPage items, PageOf(whole, page.limit, page.cursor, list));
  reply = JsonReply(items.items);
  reply.headers.emplace_back("X-Total-Count", std::to_string(items.total));
  if (!items.next_cursor.empty())
    reply.headers.emplace_back("Link", NextLink(request.path, query, page, items.next_cursor));
  return reply;
}

Reply Read(const ServiceParts& parts, const ServedOperation& served, const Request& request) {
  std::multimap<std::string, std::string> query = request.query;
  const auto page = TakePage(&query);
  if (!page.ok()) return ErrorReply(page.error());
  const auto fields = RequestOfQuery(served.request_schema, query);
  if (!fields.ok()) return ErrorReply(fields.error());
  const api::Operation& operation = *served.operation;
  if (const Status reach = api::CheckReach(operation, fields.value(), parts.files); !reach.ok())
    return ErrorReply(reach.error());
  const auto stamp = StampOf(parts, operation, fields.value());
  if (!stamp.ok()) return ErrorReply(stamp.error());
  const bool is_fresh = operation.served_as == api::ServedAs::kFreshAnswer;
  const std::string key = operation.name + " " + core::JsonText(fields.value()) + " " +
                          std::to_string(page.value().limit) + " " + page.value().cursor;
  const auto answer = parts.answers.Get(key, is_fresh ? "" : stamp.value(),
                                        LaneOf(operation, fields.value()), [&]() -> Result<Reply> {
                                          XSP_TRY(const api::Document document,
                                                  DocumentFor(parts, operation, fields.value()));
                                          return ReplyOf(document, request, query, page.value());
                                        });
  if (!answer.ok()) return ErrorReply(answer.error());
  return ConditionalReply(request, *answer.value());
}

Reply Queue(const ServiceParts& parts, const ServedOperation& served, const Request& request,
            const json& fields, const json& checked) {
  const auto added = AddJob(parts, served, request.identity.user, fields, checked);
  if (!added.ok()) return ErrorReply(added.error());
  const auto placed = parts.jobs.Find(added.value().id);
  Reply reply = JsonReply({{"job", ToJson(added.value(), placed ? placed->position : 0)}}, 202);
  reply.headers.emplace_back("Location", "/api/v1/jobs/" + added.value().id);
  return reply;
}

Reply Post(const ServiceParts& parts, const ServedOperation& served, const Request& request) {
  const auto fields = JsonBody(request);
  if (!fields.ok()) return ErrorReply(fields.error());
  const api::Operation& operation = *served.operation;
  const auto checked = CheckedRequest(parts, operation, fields.value());
  if (!checked.ok()) return ErrorReply(checked.error());
  const bool is_answered = served.is_answered(checked.value());
  if (served.is_job() && !is_answered)
    return Queue(parts, served, request, fields.value(), checked.value());
  const auto answer =
      parts.answers.Get("", "", LaneOf(operation, checked.value()), [&]() -> Result<Reply> {
        XSP_TRY(const api::Document document, DocumentFor(parts, operation, checked.value()));
        return Reply{.body = api::JsonText(document) + "\n"};
      });
  if (operation.effect != api::Effect::kReads && !is_answered) parts.store.Changed();
  if (!answer.ok()) return ErrorReply(answer.error());
  Reply reply = answer.value()->reply;
  reply.headers.emplace_back("Cache-Control", "no-store");
  return reply;
}

}  // namespace

void AddOperationRoutes(const ServiceParts& parts, Router* router) {
  for (const ServedOperation& served : ServedOperations()) {
    if (served.is_read())
      router->Add({.method = "GET",
                   .pattern = served.path(),
                   .role = Role::kView,
                   .answer = [&parts, &served](const Request& request) {
                     return Read(parts, served, request);
                   }});
    router->Add({.method = "POST",
                 .pattern = served.path(),
                 .role = served.role(),
                 .answer = [&parts, &served](const Request& request) {
                   return Post(parts, served, request);
                 }});
  }
}

}  // namespace xsp::serve
