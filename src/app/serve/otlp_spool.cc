#include "app/serve/otlp_spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <utility>

#include "os/files.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestServiceName = 60;
constexpr std::chrono::milliseconds kRetryAfter(5'000);

/// The part of a service's name that is safe as the name of a folder and of an experiment.
std::string SafeServiceName(std::string_view service) {
  std::string safe;
  for (const char c : service.substr(0, kLongestServiceName)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (is_plain || (!safe.empty() && safe.back() != '-')) safe += is_plain ? c : '-';
  }
  return safe.empty() ? "otlp" : safe;
}

fs::path BatchFile(const fs::path& folder, std::uint64_t number) {
  return folder / fmt::format("{:012}.batch", number);
}

/// The batches one after another: requests in JSON are read so, and so are those in protobuf, whose
/// repeated fields add up.
Status Join(const fs::path& folder, const fs::path& file) {
  std::vector<fs::path> batches;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".batch") batches.push_back(it->path());
  std::ranges::sort(batches);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (const fs::path& batch : batches) {
    std::ifstream in(batch, std::ios::binary);
    out << in.rdbuf();
  }
  out.close();
  if (!error && out) return Ok{};
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot join the batches in {}", folder.string()),
               "Free space on the store's disk."};
}

}  // namespace

OtlpSpool::OtlpSpool(Settings settings) : settings_(std::move(settings)) {
  Load();
  if (settings_.has_thread)
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
}

OtlpSpool::~OtlpSpool() = default;

void OtlpSpool::Load() {
  std::error_code error;
  for (fs::directory_iterator it(settings_.folder, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    const std::size_t first = name.find('-'), second = name.find('-', first + 1);
    std::uint64_t number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (second == std::string::npos || number == 0) continue;
    Group group{.folder = it->path(),
                .name = name.substr(second + 1),
                .ending = name.substr(first + 1, second - first - 1),
                .last = settings_.now()};
    for (fs::directory_iterator file(group.folder, error), last; !error && file != last;
         file.increment(error)) {
      if (file->path().extension() != ".batch") continue;
      std::uint64_t batch = 0;
      const std::string stem = file->path().stem().string();
      std::from_chars(stem.data(), stem.data() + stem.size(), batch);
      group.batches = std::max(group.batches, batch);
      group.bytes += static_cast<std::int64_t>(file->file_size(error));
    }
    bytes_ += group.bytes;
    next_group_ = std::max(next_group_, number + 1);
    groups_.push_back(std::move(group));
  }
}

OtlpSpool::Group* OtlpSpool::OpenGroup(const std::string& name, std::string_view ending) {
  const auto open = std::ranges::find_if(groups_, [&](const Group& group) {
    return !group.is_closing && group.name == name && group.ending == ending;
  });
  if (open != groups_.end()) return &*open;
  const fs::path folder = settings_.folder / fmt::format("{}-{}-{}", next_group_++, ending, name);
  std::error_code error;
  fs::create_directories(folder, error);
  groups_.push_back({.folder = folder, .name = name, .ending = std::string(ending), .last = {}});
  return &groups_.back();
}

Status OtlpSpool::Add(std::string_view service, std::string_view ending, std::string_view batch) {
  const auto size = static_cast<std::int64_t>(batch.size());
  const std::lock_guard lock(mutex_);
  if (size > settings_.most_bytes - bytes_)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("spans that wait for their import may have {} bytes together",
                             settings_.most_bytes),
                 "Send again later, or start the server with a larger `xsp serve --upload-limit`."};
  Group* group = OpenGroup(SafeServiceName(service), ending);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(BatchFile(group->folder, group->batches + 1), batch));
  ++group->batches;
  group->bytes += size;
  group->last = settings_.now();
  bytes_ += size;
  wake_.notify_all();
  return Ok{};
}

Status OtlpSpool::Import(const Group& group) {
  const fs::path file = group.folder / fmt::format("{}.otlp.{}", group.name, group.ending);
  XSP_RETURN_IF_ERROR(Join(group.folder, file));
  XSP_RETURN_IF_ERROR(settings_.import(file, group.name));
  std::error_code error;
  fs::remove_all(group.folder, error);
  return Ok{};
}

void OtlpSpool::CloseSilent() {
  std::vector<Group> silent;
  {
    const std::lock_guard lock(mutex_);
    for (Group& group : groups_) {
      if (group.is_closing || settings_.now() - group.last < settings_.silence) continue;
      group.is_closing = true;
      silent.push_back(group);
    }
  }
  for (const Group& group : silent) {
    const Status status = group.batches == 0 ? Status(Ok{}) : Import(group);
    const std::lock_guard lock(mutex_);
    const auto it = std::ranges::find(groups_, group.folder, &Group::folder);
    if (status.ok()) {
      bytes_ -= group.bytes;
      groups_.erase(it);
    } else {
      fmt::print(stderr, "spans of {} wait for their import: {}\n", group.name,
                 status.error().what);
      it->is_closing = false;
      it->last = settings_.now() - settings_.silence + kRetryAfter;
    }
  }
}

void OtlpSpool::Run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    CloseSilent();
    std::unique_lock lock(mutex_);
    const auto earliest = std::ranges::min_element(groups_, {}, &Group::last);
    if (earliest == groups_.end()) {
      wake_.wait(lock, stop, [&] { return !groups_.empty(); });
    } else {
      wake_.wait_until(lock, stop, earliest->last + settings_.silence, [] { return false; });
    }
  }
}

}  // namespace xsp::serve
