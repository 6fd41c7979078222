#ifndef XSP_WORKERS_OPENVINO_ZEROED_NEW_H_
#define XSP_WORKERS_OPENVINO_ZEROED_NEW_H_

namespace xsp::worker_openvino {

/// From now on small objects that C++ code of this process makes with `new`, shared libraries
/// included, begin as zeros.
///
/// oneDNN 3.13 in OpenVINO 2026.4 reads a flag of its streams that nothing has set, and only while
/// it announces primitives (ONEDNN_VERBOSE): where the heap's old content makes it true, inference
/// ends in "could not execute a primitive" (status unimplemented). Seen in five of seven
/// combinations of model and precision, in none with zeroed memory.
void ZeroSmallObjects();

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_ZEROED_NEW_H_
