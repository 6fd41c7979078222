#ifndef XSP_API_STORED_REFERENCE_H_
#define XSP_API_STORED_REFERENCE_H_

#include <filesystem>
#include <string_view>

#include "core/result.h"

namespace xsp::api {

/// Whether `text` can only name something in a store: EXPERIMENT, EXPERIMENT/RUN, `latest` or
/// nothing, each with "#batch=8,backend=torch" if wanted. No path that is absolute or leads out of
/// the store (".."), no hidden folder, and no control characters. Looks at the text alone.
bool NamesStored(std::string_view text);

/// Whether `text` names something that is in `store`. What people type may also be a folder of this
/// machine (store::Resolve); programs and agents that were given one store must not reach others.
/// Errors: kUsage (not such a name), kBadInput (nothing of that name; the hint has the nearest).
Status CheckStored(const std::filesystem::path& store, std::string_view text);

}  // namespace xsp::api

#endif  // XSP_API_STORED_REFERENCE_H_
