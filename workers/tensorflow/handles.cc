#include "tensorflow/handles.h"

#include <algorithm>

#include "harness/guarded.h"

namespace xsp::worker_tensorflow {

std::string Essence(const std::string& message) {
  std::string text = message.substr(0, message.find('\n'));
  // "{{function_node f}} {{node x}} what happened": the marks are for a Python traceback.
  for (std::size_t open; (open = text.find("{{")) != std::string::npos;) {
    const std::size_t close = text.find("}}", open);
    if (close == std::string::npos) break;
    const bool spaced = close + 2 < text.size() && text[close + 2] == ' ';
    text.erase(open, close + 2 - open + (spaced ? 1 : 0));
  }
  const std::size_t last = text.find_last_not_of(" \t");
  text.resize(last == std::string::npos ? 0 : last + 1);
  return text.empty() ? "no reason given" : text;
}

void Check(const TF_Status& status, const std::string& context, const std::string& hint) {
  const TF_Code code = TF_GetCode(&status);
  if (code == TF_OK) return;
  const std::string whole = TF_Message(&status);
  const std::string text = Essence(whole);
  if (code == TF_RESOURCE_EXHAUSTED || worker::IsOutOfMemory(whole)) {
    throw WorkerError(ErrorKind::kEnvironment, "memory ran out: " + text,
                      "use a smaller batch or a smaller model");
  }
  if (whole.find("Op type not registered") != std::string::npos ||
      whole.find("No OpKernel was registered") != std::string::npos || code == TF_UNIMPLEMENTED) {
    throw WorkerError(ErrorKind::kNotPossible, context + ": " + text,
                      std::string("this TensorFlow (") + TF_Version() +
                          ") has no such operator on this device: use the version that wrote the "
                          "model, or leave the operator out");
  }
  throw WorkerError(ErrorKind::kBadInput, context + ": " + text, hint);
}

}  // namespace xsp::worker_tensorflow
