#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_SHARED_LIBRARY_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_SHARED_LIBRARY_H_

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>

namespace xsp::cuda_alternatives {

/// This machine, GPU or library cannot do what was asked for: the program ends with status 4.
struct NotPossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A library that was opened at run time. It is never closed, because it may have threads.
class SharedLibrary {
 public:
  /// Opens the first of `names` that is found: in the folders of $XSP_CUDA_LIBRARY_PATH
  /// (colon-separated), by the dynamic loader, or in the NVIDIA packages that tools/setup installs
  /// beside PyTorch. Nothing: none is there, or it does not load.
  static std::optional<SharedLibrary> Open(std::initializer_list<const char*> names);

  /// Sets `function` to what the library calls `symbol`. Throws NotPossible where it lacks it.
  template <typename Function>
  void Load(const char* symbol, Function& function) const {
    function = reinterpret_cast<Function>(Find(symbol));
  }

 private:
  explicit SharedLibrary(void* opened, std::string name)
      : opened_(opened), name_(std::move(name)) {}

  void* Find(const char* symbol) const;

  void* opened_;
  std::string name_;
};

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_SHARED_LIBRARY_H_
