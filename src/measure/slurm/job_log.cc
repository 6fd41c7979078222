#include "measure/slurm/job_log.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/json_text.h"

namespace xsp::slurm {

using nlohmann::json;

std::optional<JobProgress> ParseProgress(std::string_view line) {
  if (!line.starts_with(R"({"progress":)")) return std::nullopt;
  const json document = core::ParseJson(line);
  if (!document.is_object() || !document["progress"].is_object()) return std::nullopt;
  const json& read = document["progress"];
  const auto number = [&](const char* key) {
    const auto at = read.find(key);
    return at != read.end() && at->is_number() ? at->get<double>() : -1;
  };
  JobProgress progress;
  if (const auto step = read.find("step"); step != read.end() && step->is_string())
    progress.step = step->get<std::string>();
  progress.fraction = number("fraction");
  progress.remaining_s = number("remaining_s");
  return progress;
}

std::vector<std::string> JobLog::ReadNew() {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file_, error);
  if (error) return {};
  if (size < read_) {
    read_ = 0;
    begun_.clear();
    progress_.reset();
  }
  std::ifstream in(file_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(read_));
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  read_ += text.size();
  text.insert(0, begun_);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       begin = end + 1, end = text.find('\n', begin)) {
    std::string line = text.substr(begin, end - begin);
    if (auto progress = ParseProgress(line)) {
      progress_ = std::move(progress);
    } else if (!line.empty()) {
      lines.push_back(std::move(line));
    }
  }
  begun_ = text.substr(begin);
  return lines;
}

}  // namespace xsp::slurm
