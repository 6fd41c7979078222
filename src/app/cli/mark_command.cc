#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "os/paths.h"

namespace xsp::cli::mark {
namespace {

/// As of capture/wire/xsp.h, whose library `xsp record` has loaded into this process as into any
/// other that it records; it is looked up, since the copy that is linked into xsp has no recording.
using Intern = std::uint32_t (*)(const char* text, std::size_t length);
using Mark = void (*)(std::uint32_t name);

Result<int> Run(const std::vector<std::string>& words) {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  const auto libraries = os::Environment("XSP_RECORD_LIBRARIES");
  // Programs mark whether they are recorded or not.
  if (!libraries) return 0;
  const std::string library = (std::filesystem::path(*libraries) / "libxsp.so").string();
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const auto intern =
      handle == nullptr ? nullptr : reinterpret_cast<Intern>(dlsym(handle, "xsp_intern"));
  const auto mark = handle == nullptr ? nullptr : reinterpret_cast<Mark>(dlsym(handle, "xsp_mark"));
  if (intern == nullptr || mark == nullptr)
    return Error{ErrorKind::kEnvironment, "the recording cannot be reached: " + library,
                 "xsp mark must be the xsp that records, and not be linked statically"};
  mark(intern(text.data(), text.size()));
  return 0;
}

Action Declare(CLI::App& app, const Session&) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("MARK", *words, "Text of the mark, such as epoch=3 accuracy=0.71")->required();
  return [words] { return Run(*words); };
}

}  // namespace

extern const CommandSpec kCommand;
constinit const CommandSpec kCommand = {
    .name = "mark",
    .summary =
        "Adds a mark to the recording of the enclosing xsp record; without one it does nothing",
    .example = "xsp mark epoch=3 accuracy=0.71",
    .declare = Declare,
};

}  // namespace xsp::cli::mark
