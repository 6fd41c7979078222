#include "derive/experiments/replay_references.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "store/catalogue.h"
#include "store/directory.h"
#include "store/run_reader.h"

namespace xsp::experiments {

namespace fs = std::filesystem;

namespace {

/// Rungs that see launches and kernels.
constexpr std::array<std::string_view, 4> kRungs = {"kernel", "library", "imported", "recorded"};

bool SeesKernels(const store::Directory& run) {
  const auto rung = run.json.find("rung");
  // A run that does not say may.
  if (rung == run.json.end() || !rung->is_string()) return true;
  return std::find(kRungs.begin(), kRungs.end(), rung->get<std::string>()) != kRungs.end();
}

Status AddRun(const store::RunReader& reader, const fs::path& run, const std::string& name,
              correlate::ForeignSequences& sequences) {
  XSP_TRY(const store::Directory directory, store::Inspect(run));
  if (!SeesKernels(directory)) return Ok{};
  XSP_TRY(trace::Trace trace, reader.ReadSpans(run));
  correlate::AddForeignSequences(trace, name, sequences);
  return Ok{};
}

Status AddDirectory(const store::RunReader& reader, const fs::path& path,
                    correlate::ForeignSequences& sequences) {
  XSP_TRY(const store::Directory directory, store::Inspect(path));
  const std::string name = directory.path.filename().string();
  if (directory.kind == store::Directory::Kind::kRun) {
    const std::string experiment = directory.path.parent_path().filename().string();
    return AddRun(reader, path, experiment + "/" + name, sequences);
  }
  for (const store::RunFolder& run : directory.runs) {
    // The one run of an import goes by the experiment's name.
    const std::string label = directory.runs.size() == 1 ? name : name + "/" + run.name;
    XSP_RETURN_IF_ERROR(AddRun(reader, run.path, label, sequences));
  }
  return Ok{};
}

}  // namespace

Result<correlate::ForeignSequences> ReadReference(const fs::path& directory) {
  XSP_TRY(const store::RunReader reader, store::RunReader::Create());
  correlate::ForeignSequences sequences;
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(directory, error);
  XSP_RETURN_IF_ERROR(AddDirectory(reader, error ? directory : absolute, sequences));
  if (sequences.list.empty()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("run has no kernel with a launching operator: {}", directory.string()),
                 "A reference needs operators, launches and kernels, or the capture of a graph "
                 "whose launches name their kernels."};
  }
  return sequences;
}

correlate::ForeignSequences FindReferences(const fs::path& store, const std::string& model) {
  correlate::ForeignSequences sequences;
  const auto entries = store::List(store);
  const auto reader = store::RunReader::Create();
  if (!entries.ok() || !reader.ok()) return sequences;
  int told = 0, read = 0;
  for (auto entry = entries.value().rbegin(); entry != entries.value().rend(); ++entry) {
    if (entry->model != model || entry->status.starts_with("unreadable")) continue;
    if (told == kMostReferenceExperiments || read++ == kMostReadExperiments) break;
    const std::size_t before = sequences.list.size();
    const Status added = AddDirectory(reader.value(), entry->path, sequences);
    if (added.ok() && sequences.list.size() > before) ++told;
  }
  return sequences;
}

}  // namespace xsp::experiments
