#include <fmt/format.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/shell.h"
#include "app/serve/http_server.h"
#include "app/serve/listen_address.h"
#include "app/serve/same_origin.h"
#include "app/serve/secrets.h"
#include "app/serve/service.h"
#include "app/serve/store_lock.h"
#include "app/serve/user_file.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

constexpr double kBytesPerGb = 1e9;
constexpr std::size_t kShortestToken = 16;

struct Options {
  std::string listen = "127.0.0.1:7077";
  std::vector<std::string> hosts;
  fs::path token_file, users, certificate, key;
  bool behind_proxy = false;
  bool read_only = false;
  std::vector<fs::path> models;
  bool model_uploads = false;
  double upload_limit_gb = 8;
  double sql_time_s = 10;
  double otlp_silence_s = 30;
  bool hash_password = false;
  std::vector<std::string> mcp_allow;
};

/// A line of standard input, not shown on a terminal.
std::string ReadPassword() {
  termios shown{};
  const bool is_terminal = tcgetattr(STDIN_FILENO, &shown) == 0;
  if (is_terminal) {
    termios hidden = shown;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
    fmt::print(stderr, "Password: ");
  }
  std::string password;
  std::getline(std::cin, password);
  if (is_terminal) {
    tcsetattr(STDIN_FILENO, TCSANOW, &shown);
    fmt::print(stderr, "\n");
  }
  return password;
}

Result<int> PrintHash() {
  const std::string password = ReadPassword();
  if (password.size() < 8)
    return Error{ErrorKind::kUsage, "a password has at least 8 characters", ""};
  XSP_TRY(const std::string hash, HashPassword(password));
  fmt::print("{}\n", hash);
  return 0;
}

/// The token of the file, or a new one.
Result<std::string> TokenOf(const Options& options) {
  if (options.token_file.empty()) return RandomToken();
  XSP_TRY(std::string token, os::ReadFile(options.token_file, 4096));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  if (token.size() < kShortestToken)
    return Error{ErrorKind::kBadInput,
                 fmt::format("a token has at least {} characters: {}", kShortestToken,
                             options.token_file.string()),
                 fmt::format("openssl rand -hex 32 > {}", options.token_file.string())};
  return token;
}

Status CheckListening(const Options& options, const ListenAddress& address) {
  if (options.certificate.empty() != options.key.empty())
    return Error{ErrorKind::kUsage, "--certificate and --key belong together", ""};
  if (address.is_loopback() || !options.certificate.empty() || options.behind_proxy) return Ok{};
  return Error{ErrorKind::kUsage,
               fmt::format("others could read the token on the way to {}", address.host),
               "Give --certificate and --key, or --behind-proxy where a proxy encrypts; or listen "
               "on 127.0.0.1 and use `ssh -L 7077:127.0.0.1:7077`."};
}

std::vector<std::string> HostsOf(const Options& options, const ListenAddress& address) {
  std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1", HostWithoutPort(address.host)};
  if (address.host.find(':') != std::string::npos) hosts.back() = address.host;
  char name[256] = {};
  if (!address.is_loopback() && gethostname(name, sizeof name - 1) == 0)
    hosts.push_back(HostWithoutPort(name));
  for (const std::string& host : options.hosts) hosts.push_back(HostWithoutPort(host));
  return hosts;
}

Result<Service::Settings> SettingsOf(const api::Context& context, const Options& options,
                                     const ListenAddress& address, const std::string& token) {
  Service::Settings settings;
  settings.context = context;
  settings.context.query_limits = {.time_s = options.sql_time_s,
                                   .rows = 100'000,
                                   .text_bytes = std::size_t{32} << 20,
                                   .memory_bytes = std::size_t{1} << 30};
  settings.access.token = token;
  if (!options.users.empty()) {
    XSP_TRY(settings.access.users, ReadUserFile(options.users));
  }
  settings.access.highest = options.read_only ? Role::kView : Role::kMeasure;
  settings.access.is_secure = !options.certificate.empty() || options.behind_proxy;
  settings.access.cookie_suffix = fmt::format("-{}", address.port);
  settings.hosts = HostsOf(options, address);
  settings.tools = {.allow_import = std::ranges::count(options.mcp_allow, "import") > 0,
                    .allow_run = std::ranges::count(options.mcp_allow, "run") > 0};
  for (const fs::path& models : options.models) {
    std::error_code error;
    settings.models.push_back(fs::weakly_canonical(models, error));
  }
  settings.model_uploads = options.model_uploads;
  settings.upload_bytes = static_cast<std::int64_t>(options.upload_limit_gb * kBytesPerGb);
  settings.otlp_silence =
      std::chrono::milliseconds(static_cast<std::int64_t>(options.otlp_silence_s * 1000));
  settings.application = os::DataRoot() / "web" / "dist" / "app";
  settings.machine_lock = os::CacheFolder() / "measuring.lock";
  settings.program = os::ExecutableFolder() / "xsp";
  return settings;
}

/// Stops the server at the first request to stop.
std::jthread StopWhenAsked(os::Interrupts& interrupts, HttpServer* server) {
  return std::jthread([&interrupts, server](const std::stop_token& stop) {
    constexpr int kLookAgain_ms = 200;
    while (!stop.stop_requested() && !interrupts.stop()) {
      pollfd wake{interrupts.wake_fd(), POLLIN, 0};
      poll(&wake, 1, kLookAgain_ms);
    }
    server->Stop();
  });
}

Result<int> Serve(const api::Context& context, const Options& options) {
  if (options.hash_password) return PrintHash();
  XSP_TRY(ListenAddress address, ParseListenAddress(options.listen));
  XSP_RETURN_IF_ERROR(CheckListening(options, address));
  XSP_TRY(const std::string token, TokenOf(options));
  api::Context own = context;
  std::error_code error;
  own.store = fs::weakly_canonical(fs::absolute(context.store, error), error);
  XSP_TRY(const StoreLock lock, StoreLock::Take(own.store / ".serve"));
  XSP_TRY(Service::Settings settings, SettingsOf(own, options, address, token));
  os::Interrupts& interrupts = context.interrupts();
  Service service(std::move(settings));
  XSP_TRY(const std::unique_ptr<HttpServer> server,
          HttpServer::Bind({.address = address.host,
                            .port = address.port,
                            .certificate = options.certificate,
                            .key = options.key,
                            .requests_per_connection =
                                options.behind_proxy ? std::size_t{1} : std::size_t{10'000}},
                           &service));
  fmt::print("{}://{}/{}\n", options.certificate.empty() ? "http" : "https",
             address.Text(server->port()), options.users.empty() ? "?token=" + token : "");
  std::fflush(stdout);
  fmt::print(stderr, "Serves {}. Stop with Ctrl-C.\n", own.store.string());
  const std::jthread stopper = StopWhenAsked(interrupts, server.get());
  XSP_RETURN_IF_ERROR(server->Run());
  return 0;
}

void AddAddressFields(core::RequestFields& fields, Options* options) {
  fields.Add("listen", &options->listen,
             {.help = "Address and port; port 0 takes a free one", .value_name = "HOST:PORT"});
  fields.Add("host", &options->hosts,
             {.help = "A further name that browsers reach this server by",
              .value_name = "NAME",
              .list = core::ListStyle::kRepeated});
  fields.Add("certificate", &options->certificate,
             {.help = "Certificate for HTTPS, as PEM", .value_name = "FILE"});
  fields.Add("key", &options->key, {.help = "Its private key, as PEM", .value_name = "FILE"});
  fields.Add("behind_proxy", &options->behind_proxy,
             {.help = "A proxy on the way encrypts and passes the Host header on"});
}

void AddUserFields(core::RequestFields& fields, Options* options) {
  fields.Add("token_file", &options->token_file,
             {.help = "Take the token from this file",
              .value_name = "FILE",
              .or_default = "a new one at each start"});
  fields.Add("users", &options->users,
             {.help = "People log in by this file: lines NAME:ROLE:HASH, ROLE view or measure",
              .value_name = "FILE"});
  fields.Add("hash_password", &options->hash_password,
             {.help = "Read a password and print its HASH for the user file"});
  fields.Add("read_only", &options->read_only, {.help = "Nobody may measure, upload or change"});
}

api::ShellLoop Declare(core::RequestFields& fields, const api::Context& context) {
  auto options = std::make_shared<Options>();
  AddAddressFields(fields, options.get());
  AddUserFields(fields, options.get());
  fields.Add("models", &options->models,
             {.help = "A folder that models may be taken from, besides the zoo",
              .value_name = "DIR",
              .list = core::ListStyle::kRepeated});
  fields.Add("model_uploads", &options->model_uploads,
             {.help = "The role measure may also upload models: some formats run code as the user "
                      "of this server"});
  fields.Add("mcp_allow", &options->mcp_allow,
             {.help = "Tools of agents at /mcp besides those that read, for the role measure",
              .value_name = "TOOL,...",
              .allowed = {"import", "run"},
              .list = core::ListStyle::kCommas});
  fields.Add("upload_limit", &options->upload_limit_gb,
             {.help = "Of all uploaded files together", .unit = "GB", .range = core::kPositive});
  fields.Add("sql_time", &options->sql_time_s,
             {.help = "Of one SQL statement", .unit = "s", .range = core::kPositive});
  fields.Add("otlp_silence", &options->otlp_silence_s,
             {.help = "Spans sent to /v1/traces are imported once their service has been silent",
              .unit = "s",
              .range = core::kPositive});
  return [&context, options] { return Serve(context, *options); };
}

}  // namespace

extern const api::ShellSpec kShell;
constinit const api::ShellSpec kShell = {
    .name = "serve",
    .summary = "Serves a store to browsers and programs: results, pages, SQL, measurements",
    .example =
        "xsp serve --store results\n"
        "         xsp serve --hash-password\n"
        "         xsp serve --listen 0.0.0.0:7077 --users users.txt --certificate cert.pem "
        "--key key.pem",
    .declare = Declare,
};

}  // namespace xsp::serve
