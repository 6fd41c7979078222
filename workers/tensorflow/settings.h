#ifndef XSP_WORKERS_TENSORFLOW_SETTINGS_H_
#define XSP_WORKERS_TENSORFLOW_SETTINGS_H_

#include <string>
#include <vector>

#include "harness/worker.h"

namespace xsp::worker_tensorflow {

/// What the job asks of TensorFlow beyond the model.
struct Settings {
  int intra_op_threads = 0;  ///< 0: TensorFlow's default, one per processor.
  int inter_op_threads = 0;  ///< The same.
  bool rewrites = true;      ///< Grappler and the older graph optimiser.
  bool xla = false;
  std::string onednn = "default";  ///< Or "on", "off".
  std::string precision = "default";
  std::string signature = "serving_default";
  std::vector<std::string> outputs;  ///< Of a frozen graph; empty: found.
  bool all_nodes = false;            ///< Record also those that only hand over values.
};

/// Throws WorkerError for a value or a combination that cannot be.
Settings SettingsOf(const xsp_worker_job& job);

/// Makes oneDNN print a line for each primitive: before the first session; lasts as long as the
/// process, since TensorFlow's copy of oneDNN has no switch that could be called.
void AnnouncePrimitives();

/// TensorFlow reads the environment while its library is loaded, before main(). Where the job of
/// this command line sets the option onednn, starts this program anew with the variable that it
/// stands for; returns where nothing has to change, or the job cannot be read (which is reported
/// later).
void RestartWithEnvironment(int argc, char** argv);

/// A serialised ConfigProto.
std::string SessionConfig(const Settings& settings);

/// How many threads share one operator: what was asked, or TensorFlow's default.
int ThreadsOf(int asked);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_SETTINGS_H_
