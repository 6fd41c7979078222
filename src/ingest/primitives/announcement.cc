#include "ingest/primitives/announcement.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "ingest/primitives/cost.h"

namespace xsp::primitives {
namespace {

constexpr std::array<std::string_view, 3> kOneDnnPrefixes = {"onednn_verbose,", "dnnl_verbose,",
                                                             "mkldnn_verbose,"};
constexpr std::string_view kMklPrefix = "MKL_VERBOSE ";
constexpr std::size_t kMostFields = 64;
constexpr double kLongestNs = 9e18;

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t cut = text.find(separator);
    parts.push_back(text.substr(0, cut));
    if (cut == std::string_view::npos || parts.size() == kMostFields) return parts;
    text.remove_prefix(cut + 1);
  }
}

std::optional<std::int64_t> ParseTime(std::string_view text, double ns_per_unit) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  const double ns = value * ns_per_unit;
  if (!(ns >= 0) || ns > kLongestNs) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(ns));
}

bool IsDtype(std::string_view text) { return text == "undef" || DtypeBytes(text) > 0; }

bool IsEngine(std::string_view text) { return text.starts_with("cpu") || text.starts_with("gpu"); }

// "onednn_verbose,v1,1795259829577.75,primitive,exec,cpu,convolution,..." without everything up to
// and including "exec,"; empty when the line is no executed primitive.
std::string_view AfterExec(std::string_view line) {
  const auto prefix = std::find_if(kOneDnnPrefixes.begin(), kOneDnnPrefixes.end(),
                                   [&](std::string_view p) { return line.starts_with(p); });
  if (prefix == kOneDnnPrefixes.end()) return {};
  line.remove_prefix(prefix->size());
  // Version, time stamp and component are each optional: at most three fields before the operation.
  for (int field = 0; field < 4; ++field) {
    const std::size_t cut = line.find(',');
    if (cut == std::string_view::npos) return {};
    const std::string_view text = line.substr(0, cut);
    line.remove_prefix(cut + 1);
    if (text == "exec" || text.starts_with("exec:")) return line;
    const bool may_lead = text == "v0" || text == "v1" || text == "primitive" ||
                          (!text.empty() && text[0] >= '0' && text[0] <= '9');
    if (!may_lead) return {};
  }
  return {};
}

// v1 "src:f32:a:blocked:abcd::f0", v0 "src_f32::blocked:abcd:f0", 0.x "fsrc:nChw8c", "in:f32_nchw".
Descriptor ParseDescriptor(std::string_view text) {
  const auto parts = Split(text, ':');
  const auto part = [&](std::size_t i) {
    return i < parts.size() ? std::string(parts[i]) : std::string();
  };
  Descriptor descriptor;
  if (parts.size() > 1 && IsDtype(parts[1])) {
    descriptor.role = part(0);
    descriptor.dtype = part(1);
    descriptor.layout = part(3);
    descriptor.tag = part(4);
    descriptor.extra = part(6);
    return descriptor;
  }
  const std::string_view first = parts[0];
  for (std::size_t cut = first.find('_'); cut != std::string_view::npos;
       cut = first.find('_', cut + 1)) {
    if (!IsDtype(first.substr(cut + 1))) continue;
    descriptor.role = std::string(first.substr(0, cut));
    descriptor.dtype = std::string(first.substr(cut + 1));
    descriptor.layout = part(2);
    descriptor.tag = part(3);
    descriptor.extra = part(parts.size() > 5 ? 5 : 4);
    return descriptor;
  }
  descriptor.role = std::string(first.starts_with('f') ? first.substr(1) : first);
  if (descriptor.role == "in") descriptor.role = "src";
  if (descriptor.role == "out") descriptor.role = "dst";
  const std::string_view format = parts.size() > 1 ? parts[1] : std::string_view();
  const std::size_t cut = format.find('_');
  if (cut != std::string_view::npos && IsDtype(format.substr(0, cut))) {
    descriptor.dtype = std::string(format.substr(0, cut));
    descriptor.tag = std::string(format.substr(cut + 1));
  } else {
    descriptor.tag = std::string(format);
  }
  return descriptor;
}

std::vector<Descriptor> ParseDescriptors(std::string_view text) {
  std::vector<Descriptor> descriptors;
  for (const std::string_view part : Split(text, ' ')) {
    if (part.empty()) continue;
    Descriptor descriptor = ParseDescriptor(part);
    if (descriptor.dtype != "undef") descriptors.push_back(std::move(descriptor));
  }
  return descriptors;
}

std::optional<Announcement> ParseOneDnn(std::string_view rest) {
  auto fields = Split(rest, ',');
  if (fields.size() == kMostFields) return std::nullopt;
  if (IsEngine(fields[0])) fields.erase(fields.begin());
  // kind, implementation, propagation, descriptors, [attributes,] auxiliary, problem, time. Old
  // attributes hold commas, so both ends are counted and the middle is theirs.
  const std::size_t count = fields.size();
  if (count < 7) return std::nullopt;
  const auto time = ParseTime(fields[count - 1], 1e6);
  if (!time.has_value() || fields[0].empty()) return std::nullopt;
  Announcement announcement;
  announcement.library = Library::kOneDnn;
  announcement.kind = std::string(fields[0]);
  announcement.implementation = std::string(fields[1]);
  announcement.propagation = std::string(fields[2]);
  announcement.descriptors = ParseDescriptors(fields[3]);
  for (std::size_t i = 4; i + 3 < count; ++i) {
    if (i > 4) announcement.attributes += ',';
    announcement.attributes += fields[i];
  }
  announcement.auxiliary = std::string(fields[count - 3]);
  announcement.problem = std::string(fields[count - 2]);
  announcement.execution_time_ns = *time;
  return announcement;
}

// "103.91us" -> ns.
std::optional<std::int64_t> ParseMklTime(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  for (const auto& [unit, ns] : kUnits)
    if (text.ends_with(unit)) return ParseTime(text.substr(0, text.size() - unit.size()), ns);
  return std::nullopt;
}

bool IsRoutineCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "SGEMM" -> "gemm". A routine without a type letter, or that has no formula, keeps its name.
std::string MklKind(std::string_view routine) {
  constexpr std::array<std::string_view, 14> kTyped = {"GEMM",  "GEMM_BATCH", "GEMM_BATCH_STRIDED",
                                                       "GEMV",  "DOT",        "AXPY",
                                                       "SCAL",  "GER",        "SYRK",
                                                       "TRSM",  "TRMM",       "POTRF",
                                                       "GETRF", "GETRS"};
  std::string kind(routine);
  const bool typed =
      !routine.empty() && std::string_view("SDCZ").find(routine[0]) != std::string_view::npos;
  if (typed && std::find(kTyped.begin(), kTyped.end(), routine.substr(1)) != kTyped.end())
    kind.erase(0, 1);
  if (routine.starts_with("GEMM_")) kind = "GEMM";  // GEMM_BF16BF16F32, GEMM_S8U8S32, ...
  std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return kind;
}

// "SGEMM(N,N,96,64,128,0x7ffd30989160,...) 103.91us CNR:OFF Dyn:0 FastMM:1 TID:0  NThr:2"
std::optional<Announcement> ParseMkl(std::string_view rest) {
  const std::size_t open = rest.find('(');
  const std::size_t close = rest.find(") ", open == std::string_view::npos ? 0 : open);
  if (open == 0 || open == std::string_view::npos || close == std::string_view::npos)
    return std::nullopt;
  const std::string_view routine = rest.substr(0, open);
  if (!std::all_of(routine.begin(), routine.end(), IsRoutineCharacter)) return std::nullopt;
  const std::string_view arguments = rest.substr(open + 1, close - open - 1);
  const std::string_view tail = Trim(rest.substr(close + 2));
  const auto time = ParseMklTime(tail.substr(0, tail.find(' ')));
  if (!time.has_value()) return std::nullopt;
  Announcement announcement;
  announcement.library = Library::kMkl;
  announcement.kind = MklKind(routine);
  announcement.implementation = std::string(routine);
  announcement.execution_time_ns = *time;
  for (std::string_view argument : Split(arguments, ',')) {
    if (!announcement.problem.empty()) announcement.problem += ',';
    const std::size_t address = argument.find("0x");
    announcement.problem += argument.substr(0, address);
    if (address != std::string_view::npos) announcement.problem += '*';
  }
  return announcement;
}

// The text behind "MKL_VERBOSE " of a call: routine in capitals, then "(". The version line is
// "MKL_VERBOSE oneMKL 2024.0 Update 2 Product build ... for Intel(R) 64 architecture".
std::string_view AfterMklPrefix(std::string_view line) {
  if (!line.starts_with(kMklPrefix)) return {};
  line.remove_prefix(kMklPrefix.size());
  const std::size_t open = line.find('(');
  if (open == 0 || open == std::string_view::npos) return {};
  const std::string_view routine = line.substr(0, open);
  return std::all_of(routine.begin(), routine.end(), IsRoutineCharacter) ? line
                                                                         : std::string_view();
}

}  // namespace

bool IsExecution(std::string_view line) {
  line = Trim(line);
  return !AfterExec(line).empty() || !AfterMklPrefix(line).empty();
}

std::optional<Announcement> ParseAnnouncement(std::string_view line) {
  line = Trim(line);
  if (const std::string_view rest = AfterExec(line); !rest.empty()) return ParseOneDnn(rest);
  if (const std::string_view rest = AfterMklPrefix(line); !rest.empty()) return ParseMkl(rest);
  return std::nullopt;
}

std::string KernelName(const Announcement& announcement) {
  std::string name = announcement.kind;
  if (announcement.implementation.empty()) return name;
  name += announcement.library == Library::kMkl ? " mkl:" : " ";
  return name + announcement.implementation;
}

}  // namespace xsp::primitives
