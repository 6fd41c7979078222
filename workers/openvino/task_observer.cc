#include "openvino/task_observer.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace xsp::worker_openvino {
namespace {

// What the static half of the API, which is in OpenVINO's libraries, shares with its listener
// (ittnotify.h of the ITT API, version 3). Fields that it does not use are the listener's.
struct Domain {
  volatile int flags;  ///< 0: nothing is announced.
  const char* name;
  void* wide_name;
  int kind;  ///< Ours: a DomainKind.
  void* unused;
  Domain* next;
};

struct StringHandle {
  const char* text;
  void* wide_text;
  int generation;  ///< Ours: of `node`.
  const Node* node;
  StringHandle* next;
};

enum DomainKind : int { kNew, kNodes, kClasses, kOthers };

struct TaskId {
  unsigned long long words[3];
};

/// A node's task lies in one of the other domain, whose name tells the node's class.
constexpr std::string_view kNodeDomain = "ov::op::cpu::details";
constexpr std::string_view kClassDomain = "ov::op::cpu::exec";

std::mutex mutex;
std::atomic<bool> is_observing{false};
std::atomic<xsp_span> current_call{0};
LayerDetail detail = LayerDetail::kTimes;
std::shared_ptr<const NodeTable> nodes;
std::atomic<int> generation{0};

std::map<std::string, Domain*, std::less<>>& Domains() {
  static auto* const domains = new std::map<std::string, Domain*, std::less<>>;
  return *domains;
}

std::map<std::string, StringHandle*, std::less<>>& Handles() {
  static auto* const handles = new std::map<std::string, StringHandle*, std::less<>>;
  return *handles;
}

/// Nodes that the runtime model does not show, by name.
std::map<std::string, Node, std::less<>>& HiddenNodes() {
  static auto* const hidden = new std::map<std::string, Node, std::less<>>;
  return *hidden;
}

DomainKind KindOf(std::string_view domain) {
  if (domain == kNodeDomain) return kNodes;
  return domain == kClassDomain ? kClasses : kOthers;
}

int FlagsOf(DomainKind kind) {
  return kind != kOthers && is_observing.load(std::memory_order_relaxed) ? 1 : 0;
}

struct Frame {
  xsp_span span;           ///< 0 on a thread that is not the call's.
  std::uint64_t start_ns;  ///< There only.
  const Node* node;
};

struct ThreadTasks {
  /// Nodes in nodes: bodies of loops. Deeper ones are not recorded.
  static constexpr int kDeepest = 32;
  std::array<Frame, kDeepest> frames;
  int depth;
  bool makes_call;
  const StringHandle* node_class;  ///< Announced last: "Convolution::execute".
};

thread_local constinit ThreadTasks tasks = {};

/// The node of a task: of the runtime model or, in the body of a loop, what the task's class tells.
const Node* FindNode(StringHandle* name) {
  const std::lock_guard lock(mutex);
  const Node* node = nodes->Find(name->text);
  if (!node) {
    Node& hidden = HiddenNodes()[name->text];
    if (hidden.name == 0) {
      const std::string_view announced = tasks.node_class ? tasks.node_class->text : "Node";
      const std::string_view type = announced.substr(0, announced.find("::"));
      hidden.name = xsp_intern(name->text, std::strlen(name->text));
      hidden.type = xsp_intern(type.data(), type.size());
    }
    node = &hidden;
  }
  name->node = node;
  __atomic_store_n(&name->generation, generation.load(), __ATOMIC_RELEASE);
  return node;
}

const Node* NodeOf(StringHandle* name) {
  const bool is_fresh = __atomic_load_n(&name->generation, __ATOMIC_ACQUIRE) ==
                        generation.load(std::memory_order_relaxed);
  return is_fresh ? name->node : FindNode(name);
}

void AddNodeAttributes(xsp_span span, const Node& node) {
  if (detail != LayerDetail::kTimes) DescribeLayer(span, node, detail == LayerDetail::kShapes);
}

void BeginNode(StringHandle* name) {
  const int place = tasks.depth++;
  if (place >= ThreadTasks::kDeepest) return;
  Frame& frame = tasks.frames[static_cast<std::size_t>(place)];
  frame = {0, 0, NodeOf(name)};
  if (tasks.makes_call) {
    frame.span = xsp_begin(XSP_LEVEL_LAYER, frame.node->type, frame.node->name);
    AddNodeAttributes(frame.span, *frame.node);
  } else {
    frame.start_ns = xsp_now_ns();
  }
}

void EndNode() {
  if (tasks.depth == 0) return;  // It began before we observed.
  const int place = --tasks.depth;
  if (place >= ThreadTasks::kDeepest) return;
  const Frame& frame = tasks.frames[static_cast<std::size_t>(place)];
  if (tasks.makes_call) {
    xsp_end(frame.span);
    return;
  }
  const xsp_span span =
      xsp_complete_in(current_call.load(), XSP_LEVEL_LAYER, frame.node->type, frame.node->name,
                      frame.start_ns, xsp_now_ns() - frame.start_ns);
  AddNodeAttributes(span, *frame.node);
}

/// A domain that was made before the API found us has flags that are not ours.
void TakeOver(Domain* domain) {
  const std::lock_guard lock(mutex);
  if (domain->kind != kNew) return;
  domain->kind = KindOf(domain->name);
  domain->flags = FlagsOf(static_cast<DomainKind>(domain->kind));
  Domains().emplace(domain->name, domain);
}

void SwitchDomains(bool on) {
  const std::lock_guard lock(mutex);
  is_observing.store(on, std::memory_order_relaxed);
  for (const auto& [name, domain] : Domains()) domain->flags = FlagsOf(KindOf(name));
}

}  // namespace

bool ListenToTasks() {
  constexpr const char* kLibrary = "INTEL_LIBITTNOTIFY64";
  if (std::getenv(kLibrary)) return false;
  // The empty name is the program itself to the C library's dlopen(). Without groups the API takes
  // no function from a listener that, as we do, leaves the rest of its set-up to the API.
  setenv(kLibrary, "", 1);
  setenv("INTEL_ITTNOTIFY_GROUPS", "all", 1);
  return true;
}

void StartLayers(std::shared_ptr<const NodeTable> table, LayerDetail wanted) {
  {
    const std::lock_guard lock(mutex);
    nodes = std::move(table);
    detail = wanted;
    HiddenNodes().clear();
    generation.fetch_add(1);
  }
  SwitchDomains(true);
}

void StopLayers() { SwitchDomains(false); }

void BeginCall(xsp_span call) {
  current_call.store(call);
  tasks.makes_call = true;
  tasks.depth = 0;
}

void EndCall() { tasks.makes_call = false; }

}  // namespace xsp::worker_openvino

// What the API looks up in its listener, by these names.
extern "C" {

using xsp::worker_openvino::Domain;
using xsp::worker_openvino::StringHandle;
using xsp::worker_openvino::TaskId;

XSP_API const char* __itt_api_version() { return "3.0"; }

XSP_API Domain* __itt_domain_create(const char* name) {
  using namespace xsp::worker_openvino;
  const std::lock_guard lock(mutex);
  Domain*& domain = Domains()[name];
  if (!domain) {
    const char* const kept = Domains().find(name)->first.c_str();
    const DomainKind kind = KindOf(name);
    domain = new Domain{FlagsOf(kind), kept, nullptr, kind, nullptr, nullptr};
  }
  return domain;
}

XSP_API StringHandle* __itt_string_handle_create(const char* text) {
  using namespace xsp::worker_openvino;
  const std::lock_guard lock(mutex);
  StringHandle*& handle = Handles()[text];
  if (!handle) {
    const char* const kept = Handles().find(text)->first.c_str();
    handle = new StringHandle{kept, nullptr, 0, nullptr, nullptr};
  }
  return handle;
}

XSP_API void __itt_task_begin(Domain* domain, TaskId, TaskId, StringHandle* name) {
  using namespace xsp::worker_openvino;
  if (domain->kind == kNew) TakeOver(domain);
  if (!domain->flags || !name) return;
  if (domain->kind == kNodes) BeginNode(name);
  if (domain->kind == kClasses) tasks.node_class = name;
}

XSP_API void __itt_task_end(Domain* domain) {
  using namespace xsp::worker_openvino;
  if (domain->kind == kNodes && domain->flags) EndNode();
}

}  // extern "C"
