#include "capture/sampling/sample_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "capture/sampling/registers.h"
#include "os/clocks.h"

namespace xsp::sampling {

SampleBuilder::SampleBuilder(double rate_hz, std::size_t most_samples)
    : most_samples_(std::max<std::size_t>(most_samples, 2)) {
  samples_.rate_hz = rate_hz;
  samples_.realtime_offset_ns = os::RealtimeOffsetNs();
}

void SampleBuilder::AddRunning(int pid) {
  Program& program = ProcessOf(pid);
  for (const Mapping& mapping : ReadMappings(pid)) program.image->Add(mapping);
  program.threads = 0;
  std::error_code error;
  const auto folder = fmt::format("/proc/{}/task", pid);
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    ++program.threads;
    std::ifstream name(entry.path() / "comm");
    std::getline(name, samples_.thread_names[std::atoi(entry.path().filename().c_str())]);
  }
}

void SampleBuilder::Take(std::span<const char> bytes) {
  auto record = ParseRecord(bytes, kRegisters);
  if (!record) {
    ++samples_.damaged;
  } else if (record->kind == EventRecord::Kind::kLost) {
    samples_.lost += record->lost;
  } else if (record->kind != EventRecord::Kind::kOther) {
    waiting_.push_back(std::move(*record));
  }
}

void SampleBuilder::Process(std::int64_t time_ns) {
  // Those of one moment stay in their order: a program's name comes before what it loads.
  std::stable_sort(
      waiting_.begin(), waiting_.end(),
      [](const EventRecord& a, const EventRecord& b) { return a.time_ns < b.time_ns; });
  auto at = waiting_.begin();
  for (; at != waiting_.end() && at->time_ns < static_cast<std::uint64_t>(time_ns); ++at) Use(*at);
  waiting_.erase(waiting_.begin(), at);
}

void SampleBuilder::Use(const EventRecord& record) {
  switch (record.kind) {
    case EventRecord::Kind::kSample:
      return UseSample(record);
    case EventRecord::Kind::kMapping:
      return UseMapping(record);
    case EventRecord::Kind::kFork:
      return UseFork(record);
    case EventRecord::Kind::kExit:
      return UseExit(record);
    case EventRecord::Kind::kName:
      samples_.thread_names[record.thread_id] = record.name;
      // Exec leaves one thread, and nothing of what was loaded.
      if (record.is_exec) processes_.erase(record.process_id);
      return;
    case EventRecord::Kind::kLost:
    case EventRecord::Kind::kOther:
      return;
  }
}

SampleBuilder::Program& SampleBuilder::ProcessOf(std::int32_t pid) {
  Program& program = processes_[pid];
  if (!program.image) program.image = std::make_shared<ProcessImage>(pid, files_);
  return program;
}

void SampleBuilder::UseMapping(const EventRecord& record) {
  Program& program = ProcessOf(record.process_id);
  if (program.image.use_count() > 1) program.image = program.image->CopyFor(record.process_id);
  program.image->Add(record.mapping);
}

void SampleBuilder::UseFork(const EventRecord& record) {
  const auto name = samples_.thread_names.find(record.parent_thread_id);
  if (name != samples_.thread_names.end())
    samples_.thread_names[record.thread_id] = std::string(name->second);
  if (record.process_id == record.parent_process_id) {
    ++ProcessOf(record.process_id).threads;
  } else {
    processes_[record.process_id] = {ProcessOf(record.parent_process_id).image, 1};
  }
}

void SampleBuilder::UseExit(const EventRecord& record) {
  const auto program = processes_.find(record.process_id);
  if (program != processes_.end() && --program->second.threads <= 0) processes_.erase(program);
}

void SampleBuilder::NameKernelFrames() {
  if (kernel_frames_.empty()) return;
  const SymbolList symbols = ReadKernelSymbols();
  const CallTree old = std::exchange(samples_.tree, CallTree());
  CallTree& tree = samples_.tree;
  std::vector<std::uint32_t> frames, nodes = {0};
  for (std::uint32_t i = 0; i < old.frames().size(); ++i) {
    const Frame& frame = old.frames()[i];
    const auto address = kernel_frames_.find(i);
    const std::string* name =
        address != kernel_frames_.end() ? symbols.Find(address->second) : &frame.function;
    frames.push_back(tree.InternFrame(name != nullptr ? *name : "[kernel]", frame.module));
  }
  for (std::size_t i = 1; i < old.nodes().size(); ++i)
    nodes.push_back(tree.Child(nodes[old.nodes()[i].parent], frames[old.nodes()[i].frame]));
  for (StackSample& sample : samples_.samples) sample.node = nodes[sample.node];
}

void SampleBuilder::UseSample(const EventRecord& record) {
  ++seen_;
  if (seen_ % samples_.kept_every != 0) return;
  CallTree& tree = samples_.tree;
  std::uint32_t node = 0;
  if (!record.registers.empty()) {
    const auto stack = ProcessOf(record.process_id).image->StackOf(record, tree);
    samples_.cut_stacks += stack.is_cut;
    samples_.broken_stacks += stack.is_broken;
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame)
      node = tree.Child(node, *frame);
  }
  for (auto at = record.kernel_addresses.rbegin(); at != record.kernel_addresses.rend(); ++at) {
    // Named at the end: the kernel's list takes tens of milliseconds to read, of the program's CPU.
    const std::uint32_t frame = tree.InternFrame(fmt::format("{:#x}", *at), "[kernel]");
    kernel_frames_.emplace(frame, *at);
    node = tree.Child(node, frame);
  }
  samples_.samples.push_back(
      {static_cast<std::int64_t>(record.time_ns), record.process_id, record.thread_id, node});
  if (samples_.samples.size() < most_samples_) return;
  std::size_t kept = 0;
  for (std::size_t i = 1; i < samples_.samples.size(); i += 2)
    samples_.samples[kept++] = samples_.samples[i];
  samples_.samples.resize(kept);
  samples_.kept_every *= 2;
}

StackSamples SampleBuilder::Finish() {
  Process(INT64_MAX);
  NameKernelFrames();
  std::set<std::int32_t> sampled;
  for (const StackSample& sample : samples_.samples) {
    sampled.insert(sample.process_id);
    sampled.insert(sample.thread_id);
  }
  std::erase_if(samples_.thread_names,
                [&](const auto& name) { return !sampled.contains(name.first); });
  return std::move(samples_);
}

}  // namespace xsp::sampling
