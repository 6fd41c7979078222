#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "api/operation.h"
#include "os/paths.h"

namespace xsp::api::mark_operation {
namespace {

/// As of capture/wire/xsp.h, whose library `xsp record` has loaded into this process as into any
/// other that it records; it is looked up, since the copy that is linked into xsp has no recording.
using Intern = std::uint32_t (*)(const char* text, std::size_t length);
using Mark = void (*)(std::uint32_t name);

struct Request {
  std::vector<std::string> words;
};

Result<Document> AddMark(const Request& request) {
  const std::string text = fmt::format("{}", fmt::join(request.words, " "));
  const auto libraries = os::Environment("XSP_RECORD_LIBRARIES");
  Document document{.content = nlohmann::json{{"mark", text}, {"recorded", false}}};
  // Programs mark whether they are recorded or not.
  if (!libraries) return document;
  const std::string library = (std::filesystem::path(*libraries) / "libxsp.so").string();
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto intern =
      handle == nullptr ? nullptr : reinterpret_cast<Intern>(dlsym(handle, "xsp_intern"));
  const auto mark = handle == nullptr ? nullptr : reinterpret_cast<Mark>(dlsym(handle, "xsp_mark"));
  if (intern == nullptr || mark == nullptr)
    return Error{ErrorKind::kEnvironment, "the recording cannot be reached: " + library,
                 "xsp mark must be the xsp that records, and not be linked statically"};
  mark(intern(text.data(), text.size()));
  document.content = nlohmann::json{{"mark", text}, {"recorded", true}};
  return document;
}

Action Declare(core::RequestFields& fields, const Context&) {
  auto request = std::make_shared<Request>();
  fields.Add("mark", &request->words,
             {.help = "Text of the mark, such as epoch=3 accuracy=0.71",
              .required = true,
              .positional = true});
  return [request] { return AddMark(*request); };
}

}  // namespace

extern const OperationSpec kOperation;
constinit const OperationSpec kOperation = {
    .name = "mark",
    .summary =
        "Adds a mark to the recording of the enclosing xsp record; without one it does nothing",
    .example = "xsp mark epoch=3 accuracy=0.71",
    .effect = Effect::kChanges,
    .result = R"({"type": "object", "properties": {"mark": {"type": "string"},
      "recorded": {"type": "boolean", "description": "False: nothing is being recorded"}}})",
    .declare = Declare,
    .served_as = ServedAs::kNothing,
};

}  // namespace xsp::api::mark_operation
