#ifndef XSP_DERIVE_HISTORY_SESSION_SOURCES_H_
#define XSP_DERIVE_HISTORY_SESSION_SOURCES_H_

#include <filesystem>
#include <span>

#include "core/result.h"
#include "derive/compare/session_noise.h"
#include "derive/compare/side.h"
#include "derive/history/series.h"

namespace xsp::history {

/// What sessions of one program (model file and version of the framework) differ by in a series of
/// latencies or throughputs, pooled over its programs. Left out are `but`, sessions on a busy
/// machine, and those of one process, whose level is that of the process.
compare::SessionNoise NoiseOfSeries(const Series& series,
                                    std::span<const std::filesystem::path> but);

/// That of the series of both sides in `store`, without the sides themselves, so that it does not
/// depend on what they differ by. Nothing is known of sides that are not in the store. Errors: as
/// ReadHistory().
Result<compare::SessionNoise> ReadSessionNoise(const std::filesystem::path& store,
                                               const compare::Sides& sides);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_SESSION_SOURCES_H_
