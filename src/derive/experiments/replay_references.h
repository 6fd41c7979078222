#ifndef XSP_DERIVE_EXPERIMENTS_REPLAY_REFERENCES_H_
#define XSP_DERIVE_EXPERIMENTS_REPLAY_REFERENCES_H_

#include <filesystem>
#include <string>

#include "core/result.h"
#include "ingest/correlate/kernel_sequences.h"

namespace xsp::experiments {

/// Experiments of a model are read, newest first, until so many of them told something,
inline constexpr int kMostReferenceExperiments = 3;
/// or so many were read.
inline constexpr int kMostReadExperiments = 10;

/// What the run or experiment in `directory` tells of kernels and the operators that launched them.
/// Errors: kBadInput: it cannot be read, or tells nothing.
Result<correlate::ForeignSequences> ReadReference(const std::filesystem::path& directory);

/// The same of the newest experiments of `model` in `store`. What cannot be read is passed over: it
/// is nothing that was asked for.
correlate::ForeignSequences FindReferences(const std::filesystem::path& store,
                                           const std::string& model);

}  // namespace xsp::experiments

#endif  // XSP_DERIVE_EXPERIMENTS_REPLAY_REFERENCES_H_
