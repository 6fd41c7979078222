#include "tests/sample_model.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

#include "os/subprocess.h"
#include "source_dir.h"
#include "tests/warm_python.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::workers_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = XSP_SOURCE_DIR;

std::string ReadText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> Pythons() {
  std::vector<std::string> pythons;
  const char* chosen = std::getenv("XSP_PYTHON");
  if (chosen && *chosen) pythons.emplace_back(chosen);
  pythons.emplace_back("python3");
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(kSource / ".deps", none)) {
    const fs::path python = entry.path() / "bin" / "python";
    if (fs::exists(python)) pythons.push_back(python.string());
  }
  return pythons;
}

/// What stands in `text` after `mark`, up to the end of the line; empty without it.
std::string RestOfLine(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return "";
  const std::size_t start = at + mark.size();
  return text.substr(start, text.find('\n', start) - start);
}

/// The modules that a maker says it needs; see zoo/README.md.
std::vector<std::string> Needs(const std::string& maker) {
  std::string list = RestOfLine(maker, "# needs:");
  std::replace(list.begin(), list.end(), ',', ' ');
  std::istringstream words(list);
  return {std::istream_iterator<std::string>(words), {}};
}

/// The file name that a model of the zoo has in a format; empty when it cannot be made in it.
std::string FileOf(const fs::path& folder, const std::string& format) {
  const std::string entry = RestOfLine(ReadText(folder / "manifest.yaml"), "  " + format + ":");
  const std::string file = RestOfLine(entry, "file:");
  const std::size_t start = std::min(file.find_first_not_of(' '), file.size());
  return file.substr(start, file.find_first_of(",} ", start) - start);
}

/// What a worker is given of what a maker wrote: FILE, else, as `xsp run` does, the graph among
/// several files that begin with its name.
fs::path GivenFile(const fs::path& folder, const std::string& file) {
  if (fs::exists(folder / file)) return folder / file;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(file) && entry.path().extension() == ".json") return entry.path();
  }
  return {};
}

/// Holds a file, which it makes, for itself alone among all processes: others wait.
class FileLock {
 public:
  explicit FileLock(const fs::path& file)
      : descriptor_(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock() {
    if (descriptor_ >= 0) close(descriptor_);
  }

 private:
  int descriptor_;
};

}  // namespace

bool RunsWell(const std::vector<std::string>& command) {
  os::SpawnOptions options;
  options.argv = command;
  const auto done = os::RunToEnd(options, std::chrono::minutes(5));
  return done.ok() && done.value().exit.success();
}

std::string PythonWith(const std::vector<std::string>& modules) {
  static std::map<std::vector<std::string>, std::string> known;
  const auto [answer, is_new] = known.try_emplace(modules);
  if (!is_new) return answer->second;
  std::string list;
  for (const std::string& module : modules) list += "'" + module + "',";
  const std::string program =
      "import importlib.util as u, sys; sys.exit(any(u.find_spec(m) is None for m in [" + list +
      "]))";
  for (const std::string& python : Pythons()) {
    if (!RunsWell({python, "-c", program})) continue;
    answer->second = python;
    break;
  }
  return answer->second;
}

fs::path ZooModel(const std::string& name, const std::string& format) {
  const fs::path folder = kSource / "zoo" / name;
  const fs::path own_maker = folder / ("make_" + format + ".py");
  const bool has_own = fs::exists(own_maker);
  const fs::path maker = has_own ? own_maker : kSource / "zoo/makers" / (format + ".py");
  const std::string file = FileOf(folder, format);
  if (file.empty() || !fs::exists(maker)) return {};
  const fs::path kept = fs::path(kTestWorkerFolder) / (name + "." + format);
  const auto is_made = [&] {
    return fs::exists(kept) && fs::last_write_time(kept) > fs::last_write_time(maker) &&
           (has_own || fs::last_write_time(kept) > fs::last_write_time(folder / "model.py"));
  };
  // Tests that run at once make it once.
  fs::create_directories(kept.parent_path());
  const FileLock lock(kept.string() + ".lock");
  if (is_made()) return GivenFile(kept, file);
  auto modules = Needs(ReadText(maker));
  // The maker runs the model's own code.
  if (ReadText(maker).find("# imports: model.py") != std::string::npos)
    modules.emplace_back("torch");
  const std::string python = PythonWith(modules);
  if (python.empty()) return {};
  const fs::path fresh = kept.string() + ".fresh";
  std::error_code ignored;
  fs::remove_all(fresh, ignored);
  fs::create_directories(fresh);
  std::vector<std::string> command = {maker.string()};
  if (!has_own) command.push_back(folder.string());
  command.push_back((fresh / file).string());
  if (!RunsScript(python, modules, command)) return {};
  fs::remove_all(kept, ignored);
  fs::rename(fresh, kept);
  fs::last_write_time(kept, fs::file_time_type::clock::now(), ignored);
  return GivenFile(kept, file);
}

SampleModel FindSample(const std::string& name, const json& description) {
  const fs::path own = kSource / "workers" / name / "sample_job.json";
  if (fs::exists(own)) {
    const json job = json::parse(ReadText(own), nullptr, false);
    if (!job.is_object()) return {{}, {}, false, "no JSON: " + own.string()};
    const json model = job.value("model", json::object());
    return {kSource / model.value("path", ""), model.value("inputs", json::array()), false, ""};
  }
  std::string tried;
  for (const json& model : description.value("models", json::array())) {
    const std::string format = model.value("format", "");
    tried += (tried.empty() ? "" : ", ") + format;
    const fs::path made = ZooModel("tiny", format);
    if (made.empty()) continue;
    const json inputs = {
        {{"name", "input"}, {"dtype", "float32"}, {"shape", {"batch", 3, 32, 32}}}};
    return {made, inputs, true, ""};
  }
  return {{}, {}, false, "no maker, or no Python for it, that makes zoo/tiny as: " + tried};
}

fs::path CutCopy(const fs::path& model, const fs::path& folder, double share) {
  // All that is in the sample's folder: a model may be several files.
  const fs::path from = model.parent_path();
  fs::copy(from, folder, fs::copy_options::recursive);
  fs::path largest;
  std::uintmax_t most = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string relative = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || !relative.starts_with(model.filename().string())) continue;
    if (largest.empty() || entry.file_size() > most) {
      largest = entry.path();
      most = entry.file_size();
    }
  }
  if (!largest.empty()) {
    fs::resize_file(largest, static_cast<std::uintmax_t>(static_cast<double>(most) * share));
  }
  return folder / model.filename();
}

}  // namespace xsp::workers_test
