// What NVTX loads through NVTX_INJECTION64_PATH (docs/ranges.md). The protocol is that of NVTX's
// own headers, version 3 (nvtx3/nvtxDetail/nvtxTypes.h): the loader calls InitializeInjectionNvtx2,
// which puts its functions into the tables of the module that loaded it. Each module of a program
// that was compiled with the headers does so by itself.

#include <nvtx3/nvToolsExt.h>

#include <initializer_list>
#include <string_view>

#include "capture/record/process.h"
#include "capture/record/ranges.h"

namespace xsp::record {
namespace {

/// A name in either kind of characters, as UTF-8.
class Name {
 public:
  explicit Name(const char* text) : text_(text == nullptr ? "" : text) {}
  explicit Name(const wchar_t* text) : text_(ToUtf8(text, buffer_, sizeof buffer_)) {}
  std::string_view text() const { return text_; }

 private:
  char buffer_[kLongestName];
  std::string_view text_;
};

RangeDomain& Domain(nvtxDomainHandle_t handle) {
  return handle == nullptr ? DefaultDomain() : *reinterpret_cast<RangeDomain*>(handle);
}

// A registered string is its id; the bit keeps the handle of the empty one from being null.
constexpr std::uintptr_t kRegistered = std::uintptr_t{1} << 32;

nvtxStringHandle_t Registered(xsp_string id) {
  return reinterpret_cast<nvtxStringHandle_t>(kRegistered | id);
}

bool HasMessage(const nvtxEventAttributes_t* event) {
  return event != nullptr && event->size >= sizeof(nvtxEventAttributes_t);
}

xsp_string MessageId(const nvtxEventAttributes_t* event) {
  if (!HasMessage(event)) return 0;
  switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return TextId(event->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return TextId(event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return static_cast<xsp_string>(reinterpret_cast<std::uintptr_t>(event->message.registered));
    default:
      return 0;
  }
}

RangeDetails Details(const nvtxEventAttributes_t* event) {
  using Payload = RangeDetails::Payload;
  RangeDetails details;
  if (!HasMessage(event)) return details;
  details.category = event->category;
  details.has_color = event->colorType == NVTX_COLOR_ARGB;
  details.argb = event->color;
  switch (event->payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
      details.payload = Payload::kUnsigned;
      details.unsigned_number = event->payload.ullValue;
      break;
    case NVTX_PAYLOAD_TYPE_INT64:
      details.payload = Payload::kSigned;
      details.signed_number = event->payload.llValue;
      break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      details.payload = Payload::kDouble;
      details.number = event->payload.dValue;
      break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
      details.payload = Payload::kUnsigned;
      details.unsigned_number = event->payload.uiValue;
      break;
    case NVTX_PAYLOAD_TYPE_INT32:
      details.payload = Payload::kSigned;
      details.signed_number = event->payload.iValue;
      break;
    case NVTX_PAYLOAD_TYPE_FLOAT:
      details.payload = Payload::kDouble;
      details.number = static_cast<double>(event->payload.fValue);
      break;
    default:  // None, or a payload of an extension's schema.
      break;
  }
  return details;
}

// Domains.

nvtxDomainHandle_t MakeDomain(std::string_view name) {
  return reinterpret_cast<nvtxDomainHandle_t>(FindRangeDomain(name));
}

nvtxDomainHandle_t DomainCreateA(const char* name) { return MakeDomain(Name(name).text()); }
nvtxDomainHandle_t DomainCreateW(const wchar_t* name) { return MakeDomain(Name(name).text()); }
void DomainDestroy(nvtxDomainHandle_t) {}  // Another module may have the same one.

nvtxStringHandle_t DomainRegisterStringA(nvtxDomainHandle_t, const char* text) {
  return Registered(Intern(Name(text).text()));
}
nvtxStringHandle_t DomainRegisterStringW(nvtxDomainHandle_t, const wchar_t* text) {
  return Registered(TextId(text));
}

void DomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) {
  NameCategory(Domain(domain), category, Name(name).text());
}
void DomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name) {
  NameCategory(Domain(domain), category, Name(name).text());
}
void NameCategoryA(uint32_t category, const char* name) {
  DomainNameCategoryA(nullptr, category, name);
}
void NameCategoryW(uint32_t category, const wchar_t* name) {
  DomainNameCategoryW(nullptr, category, name);
}

void NameOsThreadA(uint32_t thread, const char* name) { NameThread(thread, Name(name).text()); }
void NameOsThreadW(uint32_t thread, const wchar_t* name) { NameThread(thread, Name(name).text()); }

// Ranges and marks.

int DomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  const RangeDetails details = Details(event);
  return PushRange(Domain(domain), MessageId(event), &details);
}
int RangePushEx(const nvtxEventAttributes_t* event) { return DomainRangePushEx(nullptr, event); }
int RangePushA(const char* message) { return PushRange(DefaultDomain(), TextId(message)); }
int RangePushW(const wchar_t* message) { return PushRange(DefaultDomain(), TextId(message)); }
int DomainRangePop(nvtxDomainHandle_t domain) { return PopRange(Domain(domain)); }
int RangePop() { return PopRange(DefaultDomain()); }

nvtxRangeId_t Start(RangeDomain& domain, xsp_string name, const RangeDetails& details) {
  return StartRange(domain, name, domain.type, details);
}
nvtxRangeId_t DomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return Start(Domain(domain), MessageId(event), Details(event));
}
nvtxRangeId_t RangeStartEx(const nvtxEventAttributes_t* event) {
  return DomainRangeStartEx(nullptr, event);
}
nvtxRangeId_t RangeStartA(const char* message) {
  return Start(DefaultDomain(), TextId(message), RangeDetails());
}
nvtxRangeId_t RangeStartW(const wchar_t* message) {
  return Start(DefaultDomain(), TextId(message), RangeDetails());
}
void DomainRangeEnd(nvtxDomainHandle_t, nvtxRangeId_t id) { EndRange(id); }
void RangeEnd(nvtxRangeId_t id) { EndRange(id); }

void DomainMarkEx(nvtxDomainHandle_t, const nvtxEventAttributes_t* event) {
  xsp_mark(MessageId(event));
}
void MarkEx(const nvtxEventAttributes_t* event) { xsp_mark(MessageId(event)); }
void MarkA(const char* message) { xsp_mark(TextId(message)); }
void MarkW(const wchar_t* message) { xsp_mark(TextId(message)); }

// The tables.

struct Entry {
  unsigned id;
  NvtxFunctionPointer function;
};

template <typename Function>
Entry At(unsigned id, Function* function) {
  return {id, reinterpret_cast<NvtxFunctionPointer>(function)};
}

bool Fill(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module,
          std::initializer_list<Entry> entries) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks.GetModuleFunctionTable(module, &table, &size) == 0 || table == nullptr)
    return false;
  for (const Entry& entry : entries) {
    if (entry.id < size && table[entry.id] != nullptr) *table[entry.id] = entry.function;
  }
  return true;
}

bool FillTables(const NvtxExportTableCallbacks& callbacks) {
  const bool has_core = Fill(
      callbacks, NVTX_CB_MODULE_CORE,
      {At(NVTX_CBID_CORE_MarkEx, MarkEx), At(NVTX_CBID_CORE_MarkA, MarkA),
       At(NVTX_CBID_CORE_MarkW, MarkW), At(NVTX_CBID_CORE_RangeStartEx, RangeStartEx),
       At(NVTX_CBID_CORE_RangeStartA, RangeStartA), At(NVTX_CBID_CORE_RangeStartW, RangeStartW),
       At(NVTX_CBID_CORE_RangeEnd, RangeEnd), At(NVTX_CBID_CORE_RangePushEx, RangePushEx),
       At(NVTX_CBID_CORE_RangePushA, RangePushA), At(NVTX_CBID_CORE_RangePushW, RangePushW),
       At(NVTX_CBID_CORE_RangePop, RangePop), At(NVTX_CBID_CORE_NameCategoryA, NameCategoryA),
       At(NVTX_CBID_CORE_NameCategoryW, NameCategoryW),
       At(NVTX_CBID_CORE_NameOsThreadA, NameOsThreadA),
       At(NVTX_CBID_CORE_NameOsThreadW, NameOsThreadW)});
  const bool has_domains = Fill(callbacks, NVTX_CB_MODULE_CORE2,
                                {At(NVTX_CBID_CORE2_DomainMarkEx, DomainMarkEx),
                                 At(NVTX_CBID_CORE2_DomainRangeStartEx, DomainRangeStartEx),
                                 At(NVTX_CBID_CORE2_DomainRangeEnd, DomainRangeEnd),
                                 At(NVTX_CBID_CORE2_DomainRangePushEx, DomainRangePushEx),
                                 At(NVTX_CBID_CORE2_DomainRangePop, DomainRangePop),
                                 At(NVTX_CBID_CORE2_DomainNameCategoryA, DomainNameCategoryA),
                                 At(NVTX_CBID_CORE2_DomainNameCategoryW, DomainNameCategoryW),
                                 At(NVTX_CBID_CORE2_DomainRegisterStringA, DomainRegisterStringA),
                                 At(NVTX_CBID_CORE2_DomainRegisterStringW, DomainRegisterStringW),
                                 At(NVTX_CBID_CORE2_DomainCreateA, DomainCreateA),
                                 At(NVTX_CBID_CORE2_DomainCreateW, DomainCreateW),
                                 At(NVTX_CBID_CORE2_DomainDestroy, DomainDestroy)});
  return has_core || has_domains;
}

}  // namespace
}  // namespace xsp::record

/// What NVTX's loader looks for. 1: the tables are filled; 0: nothing is recorded, and the
/// program's NVTX calls do nothing.
extern "C" XSP_API int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  using namespace xsp::record;
  if (get_table == nullptr || !OpenRecording()) return 0;
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(NvtxExportTableCallbacks)) return 0;
  StartRanges("nvtx");
  const auto* version =
      static_cast<const NvtxExportTableVersionInfo*>(get_table(NVTX_ETID_VERSIONINFO));
  if (version != nullptr && version->struct_size >= sizeof(NvtxExportTableVersionInfo)) {
    version->SetInjectionNvtxVersion(NVTX_VERSION);
  }
  return FillTables(*callbacks) ? 1 : 0;
}
