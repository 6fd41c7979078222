#include "capture/sampling/process_image.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace xsp::sampling {
namespace {

constexpr std::size_t kMostAddresses = std::size_t{1} << 20;

std::string BareName(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

bool IsFile(const Mapping& mapping) {
  return mapping.path == "[vdso]" ||
         (mapping.path.starts_with("/") && !mapping.path.starts_with("//"));
}

}  // namespace

std::unique_ptr<ProcessImage> ProcessImage::CopyFor(int pid) const {
  auto copy = std::make_unique<ProcessImage>(pid, files_);
  for (const auto& [start, mapping] : space_.mappings()) copy->Add(mapping);
  return copy;
}

void ProcessImage::Add(const Mapping& mapping) {
  if (space_.Add(mapping)) {
    // What was there is gone: the unwinder begins again.
    unwinder_.reset();
    frames_.clear();
  }
  if (unwinder_) pending_.push_back(mapping);
}

void ProcessImage::LoadPending() {
  if (!unwinder_) {
    unwinder_ = std::make_unique<Unwinder>();
    pending_.clear();
    for (const auto& [start, mapping] : space_.mappings()) pending_.push_back(mapping);
  }
  for (const Mapping& mapping : pending_) {
    if (!IsFile(mapping)) continue;
    const LoadedFile& file = files_.Of(pid_, mapping);
    if (!file.elf) continue;
    const auto address = file.elf->AddressOf(mapping.file_offset);
    if (!address) continue;
    const std::uint64_t base =
        file.elf->is_fixed() ? 0 : mapping.start - *address + file.elf->first_page();
    unwinder_->AddFile(mapping.path, file.fd, base);
  }
  pending_.clear();
}

ProcessImage::Stack ProcessImage::StackOf(const EventRecord& sample, CallTree& tree) {
  LoadPending();
  if (frames_.size() > kMostAddresses) frames_.clear();
  const Unwound unwound = unwinder_->Unwind(sample);
  Stack stack;
  stack.is_cut = unwound.is_cut;
  stack.is_broken = unwound.is_broken;
  stack.frames.reserve(unwound.addresses.size());
  for (const std::uint64_t address : unwound.addresses)
    stack.frames.push_back(FrameAt(address, tree));
  return stack;
}

const std::string* ProcessImage::FindCompiled(std::uint64_t address) {
  std::string path = fmt::format("/proc/{0}/root/tmp/perf-{0}.map", pid_);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    path = fmt::format("/tmp/perf-{}.map", pid_);
    if (stat(path.c_str(), &status) != 0) status.st_size = compiled_bytes_;
  }
  const std::string* name = compiled_.Find(address);
  // It grows as code is made.
  if (name != nullptr || status.st_size == compiled_bytes_) return name;
  compiled_bytes_ = status.st_size;
  compiled_ = ReadPerfMap(path);
  return compiled_.Find(address);
}

std::uint32_t ProcessImage::FrameAt(std::uint64_t address, CallTree& tree) {
  const auto known = frames_.find(address);
  if (known != frames_.end()) return known->second;
  const Mapping* mapping = space_.Find(address);
  if (mapping == nullptr) return tree.InternFrame("[unknown]", "[unknown]");
  if (!IsFile(*mapping)) {
    // Not remembered: other code may be made there.
    const std::string* name = FindCompiled(address);
    return tree.InternFrame(name != nullptr ? *name : "[compiled while running]", "[jit]");
  }
  const std::string module = BareName(mapping->path);
  const LoadedFile& file = files_.Of(pid_, *mapping);
  std::uint64_t in_file = address - mapping->start + mapping->file_offset;
  std::string name;
  if (file.elf) {
    const auto begin = file.elf->AddressOf(mapping->file_offset);
    if (begin) in_file = address - mapping->start + *begin;
    if (const auto function = file.elf->FunctionAt(in_file)) {
      name = function->name;
      in_file = function->start;
    }
  }
  if (name.empty()) name = fmt::format("{}+{:#x}", module, in_file);
  const std::uint32_t frame = tree.InternFrame(name, module);
  frames_.emplace(address, frame);
  return frame;
}

}  // namespace xsp::sampling
