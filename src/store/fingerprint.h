#ifndef XSP_STORE_FINGERPRINT_H_
#define XSP_STORE_FINGERPRINT_H_

#include <filesystem>
#include <string>

namespace xsp::store {

/// 16 hexadecimal digits that change whenever the name or a file of an experiment changes: from the
/// names, sizes and times of experiment.json, its tables and each run.json. Reads no content. What
/// was computed from an experiment can be kept under it. Any thread.
std::string FingerprintOf(const std::filesystem::path& experiment);

}  // namespace xsp::store

#endif  // XSP_STORE_FINGERPRINT_H_
