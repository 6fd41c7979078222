#ifndef XSP_WORKERS_OPENCV_MODEL_FILE_H_
#define XSP_WORKERS_OPENCV_MODEL_FILE_H_

#include <string>

namespace xsp::worker_opencv {

/// A model as OpenCV reads it: weights, and for some formats the graph in a second file.
struct ModelFiles {
  std::string model;
  std::string config;  ///< Empty where the format has none.
};

/// The formats that this version reads, as JSON for describe().
std::string ModelFormats();

/// The files of the model at `path`. `config`: the second file; where it is empty, the one beside
/// the first with its name and the format's extension. Throws WorkerError (bad input) with the way
/// out for folders, empty files, other formats, and a second file that is not there.
ModelFiles FilesOf(const std::string& path, const std::string& config);

}  // namespace xsp::worker_opencv

#endif  // XSP_WORKERS_OPENCV_MODEL_FILE_H_
