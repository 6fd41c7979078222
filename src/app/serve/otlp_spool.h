#ifndef XSP_APP_SERVE_OTLP_SPOOL_H_
#define XSP_APP_SERVE_OTLP_SPOOL_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/result.h"

namespace xsp::serve {

/// Batches of OTLP that have arrived, on disk, until their service has been silent for a while;
/// then they are one file to import. A batch that Add() took is still there after a crash, and
/// whoever is started next imports it; after a crash while it is handed over, twice.
/// Threading: any thread.
class OtlpSpool {
 public:
  using Clock = std::chrono::steady_clock;
  struct Settings {
    std::filesystem::path folder;  ///< Holds a folder for each group.
    std::int64_t most_bytes = 0;   ///< Of all batches together.
    std::chrono::milliseconds silence{30'000};
    /// Takes a file over (moves it) and has it imported as an experiment of this name. An error:
    /// it is asked again later. Called without a lock.
    std::function<Status(const std::filesystem::path& file, const std::string& name)> import;
    std::function<Clock::time_point()> now = &Clock::now;
    bool has_thread = true;  ///< Closes silent groups by itself; else CloseSilent() does.
  };

  explicit OtlpSpool(Settings settings);
  ~OtlpSpool();
  OtlpSpool(const OtlpSpool&) = delete;
  OtlpSpool& operator=(const OtlpSpool&) = delete;

  /// Stores a batch, synced. `service`: whose name groups batches and names the experiment.
  /// `ending`: "json" or "pb". Errors: kEnvironment (most_bytes, no space).
  Status Add(std::string_view service, std::string_view ending, std::string_view batch);

  /// Hands over what has been silent.
  void CloseSilent();

 private:
  struct Group {
    std::filesystem::path folder;  ///< NUMBER-ENDING-SERVICE
    std::string name, ending;
    std::int64_t bytes = 0;
    std::uint64_t batches = 0;  ///< Numbers of files.
    Clock::time_point last;
    bool is_closing = false;
  };
  void Load();
  Group* OpenGroup(const std::string& name, std::string_view ending);
  Status Import(const Group& group);
  void Run(const std::stop_token& stop);

  const Settings settings_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::vector<Group> groups_;
  std::int64_t bytes_ = 0;
  std::uint64_t next_group_ = 1;
  std::jthread thread_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_OTLP_SPOOL_H_
