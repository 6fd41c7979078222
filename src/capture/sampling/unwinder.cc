#include "capture/sampling/unwinder.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "capture/sampling/registers.h"

namespace xsp::sampling {
namespace {

// A process of this number need not exist: nothing of it is read but what the callbacks give.
constexpr pid_t kProcess = 1;

/// One unwinding, as the callbacks see it.
struct Task {
  const EventRecord* sample = nullptr;
  Unwound* result = nullptr;
  std::uint64_t program_counter = 0, stack_pointer = 0;  ///< Where it begins.
};

pid_t NextThread(Dwfl*, void* argument, void** thread_argument) {
  if (*thread_argument != nullptr) return 0;
  *thread_argument = argument;
  return kProcess;
}

bool GetThread(Dwfl*, pid_t, void* argument, void** thread_argument) {
  *thread_argument = argument;
  return true;
}

bool ReadMemory(Dwfl*, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
  const Task& task = *static_cast<Task*>(argument);
  const EventRecord& sample = *task.sample;
  const std::uint64_t begin = sample.registers[kStackPointer];
  const std::uint64_t size = sample.stack.size();
  if (address >= begin && size >= sizeof(*result) && address - begin <= size - sizeof(*result)) {
    std::memcpy(result, sample.stack.data() + (address - begin), sizeof(*result));
    return true;
  }
  if (address >= begin && sample.stack_is_cut) task.result->is_cut = true;
  return false;
}

bool SetRegisters(Dwfl_Thread* thread, void* argument) {
  const Task& task = *static_cast<Task*>(argument);
  const EventRecord& sample = *task.sample;
  Dwarf_Word values[kDwarfRegisters] = {};
  for (std::size_t i = 0; i < kRegisters; ++i)
    if (static_cast<std::size_t>(kDwarfNumber[i]) < kDwarfRegisters)
      values[kDwarfNumber[i]] = sample.registers[i];
  values[kDwarfNumber[kStackPointer]] = task.stack_pointer;
  if (static_cast<std::size_t>(kDwarfNumber[kProgramCounter]) < kDwarfRegisters)
    values[kDwarfNumber[kProgramCounter]] = task.program_counter;
  dwfl_thread_state_register_pc(thread, task.program_counter);
  return dwfl_thread_state_registers(thread, 0, kDwarfRegisters, values);
}

int TakeFrame(Dwfl_Frame* frame, void* argument) {
  Unwound& result = *static_cast<Unwound*>(argument);
  Dwarf_Addr address = 0;
  bool is_activation = false;
  if (!dwfl_frame_pc(frame, &address, &is_activation) || address == 0) return DWARF_CB_ABORT;
  if (result.addresses.size() == kMostFrames) {
    result.is_cut = true;
    return DWARF_CB_ABORT;
  }
  result.addresses.push_back(is_activation ? address : address - 1);
  return DWARF_CB_OK;
}

constexpr Dwfl_Thread_Callbacks kThread = {
    .next_thread = NextThread,
    .get_thread = GetThread,
    .memory_read = ReadMemory,
    .set_initial_registers = SetRegisters,
    .detach = nullptr,
    .thread_detach = nullptr,
};

// Unwinding tables are in the file itself: nothing is looked for elsewhere, and on no server.
int NoElf(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; }
int NoDebugInfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word,
                char**) {
  return -1;
}
constexpr Dwfl_Callbacks kFiles = {
    .find_elf = NoElf,
    .find_debuginfo = NoDebugInfo,
    .section_address = nullptr,
    .debuginfo_path = nullptr,
};

}  // namespace

struct Unwinder::State {
  ~State() {
    if (dwfl != nullptr) dwfl_end(dwfl);
  }
  /// Whether the stack was followed to its end.
  bool Follow(Unwound& result) {
    task.result = &result;
    return is_attached && dwfl_getthread_frames(dwfl, kProcess, TakeFrame, &result) == 0;
  }

  /// Hand-written kernels (MKL's) have no tables and no frame pointer. Their caller is what lies
  /// nearest on the stack from where the rest can be followed to the stack's end.
  bool GuessCaller(const EventRecord& sample, Unwound& result) {
    constexpr std::size_t kMostWords = 256, kMostTried = 8;
    const std::size_t words = std::min(sample.stack.size() / sizeof(std::uint64_t), kMostWords);
    std::size_t tried = 0;
    for (std::size_t i = 0; i < words && tried < kMostTried; ++i) {
      std::uint64_t address = 0;
      std::memcpy(&address, sample.stack.data() + i * sizeof(address), sizeof(address));
      Dwarf_Addr bias = 0;
      Dwfl_Module* module = address > 0 ? dwfl_addrmodule(dwfl, address - 1) : nullptr;
      Dwarf_CFI* tables = module != nullptr ? dwfl_module_eh_cfi(module, &bias) : nullptr;
      Dwarf_Frame* frame = nullptr;
      if (tables == nullptr || dwarf_cfi_addrframe(tables, address - 1 - bias, &frame) != 0)
        continue;
      std::free(frame);
      ++tried;
      Unwound rest;
      task.program_counter = address - 1;  // Within the call.
      task.stack_pointer = sample.registers[kStackPointer] + (i + 1) * sizeof(address);
      if (!Follow(rest) || rest.addresses.size() < 2) continue;
      result.addresses.insert(result.addresses.end(), rest.addresses.begin(), rest.addresses.end());
      return true;
    }
    return false;
  }

  Dwfl* dwfl = nullptr;
  bool is_attached = false;
  Task task;
};

Unwinder::Unwinder() : state_(std::make_unique<State>()) { state_->dwfl = dwfl_begin(&kFiles); }
Unwinder::~Unwinder() = default;

bool Unwinder::AddFile(const std::string& name, int fd, std::uint64_t base) {
  if (state_->dwfl == nullptr) return false;
  const int own = dup(fd);
  dwfl_report_begin_add(state_->dwfl);
  const bool added = own >= 0 && dwfl_report_elf(state_->dwfl, name.c_str(), name.c_str(), own,
                                                 base, false) != nullptr;
  dwfl_report_end(state_->dwfl, nullptr, nullptr);
  if (!added && own >= 0) close(own);
  return added;
}

Unwound Unwinder::Unwind(const EventRecord& sample) {
  Unwound result;
  if (!kCanUnwind || sample.registers.size() != kRegisters) return result;
  State& state = *state_;
  state.task = {&sample, &result, sample.registers[kProgramCounter],
                sample.registers[kStackPointer]};
  if (!state.is_attached && state.dwfl != nullptr)
    state.is_attached = dwfl_attach_state(state.dwfl, nullptr, kProcess, &kThread, &state.task);
  const bool is_whole = state.Follow(result);
  if (result.addresses.empty()) result.addresses.push_back(sample.registers[kProgramCounter]);
  result.is_broken = !is_whole && !result.is_cut;
  if (result.is_broken && state.is_attached && result.addresses.size() == 1)
    result.is_broken = !state.GuessCaller(sample, result);
  return result;
}

}  // namespace xsp::sampling
