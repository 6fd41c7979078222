#ifndef XSP_DERIVE_TIMELINE_COLLECTIVES_OPERATION_NAME_H_
#define XSP_DERIVE_TIMELINE_COLLECTIVES_OPERATION_NAME_H_

#include <string_view>

namespace xsp::timeline::collectives {

/// What a communicating kernel does: all_reduce, all_gather, reduce_scatter, all_to_all, broadcast,
/// reduce, send_receive, barrier or other. `attributes`: the collective's name as the file has it
/// ("_allgather_base"), which counts first, as libraries make some collectives of sends and
/// receives; empty: not known. `kernel`: the kernel's name.
std::string_view OperationOf(std::string_view attributes, std::string_view kernel);

}  // namespace xsp::timeline::collectives

#endif  // XSP_DERIVE_TIMELINE_COLLECTIVES_OPERATION_NAME_H_
