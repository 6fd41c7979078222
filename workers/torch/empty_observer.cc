// libxsp-empty-observer.so, for bench/record_*.py: an observer of the same events as that of
// `xsp record` that does nothing. Its overhead is PyTorch's part.

#include <ATen/record_function.h>

#include <memory>

#include "capture/wire/xsp.h"

namespace {
at::CallbackHandle observer = 0;
}  // namespace

extern "C" XSP_API void xsp_torch_observe_nothing() {
  observer = at::addGlobalCallback(
      at::RecordFunctionCallback(
          [](const at::RecordFunction&) -> std::unique_ptr<at::ObserverContext> { return nullptr; },
          [](const at::RecordFunction&, at::ObserverContext*) {})
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                   at::RecordScope::TORCHSCRIPT_FUNCTION, at::RecordScope::USER_SCOPE}));
}

/// While no operator runs.
extern "C" XSP_API void xsp_torch_stop_observing_nothing() { at::removeCallback(observer); }
