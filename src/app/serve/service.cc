#include "app/serve/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>

#include "app/serve/queued_import.h"
#include "app/serve/same_origin.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

/// Of everything but pages, which have a policy of their own.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

/// Names of folders in the store's hidden folder .serve.
fs::path StateFolder(const fs::path& store) { return store / ".serve"; }

JobQueue::Settings QueueOf(const Service::Settings& settings, AnswerCache* answers,
                           StoreState* store, Uploads* uploads) {
  const std::string program = settings.program.string();
  const std::string folder = settings.context.store.string();
  return {.folder = StateFolder(settings.context.store) / "jobs",
          .machine_lock = settings.machine_lock,
          .store = settings.context.store,
          .program =
              [=](const std::string& operation) {
                return std::vector<std::string>{program, "--store", folder, "perform", operation};
              },
          .on_begin = [answers] { answers->SetMeasuring(true); },
          .on_end =
              [=](const Job& job) {
                answers->SetMeasuring(false);
                store->Changed();
                const auto files = job.request.find("file");
                if (job.state != JobState::kDone || files == job.request.end()) return;
                for (const auto& file : *files)
                  if (file.is_string()) uploads->Remove(file.get<std::string>());
              }};
}

/// Queues the import of spans that have arrived.
OtlpSpool::Settings SpoolOf(const Service::Settings& settings, Uploads* uploads, JobQueue* jobs) {
  return {.folder = StateFolder(settings.context.store) / "otlp",
          .most_bytes = settings.upload_bytes,
          .silence = settings.otlp_silence,
          .import = [=](const fs::path& file, const std::string& name) {
            return QueueImport(file, name, uploads, jobs);
          }};
}

api::ReachableFiles FilesOf(const Service::Settings& settings) {
  const fs::path uploads = StateFolder(settings.context.store) / "uploads";
  api::ReachableFiles files{settings.context.store, {uploads}, settings.models};
  if (settings.model_uploads) files.models.push_back(uploads);
  return files;
}

bool ChangesSomething(std::string_view method) { return method != "GET" && method != "HEAD"; }

/// Its pages have addresses that only the application knows.
bool IsPageOfApplication(const Request& request) {
  return !ChangesSomething(request.method) && !request.path.starts_with("/api/") &&
         !request.path.starts_with("/pages/") && !request.path.starts_with("/assets/");
}

void AddHeader(Reply* reply, const char* name, const char* value) {
  const bool has_it =
      std::ranges::any_of(reply->headers, [&](const auto& header) { return header.first == name; });
  if (!has_it) reply->headers.emplace_back(name, value);
}

}  // namespace

Service::Service(Settings settings)
    : settings_(std::move(settings)),
      files_(FilesOf(settings_)),
      access_(settings_.access),
      store_(settings_.context.store),
      answers_(settings_.answers),
      uploads_(StateFolder(settings_.context.store) / "uploads", settings_.upload_bytes),
      jobs_(QueueOf(settings_, &answers_, &store_, &uploads_)),
      otlp_(SpoolOf(settings_, &uploads_, &jobs_)),
      assets_(settings_.application),
      parts_{settings_.context,
             files_,
             access_,
             store_,
             answers_,
             jobs_,
             uploads_,
             otlp_,
             assets_,
             settings_.tools,
             settings_.model_uploads} {
  AddOperationRoutes(parts_, &router_);
  AddPageRoutes(parts_, &router_);
  AddJobRoutes(parts_, &router_);
  AddUploadRoutes(parts_, &router_);
  AddOtlpRoutes(parts_, &router_);
  AddSessionRoutes(parts_, &router_);
  AddMcpRoutes(parts_, &router_);
  AddDescriptionRoutes(&router_);
  AddApplicationRoutes(parts_, &router_);
}

bool Service::ReadsBodyItself(const Request& request) const {
  std::map<std::string, std::string, std::less<>> captured;
  const Route* route = router_.Find(request.method, request.path, &captured);
  return route != nullptr && route->reads_body_itself;
}

Reply Service::LogInByAddress(const Request& request) {
  const auto logged_in = access_.LogIn({{"token", request.QueryValue("token")}});
  // Browsers read "//name" and "/\\name" as another server.
  const bool is_own = request.path.find_first_of("/\\", 1) != 1 &&
                      request.path.find_first_of("\r\n") == std::string::npos;
  Reply reply{
      .status = 303, .content_type = {}, .headers = {{"Location", is_own ? request.path : "/"}}};
  if (logged_in.ok()) reply.headers.emplace_back("Set-Cookie", logged_in.value().cookie);
  return reply;
}

Reply Service::Refusal(const Request& request, int status, std::string_view kind,
                       std::string_view what, std::string_view hint) const {
  std::map<std::string, std::string, std::less<>> captured;
  const Route* route = router_.Find(request.method, request.path, &captured);
  if (route != nullptr && route->refuse != nullptr) return route->refuse(request, status, what);
  return ErrorReply(status, kind, what, hint);
}

Reply Service::Answer(Request& request) {
  request.identity = access_.Identify(request);
  const Route* route = router_.Find(request.method, request.path, &request.captured);
  if (route == nullptr) {
    const std::string methods = router_.MethodsOf(request.path);
    if (methods.empty() && IsPageOfApplication(request)) return assets_.Index();
    if (methods.empty())
      return ErrorReply(404, "not_found", "no such address",
                        "GET /api/v1/openapi.json describes them all.");
    Reply reply = ErrorReply(405, "usage", "this address has no method " + request.method,
                             "It has " + methods + ".");
    reply.headers.emplace_back("Allow", methods);
    return reply;
  }
  if (request.identity.role >= route->role) return route->answer(request);
  if (request.identity.role == Role::kNone) {
    Reply reply =
        Refusal(request, 401, "unauthorized", "not logged in",
                access_.has_users()
                    ? "Log in: POST `user` and `password` to /api/v1/session, which sets a cookie."
                    : "Open the address that the server printed, or send its token as "
                      "`Authorization: Bearer TOKEN`.");
    reply.headers.emplace_back(
        "WWW-Authenticate",
        access_.has_users() ? R"(Bearer, Password realm="/api/v1/session")" : "Bearer");
    return reply;
  }
  return Refusal(request, 403, "forbidden", "this takes the role measure",
                 "Ask who runs this server for it.");
}

Reply Service::Dispatch(Request& request) {
  if (!IsKnownHost(request, settings_.hosts))
    return Refusal(request, 421, "forbidden", "this server has another name",
                   "Start it with --host NAME to serve that name.");
  if (!Access::HasBearer(request) && !IsSameOrigin(request)) {
    const bool is_navigation = request.Header("sec-fetch-mode") == "navigate" &&
                               !ChangesSomething(request.method) &&
                               !request.path.starts_with("/api/");
    if (!is_navigation)
      return Refusal(request, 403, "forbidden", "the request comes from a page of another server",
                     "");
  }
  const bool logs_in = !request.path.starts_with("/api/") && !ChangesSomething(request.method) &&
                       request.query.contains("token");
  return logs_in ? LogInByAddress(request) : Answer(request);
}

Reply Service::Handle(Request request) {
  Reply reply;
  try {
    reply = Dispatch(request);
  } catch (const std::exception& exception) {
    fmt::print(stderr, "internal error: {} {}: {}\n", request.method, request.path,
               exception.what());
    reply = ErrorReply(500, "internal", "internal error",
                       "The server's output says more. Please report it.");
  }
  AddHeader(&reply, "Content-Security-Policy", kPolicy);
  AddHeader(&reply, "X-Content-Type-Options", "nosniff");
  AddHeader(&reply, "Referrer-Policy", "no-referrer");
  AddHeader(&reply, "Cross-Origin-Resource-Policy", "same-origin");
  AddHeader(&reply, "Cross-Origin-Opener-Policy", "same-origin");
  AddHeader(&reply, "Cache-Control", "no-store");
  return reply;
}

}  // namespace xsp::serve
