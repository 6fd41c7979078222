#include "store/experiment_archive.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "store/experiment_copy.h"
#include "store/zip_file.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kListFile = "xsp-experiments.json";
constexpr std::int64_t kArchiveVersion = 1;
constexpr std::uint64_t kMaxListBytes = std::uint64_t{1} << 30;

Error NoArchive(const fs::path& file, std::string_view why) {
  return {ErrorKind::kBadInput,
          fmt::format("is no archive of experiments: {}: {}", file.string(), why),
          "`xsp store export` writes one; a trace is read by `xsp import`."};
}

json ToJson(const ArchivedExperiment& experiment) {
  json files = json::array();
  for (const IndexedFile& file : experiment.files)
    files.push_back({{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return {{"name", experiment.name}, {"files", std::move(files)}};
}

/// Nothing: it is not as ToJson() writes it.
std::optional<ArchivedExperiment> ExperimentOf(const json& object) {
  const auto is_text = [](const json& in, const char* key) {
    return in.is_object() && in.contains(key) && in[key].is_string();
  };
  if (!is_text(object, "name") || !object.contains("files") || !object["files"].is_array())
    return std::nullopt;
  ArchivedExperiment experiment{object["name"].get<std::string>(), {}};
  for (const json& file : object["files"]) {
    const bool is_file = is_text(file, "path") && is_text(file, "sha256") &&
                         file.contains("bytes") && file["bytes"].is_number_unsigned();
    if (!is_file) return std::nullopt;
    experiment.files.push_back({file["path"].get<std::string>(), file["bytes"].get<std::uint64_t>(),
                                file["sha256"].get<std::string>()});
  }
  return experiment;
}

Error Interrupted(std::string_view what, std::string hint) {
  return {ErrorKind::kInterrupted, fmt::format("interrupted: {}", what), std::move(hint)};
}

}  // namespace

Result<WrittenArchive> WriteArchive(const fs::path& store, const std::vector<std::string>& names,
                                    const fs::path& file, core::Progress& progress,
                                    const std::function<bool()>& is_stopped) {
  XSP_TRY(ZipWriter zip, ZipWriter::Create(file));
  WrittenArchive written;
  json list = json::array();
  std::vector<std::pair<std::string, fs::path>> members;
  for (const std::string& name : names) {
    if (is_stopped()) return Interrupted("no archive was written", "");
    progress.Step(
        fmt::format("reading {}", name),
        0.5 * static_cast<double>(written.experiments) / static_cast<double>(names.size()), -1);
    XSP_TRY(StoredFiles stored, FilesOf(store, name));
    for (const IndexedFile& one : stored.files) {
      members.emplace_back(fmt::format("{}/{}", name, one.path), stored.folder / one.path);
      written.bytes += one.bytes;
    }
    written.files += stored.files.size();
    list.push_back(ToJson({name, std::move(stored.files)}));
    ++written.experiments;
  }
  const json contents = {{"format_version", kArchiveVersion},
                         {"created", core::NowRfc3339()},
                         {"xsp", XSP_VERSION},
                         {"experiments", std::move(list)}};
  XSP_RETURN_IF_ERROR(zip.AddText(kListFile, core::JsonText(contents)));
  for (const auto& [name, path] : members)
    XSP_RETURN_IF_ERROR(zip.AddFile(name, path, path.extension() != ".parquet"));
  XSP_RETURN_IF_ERROR(zip.Finish([&](double share) {
    progress.Step(fmt::format("writing {}", file.filename().string()), 0.5 + share / 2, -1);
    return is_stopped();
  }));
  return written;
}

Result<std::vector<ArchivedExperiment>> ListArchive(const fs::path& file) {
  XSP_TRY(const ZipReader zip, ZipReader::Open(file));
  if (!zip.Has(kListFile)) return NoArchive(file, fmt::format("it has no {}", kListFile));
  XSP_TRY(const std::string text, zip.ReadText(kListFile, kMaxListBytes));
  const json contents = core::ParseJson(text);
  const auto version = contents.is_object() ? contents.find("format_version") : contents.end();
  if (version == contents.end() || !version->is_number_integer())
    return NoArchive(file, "its list is damaged");
  if (version->get<std::int64_t>() > kArchiveVersion)
    return Error{
        ErrorKind::kBadInput,
        fmt::format("{} was written by a newer XSP: version {}", file.string(), version->dump()),
        "Use that version of XSP."};
  std::vector<ArchivedExperiment> experiments;
  std::set<std::string> names;
  const auto listed = contents.find("experiments");
  if (listed == contents.end() || !listed->is_array())
    return NoArchive(file, "its list is damaged");
  for (const json& one : *listed) {
    auto experiment = ExperimentOf(one);
    if (!experiment || !names.insert(experiment->name).second)
      return NoArchive(file, "its list is damaged");
    experiments.push_back(std::move(*experiment));
  }
  return experiments;
}

Result<std::vector<Arrival>> ReadArchive(const fs::path& file,
                                         const std::vector<ArchivedExperiment>& wanted,
                                         const fs::path& store, core::Progress& progress,
                                         const std::function<bool()>& is_stopped) {
  XSP_TRY(const ZipReader zip, ZipReader::Open(file));
  std::vector<Arrival> arrivals;
  for (const ArchivedExperiment& experiment : wanted) {
    progress.Step(fmt::format("reading {}", experiment.name),
                  static_cast<double>(arrivals.size()) / static_cast<double>(wanted.size()), -1);
    // First, since it refuses names that lead elsewhere.
    XSP_TRY(IncomingExperiment incoming,
            IncomingExperiment::Begin(store, experiment.name, experiment.files));
    XSP_TRY(std::string same, NameOfSame(store, experiment.name, experiment.files));
    if (!same.empty()) {
      arrivals.push_back({std::move(same), true});
      continue;
    }
    for (const IndexedFile& one : experiment.files) {
      if (is_stopped())
        return Interrupted(
            fmt::format("{} of {} experiments are in the store", arrivals.size(), wanted.size()),
            "The same command brings the rest.");
      XSP_RETURN_IF_ERROR(zip.Extract(fmt::format("{}/{}", experiment.name, one.path), one.bytes,
                                      incoming.PlaceOf(one)));
    }
    XSP_TRY(Arrival arrival, incoming.Finish());
    arrivals.push_back(std::move(arrival));
  }
  return arrivals;
}

}  // namespace xsp::store
